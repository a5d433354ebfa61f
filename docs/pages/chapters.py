"""A page for each chapter, from its README, with the whole of its sources behind it."""
import re

import exercises
import markdown
import marks

SOURCES = (".cu", ".cuh", ".cpp", ".h", ".py")  # what a chapter is written in: a page each


def announce(site):
    for number, chapter in enumerate(site.fact("course.json")["chapters"], 1):
        readme = f"chapters/{chapter['id']}/README.md"
        title, _ = markdown.split_title(site.read(readme))
        page = site.announce(chapter["id"], title or chapter["id"], readme)
        exercises.announce(site, chapter, page)
        for source in sources(site, chapter["id"]):
            page_id = f"{chapter['id']}_{re.sub('[^a-z0-9]', '_', source.name)}"
            site.announce(page_id, source.name, source.relative_to(site.root))


def sources(site, chapter):
    folder = site.root / "chapters" / chapter
    return sorted(path for path in folder.iterdir() if path.suffix in SOURCES)


def write(site):
    for chapter in site.fact("course.json")["chapters"]:
        readme = f"chapters/{chapter['id']}/README.md"
        _, text = markdown.split_title(site.read(readme))
        link = markdown.Linker(site, readme)
        body = marks.expand(site, to_tasks(text, chapter), chapter["id"], link)
        site.write(chapter["id"], body + listing(site, chapter))
        exercises.write(site, chapter)
        for source in sources(site, chapter["id"]):
            place = source.relative_to(site.root)
            site.write(site.places[str(place)], f"`{place}`, of @ref {chapter['id']}.\n\n@include {place}\n", False)


def to_tasks(text, chapter):
    """The names of the chapter's exercises as links to their tasks, where a section calls them. Doxygen shows
    the backticks of a code span inside a link, so the link has none."""
    names = "|".join(re.escape(exercise["name"]) for exercise in chapter["exercises"])
    return re.sub(rf"(?<!\[)`({names})`", r"[\1](checks/\1.md)", text) if names else text


def listing(site, chapter):
    """Where to go on from a chapter's page."""
    names = [f"- @ref {site.places['chapters/' + chapter['id'] + '/checks/' + exercise['name'] + '.md']}"
             for exercise in chapter["exercises"]]
    files = [f"@ref {site.places[str(source.relative_to(site.root))]}" for source in sources(site, chapter["id"])]
    steps = f"{chapter['id']}_steps"
    stepper = f"A kernel of this chapter, instruction by instruction: @ref {steps}.\n\n" if steps in site.pages else ""
    return (f"\n## On this site {{#{chapter['id']}_on_this_site}}\n\n{stepper}Exercises, each with its task and folded hints:\n\n" + "\n".join(names) +
            "\n\nSources: " + ", ".join(files) + ".\n")

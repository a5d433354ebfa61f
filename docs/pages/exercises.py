"""A page for each exercise: the task, its hints folded, the stub. The instructor's pages also have the
solution, its explanation and the stored mistakes."""
import re

import markdown

HINT = re.compile(r"^## Hint (\d+)(?:: ([^\n]+))?\n(.*?)(?=^## |\Z)", re.MULTILINE | re.DOTALL)

FOLD = re.compile(r"^</?details>.*$", re.MULTILINE)


def page_id(exercise):
    return exercise["id"].replace("/", "_")


def task_file(exercise):
    chapter, name = exercise["id"].split("/")
    return f"chapters/{chapter}/checks/{name}.md"


def announce(site, chapter, page):
    for exercise in chapter["exercises"]:
        title, _ = markdown.split_title(site.read(task_file(exercise)))
        page.children.append(site.announce(page_id(exercise), title or exercise["name"], task_file(exercise)))


def write(site, chapter):
    for exercise in chapter["exercises"]:
        _, text = markdown.split_title(site.read(task_file(exercise)))
        link = markdown.Linker(site, task_file(exercise))
        task = markdown.to_doxygen(HINT.sub("", text), page_id(exercise), link)
        hints = "\n".join(hint(*match.groups(), page_id(exercise), link) for match in HINT.finditer(text))
        name = exercise["id"].split("_")[0] + "/" + exercise["name"].split("_")[0]
        parts = [f"Exercise of @ref {chapter['id']}. Edit `exercises/{exercise['id']}.cu`, then `./learn run {name}`.", task,
                 f"## Hints {{#{page_id(exercise)}_hints}}\n\n{hints}",
                 f"## The file {{#{page_id(exercise)}_file}}\n\n{code(exercise['stub'])}"]
        if site.instructor:
            parts.append(for_instructors(site, exercise))
        site.write(page_id(exercise), "\n\n".join(parts), site.instructor)


def hint(number, kind, text, prefix, link):
    text = FOLD.sub("", text)  # GitHub's; here the summary says more
    words = f"Hint {number}" + (f", shown first after a diagnosis of {kind}" if kind else "")
    return markdown.folded(words, markdown.to_doxygen(text.strip(), prefix, link))


def code(text):
    return "```{.cpp}\n" + text.rstrip("\n") + "\n```\n"


def for_instructors(site, exercise):
    path = f"solutions/{exercise['id']}.md"
    _, explanation = markdown.split_title(site.read(path))
    prefix = page_id(exercise)
    text = markdown.to_doxygen(explanation.strip(), prefix, markdown.Linker(site, path))
    stored = "\n".join(mistake(one) for one in exercise["mistakes"])
    return (f"## Solution {{#{prefix}_solution}}\n\n{code(exercise['solution'])}\n\n{text}\n\n"
            f"## Stored mistakes {{#{prefix}_mistakes}}\n\n`./learn check` rejects each of them for the reason in parentheses.\n\n{stored}")


def mistake(one):
    return markdown.folded(f"{one['name']}: {one['description']} ({one['expectation']})", code(one["text"]))

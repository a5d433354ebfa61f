"""The first page of the site: it begins with chapter 1."""
import html
import re

import fill_tables
import markdown


def announce(site):
    """The page; before all others, because it is Doxygen's main page."""
    return site.announce("index", "Warpwise")


def first_paragraph(text):
    """Of a file of the repository, without marks."""
    text = markdown.COMMENT.sub("", text)
    return next(part.strip() for part in re.split(r"\n\s*\n", text) if re.match(r"\s*[A-Za-z*`]", part) and not part.startswith("    "))


def write(site, widgets):
    """
    widgets  the interactive pages
    """
    chapters = [site.pages[chapter["id"]] for chapter in site.fact("course.json")["chapters"]]
    link = markdown.Linker(site, "README.md")
    parts = [markdown.to_doxygen(first_paragraph(markdown.split_title(site.read("README.md"))[1]), "index", link)]
    if chapters:
        parts.append(beginning(site, chapters[0]))
        parts.append("<h2>The chapters</h2>\n" + site.include("landing_chapters", list_of(site)))
    if widgets:
        parts.append("<h2>Try it</h2>\n\n" + "\n".join(f"- @ref {page.id}" for page in widgets))
    parts.append("@ref readme says how the course works, on a machine with a GPU and on one without; @ref glossary explains its words.")
    site.write("index", "\n\n".join(parts), False)


def beginning(site, chapter):
    """What chapter 1 is about, and the way into it."""
    readme = f"chapters/{chapter.id}/README.md"
    text = first_paragraph(markdown.split_title(site.read(readme))[1])
    words = html.escape(f"Begin with {chapter.title[0].lower()}{chapter.title[1:]}")
    return (f"{markdown.to_doxygen(text, 'index', markdown.Linker(site, readme))}\n\n"
            f'@htmlonly[block]\n<p><a class="begin" href="{chapter.id}.html">{words}</a></p>\n@endhtmlonly')


def list_of(site):
    """Each chapter's title, question and exercises, and its ladder that rises most, as HTML."""
    items = []
    for name, question, exercises, result in fill_tables.chapter_rows():
        page = site.pages[name]
        count = f"{exercises} exercise{'' if exercises == 1 else 's'}"
        items.append(f'<li><a href="{page.id}.html">{html.escape(page.title)}</a>'
                     f'<span>{html.escape(question[0].upper() + question[1:])}</span>'
                     f'<small>{count}; {html.escape(result)}</small></li>')
    return f'<ul class="chapters">{"".join(items)}</ul>'

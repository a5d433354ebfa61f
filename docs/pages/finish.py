"""What Doxygen's pages of the course get afterwards: CUDA's words coloured, previous and next, and the search."""
import re

import cuda_words
import reading_order
import search_index


def kind_of(site, page_id):
    """What a page is, for the order of what a search finds."""
    source = next((place for place, name in site.places.items() if name == page_id), "")
    if source.endswith("/README.md") and source.startswith("chapters/"):
        return "chapter"
    if "/checks/" in source:
        return "exercise"
    if page_id == "glossary":
        return "glossary"
    return "source" if source.startswith("chapters/") else "page"


def code_in_contents(text):
    """Doxygen shows the tags of code in the headings of a table of contents."""
    return re.sub(r"&lt;tt&gt;(.*?)&lt;/tt&gt;", r"<code>\1</code>", text)


def finish(site, html, order):
    """Changes the pages below `html` in place and writes search_index.js beside them."""
    found = []
    for page_id, page in site.pages.items():
        path = html / f"{page_id}.html"
        text = code_in_contents(path.read_text())
        found.append((path.name, page.title, kind_of(site, page_id), text))
        path.write_text(reading_order.with_links(cuda_words.coloured(text), order, page_id))
    (html / "search_index.js").write_text(search_index.script(found))

"""The marks of a README: on GitHub a table or a piece of code, on the site also a picture."""
import html

import code_blocks
import fill_tables
from charts import choose
from markdown import folded, to_doxygen
from site_pages import anchor

NOT_RECORDED = ("Not recorded yet: this needs a GPU. `docs/results/record_all` on a machine with one records it, and the "
                "next build of these pages shows it.")
LONG_TABLE = 10  # rows beyond which a table that has a picture is folded


def expand(site, text, page_id, link):
    """The page's text in Doxygen's Markdown, each mark replaced by what it asks for."""
    out, end = [], 0
    for mark in fill_tables.MARK.finditer(text):
        out.append(to_doxygen(text[end:mark.start()], page_id, link))
        out.append(one_mark(site, mark.group(2), mark.group(3), page_id, link))
        end = mark.end()
    out.append(to_doxygen(text[end:], page_id, link))
    return "\n".join(out)


def one_mark(site, kind, name, page_id, link):
    if kind == "code":
        return snippet(site, name)
    try:
        table = fill_tables.TABLES[kind](name)
    except (FileNotFoundError, StopIteration):
        return f"\n@note {NOT_RECORDED}\n\n"
    pictures = pictures_of(site, kind, name)
    markdown = to_doxygen(table, page_id, link)
    shown = "".join(site.include(f"chart_{anchor(fill_tables.chosen(name)[0])}_{i}", picture) for i, picture in enumerate(pictures))
    if pictures and table.count("\n| ") > LONG_TABLE:
        return f"{shown}\n{folded('The numbers', markdown)}"
    return f"{shown}\n{markdown}\n"


def pictures_of(site, kind, name):
    if kind == "results":
        return choose.of_results(name)
    return choose.of_table(name, site.fact("gpus.json")) if kind == "table" else []


def snippet(site, name):
    """The code by @snippet, from a copy of the source that has the two marks around the lines."""
    path, _, entity = name.partition(":")
    source = code_blocks.place_of(path)
    lines = site.read(source).split("\n")
    first, last = code_blocks.find(lines, entity, source)
    mark = f"//! [{entity}]"
    before, shown, behind = ([line for line in part if line.strip() != mark]
                             for part in (lines[:first], lines[first:last], lines[last:]))
    marked = before + [mark] + shown + [mark] + behind
    copy = site.out / "snippets" / path.replace("/", "-").replace(".", f"-{entity}.", 1)
    copy.parent.mkdir(parents=True, exist_ok=True)
    copy.write_text("\n".join(marked))
    where = f"{source}, line {first + 1}"
    page = site.places.get(source)
    words = f"@ref {page} \"{where}\"" if page else html.escape(where)
    return f"\n@snippet {copy.name} {entity}\n\n<span class=\"place\">{words}</span>\n"

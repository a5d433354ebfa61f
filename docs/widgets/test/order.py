"""The reading order, read from the files: Next leads through all chapters, and from a chapter through its exercises."""
import re

from tools import ROOT

ORDER = re.compile(r'<nav class="reading-order".*?</nav>', re.DOTALL)
LINK = re.compile(r'<a class="(\w+)" href="([^"]+)"')
BEGIN = re.compile(r'<a class="begin" href="([^"]+)"')


def chapters():
    return [path.parent.name for path in sorted((ROOT / "chapters").glob("ch*/README.md"))]


def follow(site, page, wanted):
    """Where a page's link of that class leads, as the name of a page; None where it has no such link, or is not there."""
    text = (site / page).read_text() if (site / page).exists() else ""
    order = ORDER.search(text)
    return dict(LINK.findall(order.group())).get(wanted) if order else None


def check(site):
    """What is wrong with the order, as sentences."""
    problems = []
    first = BEGIN.findall((site / "index.html").read_text())
    if first != [f"{chapters()[0]}.html"]:
        problems.append(f"the landing page begins with {first}")
    seen, page = [], "index.html"
    while (page := follow(site, page, "next")) and page not in seen:
        seen.append(page)
    if seen != [f"{name}.html" for name in chapters()]:
        problems.append(f"Next leads through {seen}")
    for name, after in zip(chapters(), [*chapters()[1:], None]):
        exercises = [f"{name}_{path.stem}.html" for path in sorted((ROOT / "chapters" / name / "checks").glob("*.md"))]
        seen, page = [], follow(site, f"{name}.html", "exercise")
        while page in exercises and page not in seen:
            seen.append(page)
            page = follow(site, page, "next")
        if seen != exercises or exercises and page != (after and f"{after}.html"):
            problems.append(f"the exercises of {name} lead through {seen} to {page}")
    return problems

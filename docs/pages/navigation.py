"""The tree at the side: Doxygen's own layout with our order of pages in place of its list."""
import re
import subprocess
from xml.sax.saxutils import quoteattr


def user(page):
    # In the tree a chapter has its number, and an exercise its name alone: there is no room for more.
    title = re.sub(r"^(?:Teaching c|C)hapter (\d+): ", r"\1. ", page.title)
    title = re.sub(r"^(\d\d_\w+): .*", r"\1", title)
    if page.children:
        return group(title, [user(child) for child in page.children], f"@ref {page.id}")
    return f'<tab type="user" url={quoteattr("@ref " + page.id)} title={quoteattr(title)}/>'


def group(title, inside, url="[none]"):
    return f'<tab type="usergroup" url={quoteattr(url)} title={quoteattr(title)}>{"".join(inside)}</tab>'


REFERENCE = ('<tab type="modules" visible="yes" title="By room"/>', '<tab type="classlist" visible="yes" title="Classes"/>',
             '<tab type="filelist" visible="yes" title="Files"/>')


def layout(sections):
    """
    sections  (title, pages) in order; a section without pages is left out; none at all: the reference of common/
    """
    tabs = ['<tab type="mainpage" visible="yes" title="Warpwise"/>']
    tabs += [group(title, [user(page) for page in pages]) for title, pages in sections if pages] or REFERENCE
    default = subprocess.run(["doxygen", "-l", "-"], check=True, capture_output=True, text=True, timeout=20).stdout
    return re.sub(r"<navindex>.*?</navindex>", lambda _: "<navindex>" + "\n".join(tabs) + "</navindex>", default, flags=re.DOTALL)

"""Links and anchors of the site, read from the files: each must lead to something that is there."""
import re
from html import unescape
from urllib.parse import unquote, urlsplit

LINK = re.compile(r"""<(a|link|script|img|iframe|area|source)\b[^>]*?\s(?:href|src)\s*=\s*["']([^"']+)["']""")
ANCHOR = re.compile(r"""<[a-z][^>]*?\s(?:id|name)\s*=\s*["']([^"']+)["']""")
BOTH = re.compile(r"""<a\s[^>]*?id="[^"]+"[^>]*?name="([^"]+)\"""")
SCRIPT = re.compile(r"(<script\b[^>]*>).*?</script>", re.DOTALL)


class Page:
    """What a page links to, and what can be linked to in it."""

    def __init__(self, path):
        text = SCRIPT.sub(r"\1", path.read_text(errors="replace"))
        self.links = [(tag, unescape(target)) for tag, target in LINK.findall(text)]
        self.anchors = {unescape(name) for pattern in (ANCHOR, BOTH) for name in pattern.findall(text)}


def problem(path, tag, target, pages):
    """What is wrong with a link, as a sentence; None where nothing is."""
    parts = urlsplit(target)
    if parts.scheme in ("http", "https") or target.startswith("//"):
        return None if tag == "a" else f"{path.name} loads {target} from another host"
    if parts.scheme in ("javascript", "data", "mailto"):
        return None
    aim = (path.parent / unquote(parts.path)).resolve() if parts.path else path
    if aim not in pages and not aim.exists():
        return f"{path.name} links to {target}, which is not there"
    if parts.fragment and aim in pages and unquote(parts.fragment) not in pages[aim].anchors:
        return f"{path.name} links to {target}, but there is no such place in {aim.name}"
    return None


def check(site):
    """Problems as sentences: broken links, missing anchors, files from other hosts; and how many links there are."""
    pages = {path: Page(path) for path in sorted(site.resolve().rglob("*.html"))}
    found = {problem(path, tag, target, pages) for path, page in pages.items() for tag, target in page.links}
    return sorted(found - {None}), sum(len(page.links) for page in pages.values())

"""Links and anchors of the site, read from the files: each must lead to something that is there."""
from html.parser import HTMLParser
from urllib.parse import unquote, urlsplit

NAMED = {"a": "href", "link": "href", "script": "src", "img": "src", "iframe": "src", "area": "href", "source": "src"}


class Page(HTMLParser):
    """What a page links to, and what can be linked to in it."""

    def __init__(self, path):
        super().__init__(convert_charrefs=True)
        self.links, self.anchors = [], set()
        self.feed(path.read_text(errors="replace"))

    def handle_starttag(self, tag, attributes):
        values = dict(attributes)
        for name in ("id", "name"):
            if values.get(name):
                self.anchors.add(values[name])
        target = values.get(NAMED.get(tag, ""))
        if target:
            self.links.append((tag, target))

    handle_startendtag = handle_starttag


def check(site):
    """Problems as sentences: broken links, missing anchors, files from other hosts; and how many links there are."""
    paths = sorted(site.rglob("*.html"))
    pages = {path: Page(path) for path in paths}
    problems, count = [], 0
    for path, page in pages.items():
        for tag, target in page.links:
            parts = urlsplit(target)
            count += 1
            if parts.scheme in ("http", "https") or target.startswith("//"):
                if tag != "a":
                    problems.append(f"{path.name} loads {target} from another host")
                continue
            if parts.scheme in ("javascript", "data", "mailto"):
                continue
            aim = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            if not aim.exists():
                problems.append(f"{path.name} links to {target}, which is not there")
            elif parts.fragment and aim in pages and unquote(parts.fragment) not in pages[aim].anchors:
                problems.append(f"{path.name} links to {target}, but there is no such place in {aim.name}")
    return sorted(set(problems)), count

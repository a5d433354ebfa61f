"""The index of the search over the site's text: a script, because a page from file:// may not fetch anything."""
import json
import re
from html.parser import HTMLParser

HEADINGS = ("h1", "h2", "h3")
LEFT_OUT = ("th", "script", "style", "nav", "svg", "button", "select", "noscript")
# A table's heads are the same in each chapter.
NOT_TEXT = ("toc", "header", "ttc", "navpath", "steps-head")  # classes of what is no text of the page
NUMBER = re.compile(r"[-+]?[\d.,x/ %()*-]+")
BLOCKS = ("p", "li", "td", "th", "tr", "div", "pre", "dd", "dt", "table", "figure", "details", "summary")
VOID = ("br", "img", "hr", "input", "link", "meta", "source", "col")


class Sections(HTMLParser):
    """The text of a page's contents by its headings: [anchor, heading, text]."""

    def __init__(self):
        super().__init__()
        self.sections = [["", "", []]]
        self.open = []    # (tag, whether what is inside is left out)
        self.heading = None
        self.cell = None

    def handle_starttag(self, tag, attributes):
        if tag in VOID:
            return
        found = dict(attributes)
        classes = (found.get("class") or "").split()
        hidden = self.hidden() or tag in LEFT_OUT or any(name in NOT_TEXT for name in classes)
        self.open.append((tag, hidden))
        if hidden:
            return
        if tag == "a" and "anchor" in classes and self.heading is not None:
            self.heading[0] = self.heading[0] or found.get("id", "")
        elif tag in HEADINGS:
            self.heading = [found.get("id", ""), "", []]
        elif tag == "td":
            self.cell = []
        if tag in BLOCKS:
            self.take(" ")

    def handle_endtag(self, tag):
        while self.open:
            name, _ = self.open.pop()
            if name == tag:
                break
        if tag in HEADINGS and self.heading is not None:
            anchor, _, words = self.heading
            self.sections.append([anchor, tidy(words), []])
            self.heading = None
        elif tag == "td" and self.cell is not None:
            words, self.cell = tidy(self.cell), None
            # A table's numbers are nothing to search for.
            if not NUMBER.fullmatch(words):
                self.take(words + " ")

    def handle_data(self, text):
        if not self.hidden():
            self.take(text)

    def hidden(self):
        return bool(self.open) and self.open[-1][1]

    def take(self, text):
        target = self.cell if self.cell is not None else self.heading[2] if self.heading is not None else self.sections[-1][2]
        target.append(text)


def tidy(parts):
    return re.sub(r"\s+", " ", "".join(parts)).strip()


def sections(html):
    """Of the part of a page that is its contents."""
    begin, end = html.find('<div class="contents">'), html.rfind("</div><!-- contents -->")
    parser = Sections()
    parser.feed(html[begin:end] if 0 <= begin < end else "")
    return [[anchor, heading, tidy(text)] for anchor, heading, text in parser.sections if heading or tidy(text)]


def script(pages):
    """
    pages  (address, title, kind, html) of each page; the kinds are those of search.js
    """
    found = [{"page": address, "title": title, "kind": kind, "sections": sections(html)} for address, title, kind, html in pages]
    return f"const search_pages = {json.dumps(found, separators=(',', ':'), ensure_ascii=False)};\n"

"""What all pages share: where things are, what only programs know, and the pages made so far."""
import json
import re
from dataclasses import dataclass, field
from pathlib import Path


class PageError(Exception):
    """Something in the sources of the site is wrong; the text says where and what to do."""


@dataclass
class Page:
    """One page of the site: a Markdown file in Doxygen's dialect."""
    id: str
    title: str
    children: list = field(default_factory=list)


@dataclass
class Site:
    root: Path        # the checkout
    facts: Path       # what programs wrote: gpus.json, course.json, isa.txt
    out: Path         # where the pages go, emptied first
    assets: Path      # made by other programs, copied beside the html; may be absent
    instructor: bool  # with solutions, explanations and teaching notes
    pages: dict = field(default_factory=dict)   # id to Page
    places: dict = field(default_factory=dict)  # file below root to the id of its page
    images: set = field(default_factory=set)    # files below root that go beside the pages

    def fact(self, name):
        path = self.facts / name
        try:
            text = path.read_text()
        except OSError as error:
            raise PageError(f"{path} is missing: ./learn docs writes it ({error.strerror})") from error
        return json.loads(text) if name.endswith(".json") else text

    def read(self, path):
        return (self.root / path).read_text()

    def announce(self, page_id, title, source=None):
        """Makes a page known, so that others can link to it, before its text is written."""
        self.pages[page_id] = Page(page_id, title)
        if source:
            self.places[str(source)] = page_id
        return self.pages[page_id]

    def write(self, page_id, text, with_contents=True):
        """Writes an announced page; `text` is in Doxygen's Markdown and has no title."""
        contents = "\n@tableofcontents{HTML:2}\n" if with_contents else ""
        path = self.out / "pages" / f"{page_id}.md"
        path.parent.mkdir(parents=True, exist_ok=True)
        label = "mainpage" if page_id == "index" else page_id
        path.write_text(f"# {self.pages[page_id].title} {{#{label}}}\n{contents}\n{text}\n")

    def include(self, name, html):
        """Keeps a piece of HTML; the command that puts it into a page."""
        path = self.out / "html" / f"{name}.html"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(html)
        return f"\n@htmlinclude {path.name}\n"


def anchor(words):
    """A heading as part of an id."""
    return re.sub(r"[^a-z0-9]+", "_", words.lower()).strip("_")

"""Previous and next: the links at the end of each page, in the order in which a reader takes them."""
import html
import re

# Of the text, which is a part of the contents; Doxygen's main page has one more part.
END = re.compile("</div></div>(?:<!-- PageDoc -->\n</div>)?<!-- contents -->")


class Order:
    """Where each page leads: name of the link, id of the page, its words."""

    def __init__(self):
        self.links = {}

    def add(self, page, kind, target, words):
        """@param kind previous, next, or up."""
        if target is not None:
            self.links.setdefault(page, {})[kind] = (target, words)

    def chain(self, pages):
        """Pages that follow each other."""
        for before, after in zip(pages, pages[1:]):
            self.add(before.id, "next", after.id, after.title)
            self.add(after.id, "previous", before.id, before.title)


def of_course(chapters, start):
    """The start, the chapters one after the other, and the exercises of each between it and the next chapter.

    chapters  pages with their exercises as children
    start     the landing page
    """
    order = Order()
    order.chain([start, *chapters])
    for index, chapter in enumerate(chapters):
        following = chapters[index + 1:index + 2]
        exercises = chapter.children
        for before, after in zip([chapter, *exercises], [*exercises, *following]):
            if before is not chapter:
                order.add(before.id, "next", after.id, after.title)
                order.add(before.id, "up", chapter.id, chapter.title)
            if after in exercises:
                order.add(after.id, "previous", before.id, before.title)
        if exercises:
            order.add(chapter.id, "exercise", exercises[0].id, exercises[0].title)
    return order


WORDS = {"previous": "Previous", "up": "Chapter", "exercise": "First exercise", "next": "Next"}


def links(order, page):
    """The links of one page as HTML; nothing where it has none."""
    found = dict(order.links.get(page, {}))
    if found.get("up") == found.get("previous"):  # the first exercise of a chapter
        found.pop("up", None)
    parts = [f'<a class="{kind}" href="{found[kind][0]}.html"{rel(kind)}><span>{words}</span> {html.escape(found[kind][1])}</a>'
             for kind, words in WORDS.items() if kind in found]
    return f'<nav class="reading-order" aria-label="Reading order">{"".join(parts)}</nav>\n' if parts else ""


def rel(kind):
    return {"previous": ' rel="prev"', "next": ' rel="next"'}.get(kind, "")


def with_links(text, order, page):
    """A page of Doxygen's with its links before the end of its contents."""
    return END.sub(lambda match: links(order, page) + match.group(0), text, count=1)

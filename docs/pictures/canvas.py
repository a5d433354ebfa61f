"""A small writer of pictures: SVG with colours for light and for dark pages, in a frame of its own.

A picture is 400 units wide. At that width its smallest text is 11 px, so that it can be read on a phone, where a
page leaves about 360 px. On a wide page it is shown 560 px wide.
"""
from html import escape

WIDTH, SHOWN_WIDTH = 400, 560
LETTER = 0.51  # of a wide font, on average: width over size

STYLE = """
text { font: 13px -apple-system, "Segoe UI", Helvetica, Arial, "DejaVu Sans", sans-serif; fill: #1f2328; }
.small { font-size: 11px; } .strong { font-weight: 600; } .quiet { fill: #57606a; } .code { font-family: ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", monospace; }
.middle { text-anchor: middle; } .end { text-anchor: end; }
.paper { fill: #ffffff; stroke: #d0d7de; } .box { fill: #f6f8fa; stroke: #8c959f; } .empty { fill: none; stroke: #8c959f; }
.rule { stroke: #8c959f; stroke-width: 1; fill: none; } .strong-rule { stroke: #0550ae; stroke-width: 2; fill: none; } .limit { stroke: #b3261e; stroke-width: 1.5; stroke-dasharray: 5 3; fill: none; }
.bad { fill: #b3261e; } .mark { fill: none; stroke: #b3261e; stroke-width: 2; } .bar { fill: #4a8fcb; } .rail { fill: #eaeef2; }
.t0 { fill: #cfe3f7; } .t1 { fill: #fbdcbf; } .t2 { fill: #cdebcf; } .t3 { fill: #ead3ef; } .t4 { fill: #f9d5dc; } .t5 { fill: #f5eba6; } .t6 { fill: #c5ebe8; } .t7 { fill: #dcd9d2; }
.off { fill: #eaeef2; } .grid { stroke: #d0d7de; }
.curve0, .curve1, .curve2, .curve3 { fill: none; stroke-width: 2; } .curve0 { stroke: #1f6fb2; } .curve1 { stroke: #c2570c; stroke-dasharray: 6 3; } .curve2 { stroke: #2e7d32; stroke-dasharray: 2 3; } .curve3 { stroke: #8e3a9d; }
.dot0 { fill: #1f6fb2; } .dot1 { fill: #c2570c; } .dot2 { fill: #2e7d32; } .dot3 { fill: #8e3a9d; }
@media (prefers-color-scheme: dark) {
  text { fill: #e6edf3; } .quiet { fill: #9da7b3; }
  .paper { fill: #0d1117; stroke: #30363d; } .box { fill: #161b22; stroke: #6e7681; } .empty { stroke: #6e7681; }
  .rule { stroke: #6e7681; } .strong-rule { stroke: #79c0ff; } .limit { stroke: #ff8a80; } .bad { fill: #ff8a80; } .mark { stroke: #ff8a80; }
  .bar { fill: #3d7fb8; } .rail { fill: #21262d; }
  .t0 { fill: #1d4568; } .t1 { fill: #6b3d17; } .t2 { fill: #22532a; } .t3 { fill: #55305e; } .t4 { fill: #6a2b3a; } .t5 { fill: #58500f; } .t6 { fill: #175450; } .t7 { fill: #47443d; }
  .off { fill: #21262d; } .grid { stroke: #30363d; }
  .curve0 { stroke: #6db3f2; } .curve1 { stroke: #f2a35e; } .curve2 { stroke: #7fcf83; } .curve3 { stroke: #d79be3; }
  .dot0 { fill: #6db3f2; } .dot1 { fill: #f2a35e; } .dot2 { fill: #7fcf83; } .dot3 { fill: #d79be3; }
}
"""


def number(value):
    """At most two decimals, none that is zero."""
    return f"{value:.2f}".rstrip("0").rstrip(".")


class Canvas:
    """A picture in the making: shapes are added from back to front."""

    def __init__(self, title, words):
        """@param title what the picture shows; @param words the same for a reader who hears it"""
        self.title, self.words, self.parts, self.bottom = title, words, [], 0

    def add(self, name, text=None, kind=None, **places):
        """One element; its attributes are places in units of the picture."""
        attributes = "".join(f' {key.replace("_", "-")}="{number(value) if isinstance(value, (int, float)) else escape(value)}"'
                             for key, value in places.items())
        attributes += f' class="{kind}"' if kind else ""
        self.parts.append(f"<{name}{attributes}/>" if text is None else f"<{name}{attributes}>{escape(text)}</{name}>")

    def box(self, x, y, width, height, kind="box", round_=3):
        self.bottom = max(self.bottom, y + height)
        self.add("rect", None, kind, x=x, y=y, width=width, height=height, rx=round_)

    def text(self, x, y, words, kind=""):
        """@throws ValueError where the words would leave the picture: fonts differ, so half a letter is kept free"""
        width = len(str(words)) * LETTER * (11 if "small" in kind else 13)
        begin = x - width * (0.5 if "middle" in kind else 1 if "end" in kind else 0)
        if begin < 2 or begin + width > WIDTH - 2:
            raise ValueError(f"{self.title}: \"{words}\" reaches from {begin:.0f} to {begin + width:.0f}")
        self.bottom = max(self.bottom, y + 4)
        self.add("text", str(words), kind or None, x=x, y=y)

    def cell(self, x, y, width, height, words, kind="box", text_kind="small"):
        """A box with a word in its middle."""
        self.box(x, y, width, height, kind, 2)
        if words != "":
            self.text(x + width / 2, y + height / 2 + 4, words, f"middle {text_kind}")

    def line(self, x1, y1, x2, y2, kind="rule"):
        self.bottom = max(self.bottom, y1, y2)
        self.add("line", None, kind, x1=x1, y1=y1, x2=x2, y2=y2)

    def arrow(self, x1, y1, x2, y2, kind="rule"):
        """A line with a head at its second end; only across and down."""
        self.line(x1, y1, x2, y2, kind)
        across = (y1 == y2)
        back = 4 if (x2 > x1 if across else y2 > y1) else -4
        head = [(x2 - back, y2 - 3), (x2, y2), (x2 - back, y2 + 3)] if across else [(x2 - 3, y2 - back), (x2, y2), (x2 + 3, y2 - back)]
        self.add("polyline", None, kind, points=" ".join(f"{number(x)},{number(y)}" for x, y in head))

    def lines(self, x, y, texts, kind="", step=16):
        """Several lines of text below each other; returns the place after them."""
        for words in texts:
            self.text(x, y, words, kind)
            y += step
        return y

    def svg(self):
        height = self.bottom + 12
        shown = SHOWN_WIDTH * height / WIDTH
        return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {number(height)}" width="{SHOWN_WIDTH}" height="{number(shown)}" '
                f'role="img" aria-labelledby="title words">\n<title id="title">{escape(self.title)}</title>\n'
                f'<desc id="words">{escape(self.words)}</desc>\n<style>{STYLE}</style>\n'
                f'<rect class="paper" x="0.5" y="0.5" width="{WIDTH - 1}" height="{number(height - 1)}" rx="6"/>\n' + "\n".join(self.parts) + "\n</svg>\n")

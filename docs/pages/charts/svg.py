"""A small writer of SVG. Horizontal places are per cent of the width, vertical ones pixels: text keeps
its size on a phone. Colours are classes, so that a style sheet makes them light or dark."""
import html
import itertools

_numbers = itertools.count(1)


def element(name, text=None, **attributes):
    """One element; `text` is escaped, a list of elements goes inside as it is."""
    words = "".join(f' {key.rstrip("_").replace("_", "-")}="{html.escape(str(value))}"'
                    for key, value in attributes.items() if value is not None)
    if text is None:
        return f"<{name}{words}/>"
    inside = "".join(text) if isinstance(text, list) else html.escape(text)
    return f"<{name}{words}>{inside}</{name}>"


def text(x, y, words, anchor="start", class_=None):
    return element("text", words, x=f"{x:.2f}%", y=f"{y:.1f}", text_anchor=anchor, class_=class_)


def line(x1, y1, x2, y2, class_):
    return element("line", x1=f"{x1:.2f}%", y1=f"{y1:.1f}", x2=f"{x2:.2f}%", y2=f"{y2:.1f}", class_=class_)


def bar(x, y, width, height, class_):
    return element("rect", x=f"{x:.2f}%", y=f"{y:.1f}", width=f"{max(width, 0.2):.2f}%", height=f"{height:.1f}",
                   rx="2", class_=class_)


def curve(points, y, height, class_):
    """A polyline through (per cent, pixels) in a box that stretches while the stroke does not."""
    places = " ".join(f"{px:.2f},{py - y:.2f}" for px, py in points)
    inside = element("polyline", points=places, class_=class_, vector_effect="non-scaling-stroke")
    return element("svg", [inside], x="0", y=f"{y:.1f}", width="100%", height=f"{height:.1f}",
                   viewBox=f"0 0 100 {height:.1f}", preserveAspectRatio="none", overflow="visible")


SHAPES = ("circle", "square", "diamond", "triangle")


def marker(x, y, series, radius=4):
    """The sign of a series, by shape and by colour."""
    shape = SHAPES[series % len(SHAPES)]
    places = {"circle": None,
              "square": [(-1, -1), (1, -1), (1, 1), (-1, 1)],
              "diamond": [(0, -1.3), (1.3, 0), (0, 1.3), (-1.3, 0)],
              "triangle": [(0, -1.2), (1.2, 1), (-1.2, 1)]}[shape]
    if places is None:
        return element("circle", cx=f"{x:.2f}%", cy=f"{y:.1f}", r=radius, class_=f"series{series}")
    outline = " ".join(f"{radius * px:.1f},{radius * py:.1f}" for px, py in places)
    inside = element("polygon", points=outline, class_=f"series{series}")
    return element("svg", [inside], x=f"{x:.2f}%", y=f"{y:.1f}", overflow="visible")


def picture(height, title, description, parts):
    """The whole picture. Title and description are what a screen reader says."""
    number = next(_numbers)
    heads = [element("title", title, id=f"chart{number}"), element("desc", description, id=f"words{number}")]
    return element("svg", heads + parts, role="img", aria_labelledby=f"chart{number} words{number}",
                   width="100%", height=f"{height:.0f}", class_="chart")


def figure(title, svg, caption, legend=()):
    """The picture with its title, legend and source. `legend` names the series in their order."""
    keys = ""
    if len(legend) > 1:
        items = [element("span", [element("svg", [marker(50, 7, i)], width="16", height="14", aria_hidden="true"),
                                  html.escape(name)], class_="key") for i, name in enumerate(legend)]
        keys = element("div", items, class_="keys")
    head = element("div", title, class_="chart-title")
    return element("figure", [head, keys, svg, element("figcaption", caption)], class_="chart")

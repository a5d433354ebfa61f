"""A recorded sweep as curves: its rate, or the time of a step, over the parameter."""
import sys

from canvas import Canvas
from facts import ROOT

sys.path[:0] = [str(ROOT / "docs/pages"), str(ROOT / "docs/results")]

import fill_tables  # noqa: E402
from charts.lines import Axis, nice_step, number, x_ticks  # noqa: E402

LEFT, RIGHT, TOP, PLOT = 44, 384, 66, 170


def asked_for():
    """The sweeps of which pages show some rows, as CHAPTER/LADDER."""
    found = set()
    for page in sorted(ROOT.glob("chapters/*/README.md")):
        for mark in fill_tables.MARK.finditer(page.read_text()):
            name, rows = fill_tables.chosen(mark.group(3))
            if rows:
                found.add(name)
    return sorted(found)


def curves(ladder):
    """The unit, and {series: [(value, y)]}."""
    unit = ladder["rate"] if ladder["bytes"] or ladder["flops"] else "us"
    found = {}
    for rung in ladder["rungs"]:
        if rung["time"]:
            us = rung["time"]["median_us"]
            y = us if unit == "us" else (ladder["flops"] / us / 1e6 if unit == "TFLOP/s" else ladder["bytes"] / us / 1e3)
            found.setdefault(rung["series"], []).append((rung["value"], y))
    return unit, found


def draw(facts, name):
    chapter, short = name.split("/")
    data, ladder = facts.record(chapter), facts.ladder(chapter, short)
    unit, found = curves(ladder)
    values = sorted({x for points in found.values() for x, _ in points})
    step = nice_step(max(y for points in found.values() for _, y in points))
    high = step * -(-max(y for points in found.values() for _, y in points) // step)
    c = Canvas(f"{short}: {unit} over {ladder['parameter']}",
               "; ".join(f"{series}: " + ", ".join(f"{y:.4g} at {x}" for x, y in points) for series, points in found.items()) + ".")
    c.text(12, 24, f"{unit} over {ladder['parameter']}", "strong")
    x = 12
    for index, series in enumerate(found):
        c.line(x, 44, x + 18, 44, f"curve{index}")
        c.text(x + 23, 48, series, "small")
        x += 36 + 6.2 * len(series)
    x_axis = Axis(values[0], values[-1], LEFT, RIGHT)
    y_axis = Axis(0, high, TOP + PLOT, TOP)
    for i in range(round(high / step) + 1):
        y = y_axis.place(i * step)
        c.line(LEFT, y, RIGHT, y, "grid")
        c.text(LEFT - 5, y + 4, number(i * step), "end small quiet")
    for value in x_ticks(values, x_axis, 30):
        c.text(x_axis.place(value), TOP + PLOT + 16, number(value), "middle small quiet")
    for index, points in enumerate(found.values()):
        places = [(x_axis.place(x), y_axis.place(y)) for x, y in points]
        c.add("polyline", None, f"curve{index}", points=" ".join(f"{x:.1f},{y:.1f}" for x, y in places))
        for x, y in places:
            c.add("circle", None, f"dot{index}", cx=x, cy=y, r=2)
    c.text(12, TOP + PLOT + 38, f"Measured on an {data['device']['name']}, {data['date'][:10]}.", "small quiet")
    return c

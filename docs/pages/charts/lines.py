"""A quantity over a parameter: one curve for each series."""
import math

from charts import svg

TOP, PLOT, BELOW = 18, 190, 38
LEFT, RIGHT = 8, 98


def nice_step(span, most=5):
    """1, 2 or 5 times a power of ten, so that at most `most` steps cover the span."""
    raw = span / most
    power = 10 ** math.floor(math.log10(raw))
    return next(power * factor for factor in (1, 2, 5, 10) if power * factor >= raw * 0.999)


def number(value):
    return f"{value:g}" if abs(value) < 10000 else f"{value:,.0f}".replace(",", " ")


class Axis:
    """Values to places between two ends; logarithmic where asked."""

    def __init__(self, low, high, begin, end, is_log=False):
        self.is_log = is_log
        self.low, self.high = (math.log2(low), math.log2(high)) if is_log else (low, high)
        self.begin, self.end = begin, end

    def place(self, value):
        value = math.log2(value) if self.is_log else value
        return self.begin + (value - self.low) / ((self.high - self.low) or 1) * (self.end - self.begin)


def x_ticks(values, axis, closest=9):
    """Those values that get a number: round ones where there are enough, and never too close (in per cent)."""
    step = nice_step(values[-1] - values[0], 6) if len(values) > 1 else 1
    round_ones = [v for v in values if math.log2(v).is_integer()] if axis.is_log else [
        v for v in values if abs(v / step - round(v / step)) < 1e-9]
    chosen = []
    for value in [values[0], *(round_ones if len(round_ones) > 2 else values)]:
        if not chosen or axis.place(value) - axis.place(chosen[-1]) >= closest:
            chosen.append(value)
    return chosen


def lines(title, x_name, y_name, series, caption, limit=None):
    """
    series  {name: [(x, y), ...]} with x in rising order
    limit   (name, value): a line across; None for none
    """
    values = sorted({x for points in series.values() for x, _ in points})
    largest = max([y for points in series.values() for _, y in points] + ([limit[1]] if limit else []))
    step = nice_step(largest or 1)
    high = step * math.ceil(largest / step - 1e-9)
    x_axis = Axis(values[0], values[-1], LEFT, RIGHT, is_log=values[0] > 0 and values[-1] / values[0] >= 30 and
                  all(math.log2(v).is_integer() for v in values))
    y_axis = Axis(0, high, TOP + PLOT, TOP)
    parts = grid(y_axis, step, high) + below(x_axis, values, x_name)
    if limit:
        y = y_axis.place(limit[1])
        parts += [svg.line(0, y, 100, y, "limit"), svg.text(100, y - 5, f"{limit[0]}: {number(round(limit[1]))} {y_name}", "end", "limit")]
    for index, points in enumerate(series.values()):
        places = [(x_axis.place(x), y_axis.place(y)) for x, y in points]
        parts.append(svg.curve(places, 0, TOP + PLOT, f"curve series{index}"))
        parts += [svg.marker(x, y, index, 3) for x, y in places]
    words = ". ".join(f"{name or y_name}: " + ", ".join(f"{number(y)} at {number(x)}" for x, y in sampled(points))
                      for name, points in series.items())
    return svg.figure(title, svg.picture(TOP + PLOT + BELOW, title, words + ".", parts), caption, list(series))


def grid(y_axis, step, high):
    parts = []
    for i in range(round(high / step) + 1):
        y = y_axis.place(i * step)
        parts += [svg.line(0, y, 100, y, "grid"), svg.text(0, y - 3, number(round(i * step, 6)), "start", "tick")]
    return parts


def below(x_axis, values, x_name):
    parts = [svg.text(x_axis.place(v), TOP + PLOT + 16, number(v), "middle", "tick") for v in x_ticks(values, x_axis)]
    return parts + [svg.text(50, TOP + PLOT + 33, x_name, "middle", "tick")]


def sampled(points, most=9):
    """The first, the last and some between: enough to hear the shape."""
    if len(points) <= most:
        return points
    return [points[round(i * (len(points) - 1) / (most - 1))] for i in range(most)]

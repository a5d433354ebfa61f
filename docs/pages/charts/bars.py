"""A ladder as bars: one for each rung, against the limit."""
from charts import svg

ROW = 40
TOP = 4
BEYOND = 8  # times as much as all others: such a bar is cut off, since it would leave the others no length


def bars(title, rows, limit, unit, caption):
    """
    rows    (name, value, note) in the order of the ladder; note stands behind the value
    limit   (name, value), drawn as a line across all bars; None for no limit
    unit    of the values
    """
    largest = scale_of([value for _, value, _ in rows] + ([limit[1]] if limit else []))
    parts = []
    for number, (name, value, note) in enumerate(rows):
        y = TOP + number * ROW
        shown = f"{value:,.{decimals(largest)}f} {unit}".replace(",", " ")
        note = ", ".join(filter(None, [note, "bar cut off" if value > largest else ""]))
        parts += [svg.text(0, y + 13, name), svg.text(100, y + 13, shown + (f", {note}" if note else ""), "end", "value"),
                  svg.bar(0, y + 19, 100, 13, "rail"), svg.bar(0, y + 19, 100 * min(1, value / largest), 13, "series0")]
    height = TOP + len(rows) * ROW
    if limit:
        x = 100 * limit[1] / largest
        parts += [svg.line(x, y + 17, x, y + 34, "limit") for y in range(TOP, height, ROW)]
        parts += [svg.text(x, height + 13, f"{limit[0]}: {limit[1]:,.{decimals(largest)}f} {unit}".replace(",", " "), "end" if x > 50 else "start",
                           "limit")]
        height += 18
    words = "; ".join(f"{name} {value:.{decimals(largest)}f} {unit}{', ' + note if note else ''}" for name, value, note in rows)
    if limit:
        words += f". The limit: {limit[0]}, {limit[1]:.{decimals(largest)}f} {unit}"
    return svg.figure(title, svg.picture(height, title, words + ".", parts), caption)


def scale_of(values):
    """The value of a whole bar: the largest, or the next one and a third where the largest dwarfs it."""
    *others, largest = sorted(values)
    return others[-1] * 4 / 3 if others and largest > BEYOND * others[-1] > 0 else largest


def decimals(largest):
    """Three digits or more of the largest number."""
    return 0 if largest >= 100 else 1 if largest >= 10 else 2

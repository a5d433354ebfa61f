"""Copies and products over time, with one, two and four stages. Lengths are an example, not measured."""
from canvas import Canvas

COPY, PRODUCT, STEPS, UNITS = 4, 2, 8, 26


def schedule(stages):
    """(stage, begin of the copy, begin of the product) of each step. A stage is free when its product has ended, and copies of
    different stages overlap: they wait for memory, not for each other."""
    found, free, ended = [], [0] * stages, 0
    for step in range(STEPS):
        begin = free[step % stages]
        product = max(begin + COPY, ended)
        ended = product + PRODUCT
        free[step % stages] = ended
        found.append((step % stages, begin, product))
    return found


def draw(_):
    c = Canvas("A pipeline of stages", "")
    unit, left, words, y = 320 / UNITS, 68, [], 24
    # With one stage not all steps fit: the drawing ends where its time does.
    for stages in (1, 2, 4):
        found = schedule(stages)
        done = [step for step in found if step[2] + PRODUCT <= UNITS]
        idle = 1 - sum(PRODUCT for _ in done) / (done[-1][2] + PRODUCT)
        last = f"{len(done)} products in {done[-1][2] + PRODUCT} units"
        words.append(f"{stages} stage{'s' * (stages > 1)}: {last}, the tensor core idle for {100 * idle:.0f} %")
        c.text(12, y, f"{stages} stage{'s' * (stages > 1)}", "strong")
        c.text(388, y, f"{last}; idle {100 * idle:.0f} %", "end small")
        for stage in range(stages):
            c.text(12, y + 22 + stage * 20, f"copy {stage}" if stages > 1 else "copy", "small quiet")
        row = y + 10 + stages * 20
        c.text(12, row + 14, "multiply", "small quiet")
        c.box(left, row, UNITS * unit, 20, "rail", 2)
        for number, (stage, begin, product) in enumerate(done):
            c.cell(left + begin * unit, y + 10 + stage * 20, COPY * unit - 1, 18, number, f"t{number % 8}")
            c.cell(left + product * unit, row + 1, PRODUCT * unit - 1, 18, number, f"t{number % 8}")
        y = row + 46
    c.arrow(left, y - 12, left + 320, y - 12)
    c.text(left, y + 4, "time", "small quiet")
    c.text(388, y + 4, "grey: the tensor core waits", "end small quiet")
    c.lines(12, y + 24, [f"Drawn for copies that take {COPY} units and products that take {PRODUCT};", "not measured. The number is the step along K."], "small quiet", 15)
    c.words = "; ".join(words) + "."
    return c

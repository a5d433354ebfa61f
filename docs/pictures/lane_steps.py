"""Steps of lanes that take each other's values: a row of lanes per step, and lines from the values that a lane takes."""
from canvas import Canvas

WIDTH, LEFT, STEP, TOP = 39, 76, 76, 36


def draw(title, found, distances, source, is_done, notes):
    """@param found the values of all lanes before the first step and after each
    @param source of a lane and a distance: the lane whose value it takes, None where it takes none
    @param is_done of a step, a lane and its value: whether it has its result"""
    c = Canvas(title, "; ".join(f"{'values' if i == 0 else f'after distance {distances[i - 1]}'}: {' '.join(map(str, row))}" for i, row in enumerate(found)) + ".")

    def middle(lane):
        return LEFT + lane * WIDTH + 17

    c.text(12, TOP - 10, "lane", "small quiet")
    for lane in range(len(found[0])):
        c.text(middle(lane), TOP - 10, lane, "middle small quiet")
    for i, row in enumerate(found):
        y = TOP + i * STEP
        c.text(12, y + 17, "value" if i == 0 else f"d = {distances[i - 1]}", "strong" if i == 0 else "strong code")
        for lane in range(len(row) if i else 0):
            c.line(middle(lane), y - 50, middle(lane), y, "rule")
            other = source(lane, distances[i - 1])
            if other is not None:
                c.line(middle(other), y - 50, middle(lane), y, "strong-rule")
        for lane, value in enumerate(row):
            done = is_done(i, lane, value)
            c.cell(middle(lane) - 17, y, 34, 26, value, "t2" if done else "t0", "strong" if done else "")
    c.lines(12, TOP + len(distances) * STEP + 46, notes, "small quiet", 15)
    return c

"""The largest of eight lanes' values in three steps: __shfl_xor_sync with distances 4, 2, 1."""
from canvas import Canvas

VALUES = (3, 1, 4, 1, 5, 9, 2, 6)
DISTANCES = (4, 2, 1)


def steps():
    """The values of all lanes before the first step and after each."""
    found = [list(VALUES)]
    for distance in DISTANCES:
        found.append([max(value, found[-1][lane ^ distance]) for lane, value in enumerate(found[-1])])
    return found


def draw(_):
    found = steps()
    c = Canvas("A butterfly over eight lanes",
               "; ".join(f"{'values' if i == 0 else f'after distance {DISTANCES[i - 1]}'}: {' '.join(map(str, row))}" for i, row in enumerate(found)) + ".")
    width, left = 39, 76
    c.text(12, 26, "lane", "small quiet")
    for lane in range(len(VALUES)):
        c.text(left + lane * width + 17, 26, lane, "middle small quiet")
    largest = max(VALUES)
    for i, row in enumerate(found):
        y = 36 + i * 76
        c.text(12, y + 17, "value" if i == 0 else f"d = {DISTANCES[i - 1]}", "strong" if i == 0 else "strong code")
        if i:
            for lane in range(len(row)):
                for source in (lane, lane ^ DISTANCES[i - 1]):
                    c.line(left + source * width + 17, y - 50, left + lane * width + 17, y, "rule" if source == lane else "strong-rule")
        for lane, value in enumerate(row):
            c.cell(left + lane * width, y, 34, 26, value, "t2" if value == largest else "t0", "strong" if value == largest else "")
    y = 36 + len(DISTANCES) * 76 + 46
    c.text(12, y, "Lane i gets the value of lane i ^ d (blue) and keeps the larger one.", "small quiet")
    c.text(12, y + 15, "After the last step every lane has the largest value (green).", "small quiet")
    return c

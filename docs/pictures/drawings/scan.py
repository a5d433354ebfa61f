"""The running sums of eight lanes in three steps: __shfl_up_sync with distances 1, 2, 4; who adds, who keeps."""
from canvas import Canvas

VALUES = (3, 1, 4, 1, 5, 9, 2, 6)
DISTANCES = (1, 2, 4)


def steps():
    """The values of all lanes before the first step and after each."""
    found = [list(VALUES)]
    for distance in DISTANCES:
        before = found[-1]
        found.append([value + before[lane - distance] if lane >= distance else value for lane, value in enumerate(before)])
    return found


def first(lane, step):
    """The first lane whose value is in the lane's sum after so many steps."""
    return max(0, lane + 1 - 2 ** step)


def draw(_):
    found = steps()
    c = Canvas("A scan over eight lanes",
               "; ".join(f"{'values' if i == 0 else f'after distance {DISTANCES[i - 1]}'}: {' '.join(map(str, row))}" for i, row in enumerate(found)) + ".")
    width, left = 39, 76
    c.text(12, 26, "lane", "small quiet")
    for lane in range(len(VALUES)):
        c.text(left + lane * width + 17, 26, lane, "middle small quiet")
    for i, row in enumerate(found):
        y = 36 + i * 76
        c.text(12, y + 17, "value" if i == 0 else f"d = {DISTANCES[i - 1]}", "strong" if i == 0 else "strong code")
        for lane, value in enumerate(row):
            x = left + lane * width + 17
            if i:
                c.line(x, y - 50, x, y, "rule")
                if lane >= DISTANCES[i - 1]:
                    c.line(x - DISTANCES[i - 1] * width, y - 50, x, y, "strong-rule")
            complete = first(lane, i) == 0
            c.cell(x - 17, y, 34, 26, value, "t2" if complete else "t0", "strong" if complete else "")
    c.lines(12, 36 + len(DISTANCES) * 76 + 46, ["Lane i adds the value of lane i - d (blue line).",
                                                "A lane below d has only the grey line: it keeps its own value.",
                                                "Green: the sum of all lanes up to this one. Each step doubles them."], "small quiet", 15)
    return c

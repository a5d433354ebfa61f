"""An all-reduce of three devices around a ring: what each chunk holds before the first step and after each."""
from canvas import Canvas

DEVICES = 3
LETTERS = "abc"


def steps():
    """(what the step does, what each device's chunks hold afterwards, chunks that have arrived: device -> chunk)"""
    held = [[LETTERS[d] for _ in range(DEVICES)] for d in range(DEVICES)]
    yield "start", [row[:] for row in held], {}
    for s in range(DEVICES - 1):
        before = [row[:] for row in held]
        arrived = {}
        for d in range(DEVICES):
            sender = (d - 1) % DEVICES
            chunk = (sender - s) % DEVICES
            held[d][chunk] = "".join(sorted(before[sender][chunk] + before[d][chunk]))
            arrived[d] = chunk
        yield "add", [row[:] for row in held], arrived
    for s in range(DEVICES - 1):
        before = [row[:] for row in held]
        arrived = {}
        for d in range(DEVICES):
            chunk = (d - s) % DEVICES
            held[d][chunk] = before[(d - 1) % DEVICES][chunk]
            arrived[d] = chunk
        yield "store", [row[:] for row in held], arrived


def draw(_):
    found = list(steps())
    c = Canvas("An all-reduce around a ring of three devices",
               "; ".join(f"{'start' if i == 0 else f'step {i}'}: " + ", ".join(f"device {d} holds {' '.join(row)}" for d, row in enumerate(held))
                         for i, (_, held, _) in enumerate(found)) + ".")
    left, device_width, width, height = 76, 108, 32, 26
    for d in range(DEVICES):
        c.text(left + d * device_width + 1.5 * width, 24, f"device {d}", "middle strong")
    for i, (does, held, arrived) in enumerate(found):
        y = 36 + i * 62
        c.text(12, y + 17, "start" if i == 0 else f"step {i}", "strong")
        if i:
            c.text(12, y + 31, does, "small quiet")
        for d, row in enumerate(held):
            for chunk, value in enumerate(row):
                x = left + d * device_width + chunk * width
                whole = len(value) == DEVICES
                c.cell(x, y, width - 3, height, value, "t2" if whole else f"t{chunk + 4}" if chunk else "t0", "strong" if arrived.get(d) == chunk else "")
                if arrived.get(d) != chunk:
                    continue
                sender = (d - 1) % DEVICES
                begin = left + sender * device_width + chunk * width + width / 2
                c.line(begin, y - 62 + height, x + width / 2, y, "rule" if sender > d else "strong-rule")
    y = 36 + len(found) * 62 - 6
    c.text(12, y, "Each device holds three chunks. A line: a chunk goes to the right,", "small quiet")
    c.text(12, y + 15, "from the last device (grey) to device 0. The first two steps add.", "small quiet")
    c.text(12, y + 30, "abc (green) is a complete sum: the last two steps pass it on.", "small quiet")
    return c

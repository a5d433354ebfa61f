"""A grid in parts, one per device, with the halo rows that copy the neighbours' edges; counts as chapter 10's record has them."""
from canvas import Canvas

DEVICES, ROWS, COLUMNS, STEPS = 4, 64, 48, 4


def halo_rows(devices):
    """(device, the device whose edge it is a copy of) of each halo row."""
    return [(d, n) for d in range(devices) for n in (d - 1, d + 1) if 0 <= n < devices]


def peer_bytes():
    """What all devices fetch in all steps."""
    return len(halo_rows(DEVICES)) * COLUMNS * 4 * STEPS


def draw(_):
    c = Canvas("A grid in parts, with halos", "")
    c.text(12, 22, f"{ROWS} x {COLUMNS} points on {DEVICES} devices", "strong")
    left, width, height, gap, y = 84, 170, 15, 16, 36
    places = {}
    for d in range(DEVICES):
        above, below = (d, d - 1) in halo_rows(DEVICES), (d, d + 1) in halo_rows(DEVICES)
        top = y
        if above:
            places[d, d - 1] = y
            c.cell(left, y, width, height - 2, f"halo: last row of {d - 1}", f"t{d - 1}")
            y += height
        places[d, "first"] = y
        c.cell(left, y, width, height - 2, "first row", f"t{d}")
        c.cell(left, y + height, width, 2 * height - 2, f"{ROWS // DEVICES - 2} rows that need no halo", f"t{d}")
        places[d, "last"] = y + 3 * height
        c.cell(left, y + 3 * height, width, height - 2, "last row", f"t{d}")
        y += 4 * height
        if below:
            places[d, d + 1] = y
            c.cell(left, y, width, height - 2, f"halo: first row of {d + 1}", f"t{d + 1}")
            y += height
        c.text(12, (top + y) / 2 + 4, f"device {d}", "strong")
        c.box(left - 3, top - 3, width + 6, y - top + 4, "empty", 3)
        y += gap
    for d in range(DEVICES - 1):
        # The last row of d goes down into d + 1, the first row of d + 1 goes up into d.
        for x, begin, end in ((left + width + 22, places[d, "last"], places[d + 1, d]), (left + width + 44, places[d + 1, "first"], places[d, d + 1])):
            middle, target = begin + height / 2 - 1, end + height / 2 - 1
            c.line(left + width + 5, middle, x, middle)
            c.line(x, middle, x, target)
            c.arrow(x, target, left + width + 5, target)
    rows = len(halo_rows(DEVICES))
    c.lines(310, 60, [f"{rows} halo rows", "a step,", f"{COLUMNS * 4} bytes", "each;", f"{peer_bytes()} bytes", f"in {STEPS} steps"], "small", 15)
    c.text(12, y + 4, "A device writes its own rows alone. Every halo is old after a step.", "small quiet")
    c.words = (f"{DEVICES} devices hold {ROWS // DEVICES} rows each. Between two neighbours the last row of the upper part is copied into the halo of the lower one, and "
               f"the first row of the lower part into the halo of the upper one: {rows} rows a step, {peer_bytes()} bytes in {STEPS} steps.")
    return c

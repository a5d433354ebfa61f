"""Which lane and register hold which element in mma.m16n8k16, as the device said."""
from canvas import Canvas

CHOSEN = 5


def cells(facts, name):
    """Rows of (lane, register)."""
    table = facts.table("ch06_tensor_cores", name)
    return [[(int(lane), register.strip()) for lane, register in (cell.split(":") for cell in row[1:])] for row in table["rows"]]


def draw(facts):
    c = Canvas("Fragments of mma.m16n8k16", "")
    c.text(12, 24, "A: 16 x 16, pairs along k", "strong")
    c.text(212, 24, "C: 16 x 8", "strong")
    one_map(c, 12, 46, cells(facts, "fragments_a"), [f"{2 * i}" for i in range(8)])
    one_map(c, 212, 46, cells(facts, "fragments_c"), [f"{i}" for i in range(8)])
    for i in range(4):
        c.box(12 + i * 48, 400, 12, 12, f"t{i}")
        c.text(28 + i * 48, 410, f"a{i}", "small")
        c.box(212 + i * 48, 400, 12, 12, f"t{i}")
        c.text(228 + i * 48, 410, f"c{i}", "small")
    c.text(12, 432, f"Number: the lane. Colour: the register. Framed: lane {CHOSEN}.", "small quiet")
    c.text(12, 447, "A cell of A is two neighbours along k, columns 2i and 2i + 1.", "small quiet")
    held = ["; ".join(f"{register} row {i} column {j}" for i, row in enumerate(cells(facts, name)) for j, (lane, register) in enumerate(row) if lane == CHOSEN)
            for name in ("fragments_a", "fragments_c")]
    c.words = f"Lane {CHOSEN} holds of A, in pairs of columns: {held[0]}. Of C: {held[1]}."
    return c


def one_map(c, left, top, rows, heads):
    width, height = 22, 21.5
    for j, head in enumerate(heads):
        c.text(left + j * width + 10, top - 6, head, "middle small quiet")
    for i, row in enumerate(rows):
        for j, (lane, register) in enumerate(row):
            c.cell(left + j * width, top + i * height, width - 1, height - 1, lane, f"t{register[1]}")
    for i, row in enumerate(rows):
        for j, (lane, _) in enumerate(row):
            if lane == CHOSEN:
                c.box(left + j * width - 1, top + i * height - 1, width + 1, height + 1, "mark", 2)

"""Two accumulators of 8 keys next to operand A of 16 keys: the same lane at each place, so that the scores stay where they are."""
from canvas import Canvas
from drawings.fragments import cells

CHOSEN, KEYS = 13, 8


def pairs_of_sums(facts):
    """Rows of (lane, group of keys, register, next register) for two groups of 8 keys, by pairs of columns."""
    return [[(row[j][0], group, row[j][1], row[j + 1][1]) for group in (0, 1) for j in range(0, KEYS, 2)] for row in cells(facts, "fragments_c")]


def pairs_of_operand(facts):
    """Rows of (lane, register): a register of A is a pair already."""
    return cells(facts, "fragments_a")


def moves(facts, lane):
    """(group, registers of the sums, register of A, row, first key) of a lane's four pairs, in the order of A's registers."""
    found = []
    for row, (sums, operand) in enumerate(zip(pairs_of_sums(facts), pairs_of_operand(facts))):
        for j, ((holder, group, left, right), (_, register)) in enumerate(zip(sums, operand)):
            if holder == lane:
                found.append((group, (left, right), register, row, 2 * j))
    return sorted(found, key=lambda one: one[2])


def draw(facts):
    c = Canvas("Scores become an operand in place", "")
    sums, operand = pairs_of_sums(facts), pairs_of_operand(facts)
    width, height, top, lefts = 21, 15, 62, (30, 216)
    c.text(lefts[0], 22, "scores: Q K^T", "strong")
    c.text(lefts[1], 22, "weights: operand A", "strong")
    c.text(lefts[0], 40, "keys, first 8", "small")
    c.text(lefts[0] + 4 * width + 4, 40, "next 8", "small")
    c.text(lefts[1], 40, "k: the same 16 keys", "small")
    for left, rows, gap in ((lefts[0], sums, 4), (lefts[1], operand, 0)):
        for j in range(8):
            c.text(left + j * width + width / 2 + (gap if j > 3 else 0), top - 6, 2 * j, "middle small quiet")
        for i, row in enumerate(rows):
            for j, one in enumerate(row):
                colour = int(operand[i][j][1][1])
                c.cell(left + j * width + (gap if j > 3 else 0), top + i * height, width - 1, height - 1, one[0], f"t{colour}")
        for i, row in enumerate(rows):
            for j, one in enumerate(row):
                if one[0] == CHOSEN:
                    c.box(left + j * width - 1 + (gap if j > 3 else 0), top + i * height - 1, width + 1, height + 1, "mark", 2)
    for i in range(16):
        c.text(24, top + i * height + 11, i, "end small quiet")
    y = top + 16 * height + 24
    c.text(12, y, f"lane {CHOSEN}", "strong")
    for n, (group, (first, second), register, row, key) in enumerate(moves(facts, CHOSEN)):
        at = y + 8 + n * 20
        c.cell(30, at, 60, 17, f"{first}, {second}", f"t{n}")
        c.text(98, at + 12, f"of the {'next 8' if group else 'first 8'} keys", "small")
        c.arrow(222, at + 8.5, 250, at + 8.5)
        c.cell(258, at, 30, 17, register, f"t{n}")
        c.text(296, at + 12, f"row {row}, k {key}, {key + 1}", "small")
    c.lines(12, y + 106, ["A cell is two neighbours along the keys; its number is the lane.",
                              "A lane makes weights of its own scores. No number changes lanes."], "small quiet", 15)
    c.words = (f"The map of lanes over two accumulators of 8 keys is the map over operand A of 16 keys. Lane {CHOSEN}: "
               + "; ".join(f"{first} and {second} of the {'next' if group else 'first'} 8 keys become {register}, row {row}, k {key} and {key + 1}"
                           for group, (first, second), register, row, key in moves(facts, CHOSEN)) + ".")
    return c

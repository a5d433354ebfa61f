"""One query against a cache in three pieces: each block leaves its largest score, sum and weighted sum; factors join them."""
from canvas import Canvas, number

# Scores of the query with each key, and one column of the values; the scale is 1.
SCORES = (3, 2, 1, 1, 5, 3, 4, 3, 4, 3, 2, 2)
VALUES = (1, 2, 4, 8, 2, 4, 6, 8, 3, 2, 4, 4)
BLOCKS = 3


def part(scores, values):
    """(largest score, sum of the weights, weighted sum of the values)"""
    m = max(scores)
    p = [2.0 ** (score - m) for score in scores]
    return m, sum(p), sum(weight * value for weight, value in zip(p, values))


def parts():
    keys = len(SCORES) // BLOCKS
    return [part(SCORES[begin:begin + keys], VALUES[begin:begin + keys]) for begin in range(0, len(SCORES), keys)]


def combined(found):
    """(largest score, factors, sum, weighted sum) of parts."""
    m = max(one[0] for one in found)
    factors = [2.0 ** (one[0] - m) for one in found]
    return m, factors, sum(f * one[1] for f, one in zip(factors, found)), sum(f * one[2] for f, one in zip(factors, found))


def draw(_):
    found = parts()
    m, factors, l, o = combined(found)
    c = Canvas("One query, a cache in three pieces", "")
    keys = len(SCORES) // BLOCKS
    left, block, cell = 68, 108, 25
    c.text(12, 24, f"One query, {len(SCORES)} keys and values, {BLOCKS} blocks", "strong")
    c.text(12, 50, "score s", "small")
    c.text(12, 72, "value v", "small")
    c.text(12, 138, "parts", "small")
    c.text(12, 211, "factor", "small")
    for b, (own_m, own_l, own_o) in enumerate(found):
        x = left + b * block
        for i in range(keys):
            c.cell(x + i * cell, 36, cell - 1, 19, SCORES[b * keys + i], f"t{b}")
            c.cell(x + i * cell, 58, cell - 1, 19, VALUES[b * keys + i], f"t{b}")
        middle = x + keys * cell / 2 - 0.5
        c.arrow(middle, 80, middle, 96)
        c.box(x, 98, keys * cell - 1, 74, f"t{b}")
        c.text(middle, 114, f"block {b}", "middle strong")
        c.lines(x + 10, 132, [f"largest m = {own_m}", f"sum l = {number(own_l)}", f"weighted o = {number(own_o)}"], "small", 15)
        c.line(middle, 172, middle, 196)
        c.text(middle, 211, f"2^({own_m} - {m}) = {number(factors[b])}", "middle small strong")
        c.arrow(middle, 218, middle, 234)
    c.text(12, 253, "combined", "small")
    c.box(left, 236, (BLOCKS - 1) * block + keys * cell - 1, 90, "box")
    y = c.lines(left + 10, 254, [
        f"m = {m}, the largest of {', '.join(str(one[0]) for one in found)}",
        "l = " + " + ".join(f"{number(f)} * {number(one[1])}" for f, one in zip(factors, found)) + f" = {number(l)}",
        "o = " + " + ".join(f"{number(f)} * {number(one[2])}" for f, one in zip(factors, found)) + f" = {number(o)}"], "small", 18)
    c.text(left + 10, y + 4, f"result o / l = {number(o / l)}", "strong")
    _, whole_l, whole_o = part(SCORES, VALUES)
    c.lines(12, 346, [f"One block with all {len(SCORES)} keys: {number(whole_o)} / {number(whole_l)} = {number(whole_o / whole_l)}, the same.",
                          "A weight is 2^(s - m); l adds the weights, o the weights times v.",
                          "Drawn for one column of v and a scale of 1."], "small quiet", 15)
    c.words = (" ".join(f"Block {b} has scores {', '.join(map(str, SCORES[b * keys:(b + 1) * keys]))}: largest {own_m}, sum {number(own_l)}, weighted "
                        f"values {number(own_o)}, factor {number(factors[b])}." for b, (own_m, own_l, own_o) in enumerate(found))
               + f" Combined: largest {m}, sum {number(l)}, weighted values {number(o)}, result {number(o / l)}. "
               f"One block with all keys gives {number(whole_o / whole_l)}.")
    return c

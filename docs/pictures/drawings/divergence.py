"""Two warps at an `if`, lanes over time: half of the lanes of each warp take a side, or one whole warp does."""
from canvas import Canvas

LANES, SHARE, WARPS = 32, 16, 2
LANES_SERIES, WARPS_SERIES = "lanes of each warp", "whole warps"


def counted(facts, series, share, column):
    """A count of the record, per warp."""
    warps = int(facts.ladder("ch01_programming_model", "divergence")["size_of_counts"])
    table = facts.table("ch01_programming_model", "divergence_shares")
    row = next(row for row in table["rows"] if row[:2] == [series, str(share)])
    return int(row[table["columns"].index(column)]) // warps


def pieces(facts, series, warp):
    """(side, begin, end, first lane, lane after the last) of a warp; times are warp instructions. Code outside of the `if` has
    no side and is drawn before it."""
    agreed = counted(facts, LANES_SERIES, 0, "warp instructions")
    # What a warp that splits has more is the second side.
    side = counted(facts, LANES_SERIES, SHARE, "warp instructions") - agreed
    outside = counted(facts, series, 0, "warp instructions") - side
    if series == WARPS_SERIES:
        return [(None, 0, outside, 0, LANES), (warp, outside, outside + side, 0, LANES)]
    return [(None, 0, outside, 0, LANES), (0, outside, outside + side, 0, SHARE), (1, outside + side, outside + 2 * side, SHARE, LANES)]


def at_work(found):
    """Lanes at work, on average over the instructions of a warp."""
    return sum((end - begin) * (last - first) for _, begin, end, first, last in found) / found[-1][2]


def draw(facts):
    c = Canvas("A branch within warps and along warps", "")
    left, lane_height, words, y = 66, 2.8, [], 22
    longest = pieces(facts, LANES_SERIES, 0)[-1][2]
    unit = 322 / longest
    for series, title in ((LANES_SERIES, "lanes of each warp disagree"), (WARPS_SERIES, "each warp agrees")):
        found = [pieces(facts, series, warp) for warp in range(WARPS)]
        length, work = found[0][-1][2], at_work(found[0])
        said = f"{length} instructions per warp, {work:.4g} of {LANES} lanes at work"
        words.append(f"{title}: {said}")
        c.text(12, y, title, "strong")
        c.text(12, y + 15, said, "small quiet")
        y += 24
        for warp, parts in enumerate(found):
            c.text(12, y + LANES * lane_height / 2, f"warp {warp}")
            c.text(12, y + LANES * lane_height / 2 + 14, f"{LANES} lanes", "small quiet")
            for lane in range(LANES):
                c.box(left, y + lane * lane_height, length * unit, lane_height - 0.6, "off", 0)
            for side, begin, end, first, last in parts:
                colour = "t7" if side is None else f"t{side}"
                for lane in range(first, last):
                    c.box(left + begin * unit, y + lane * lane_height, (end - begin) * unit, lane_height - 0.6, colour, 0)
            y += LANES * lane_height + 8
        y += 20
    c.arrow(left, y - 18, left + 322, y - 18)
    c.text(388, y - 4, "time, in instructions", "end small quiet")
    x = 12
    for colour, what in (("t0", "first side"), ("t1", "second side"), ("off", "masked"), ("t7", "outside of the if")):
        c.box(x, y + 8, 12, 12, colour, 1)
        c.text(x + 17, y + 18, what, "small")
        x += 38 + 5.6 * len(what)
    c.words = "; ".join(words) + ". A warp whose lanes disagree runs the first side, then the second, each with half of its lanes."
    return c

"""A block's sums of seven neighbours: its tile with the halo, which thread loads which number, and what one sum reads."""
from canvas import Canvas

BLOCK, RADIUS, CHOSEN = 16, 3, 9
REAL_BLOCK = 256


def loads(block):
    """(thread, place in the tile, pass) of each load of a block: threads go over the tile in strides of the block."""
    return [(t % block, t, t // block) for t in range(block + 2 * RADIUS)]


def owner(place, block):
    """The place in the block of a number of the tile, or None in the halo."""
    return place - RADIUS if RADIUS <= place < block + RADIUS else None


def reads(thread):
    """Places of the tile that a thread adds."""
    return range(thread, thread + 2 * RADIUS + 1)


def draw(_):
    found = loads(BLOCK)
    size, left, x_row, tile_row, y_row = 15.2, 58, 32, 86, 176
    middle = [left + (place + 0.5) * size for _, place, _ in found]
    c = Canvas("A tile with a halo", "")
    for begin, count, words in ((0, RADIUS, "halo"), (RADIUS, BLOCK, "the block's own numbers"), (RADIUS + BLOCK, RADIUS, "halo")):
        c.text(left + (begin + count / 2) * size, x_row - 8, words, "middle small")
    for row, name in ((x_row, "x"), (tile_row, "tile"), (y_row, "y")):
        c.text(12, row + 13, name, "strong code")
        if name != "x":
            c.text(12, row + 27, "thread", "small quiet")
    for thread, place, step in found:
        c.box(left + place * size, x_row, size - 1, 18, "t7" if owner(place, BLOCK) is None else "t2", 1)
        c.arrow(middle[place], x_row + 20, middle[place], tile_row - 3)
        c.cell(left + place * size, tile_row, size - 1, 18, thread, f"t{step}")
    c.line(left, tile_row + 42, left + len(found) * size, tile_row + 42, "limit")
    c.text(12, tile_row + 46, "barrier", "small bad")
    added = reads(CHOSEN)
    for place in added:
        c.line(middle[place], tile_row + 20, middle[CHOSEN + RADIUS], y_row - 2, "strong-rule")
    c.box(left + added[0] * size - 1, tile_row - 1.5, len(added) * size + 1, 21, "strong-rule", 2)
    for thread in range(BLOCK):
        c.cell(left + (thread + RADIUS) * size, y_row, size - 1, 18, thread, "t2")
    c.box(left + (CHOSEN + RADIUS) * size - 1.5, y_row - 1.5, size + 2, 21, "strong-rule", 2)
    first, second = ([thread for thread, _, step in found if step == one] for one in (0, 1))
    plain, real = BLOCK * len(added), len(loads(REAL_BLOCK))
    loaders = [found[place][0] for place in added]
    c.lines(12, y_row + 50, [f"Blue: threads {first[0]} to {first[-1]} load a number each, from the left.",
                             f"Orange: threads {second[0]} to {second[-1]} load the rest.",
                             f"Thread {CHOSEN} adds what threads {loaders[0]} to {loaders[-1]} have loaded."], "small", 16)
    c.lines(12, y_row + 106, [f"{len(found)} loads instead of {plain}. Drawn for {BLOCK} threads; with {REAL_BLOCK}, as in",
                             f"the chapter, {real} loads instead of {REAL_BLOCK * len(added)}."], "small quiet", 15)
    c.words = (f"A block of {BLOCK} threads loads {len(found)} numbers: {BLOCK} of its own and {RADIUS} more on each side. "
               f"Threads {first[0]} to {first[-1]} load one each, threads {second[0]} to {second[-1]} a second one. "
               f"After the barrier thread {CHOSEN} adds {len(added)} numbers, those of threads {loaders[0]} to {loaders[-1]}.")
    return c

"""A product by tiles: what a block needs of A and B, and one step of it, with what uses one loaded number."""
from canvas import Canvas

TILE, TILES, K = 16, 5, 4096
BLOCK, STEP = (3, 1), 2  # row and column of the drawn tile of C, and the step along K
ROW, COLUMN, NUMBER = 5, 10, 3  # a thread of the block, and a number of its row of A's tile


def readers(tile, row, k):
    """Threads (row, column) of a block that read A's number (row, k) in one step."""
    return {(y, x) for y in range(tile) for x in range(tile) for step in range(tile) if (y, step) == (row, k)}


def loads(tile, K, shared):
    """Numbers loaded for a tile of C: each by the thread that needs it, or once per tile of A and B."""
    return 2 * tile * tile * K // (tile if shared else 1)


def draw(_):
    uses = len(readers(TILE, ROW, NUMBER))
    c = Canvas("A tile used many times", "")
    overview(c, 12, 14)
    step(c, 12, 206)
    plain, shared = loads(TILE, K, False), loads(TILE, K, True)
    c.lines(12, 492, [f"K = {K}: without tiles, the threads of a block load {plain}",
                      f"numbers. With tiles they load {shared}, one in {plain // shared}."], "small quiet", 15)
    c.words = (f"A block computes a tile of {TILE} by {TILE} elements of C. It needs a strip of A and a strip of B, "
               f"and loads a tile of each per step. "
               f"In a step each loaded number is used by {uses} threads. Without tiles the block loads {plain // shared} times as many numbers.")
    return c


def overview(c, x, y):
    size, gap = 16, 8
    right, below = x + TILES * size + gap, y + TILES * size + gap
    row, column = BLOCK
    for i in range(TILES):
        for j in range(TILES):
            c.box(x + j * size, below + i * size, size - 1, size - 1, "t0" if i == row else "off", 1)
            c.box(right + j * size, y + i * size, size - 1, size - 1, "t1" if j == column else "off", 1)
            c.box(right + j * size, below + i * size, size - 1, size - 1, "t2" if (i, j) == BLOCK else "off", 1)
    c.box(x + STEP * size - 1, below + row * size - 1, size + 1, size + 1, "mark", 2)
    c.box(right + column * size - 1, y + STEP * size - 1, size + 1, size + 1, "mark", 2)
    for name, at_x, at_y in (("A", x + 4, below + 14), ("B", right + 4, y + 14), ("C", right + 4, below + 14)):
        c.text(at_x, at_y, name, "strong")
    steps = ", ".join(f"step {i}" for i in range(STEP + 1))
    c.lines(right + TILES * size + 16, y + 14, ["A block computes one tile", "of C (green). It needs a", "strip of A (blue) and a",
                                                "strip of B (orange).", "",
                                                "A step brings one tile of", "each into shared memory:", steps, "(framed), and so on."], "small", 16)


def step(c, x, y):
    size, gap = 8, 8
    right, below = x + TILE * size + gap, y + TILE * size + gap
    for i in range(TILE):
        for j in range(TILE):
            c.box(x + j * size, below + i * size, size - 0.8, size - 0.8, "t0", 0)
            c.box(right + j * size, y + i * size, size - 0.8, size - 0.8, "t1", 0)
            c.box(right + j * size, below + i * size, size - 0.8, size - 0.8, "t2", 0)
    thin = size + 1.2
    c.box(x - 1, below + ROW * size - 1, TILE * size + 1.2, thin, "strong-rule", 1)
    c.box(right + COLUMN * size - 1, y - 1, thin, TILE * size + 1.2, "strong-rule", 1)
    c.box(x + NUMBER * size, below + ROW * size, size - 0.8, size - 0.8, "bad", 0)
    c.box(right - 1, below + ROW * size - 1, TILE * size + 1.2, thin, "mark", 1)
    c.box(right + COLUMN * size - 1, below + ROW * size - 1, thin, thin, "strong-rule", 1)
    c.text(x, y + 14, f"step {STEP}", "strong")
    square = f"{TILE} x {TILE}"
    c.lines(x, y + 32, ["in shared memory:", f"{square} numbers of A", f"and {square} of B;", "in registers:", f"{square} sums"], "small", 16)
    uses = len(readers(TILE, ROW, NUMBER))
    at = right + TILE * size + 12
    c.lines(at, y + 14, ["Blue frames: a", f"thread adds the {TILE}", "products of its row", "and its column."], "small", 16)
    c.lines(at, below + 14, ["The red number", "is loaded once.", f"The {uses} threads of", "the red row use it.", "",
                             "A number of B", "serves a column", f"of {uses} threads."], "small", 16)

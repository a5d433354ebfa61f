"""Grid, block, warp, lane: who is part of whom, and where on the GPU each of them runs."""
from canvas import Canvas

GRID, BLOCK, WARP = (3, 2), (16, 4), 32
CHOSEN_BLOCK, CHOSEN_THREAD = (1, 1), (5, 2)


def places(columns):
    """What thread CHOSEN_THREAD of block CHOSEN_BLOCK computes: row, column, offset, warp, lane."""
    column, row = (CHOSEN_BLOCK[i] * BLOCK[i] + CHOSEN_THREAD[i] for i in range(2))
    linear = CHOSEN_THREAD[1] * BLOCK[0] + CHOSEN_THREAD[0]
    return row, column, row * columns + column, linear // WARP, linear % WARP


def draw(_):
    columns = GRID[0] * BLOCK[0]
    row, column, offset, warp, lane = places(columns)
    c = Canvas("Grid, block, warp and lane",
               f"A grid of {GRID[0]} x {GRID[1]} blocks. A block of {BLOCK[0]} x {BLOCK[1]} threads is two warps of 32 lanes. Thread (5,2) of block (1,1) "
               f"is lane {lane} of warp {warp}; its row is {row}, its column {column}.")
    c.text(12, 24, f"grid: {GRID[0]} x {GRID[1]} blocks", "strong")
    c.text(388, 24, "on the whole GPU", "end small quiet")
    for y in range(GRID[1]):
        for x in range(GRID[0]):
            kind = "t0" if (x, y) == CHOSEN_BLOCK else "box"
            c.cell(12 + x * 126, 32 + y * 30, 124, 28, f"block ({x},{y})", kind)
    c.line(138, 92, 12, 104)
    c.line(262, 92, 388, 104)
    c.text(12, 120, f"block: {BLOCK[0]} x {BLOCK[1]} threads", "strong")
    c.text(388, 120, "on one SM until it ends", "end small quiet")
    width = 376 / BLOCK[0]
    for y in range(BLOCK[1]):
        for x in range(BLOCK[0]):
            linear = y * BLOCK[0] + x
            kind = ("t1", "t2")[linear // WARP]
            c.cell(12 + x * width, 130 + y * 22, width - 1, 20, linear % WARP, kind)
    x, y = 12 + CHOSEN_THREAD[0] * width, 130 + CHOSEN_THREAD[1] * 22
    c.box(x - 1, y - 1, width + 1, 22, "mark")
    c.box(12, 226, 12, 12, "t1")
    c.text(30, 236, "warp 0", "small")
    c.box(88, 226, 12, 12, "t2")
    c.text(106, 236, "warp 1; the number is the lane", "small")
    c.text(12, 264, "warp: 32 lanes, one instruction at a time", "strong")
    lane_width = 376 / WARP
    for i in range(WARP):
        c.box(12 + i * lane_width, 272, lane_width - 1, 18, "t2", 1)
    c.box(12 + lane * lane_width - 1, 271, lane_width + 1, 20, "mark", 1)
    c.text(12, 306, "lane 0", "small quiet")
    c.text(388, 306, "lane 31", "end small quiet")
    c.text(12 + (lane + 0.5) * lane_width, 306, f"lane {lane}", "middle small bad")
    c.text(12, 334, "The marked thread computes", "strong")
    c.lines(12, 354, [f"row    = blockIdx.y * blockDim.y + threadIdx.y = 1 * {BLOCK[1]} + 2 = {row}",
                      f"column = blockIdx.x * blockDim.x + threadIdx.x = 1 * {BLOCK[0]} + 5 = {column}",
                      f"offset = row * columns + column = {row} * {columns} + {column} = {offset}"], "small", 17)
    return c

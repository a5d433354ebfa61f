"""Who works when in a product by wgmma: blocks that end, blocks that stay, and warpgroups in turns. Lengths are an example, not measured."""
from canvas import Canvas

# Units of time: for the bytes and the products of a step of 256 x 128, and for the store of such a tile.
COPY, LATENCY, PRODUCT, STORE, START = 1, 2, 2, 4, 1
STEPS, TILES, GROUPS = 4, 3, 2

# name, a block ends with its tile, warpgroups in turns, stages, (rows, columns) of a tile: of warpgroup.sm_90a.cu and persistent.sm_90a.cu
RUNGS = (("rung 10: a block per tile", True, False, 4, (256, 128)),
         ("rung 11: a block that stays", False, False, 4, (256, 128)),
         ("rung 14: warpgroups in turns", False, True, 6, (128, 128)))


def schedule(ends, in_turns, stages, tile):
    """(copies, products, stores) of TILES tiles of 256 x 128 or as much in smaller ones: (tile, begin, end) of each copy, (groups, tile,
    begin, end) of the products of a step, (groups, tile, begin, end) of a store. Each waits as in copy_tiles() and multiply_tiles()."""
    rows, columns = tile
    part = rows * columns / (256 * 128)
    copy = COPY * (rows + columns) / (256 + 128)
    product, store = PRODUCT * part, STORE * part
    copies, products, stores = [], [], []
    engine = core = START
    free, ready = [START] * stages, [START] * GROUPS
    for number in range(round(TILES / part)):
        groups = (number % GROUPS,) if in_turns else tuple(range(GROUPS))
        if ends and number:
            # The next block gets its place when this one has stored its sums.
            engine = core = stores[-1][3] + START
            free, ready = [engine] * stages, [engine] * GROUPS
        for step in range(STEPS):
            stage = len(copies) % stages
            begin = max(engine, free[stage])
            engine = begin + copy
            copies.append((number, begin, engine))
            first = max(engine + LATENCY, core, *(ready[group] for group in groups))
            core = free[stage] = first + product
            products.append((groups, number, first, core))
        for group in groups:
            ready[group] = core + store
        stores.append((groups, number, core, core + store))
    return copies, products, stores


def waiting(products):
    """The part of the time up to the last product in which nothing is multiplied."""
    return 1 - sum(end - begin for _, _, begin, end in products) / products[-1][3]


def draw(_):
    c = Canvas("Copies, products and stores over time", "")
    found = [schedule(*rung[1:]) for rung in RUNGS]
    left, words, y = 84, [], 24
    unit = 304 / max(stores[-1][3] for _, _, stores in found)
    for (name, _, in_turns, _, tile), (copies, products, stores) in zip(RUNGS, found):
        end = products[-1][3]
        c.text(12, y, name, "strong")
        c.text(388, y, f"tensor cores wait {100 * waiting(products):.0f} %", "end small")
        c.text(12, y + 21, "copies", "small quiet")
        for number, begin, until in copies:
            c.box(left + begin * unit, y + 10, (until - begin) * unit - 0.6, 14, f"t{number}", 1)
        for group in range(GROUPS):
            row = y + 28 + group * 18
            c.text(12, row + 12, f"group {group}", "small quiet")
            for groups, number, begin, until in products:
                if group in groups:
                    c.box(left + begin * unit, row, (until - begin) * unit - 0.6, 15, f"t{number}", 1)
            for groups, number, begin, until in stores:
                if group in groups:
                    c.cell(left + begin * unit, row, (until - begin) * unit - 1, 15, "S", "empty")
        row = y + 66
        c.text(12, row + 8, "tensor cores", "small quiet")
        c.box(left, row, end * unit, 9, "rail", 1)
        for _, _, begin, until in products:
            c.box(left + begin * unit, row, (until - begin) * unit, 9, "bar", 0)
        words.append(f"{name.capitalize()}, tiles of {tile[0]} x {tile[1]}: the last product ends after {end:.0f} units; the tensor cores wait {100 * waiting(products):.0f} % of that")
        y += 102
    c.arrow(left, y - 14, 388, y - 14)
    c.text(left, y + 2, "time", "small quiet")
    c.lines(12, y + 22, ["A colour is a tile, S the store of its sums. Rung 14 has half tiles.",
                         f"Drawn for {STEPS} steps per tile and a store as long as {STORE // PRODUCT} of them;", "not measured."], "small quiet", 15)
    c.words = ". ".join(words) + "."
    return c

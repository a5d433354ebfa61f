"""A tile read by columns: as it is, padded, swizzled. Drawn with 8 banks, of the 32 that there are."""
from canvas import Canvas

BANKS = 8
# Title, where element (row, column) is stored.
LAYOUTS = (("plain", lambda row, column: row * BANKS + column),
           ("padded", lambda row, column: row * (BANKS + 1) + column),
           ("swizzled", lambda row, column: row * BANKS + (column ^ row)))
CHOSEN = 2  # the column that is read


def wavefronts(place):
    """Of a read of one column: the most words that are wanted of one bank."""
    banks = [place(row, CHOSEN) % BANKS for row in range(BANKS)]
    return max(banks.count(bank) for bank in banks)


def draw(_):
    c = Canvas("Banks of a tile's columns", "")
    words = []
    for i, (title, place) in enumerate(LAYOUTS):
        x, y = 12 + i % 2 * 196, 24 + i // 2 * 224
        count = wavefronts(place)
        words.append(f"{title}: column {CHOSEN} takes {count} wavefront{'s' * (count > 1)}")
        c.text(x, y, title, "strong")
        c.text(x + 180, y, f"{count} wavefront{'s' * (count > 1)}", "end small" + (" bad" if count > 1 else ""))
        one_layout(c, x, y + 8, place)
    c.lines(208, 264, ["Each cell is an element", "of the tile, row by row;", "its number and colour are", "its bank.", "", "A warp reads the framed", "column. Words of one bank",
                       "come after each other,", "words of different banks", "together."], "small", 17)
    c.lines(12, 458, [f"Drawn with {BANKS} banks. A GPU has 32, and a tile of 32 columns", "behaves in the same way: 32 wavefronts, or 1."], "small quiet", 15)
    c.words = "; ".join(words) + f". Drawn with {BANKS} banks instead of 32."
    return c


def one_layout(c, x, y, place):
    size = 22.5
    for row in range(BANKS):
        for column in range(BANKS):
            bank = place(row, column) % BANKS
            c.cell(x + column * size, y + row * size, size - 1, size - 1, bank, f"t{bank}")
    c.box(x + CHOSEN * size - 1, y - 1, size + 1, BANKS * size + 1, "mark", 2)

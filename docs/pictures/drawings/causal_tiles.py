"""Which tiles of the score matrix a fused causal attention computes: below the diagonal, on it, above it."""
from canvas import Canvas

TILE, TILES, CHOSEN = 64, 8, 5


def kind(query, key):
    """What happens to the tile of a query tile and a key tile."""
    return "skipped" if key > query else "compared" if key == query else "whole"


def computed(tiles):
    """Tiles of a square of `tiles` times `tiles` that are computed."""
    return sum(kind(query, key) != "skipped" for query in range(tiles) for key in range(tiles))


def draw(_):
    c = Canvas("Tiles of keys and values against a tile of queries", "")
    side, left, top = 25, 96, 66
    c.text(12, 22, f"{TILES * TILE} tokens in tiles of {TILE}", "strong")
    c.text(left + TILES * side / 2, 40, "keys and values", "middle small quiet")
    for key in range(TILES):
        c.cell(left + key * side, 46, side - 1, 15, key, f"t{0 if key <= CHOSEN else 7}")
    c.text(12, top + 16, "queries", "small quiet")
    for query in range(TILES):
        c.cell(left - 32, top + query * side, 26, side - 1, query, f"t{1 if query == CHOSEN else 7}")
        for key in range(TILES):
            what = kind(query, key)
            c.box(left + key * side, top + query * side, side - 1, side - 1, {"skipped": "off", "whole": "t2", "compared": "t5"}[what], 1)
    row = top + CHOSEN * side
    c.box(left - 2, row - 1.5, (CHOSEN + 1) * side + 2, side + 2, "mark", 2)
    x = left + TILES * side + 14
    for i, (colour, words) in enumerate((("t2", "every score"), ("t5", "compared"), ("off", "skipped"))):
        c.box(x, top + i * 20, 12, 12, colour, 1)
        c.text(x + 18, top + i * 20 + 10, words, "small")
    n = computed(TILES)
    c.lines(12, top + TILES * side + 20, [
        f"The block of query tile {CHOSEN} loads key tiles 0 to {CHOSEN} in turn.",
        f"Each serves all {TILE} queries. Only tile {CHOSEN} compares indices.",
        f"{n} of {TILES * TILES} tiles are computed; of 1024 tokens {computed(16)} of {16 * 16}."], "small", 15)
    c.words = (f"A square of {TILES} by {TILES} tiles. {n} tiles on and below the diagonal are computed, {TILES * TILES - n} above it are skipped. "
               f"The block of query tile {CHOSEN} needs key tiles 0 to {CHOSEN}.")
    return c

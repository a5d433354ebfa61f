"""Which sectors the 32 lanes of a load touch, for four arrangements of chapter 2."""
from canvas import Canvas

LANES, WORD, SECTOR = 32, 4, 32
# Title, the word of each lane, and the rung of chapter 2's ladder `patterns` that counts it.
CASES = (("neighbours", lambda lane: lane, "neighbours"),
         ("all one float later", lambda lane: lane + 1, "offset by one"),
         ("every second float", lambda lane: 2 * lane, "every second"),
         ("the same float for all", lambda lane: 0, "one for all"))


def sectors(word_of):
    """Sectors touched, by number, each with the words of it that some lane asks for."""
    touched = {}
    for lane in range(LANES):
        touched.setdefault(word_of(lane) * WORD // SECTOR, set()).add(word_of(lane))
    return touched


def counted(facts, rung):
    """Sectors per load, as the record has them."""
    return facts.sectors_per_load("ch02_coalescing", "patterns", rung)


def draw(facts):
    c = Canvas("From lanes to sectors", "")
    words, y = [], 22
    for title, word_of, rung in CASES:
        touched = sectors(word_of)
        if len(touched) != round(counted(facts, rung)):
            raise ValueError(f"{title}: {len(touched)} sectors drawn, {counted(facts, rung)} counted")
        used = sum(len(one) for one in touched.values()) * WORD
        share = f"{used} of {len(touched) * SECTOR} bytes used"
        words.append(f"{title}: {len(touched)} sectors, {share}")
        plural = "sector" if len(touched) == 1 else "sectors"
        c.text(12, y, title, "strong")
        c.text(388, y, f"{len(touched)} {plural}, {share}", "end small")
        one_case(c, y + 10, word_of, touched)
        y += 112
    c.text(12, y - 12, "Top: lanes 0 to 31. Below: memory, a frame per sector of 32 bytes;", "small quiet")
    c.text(12, y + 3, "a coloured word is asked for, a grey one moves with it.", "small quiet")
    c.words = "; ".join(words) + "."
    return c


def one_case(c, y, word_of, touched):
    shown = max(max(touched) + 1, 5)
    lane_width = 376 / LANES
    word_width = 376 / (shown * 8)
    for lane in range(LANES):
        sector = word_of(lane) * WORD // SECTOR
        c.line(12 + (lane + 0.5) * lane_width, y + 14, 12 + (word_of(lane) + 0.5) * word_width, y + 52)
        c.box(12 + lane * lane_width + 0.5, y, lane_width - 1, 14, f"t{sector % 8}", 1)
    for sector in range(shown):
        asked = touched.get(sector, set())
        for word in range(sector * 8, sector * 8 + 8):
            kind = f"t{sector % 8}" if word in asked else "off"
            c.box(12 + word * word_width + 0.4, y + 53, word_width - 0.8, 16, kind, 1)
        if asked:
            c.box(12 + sector * 8 * word_width, y + 51, 8 * word_width, 20, "mark", 2)

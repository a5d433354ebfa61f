"""Eight particles of eight numbers in memory, as structures and as arrays, and the sectors that a load of one field touches."""
from canvas import Canvas

FIELDS = ("x", "y", "z", "q", "vx", "vy", "vz", "m")
NEEDED = ("vx", "vy", "vz", "m")
PARTICLES, WARP, WORD, SECTOR = 8, 32, 4, 32
# Title, the word of a field of a particle among n of them, and the rung of chapter 2's ladder `structures` that counts it.
LAYOUTS = (("array of structures", lambda field, particle, n: particle * len(FIELDS) + field, "structures, by field"),
           ("structure of arrays", lambda field, particle, n: field * n + particle, "arrays"))


def sectors(word_of, names, n):
    """Sectors that n lanes touch in loads of these fields, one particle per lane."""
    return {word_of(FIELDS.index(name), lane, n) * WORD // SECTOR for name in names for lane in range(n)}


def counted(facts, rung):
    """Sectors per load, as the record has them."""
    return facts.sectors_per_load("ch02_coalescing", "structures", rung)


def draw(facts):
    c = Canvas("Particles as structures and as arrays", "")
    asked, size, top, words = NEEDED[0], 22.5, 48, []
    asked_index = FIELDS.index(asked)
    for i, (title, word_of, rung) in enumerate(LAYOUTS):
        touched = sectors(word_of, [asked], PARTICLES)
        of_warp = len(sectors(word_of, [asked], WARP))
        if of_warp != counted(facts, rung):
            raise ValueError(f"{title}: {of_warp} sectors drawn, {counted(facts, rung)} counted")
        x = 12 + i * 196
        c.text(x, 22, title, "strong")
        c.text(x, 38, f"{len(touched)} sector{'s' * (len(touched) > 1)} for {PARTICLES} lanes", "small" + (" bad" if i == 0 else ""))
        held = {word_of(field, particle, PARTICLES): (field, particle) for field in range(len(FIELDS)) for particle in range(PARTICLES)}
        for word, (field, particle) in held.items():
            sector, column = divmod(word, SECTOR // WORD)
            kind = "t0" if field == asked_index else "off" if sector in touched else "empty"
            c.cell(x + column * size, top + sector * size, size - 1, size - 1.5, f"{FIELDS[field]}{particle}", kind)
        for sector in touched:
            c.box(x - 1, top + sector * size - 0.8, (SECTOR // WORD) * size + 1, size + 0.3, "mark", 2)
        moved = len(sectors(word_of, NEEDED, WARP)) * SECTOR // WARP
        used = len(NEEDED) * WORD
        y = top + len(FIELDS) * size + 20
        c.lines(x, y, [f"A warp: {of_warp} sectors per load.", f"{len(NEEDED)} fields of a particle:", f"{used} bytes used, {moved} moved."],
                "small", 15)
        words.append(f"{title}: a load of {asked} by {PARTICLES} lanes touches {len(touched)} of {len(FIELDS)} sectors, "
                     f"by a warp of {WARP} lanes {of_warp}; {moved} bytes move per particle for the {used} that are used")
    c.lines(12, y + 56, [f"A row is a sector of {SECTOR} bytes; rows follow each other in memory.",
                         f"{PARTICLES} lanes load {asked} of particles 0 to {PARTICLES - 1} (blue).",
                         "Red: a sector that moves. Grey: moved and not asked for."], "small quiet", 15)
    c.words = "; ".join(words) + "."
    return c

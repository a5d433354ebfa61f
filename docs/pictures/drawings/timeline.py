"""Four pieces over two streams: as a GPU measured them, and as the program orders them.

The upper half is to scale, with the times of chapter 9's record. The lower half has columns instead: the order that is
enforced has no times. Three operations of a piece follow each other in its stream."""
from canvas import Canvas
from facts import CannotDraw

STAGES = {"copy in": ("in", "t0"), "kernel": ("k", "t2"), "copy out": ("out", "t1")}
STREAMS, LEFT, INNER, ROW = 2, 68, 320, 24


def operations(facts):
    """(kind, piece, stream, begin, end) of each operation; times in microseconds."""
    table = facts.table("ch09_streams_and_graphs", "timeline")
    if "begins, us" not in table["columns"]:
        raise CannotDraw("the record of chapter 9 holds no times: record it on a GPU")
    found = []
    for name, stream, begin, end in table["rows"]:
        kind, _, piece = name.rpartition(" ")
        found.append((kind, int(piece), int(stream), float(begin), float(end)))
    return found


def columns(found):
    """Of each operation how many of its own stream come before it: all that the program enforces here."""
    before = [0] * STREAMS
    places = []
    for _, _, stream, _, _ in sorted(found, key=lambda one: (one[1], list(STAGES).index(one[0]))):
        places.append(before[stream])
        before[stream] += 1
    return places


def draw(facts):
    found = sorted(operations(facts), key=lambda one: (one[1], list(STAGES).index(one[0])))
    places = columns(found)
    last, many = max(end for *_, end in found), max(places) + 1
    c = Canvas("Four pieces over two streams",
               "Above, to scale: " + "; ".join(f"{kind} {piece} in stream {stream}, {begin:.0f} to {end:.0f} microseconds"
                                               for kind, piece, stream, begin, end in found) +
               f". Below, the enforced order: each stream is a row of {many} operations, one after the other.")
    c.text(12, 20, "Measured on the GPU, to scale", "strong")
    c.text(388, 20, "microseconds", "end small quiet")
    for quarter in range(5):
        x = LEFT + INNER * quarter / 4
        c.line(x, 30, x, 34 + STREAMS * ROW, "grid")
        c.text(x, 48 + STREAMS * ROW, f"{last * quarter / 4:.0f}", f"{'end' if quarter == 4 else 'middle'} small quiet")
    c.text(12, 138, "Enforced by the program", "strong")
    c.text(388, 138, "columns: no times", "end small quiet")
    for stream in range(STREAMS):
        for top in (32, 148):
            c.text(12, top + stream * ROW + 15, f"stream {stream}", "small quiet")
    for (kind, piece, stream, begin, end), place in zip(found, places):
        word, colour = STAGES[kind]
        c.cell(LEFT + INNER * begin / last, 32 + stream * ROW, INNER * (end - begin) / last, ROW - 4, f"{word} {piece}", colour)
        c.cell(LEFT + INNER * place / many, 148 + stream * ROW, INNER / many - 4, ROW - 4, f"{word} {piece}", colour)
    c.lines(12, 214, ["A box waits for those before it in its row, and for nothing else.", "The simulator has no clock."], "small quiet", 15)
    return c

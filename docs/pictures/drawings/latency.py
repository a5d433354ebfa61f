"""Loads in flight over time, and what memory delivers: one warp, four warps, four warps with two loads each. An example, not measured."""
from canvas import Canvas
from drawings.memory import nanoseconds

LATENCY, UNITS = 8, 28
CASES = ((1, 1), (4, 1), (4, 2))  # warps, loads that a warp issues before it waits
LOAD_BYTES = 128


def schedule(warps, loads):
    """(warp, load, issued, arrived) of all loads that are issued in the drawn time. One load is issued per unit, and arrives a latency
    later; a warp issues its next loads when all of its last ones have arrived."""
    ready, port, found = [0] * warps, 0, []
    while True:
        warp = ready.index(min(ready))
        for load in range(loads):
            issued = max(ready[warp], port)
            if issued >= UNITS:
                return found
            port = issued + 1
            found.append((warp, load, issued, issued + LATENCY))
        ready[warp] = port - 1 + LATENCY


def rate(warps, loads):
    """Loads, and the units that they take, when the same pattern comes again and again."""
    first, second = [issued for warp, load, issued, _ in schedule(warps, loads) if (warp, load) == (0, 0)][:2]
    return warps * loads, second - first


def needed(gbps, ns, sms):
    """Loads in flight per SM for a bandwidth, by Little's law."""
    return gbps * ns / sms / LOAD_BYTES


def draw(facts):
    c = Canvas("Waiting, filled by other loads", "")
    left, unit, words, y = 70, 318 / UNITS, [], 22
    for warps, loads in CASES:
        count, period = rate(warps, loads)
        title = f"{warps} warp{'s' * (warps > 1)}, {loads} load{'s' * (loads > 1)} each" if warps > 1 else "1 warp, 1 load at a time"
        said = f"{count} load{'s' * (count > 1)} in {period} units"
        words.append(f"{title}: {said}, memory busy {100 * count / period:.3g} %")
        c.text(12, y, title, "strong")
        c.text(388, y, f"{said}, memory busy {100 * count / period:.3g} %", "end small")
        y += 9
        height = 15 if loads == 1 else 9
        memory = y + warps * (loads * height + 3) + 3
        for warp in range(warps):
            c.text(12, y + warp * (loads * height + 3) + loads * height / 2 + 3, f"warp {warp}", "small quiet")
        c.text(12, memory + 12, "memory", "small")
        c.box(left, memory, UNITS * unit, 16, "rail", 2)
        for warp, load, issued, arrived in schedule(warps, loads):
            row = y + warp * (loads * height + 3) + load * height
            c.box(left + issued * unit, row, (min(arrived, UNITS) - issued) * unit - 1.5, height - 1, f"t{warp}", 2)
            if arrived <= UNITS:
                c.box(left + (arrived - 1) * unit, memory + 1, unit - 0.7, 14, f"t{warp}", 1)
        y = memory + 42
    c.arrow(left, y - 20, 388, y - 20)
    c.text(left, y - 5, "time", "small quiet")
    c.text(388, y - 5, "grey: memory has nothing to deliver", "end small quiet")
    gpu = facts.gpu(facts.record("ch04_occupancy")["limits_of"])
    ns = nanoseconds(facts, "device memory")
    c.lines(12, y + 16, [f"A bar is a load in flight for {LATENCY} units. Memory can deliver one",
                         f"per unit. This is an example. An {gpu['name']} needs more:",
                         f"{gpu['memory_gbps']:.0f} GB/s * {ns:.0f} ns / {gpu['sms']} SMs / {LOAD_BYTES} bytes = "
                         f"{needed(gpu['memory_gbps'], ns, gpu['sms']):.1f} loads per SM."], "small quiet", 15)
    c.words = "; ".join(words) + f". Each load is in flight for {LATENCY} units, and memory can deliver one per unit."
    return c

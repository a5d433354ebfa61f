"""Where host data waits, and who carries it to the device; rates are those of chapter 9's record."""
from canvas import Canvas

# Of each kind: the rung that measured it, what is at the host, who carries the bytes, and from where.
KINDS = [("pageable, copied", "pageable", "new, malloc", ["CPU", "copy engine"]),
         ("pinned, copied", "pinned", "cudaMallocHost", ["copy engine"]),
         ("mapped, read in place", "mapped", "cudaHostAlloc", ["loads of an SM"]),
         ("managed, on demand", "managed", "cudaMallocManaged", ["pages move when touched"])]


def rates(facts):
    """GB/s over the bus by rung: the bytes of x, which the ladder counts."""
    ladder = facts.ladder("ch09_streams_and_graphs", "host_memory")
    return {rung["name"]: ladder["bytes"] / rung["time"]["median_us"] / 1e3 for rung in ladder["rungs"]}


def draw(facts):
    found = rates(facts)
    c = Canvas("Where host data waits",
               "; ".join(f"{kind}: carried by {', then '.join(carriers)}, {found[rung]:.0f} GB/s" for rung, kind, _, carriers in KINDS) + ".")
    c.text(12, 22, "Host memory", "strong")
    c.text(388, 22, "Device", "end strong")
    y = 34
    for number, (rung, kind, call, carriers) in enumerate(KINDS):
        c.box(12, y, 126, 44, f"t{number}")
        c.text(20, y + 19, kind, "strong")
        c.text(20, y + 35, call, "small code")
        c.box(338, y, 50, 44, f"t{number}")
        c.text(363, y + 26, "SM" if kind == "mapped" else "x", "middle strong")
        if len(carriers) == 2:
            c.cell(186, y + 4, 60, 36, "buffer", "box")
            c.arrow(140, y + 22, 184, y + 22)
            c.text(161, y + 16, carriers[0], "middle small")
            begin = 248
        else:
            begin = 140
        c.arrow(begin, y + 22, 336, y + 22)
        c.text((begin + 336) / 2, y + 16, carriers[-1], "middle small")
        c.text((begin + 336) / 2, y + 37, f"{found[rung]:.0f} GB/s", "middle small quiet")
        y += 54
    c.lines(12, y + 10, ["The buffer is pinned memory of the driver's own. Mapped x stays", "on the host. Rates: bytes of x over the whole time, on a GPU."], "small quiet", 15)
    return c

"""The four limits of a kernel's resident blocks as bars: chapter 4's worked example."""
from canvas import Canvas

WARP, PARTITIONS, REGISTER_UNIT = 32, 4, 256
THREADS, REGISTERS, SHARED = 160, 40, 9000


def up(value, unit):
    return -(-value // unit) * unit


def figure(gpu, name):
    """A whole number of the GPU's table."""
    return int(next(one["value"] for one in gpu["facts"] if one["name"] == name).split()[0])


def limits(gpu, threads, registers, shared):
    """(resource, blocks that it admits, the arithmetic)"""
    warps = up(threads, WARP) // WARP
    per_warp = up(WARP * registers, REGISTER_UNIT)
    partition = figure(gpu, "registers per SM") // PARTITIONS
    block_shared = up(shared + figure(gpu, "shared memory reserved per block"), figure(gpu, "shared memory comes in units of"))
    all_shared = figure(gpu, "shared memory per SM")
    most, slots = figure(gpu, "warps per SM"), figure(gpu, "blocks per SM")
    return [("warps", most // warps, f"{most} / {warps}"),
            ("block slots", slots, f"{slots}"),
            ("registers", PARTITIONS * (partition // per_warp) // warps, f"{PARTITIONS} * ({partition} / {per_warp}) / {warps}"),
            ("shared memory", all_shared // block_shared, f"{all_shared} / {block_shared}")]


def draw(facts):
    gpu = facts.gpu(facts.record("ch04_occupancy")["limits_of"])
    found = limits(gpu, THREADS, REGISTERS, SHARED)
    blocks = min(count for _, count, _ in found)
    most = max(count for _, count, _ in found)
    warps = blocks * (up(THREADS, WARP) // WARP)
    full = figure(gpu, "warps per SM")
    limiter = next(name for name, count, _ in found if count == blocks)
    c = Canvas("Four limits of the resident blocks",
               "; ".join(f"{name}: {count} blocks" for name, count, _ in found) + f". The smallest, {blocks}, wins: {limiter}.")
    c.text(12, 24, f"{THREADS} threads, {REGISTERS} registers, {SHARED} bytes", "strong")
    c.text(388, 24, "blocks per SM", "end small quiet")
    for i, (name, count, words) in enumerate(found):
        y = 36 + i * 48
        smallest = count == blocks
        c.text(12, y + 14, name, "strong" if smallest else "")
        c.text(388, y + 14, f"{words} = {count}", "end small" + (" strong" if smallest else ""))
        c.box(12, y + 20, 376, 16, "rail", 2)
        c.box(12, y + 20, 376 * count / most, 16, "t1" if smallest else "bar", 2)
    x = 12 + 376 * blocks / most
    c.line(x, 44, x, 36 + len(found) * 48 - 6, "limit")
    y = 36 + len(found) * 48 + 14
    c.text(12, y, f"The smallest wins: {blocks} blocks, {warps} of {full} warps, {100 * warps / full:.1f} %.", "small")
    c.text(12, y + 16, f"Limiter: {limiter}. {gpu['name']}; quotients are rounded down.", "small quiet")
    return c

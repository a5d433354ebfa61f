"""Chapter 3's products under the roofline: flops per byte that they ask for, and the rate that they reach."""
from canvas import Canvas
from roof import Roof

RUNGS = ("naive", "tiles of 16", "tiles of 32")
# Where a dot's words are: across and down from it.
LABELS = ((-8, 4, "end"), (0, 18, "middle"), (8, 4, ""))


def points(facts):
    """[(rung, flops per byte asked for, TFLOP/s)]"""
    table = facts.table("ch03_shared_memory_banks", "roofline")
    ladder = facts.ladder("ch03_shared_memory_banks", "product")
    intensities = {row[0]: float(row[table["columns"].index("flop/byte")]) for row in table["rows"]}
    return [(name, intensities[name], ladder["flops"] / facts.rung(ladder, name)["time"]["median_us"] / 1e6) for name in RUNGS]


def draw(facts):
    gpu = facts.gpu("h200")
    c = Canvas("Three products under a roofline", "")
    c.text(12, 24, f"The roof of an {gpu['name'].removeprefix('NVIDIA ')}, and three products", "strong")
    roof = Roof(c, (0.1, 100), (0.5, 200))
    ridge = roof.limit(gpu["memory_gbps"], gpu["fp32_tflops"])
    top = roof.y(gpu["fp32_tflops"])
    c.text(roof.x(ridge) + 4, top - 6, f"fp32: {gpu['fp32_tflops']:g} TFLOP/s", "small")
    c.text(roof.x(ridge) + 4, top + 16, f"ridge: {ridge:.0f}", "small")
    c.text(roof.x(0.25) + 6, roof.y(0.7), f"memory: {gpu['memory_gbps'] / 1000:g} TB/s", "small")
    words = []
    for (name, intensity, tflops), (across, down, kind) in zip(points(facts), LABELS):
        allowed = min(intensity * gpu["memory_gbps"] / 1000, gpu["fp32_tflops"])
        c.line(roof.x(intensity), roof.y(tflops), roof.x(intensity), roof.y(allowed), "limit")
        roof.point(intensity, tflops)
        c.text(roof.x(intensity) + across, roof.y(tflops) + down, f"{name}: {tflops:.1f}", f"{kind} small")
        words.append(f"{name}: {intensity:g} flops per byte asked for, {tflops:.1f} TFLOP/s, where memory without caches would allow {allowed:.1f}")
    c.lines(12, 312, ["A dot above the roof: caches serve what the kernel asks for again.", "A dot far below it: something other than device memory is the limit."],
            "small quiet", 15)
    c.words = "; ".join(words) + f". The ridge is at {ridge:.0f} flops per byte."
    return c

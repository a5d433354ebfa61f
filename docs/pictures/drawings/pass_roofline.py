"""The operations of GPT-2's pass under the rooflines of fp32 and of bf16 tensor cores; points from chapter 8's record."""
from canvas import Canvas
from roof import Roof

PASSES = (("fp32", "picture_turned", "dot1"), ("bf16", "bf16_picture", "dot0"))
# The dots that have words, and where these are: across and down from the dot.
LABELS = {("fp32", "attention"): (-8, 4, "end"), ("bf16", "attention"): (8, 10, ""), ("bf16", "residual + LayerNorm"): (8, 14, "")}


def points(table):
    """[(operation, flops per byte, TFLOP/s)] of those that have flops worth counting."""
    megabytes, gigaflops, us = (table["columns"].index(name) for name in ("MB", "GFLOP", "us"))
    return [(row[0], float(row[gigaflops]) / float(row[megabytes]) * 1000, float(row[gigaflops]) / float(row[us]) * 1000)
            for row in table["rows"] if row[0] != "all" and float(row[gigaflops]) > 0]


def draw(facts):
    gpu = facts.gpu("h200")
    c = Canvas("A pass under two roofs", "")
    c.text(12, 24, "Operations of a pass, fp32 and bf16", "strong")
    roof = Roof(c, (0.3, 1000), (0.5, 2000))
    peaks = {"fp32": gpu["fp32_tflops"], "bf16": gpu["bf16_tensor_tflops"]}
    for kind, tflops in peaks.items():
        ridge = roof.limit(gpu["memory_gbps"], tflops)
        c.text(roof.x(ridge) - 4, roof.y(tflops) - 5, f"{kind}: {tflops:g} TFLOP/s", "end small")
    c.text(roof.x(2.2), roof.y(4), f"{gpu['memory_gbps'] / 1000:g} TB/s", "small")
    words = []
    for kind, name, dot in PASSES:
        for operation, intensity, tflops in points(facts.table("ch08_transformer", name)):
            roof.point(intensity, tflops, dot)
            words.append(f"{kind} {operation}: {intensity:.2g} flops per byte, {tflops:.2g} TFLOP/s")
            if (kind, operation) in LABELS:
                across, down, place = LABELS[kind, operation]
                c.text(roof.x(intensity) + across, roof.y(tflops) + down, operation, f"{place} small")
    x = 200
    for kind, _, dot in PASSES:
        c.add("circle", None, dot, cx=x, cy=roof.y(0.8), r=4)
        c.text(x + 9, roof.y(0.8) + 4, f"in {kind}", "small")
        x += 70
    c.lines(12, 312, ["The other dots on the right are products with weights.", "LayerNorm moves bytes: tensor cores do not lift its dot."],
            "small quiet", 15)
    c.words = "; ".join(words) + "."
    return c

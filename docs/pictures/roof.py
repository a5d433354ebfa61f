"""Rooflines: flops per byte across, TFLOP/s up, both by powers of ten; limits of a memory and of units of arithmetic."""
import math

LEFT, RIGHT, TOP, BOTTOM = 40, 384, 50, 262


class Roof:
    """The axes of a canvas, from `low` to `high` in each direction."""

    def __init__(self, canvas, across, up):
        self.c, self.across, self.up = canvas, across, up
        for value in powers(across):
            canvas.line(self.x(value), TOP, self.x(value), BOTTOM, "grid")
            kind = "middle" if self.x(value) < RIGHT else "end"
            canvas.text(self.x(value), BOTTOM + 15, f"{value:g}", f"{kind} small quiet")
        for value in powers(up):
            canvas.line(LEFT, self.y(value), RIGHT, self.y(value), "grid")
            canvas.text(LEFT - 5, self.y(value) + 4, f"{value:g}", "end small quiet")
        canvas.text(12, TOP - 8, "TFLOP/s", "small quiet")
        canvas.text(RIGHT, BOTTOM + 30, "flops per byte", "end small quiet")

    def x(self, intensity):
        return LEFT + (RIGHT - LEFT) * part(intensity, self.across)

    def y(self, tflops):
        return BOTTOM - (BOTTOM - TOP) * part(tflops, self.up)

    def limit(self, gbps, tflops, kind="strong-rule"):
        """The memory's slope up to the ridge, then the peak. @return the ridge, flops per byte"""
        ridge = tflops / gbps * 1000
        low = max(self.across[0], self.up[0] / gbps * 1000)
        self.c.line(self.x(low), self.y(low * gbps / 1000), self.x(ridge), self.y(tflops), kind)
        self.c.line(self.x(ridge), self.y(tflops), RIGHT, self.y(tflops), kind)
        return ridge

    def point(self, intensity, tflops, kind="dot0", radius=4):
        self.c.add("circle", None, kind, cx=self.x(intensity), cy=self.y(tflops), r=radius)


def part(value, limits):
    """How far a value is from the first limit to the second, by its logarithm."""
    return math.log(value / limits[0]) / math.log(limits[1] / limits[0])


def powers(limits):
    """The powers of ten from one limit to the other."""
    return [10.0 ** i for i in range(math.ceil(math.log10(limits[0]) - 1e-9), math.floor(math.log10(limits[1]) + 1e-9) + 1)]

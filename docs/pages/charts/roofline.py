"""The roofline: what memory and arithmetic allow, and where kernels are below it."""
import math

from charts import svg
from charts.lines import Axis, number

TOP, PLOT, BELOW = 18, 240, 38


def roofline(title, points, bandwidth_gbps, peak_tflops, caption):
    """
    points          (name, flops a byte, TFLOP/s)
    bandwidth_gbps  the slope on the left, in 10^9 bytes a second
    peak_tflops     the roof on the right
    """
    slope = bandwidth_gbps / 1000
    xs = [x for _, x, _ in points] + [peak_tflops / slope]
    low_x, high_x = (2.0 ** f(math.log2(v)) for f, v in ((math.floor, min(xs) / 1.5), (math.ceil, max(xs) * 1.5)))
    ys = [y for _, _, y in points] + [slope * low_x]
    low_y, high_y = 2.0 ** math.floor(math.log2(min(ys) / 1.2)), 2.0 ** math.ceil(math.log2(peak_tflops * 1.3))
    x_axis, y_axis = Axis(low_x, high_x, 8, 98, True), Axis(low_y, high_y, TOP + PLOT, TOP, True)
    parts = ticks(x_axis, y_axis, (low_x, high_x), (low_y, high_y))
    ridge = peak_tflops / slope
    roof = [(low_x, slope * low_x), (ridge, peak_tflops), (high_x, peak_tflops)]
    parts.append(svg.curve([(x_axis.place(x), y_axis.place(y)) for x, y in roof], 0, TOP + PLOT, "curve limit"))
    parts.append(svg.text(x_axis.place(high_x), y_axis.place(peak_tflops) - 6, f"peak, {number(peak_tflops)} TFLOP/s", "end", "limit"))
    parts.append(svg.text(x_axis.place(low_x * 2), y_axis.place(slope * low_x) - 2, f"memory, {number(bandwidth_gbps)} GB/s", "start", "limit"))
    for index, (_, x, y) in enumerate(points):
        parts.append(svg.marker(x_axis.place(x), y_axis.place(y), index, 6))
    words = (f"Memory allows {number(bandwidth_gbps)} GB/s, arithmetic {number(peak_tflops)} TFLOP/s; they meet at "
             f"{ridge:.1f} flops a byte. " +
             "; ".join(f"{name}: {y:.1f} TFLOP/s at {x:g} flops a byte" for name, x, y in points) + ".")
    legend = [f"{name}: {y:.1f} TFLOP/s" for name, _, y in points]
    return svg.figure(title, svg.picture(TOP + PLOT + BELOW, title, words, parts), caption, legend)


def ticks(x_axis, y_axis, xs, ys):
    parts = []
    for power in range(round(math.log2(ys[0])), round(math.log2(ys[1])) + 1, 2):
        y = y_axis.place(2.0 ** power)
        parts += [svg.line(0, y, 100, y, "grid"), svg.text(0, y - 3, number(2.0 ** power), "start", "tick")]
    for power in range(round(math.log2(xs[0])), round(math.log2(xs[1])) + 1):
        parts.append(svg.text(x_axis.place(2.0 ** power), TOP + PLOT + 16, number(2.0 ** power), "middle", "tick"))
    return parts + [svg.text(50, TOP + PLOT + 33, "flops a byte of global memory", "middle", "tick"),
                    svg.text(0, 11, "TFLOP/s", "start", "tick")]

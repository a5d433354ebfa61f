"""A digit of chapter 8's test images as words: patches, the rows of a product, and a class token in front."""
import struct

from canvas import Canvas
from facts import ROOT

IMAGE, PATCH, CHOSEN = 2, 2, 6
LARGEST = 16  # of a pixel
CHANNELS = 64


def image(number):
    """Rows of pixels of a test image, and its class."""
    data = (ROOT / "chapters/ch08_transformer/models/digits_test.bin").read_bytes()
    header = 1024
    _, _, count, pixels, _ = struct.unpack_from("<5i", data)
    side = round(pixels ** 0.5)
    begin = header + number * pixels
    return [list(data[begin + y * side:begin + (y + 1) * side]) for y in range(side)], data[header + count * pixels + number]


def patch_rows(rows):
    """A row of pixels per patch, patches from left to right, then down."""
    of_side = len(rows) // PATCH
    return [[rows[j // of_side * PATCH + k // PATCH][j % of_side * PATCH + k % PATCH] for k in range(PATCH * PATCH)]
            for j in range(of_side * of_side)]


def shade(c, x, y, side, value):
    c.box(x, y, side, side, "off", 0)
    if value:
        c.add("rect", None, "bar", x=x, y=y, width=side, height=side, fill_opacity=value / LARGEST)


def draw(_):
    rows, label = image(IMAGE)
    patches = patch_rows(rows)
    words = len(patches) + 1
    c = Canvas("An image as words", "")
    c.text(12, 22, f"{len(rows)} x {len(rows)} pixels", "strong")
    c.text(166, 22, f"{len(patches)} rows", "strong")
    c.text(302, 22, f"{words} words", "strong")
    side, left, top = 15, 12, 64
    for y, line in enumerate(rows):
        for x, value in enumerate(line):
            shade(c, left + x * side, top + y * side, side - 1, value)
    for i in range(1, len(rows) // PATCH):
        c.line(left + i * PATCH * side - 0.5, top, left + i * PATCH * side - 0.5, top + len(rows) * side - 1, "limit")
        c.line(left, top + i * PATCH * side - 0.5, left + len(rows) * side - 1, top + i * PATCH * side - 0.5, "limit")
    of_side = len(rows) // PATCH
    c.box(left + CHOSEN % of_side * PATCH * side - 1.5, top + CHOSEN // of_side * PATCH * side - 1.5, PATCH * side + 2, PATCH * side + 2, "mark", 2)
    step, first = 15, 34
    for j, patch in enumerate(patches):
        y = first + (j + 1) * step
        c.text(184, y + 11, j, "end small quiet")
        for k, value in enumerate(patch):
            shade(c, 190 + k * 15, y, 14, value)
    y = first + (CHOSEN + 1) * step
    c.box(188.5, y - 1.5, len(patches[0]) * 15 + 2, 17, "mark", 2)
    c.arrow(140, y + 7, 162, y + 7)
    c.arrow(254, y + 7, 290, y + 7)
    c.text(258, y, "x W", "small")
    for i in range(words):
        y = first + i * step
        c.box(302, y, 86, 13, "t1" if i == 0 else "t0", 1)
        c.text(345, y + 10.5, "class token" if i == 0 else f"patch {i - 1}", "middle small")
    y = first + words * step + 16
    c.lines(12, y, [f"A patch of {PATCH} x {PATCH} pixels is a row of {len(patches[0])} numbers. W, {len(patches[0])} x {CHANNELS},",
                    f"makes a word of it; its position is added. Then {words} words of", f"{CHANNELS} numbers go through the layers. The class token's answer: {label}."],
                  "small", 15)
    c.words = (f"A handwritten {label} of {len(rows)} by {len(rows)} pixels, cut into {len(patches)} patches of {PATCH} by {PATCH}. Each patch is a row of "
               f"{len(patches[0])} pixels and becomes a word; the class token comes first, which makes {words} words.")
    return c

"""The bits of fp32, TF32, bf16 and fp16 to scale, with 1/3 rounded to each: range from the exponent, step from the mantissa."""
from fractions import Fraction

from canvas import Canvas

# name, bits of the exponent, bits of the mantissa, bits in memory
FORMATS = (("fp32", 8, 23, 32), ("TF32", 8, 10, 32), ("bf16", 8, 7, 16), ("fp16", 5, 10, 16))
CHOSEN = Fraction(1, 3)


def largest(exponent_bits, mantissa_bits):
    """The largest finite number: the exponent of all ones is infinity and NaN."""
    return (2 - Fraction(1, 2 ** mantissa_bits)) * 2 ** (2 ** (exponent_bits - 1) - 1)


def rounded(value, exponent_bits, mantissa_bits):
    """(exponent, mantissa, value) of the nearest number to a positive one in the normal range that is halfway between no two."""
    power = 0
    while value >= 2 ** (power + 1):
        power += 1
    while value < Fraction(2) ** power:
        power -= 1
    steps = round(value / Fraction(2) ** power * 2 ** mantissa_bits)
    if steps == 2 ** (mantissa_bits + 1):
        power, steps = power + 1, steps // 2
    exponent = power + 2 ** (exponent_bits - 1) - 1
    return exponent, steps - 2 ** mantissa_bits, Fraction(steps, 2 ** mantissa_bits) * Fraction(2) ** power


def draw(_):
    c = Canvas("The bits of four types of number", "")
    unit, words = 376 / max(memory for *_, memory in FORMATS), []
    for i, (colour, name) in enumerate((("t4", "sign"), ("t1", "exponent: the range"), ("t0", "mantissa: the step"), ("off", "unused"))):
        x = 12 + (0, 52, 188, 314)[i]
        c.box(x, 14, 12, 12, colour, 1)
        c.text(x + 18, 24, name, "small")
    for i, (name, exponent_bits, mantissa_bits, memory) in enumerate(FORMATS):
        y = 42 + i * 70
        exponent, mantissa, value = rounded(CHOSEN, exponent_bits, mantissa_bits)
        used = 1 + exponent_bits + mantissa_bits
        c.text(12, y + 12, name, "strong")
        c.text(388, y + 12, f"1 + {exponent_bits} + {mantissa_bits} bits" + (f", in {memory}" if used < memory else ""), "end small quiet")
        bits = f"0{exponent:0{exponent_bits}b}{mantissa:0{mantissa_bits}b}"
        for place in range(memory):
            kind = "t4" if place == 0 else "t1" if place <= exponent_bits else "t0" if place < used else "off"
            c.cell(12 + place * unit, y + 18, unit - 1, 18, bits[place] if place < used else "", kind, "small code")
        most, step = f"{float(largest(exponent_bits, mantissa_bits)):.2e}", f"2^-{mantissa_bits} = {2.0 ** -mantissa_bits:.1e}"
        c.text(12, y + 51, f"largest {most}", "small")
        c.text(128, y + 51, f"step {step}", "small")
        c.text(388, y + 51, f"1/3 is {float(value):.9f}", "end small")
        words.append(f"{name} has 1 bit of sign, {exponent_bits} of exponent, {mantissa_bits} of mantissa. Its largest number is {most}, "
                     f"the step from 1 to the next number is {step}, and 1/3 becomes {float(value):.9f}")
    c.text(12, 42 + len(FORMATS) * 70 + 6, "The bits are those of 1/3. A step is from 1 to the next number.", "small quiet")
    c.words = ". ".join(words) + "."
    return c

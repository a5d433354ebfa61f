"""Eight numbers read once: the running largest value, and the running sum as a stack that shrinks when that value changes."""
import math

from canvas import Canvas

NUMBERS = (2, 3, 1, 3, 5, 4, 2, 4)


def steps():
    """(largest so far, factor of the sum so far, terms of the sum) after each number, as rung 2 takes them."""
    largest, terms, found = -math.inf, [], []
    for x in NUMBERS:
        now = max(largest, x)
        factor = math.exp(largest - now)
        terms = [term * factor for term in terms] + [math.exp(x - now)]
        largest = now
        found.append((largest, factor, terms))
    return found


def draw(_):
    found = steps()
    c = Canvas("Largest value and sum in one pass", "")
    width, left, step, scale = 30, 84, 38, 40
    base = 26 + 13 * max(NUMBERS)
    c.text(12, base - 22, "number", "strong")
    c.text(12, base - 7, "blue: largest", "small quiet")
    foot = base + 32 + scale * max(sum(terms) for _, _, terms in found)
    c.text(12, foot - 22, "sum so far", "strong")
    c.text(12, foot - 7, "one colour", "small quiet")
    c.text(12, foot + 8, "per number", "small quiet")
    for i, ((largest, factor, terms), x) in enumerate(zip(found, NUMBERS)):
        at = left + i * step
        c.cell(at, base - 13 * x, width, 13 * x, x, f"t{i}", "strong")
        top = base - 13 * largest - 3
        if i and factor < 1:
            c.line(at - (step - width), base - 13 * found[i - 1][0] - 3, at - (step - width), top, "strong-rule")
        c.line(at - (step - width), top, at + width, top, "strong-rule")
        y = foot
        for j, term in enumerate(terms):
            y -= term * scale
            c.box(at, y, width, term * scale, f"t{j}", 0)
        if i and factor < 1:
            before = sum(found[i - 1][2])
            c.line(at - (step - width), foot - before * scale, at, foot - before * factor * scale, "mark")
        c.text(at + width / 2, y - 5, f"{sum(terms):.2f}", "middle small strong")
        if i and factor < 1:
            c.text(at + width / 2, foot + 15, f"x {factor:.2f}", "middle small bad")
    whole = sum(math.exp(x - max(NUMBERS)) for x in NUMBERS)
    changes = [i for i, (_, factor, _) in enumerate(found) if i and factor < 1]
    c.lines(12, foot + 36, [
        "A new largest value: the sum so far is multiplied by",
        "exp(old - new): " + ", ".join(f"exp({found[i - 1][0]} - {found[i][0]}) = {found[i][1]:.2f}" for i in changes) + ".",
        f"At the end {sum(found[-1][2]):.2f}. Two passes give {whole:.2f}."], "small", 15)
    c.words = ("The numbers are " + ", ".join(map(str, NUMBERS)) + ". The largest so far is " + ", ".join(str(largest) for largest, _, _ in found)
               + ". The sum so far is " + ", ".join(f"{sum(terms):.2f}" for _, _, terms in found) + ". "
               + " ".join(f"At number {i + 1} the sum so far is multiplied by {found[i][1]:.2f}." for i in changes))
    return c

"""Where the time of a whole pass of GPT-2 goes: a bar per rung, cut by operation, with the floors; from chapter 8's record."""
from canvas import Canvas

# Title, table of the record. Each group ends with the floors of its last table.
GROUPS = (("fp32", (("first version", "picture_first"), ("own products", "picture_by_shape"), ("fused neighbours", "picture_fused"),
                    ("fused attention", "picture"), ("weights turned", "picture_turned"))),
          ("bf16", (("mma.sync", "bf16_picture_pipelines"), ("wgmma", "bf16_picture"))))
PARTS = (("products", "t0"), ("logits", "t6"), ("attention", "t1"), ("between them", "t5"))


def part_of(operation):
    """The part of the bar that an operation of the record belongs to."""
    if operation in ("logits", "attention"):
        return operation
    return "products" if operation.startswith(("qkv", "attproj", "fc")) else "between them"


def microseconds(table, column):
    """{part: us}, in the order of PARTS."""
    at = table["columns"].index(column)
    found = {name: 0.0 for name, _ in PARTS}
    for row in table["rows"]:
        if row[0] != "all":
            found[part_of(row[0])] += float(row[at])
    return found


def draw_bar(c, y, title, parts):
    left, width, height = 112, 214, 18
    whole = sum(parts.values())
    c.text(12, y + 13, title, "small")
    x = left
    for name, colour in PARTS:
        share = parts[name] / whole
        # Two digits want some 15 units.
        c.cell(x, y, share * width, height, f"{100 * share:.0f}" if share * width > 16 else "", colour)
        x += share * width
    c.text(388, y + 13, f"{whole / 1000:.1f} ms", "end small strong")
    return f"{title}, {whole / 1000:.1f} ms: " + ", ".join(f"{name} {100 * us / whole:.0f} %" for name, us in parts.items())


def draw(facts):
    c = Canvas("Where the time of a pass goes", "")
    c.text(12, 22, "GPT-2 124M, B 4, T 1024: shares of the time, %", "strong")
    x = 12
    for name, colour in PARTS:
        c.box(x, 33, 12, 12, colour, 1)
        c.text(x + 17, 43, name, "small")
        x += 34 + 6 * len(name)
    y, words = 56, []
    for kind, rungs in GROUPS:
        c.text(12, y + 13, kind, "strong")
        y += 20
        for title, name in rungs:
            words.append(draw_bar(c, y, title, microseconds(facts.table("ch08_transformer", name), "us")))
            y += 23
        words.append(draw_bar(c, y, f"floor, {kind}", microseconds(facts.table("ch08_transformer", rungs[-1][1]), "floor, us")))
        y += 30
    record = facts.record("ch08_transformer")
    c.text(12, y + 6, f"Measured on an {record['device']['name']}, {record['date'][:10]}. A floor: bytes or flops.", "small quiet")
    c.words = "; ".join(words) + "."
    return c

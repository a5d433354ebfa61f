"""The launches of GPT-2's forward pass: of the first version, and after fusing neighbours. Totals are the record's."""
from canvas import Canvas

LAYERS = 12
# Per column: title, table of the record, before the layers, a layer, after them. The number is the group by colour.
COLUMNS = (("first version", "picture_first", ("embedding",),
            (("LayerNorm", 5), ("qkv + bias", 0), ("attention", 1), ("attproj + bias", 0), ("residual", 5),
             ("LayerNorm", 5), ("fc + bias", 0), ("GELU", 2), ("fcproj + bias", 0), ("residual", 5)), ("LayerNorm", "logits")),
           ("fused neighbours", "picture_fused", ("embedding", "LayerNorm"),
            (("qkv + bias", 0), ("attention", 1), ("attproj + bias", 0), ("residual + LayerNorm", 5),
             ("fc + bias + GELU", 0), ("fcproj + bias", 0), ("residual + LayerNorm", 5)), ("logits",)))
# How many boxes of the first version each box of the second one stands for, from its first row on.
SPANS = ((1, 1), (2, 1), (3, 1), (4, 2), (6, 2), (8, 1), (9, 1))


def launches(column):
    _, _, before, layer, after = column
    return len(before) + LAYERS * len(layer) + len(after)


def recorded(facts, table):
    """Launches of a whole pass, as the record's table has them."""
    found = facts.table("ch08_transformer", table)
    return int(next(row for row in found["rows"] if row[0] == "all")[found["columns"].index("launches")])


def draw(facts):
    c = Canvas("A pass as launches", "")
    step, width, words = 23, 168, []
    for side, column in enumerate(COLUMNS):
        title, table, before, layer, after = column
        if launches(column) != recorded(facts, table):
            raise ValueError(f"{title}: {launches(column)} launches drawn, {recorded(facts, table)} recorded")
        x = 12 + side * (376 - width)
        c.text(x, 22, title, "strong")
        c.text(x, 38, f"{launches(column)} launches", "small quiet")
        y = 48
        for name in before:
            c.cell(x, y, width, 18, name, "t7")
            y += step
        top = y = 48 + 2 * step + 6
        rows = [(row, 1) for row in range(len(layer))] if side == 0 else SPANS
        for (name, colour), (row, count) in zip(layer, rows):
            c.cell(x + 6, top + row * step, width - 12, count * step - 5, name, f"t{colour}")
        y = top + 10 * step
        c.box(x, top - 5, width, 10 * step + 5, "empty", 4)
        c.text(x + width / 2, y + 14, f"{LAYERS} layers of {len(layer)}", "middle small quiet")
        y += 24
        for name in after:
            c.cell(x, y, width, 18, name, "t7")
            y += step
        words.append(f"{title}: {launches(column)} launches, {len(layer)} per layer")
    c.words = "; ".join(words) + "."
    return c

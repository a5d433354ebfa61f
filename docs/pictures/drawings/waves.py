"""Blocks of a grid in waves over four SMs with room for two blocks each: a full last wave, and one with a single block."""
from canvas import Canvas

SMS, RESIDENT = 4, 2
GRIDS = (16, 17)


def waves(blocks, wave):
    """(waves that a grid takes, blocks of the last one); all blocks take the same time."""
    count = -(-blocks // wave)
    return count, blocks - (count - 1) * wave


def idle(blocks, wave):
    """Share of the places that stay empty until the grid has ended."""
    return 1 - blocks / (waves(blocks, wave)[0] * wave)


def place(block):
    """(wave, SM, place in the SM) of a block: each SM in turn gets one, then each a second one."""
    wave, rest = divmod(block, SMS * RESIDENT)
    return wave, rest % SMS, rest // SMS


def draw(_):
    c = Canvas("Waves of blocks", "")
    room, left, width, height, words, y = SMS * RESIDENT, 66, 106, 15, [], 22
    for blocks in GRIDS:
        count, last = waves(blocks, room)
        said = f"{count} waves, idle {100 * idle(blocks, room):.0f} %"
        words.append(f"{blocks} blocks: {said}, the last wave has {last} of {room} blocks")
        c.text(12, y, f"{blocks} blocks", "strong")
        c.text(388, y, said, "end small")
        for wave in range(count):
            c.text(left + (wave + 0.5) * width, y + 18, f"wave {wave + 1}", "middle small quiet")
        y += 24
        sm_height = RESIDENT * height + 5
        for sm in range(SMS):
            c.text(12, y + sm * sm_height + height + 4, f"SM {sm}", "small")
            c.box(left, y + sm * sm_height, count * width - 2, RESIDENT * height - 1, "off", 2)
        for block in range(blocks):
            wave, sm, slot = place(block)
            c.cell(left + wave * width, y + sm * sm_height + slot * height, width - 2, height - 1, block, f"t{wave}")
        y += SMS * sm_height + 26
    c.arrow(left, y - 24, 388, y - 24)
    c.text(left, y - 9, "time", "small quiet")
    c.text(388, y - 9, "grey: an empty place", "end small quiet")
    counts = [waves(blocks, room)[0] for blocks in GRIDS]
    c.lines(12, y + 12, [f"With one block more the grid takes {counts[1] / counts[0]:.2g} times as long.",
                            f"Drawn for {SMS} SMs, {RESIDENT} blocks each. All blocks take the same time."], "small quiet", 15)
    c.words = "; ".join(words) + f". Drawn for {SMS} SMs with room for {RESIDENT} blocks each, and for blocks that all take the same time."
    return c

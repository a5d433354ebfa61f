"""The five steps of a program: which side holds an array after each of them, and how fast each road is, from the records."""
from canvas import Canvas
from drawings.host_memory import rates
from drawings.memory import copy_tbps

# Call; what it is given; which arrays have a place on the device afterwards, and which of them have been written; what moves.
STEPS = (("1. cudaMalloc", "for each array", "xwy", "", None),
         ("2. cudaMemcpy", "cudaMemcpyHostToDevice", "xwy", "xw", "to the device"),
         ("3. kernel<<<...>>>", "(x, w, y, ...)", "xwy", "xwy", "on the device"),
         ("4. cudaMemcpy", "cudaMemcpyDeviceToHost", "xwy", "xwy", "to the host"),
         ("5. cudaFree", "for each array", "", "", None))
COLOURS = {"x": "t0", "w": "t2", "y": "t1"}


def filled_at_host(step):
    """The arrays whose values the host has after a step: the inputs from the start, the result after the copy back."""
    return "xwy" if step >= 3 else "xw"


def draw(facts):
    c = Canvas("The five steps", "")
    gpu = facts.gpu(facts.record("ch02_coalescing")["limits_of"])
    bus, memory = rates(facts)["pageable, copied"], copy_tbps(facts)
    host, device, side = 158, 308, 26
    c.text(host + 1.5 * side, 22, "host", "middle strong")
    c.text(device + 1.5 * side, 22, "device", "middle strong")
    words = []
    for i, (call, given, places, written, road) in enumerate(STEPS):
        y = 34 + i * 48
        c.text(12, y + 11, call, "strong")
        c.text(12, y + 26, given, "small quiet")
        for j, name in enumerate("xwy"):
            full = name in filled_at_host(i)
            c.cell(host + j * side, y, side - 3, side, name if full else "", COLOURS[name] if full else "off", "strong")
            if name in places:
                full = name in written
                c.cell(device + j * side, y, side - 3, side, name if full else "?", COLOURS[name] if full else "empty", "strong" if full else "quiet")
        begin, end, middle = host + 3 * side + 4, device - 8, y + side / 2
        if road == "to the device":
            c.arrow(begin, middle, end, middle, "strong-rule")
            c.text((begin + end) / 2, middle + 16, f"{bus:.0f} GB/s", "middle small")
        elif road == "to the host":
            c.arrow(end, middle, begin, middle, "strong-rule")
        elif road == "on the device":
            c.text(device + 1.5 * side, y + side + 14, f"{1000 * memory:.0f} GB/s", "middle small")
        words.append(f"{call[:1]}: {call[3:]}, the host has {', '.join(filled_at_host(i))}; the device has "
                     + (f"room for {', '.join(places)}, values of {', '.join(written) or 'none'}" if places else "no arrays"))
    y = 34 + len(STEPS) * 48 + 6
    c.lines(12, y, ["?: room without a value. The kernel sees the device's arrays alone.",
                    f"An {gpu['name'].removeprefix('NVIDIA ')}'s memory is {1000 * memory / bus:.0f} times as fast as the copies."], "small quiet", 15)
    c.words = "; ".join(words) + f". The copies run at {bus:.0f} GB/s, the kernel reads memory at {1000 * memory:.0f} GB/s."
    return c

"""Tables that come from programs: the GPUs and the instructions of the simulator."""
import html
import re

import markdown
from fill_tables import row
from site_pages import PageError


def announce(site):
    site.announce("gpus", "GPUs")
    site.announce("isa", "Instructions of the simulator")
    return [site.pages["gpus"], site.pages["isa"]]


def write(site):
    write_gpus(site)
    write_isa(site)


def write_gpus(site):
    """One section a GPU; its facts are those that `common/occupancy` prints."""
    gpus = site.fact("gpus.json")
    heads = ["GPU", "short name", "architecture", "SMs", "warps per SM", "shared KiB per SM", "GB/s", "fp32 TFLOP/s", "bf16 TFLOP/s"]
    text = ("Every number is in the table of `common/occupancy`, with its source. Limits of an SM come from the CUDA C++ "
            "Programming Guide; peaks come from data sheets and whitepapers, named below. Occupancy and the floor of a time are "
            "computed from this table. Nothing here is measured unless its source says so.\n\n")
    text += row(heads) + row(["---"] * 3 + ["---:"] * 6)
    for gpu in gpus:
        text += row([f"[{gpu['name']}](@ref gpu_{gpu['id']})", f"`{gpu['id']}`", gpu["architecture"], str(gpu["sms"]),
                     str(gpu["warps_per_sm"]), f"{gpu['shared_bytes_per_sm'] / 1024:g}", f"{gpu['memory_gbps']:g}",
                     f"{gpu['fp32_tflops']:g}", f"{gpu['bf16_tensor_tflops']:g}" if gpu["bf16_tensor_tflops"] else "none"])
    for gpu in gpus:
        text += f"\n## {gpu['name']} {{#gpu_{gpu['id']}}}\n\n" + row(["property", "value"]) + row(["---", "---"])
        text += "".join(row([markdown.prose(fact["name"], None), markdown.prose(fact["value"], None)]) for fact in gpu["facts"])
    site.write("gpus", text, False)


def write_isa(site):
    """The rows as `./learn sim --isa` prints them, by the first word of the instruction."""
    lines = site.fact("isa.txt").rstrip("\n").split("\n")
    blank = lines.index("")
    heads = lines[0].split()
    text = ("The instructions that the simulator executes, in the notation of NVIDIA's PTX manual: `{}` encloses optional parts, and "
            "`.type = {...}` lists the meanings of a word. `./learn sim --isa` prints the same. *Recorded*: variants whose results on "
            "a GPU are stored and compared bit for bit; *programs*: recorded random programs that use the row. A dash marks "
            "instructions that are not functions of lanes alone and have tests of their own: memory, barriers, branches.\n\n"
            + markdown.prose(" ".join(lines[blank:]).strip(), None) + "\n")
    families = {}
    for line in lines[1:blank]:
        cells = re.match(r"\s*(\S+)\s+(\S+)\s+(\S+)\s+(\S+)\s+(\S+)\s+(.*)", line).groups()
        families.setdefault(re.match(r"[a-z]+\d*", cells[5]).group(0), []).append(cells)
    if heads != ["variants", "recorded", "different", "after", "sm_90", "programs", "instruction"]:
        raise PageError(f"./learn sim --isa has other columns than these pages know: {lines[0]}")
    for family, rows in families.items():
        text += f"\n## {family} {{#isa_{family}}}\n" + site.include(f"isa_{family}", family_table(rows))
    site.write("isa", text)


def family_table(rows):
    """As HTML: the syntax has the signs of Markdown's tables in it."""
    heads = "".join(f"<th>{head}</th>" for head in ("instruction", "variants", "recorded", "programs"))
    lines = []
    for variants, recorded, different, later, programs, syntax in rows:
        notes = [f"{number} {words}" for number, words in ((different, "different"), (later, "after sm_90")) if number != "-"]
        # The syntax, and below it what its words stand for.
        shown = "<br/>".join(f"<code>{html.escape(part.strip())}</code>" for part in syntax.split("; ") if part.strip())
        cells = [", ".join([variants] * (variants != "-") + notes) or "-", recorded, programs]
        lines.append(f"<tr><td>{shown}</td>" + "".join(f'<td class="number">{cell}</td>' for cell in cells) + "</tr>")
    return f'<table class="markdownTable"><tr>{heads}</tr>{"".join(lines)}</table>'

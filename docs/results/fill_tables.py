#!/usr/bin/env python3
"""Writes the recorded results into the Markdown pages, between the marks that ask for them.

    docs/results/fill_tables.py            # writes
    docs/results/fill_tables.py --check    # says which page is out of date, status 1

    <!-- results: ch05_warp_reduce/reduce_scale -->   times and counts of a ladder's rungs
    <!-- results: ch02_coalescing/offset -->          the same mark for a sweep: a row for each value
    <!-- results: ch02_coalescing/offset rows 0 1 8 -->  some of the rows, below a picture of all: docs/pictures/draw.py
    <!-- table: ch02_coalescing/patterns -->          a demonstration: a table that is no ladder
    <!-- counts: ch05_warp_reduce -->                 hardware and simulator side by side
    <!-- list: chapters -->                           every chapter, its question, the ladder that rises most or that its README marks: <!-- flagship: LADDER -->
    <!-- list: trust -->                              what the simulator is compared with, and how often
    <!-- code: ch02_coalescing/copy.cu:copy_2_float --> a function of a source; see code_blocks.py
    <!-- value: times ch02_coalescing/copy "grid-stride" "float4" --> one number, within a sentence; see values.py
    <!-- end -->
"""
import glob
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import code_blocks
import values

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
MARK = re.compile(r"(<!-- (results|table|counts|list|code): (\S+(?: rows(?: \d+)+)?) -->\n)(.*?)(<!-- end -->)", re.DOTALL)
COUNTED = "warpwise__shared_bank_conflicts"


def record(name):
    folder = "docs/results" if name.startswith("ch") else "common/verification/recorded"
    with open(os.path.join(ROOT, folder, name + ".json")) as file:
        return json.load(file)


def row(cells):
    return "| " + " | ".join(cells) + " |\n"


def per_request(counters, op):
    requests = counters.get(f"l1tex__t_requests_pipe_lsu_mem_global_op_{op}.sum", 0)
    sectors = counters.get(f"l1tex__t_sectors_pipe_lsu_mem_global_op_{op}.sum", 0)
    return f"{sectors / requests:.2f}" if requests else "-"


def conflicts_known(counters):
    """Whether the compiled code confirmed the simulator's accesses to shared memory."""
    names = (f"smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_{op}.sum" for op in ("ld", "st"))
    return all(name in counters or not counters.get(f"ptx__{name}") for name in names)


def conflicts(counters):
    """A dash where nothing was counted, as for a library, and where the program shows one."""
    if not counters or not conflicts_known(counters):
        return "-"
    return f"{counters[COUNTED + '_op_ld'] + counters[COUNTED + '_op_st']:.0f}"


def limit_of(ladder):
    """What is 100 %: its time in microseconds, the head of the column, the words below the table."""
    if ladder.get("limit"):
        rung = next(rung for rung in ladder["rungs"] if rung["name"] == ladder["limit"])
        return rung["time"]["median_us"], f"% of {rung['name']}", ""
    if not ladder["copy"]:
        return None, "% of a copy", ""
    copy = ladder["copy"]["median_us"]
    return copy, "% of a copy", f"; a copy of the same bytes took {copy:.1f} us"


def device_words(data, ladder):
    """The GPU of a record, its driver and the day; a ladder that was recorded later has a day of its own."""
    date = ladder.get("date", data["date"])
    return f"{data['device']['name']} (driver for CUDA {data['device']['driver']}, {date[:10]})"


def dash_words(ladder):
    """What a dash among the counts of a counted kernel means; empty where there is none."""
    found, not_confirmed = set(), "the compiled code could not confirm the simulator's count"
    for rung in ladder["rungs"]:
        counters = rung["counts"]["counters"]
        if not rung["time"] or not counters:
            continue
        for op in ("ld", "st"):
            if per_request(counters, op) == "-":
                unconfirmed = f"ptx__l1tex__t_requests_pipe_lsu_mem_global_op_{op}.sum" in counters
                found.add(not_confirmed if unconfirmed else "no such access")
        if not conflicts_known(counters):
            found.add(not_confirmed)
    return f" A dash: {', or '.join(sorted(found))}." if found else ""


def sources(data, ladder, limit_words):
    """The line below a table: where its numbers come from."""
    counts = f" Counts by the simulator at {ladder['size_of_counts']}." if ladder["size_of_counts"] else ""
    counts += "" if ladder.get("parameter") else dash_words(ladder)
    # A sweep over the size has one for each row.
    size = "" if ladder.get("parameter") == "KiB" else f" at {ladder['size_of_times']}"
    return f"\nTimes measured on an {device_words(data, ladder)}{size}{limit_words}.{counts}\n"


def share(time, limit):
    """Of the limit, in per cent: the median of pairs taken in turns; in older records the ratio of two medians."""
    return 100 * (time.get("of_baseline") or limit / time["median_us"])


def turns_words(ladder):
    """How the times were taken: the words below the table."""
    times = [rung["time"] for rung in ladder["rungs"] if rung["time"] and rung["time"].get("of_baseline")]
    clocks = [time["sm_mhz"] for time in times if time.get("sm_mhz")]
    if not times:
        return ""
    words = "; each kernel took turns with that, and % is the median of pairs"
    if not clocks:
        return words
    first = "" if min(clocks) == max(clocks) else f"{min(clocks):.0f} to "
    return words + f"; SM clock {first}{max(clocks):.0f} MHz"


def speed(ladder, rung):
    if not rung["time"]:
        return "-"
    time = rung["time"]["median_us"]
    if not ladder["bytes"]:
        return "-"
    return f"{ladder['flops'] / time / 1e6:.1f}" if ladder.get("rate") == "TFLOP/s" else f"{ladder['bytes'] / time / 1000:.0f}"


def chosen(name):
    """What a mark names, and the rows of a sweep that it wants: none for all."""
    name, _, rows = name.partition(" rows ")
    return name, [int(value) for value in rows.split()]


def picture_of(name):
    """Where docs/pictures/draw.py puts the curves of a sweep."""
    chapter, ladder = name.split("/")
    return Path(ROOT) / "docs/pictures" / f"{chapter.split('_')[0]}_{ladder}.svg"


def sweep(data, ladder, rows):
    points = {(rung["series"], rung["value"]): rung for rung in ladder["rungs"]}
    series, values = (list(dict.fromkeys(key[i] for key in points)) for i in range(2))
    values = rows or values
    rates = [ladder.get("rate", "GB/s")] if ladder["bytes"] or ladder["flops"] else []
    heads = [f"{name}: {shown}" for name in series for shown in ladder["shows"] + rates]
    text = row([ladder["parameter"]] + heads) + row(["---:"] * (1 + len(heads)))
    for value in values:
        cells = [str(value)]
        for name in series:
            point = points.get((name, value), {"shown": {}, "time": None})
            cells += [point["shown"].get(shown, "-") for shown in ladder["shows"]]
            cells += [speed(ladder, point)] if rates else []
        text += row(cells)
    return text + sources(data, ladder, "")


def table(name):
    chapter, table_name = name.split("/")
    data = record(chapter)
    found = next(table for table in data.get("tables", []) if table["name"] == table_name)
    text = row(found["columns"]) + row(["---"] + ["---:"] * (len(found["columns"]) - 1))
    text += "".join(row(cells) for cells in found["rows"])
    where = f"the simulator ({found['date'][:10]})" if found.get("device") == "simulator" else f"an {device_words(data, found)}" if isinstance(data.get("device"), dict) else ""
    source = f"Computed or counted by the program on {where}." if where else ""
    words = " ".join(part for part in (found["note"], source) if part)
    return text + (f"\n{words}\n" if words else "")


def results(name):
    name, rows = chosen(name)
    chapter, ladder_name = name.split("/")
    data = record(chapter)
    ladder = next(ladder for ladder in data["ladders"] if ladder["name"] == ladder_name)
    if ladder.get("parameter"):
        return sweep(data, ladder, rows)
    limit, limit_head, limit_words = limit_of(ladder)
    rate = ladder.get("rate", "GB/s")
    text = row(["kernel", "time, us", rate, limit_head, "sectors a load", "sectors a store", "bank conflicts"])
    text += row(["---"] + ["---:"] * 6)
    for rung in ladder["rungs"]:
        if not rung["time"]:
            continue
        time, counters = rung["time"]["median_us"], rung["counts"]["counters"]
        text += row([rung["name"], f"{time:.1f}", speed(ladder, rung), f"{share(rung['time'], limit):.1f}" if limit else "-",
                     per_request(counters, "ld"), per_request(counters, "st"), conflicts(counters)])
    return text + sources(data, ladder, limit_words + turns_words(ladder))


def counts(chapter):
    data = record(chapter + "_counts")
    text = row(["rung", "counter", "H200, median", "lowest to highest", "simulator"])
    text += row(["---", "---", "---:", "---:", "---:"])
    for kernel in data["kernels"]:
        for metric, reading in kernel["hardware"].items():
            simulator = kernel["simulator"].get(metric)
            text += row([kernel["rung"], f"`{metric}`", f"{reading['median']:.0f}",
                         f"{reading['lowest']:.0f} to {reading['highest']:.0f}",
                         "-" if simulator is None else f"{simulator:.0f}"])
    return text + f"\nMeasured on an {data['device']} (driver {data['driver']}, {data['date']}) at {data.get('size', 'the small sizes')}.\n"


def duration(time):
    us = time["median_us"]
    return f"{us / 1000:.3g} ms" if us >= 100 else f"{us:.3g} us"


def rise(ladder):
    """From the first rung to the best one: how far it rises, and the words. Times, where the limit is a rung of the
    ladder's own or a library in another precision, which is no limit; else percentages of it. None where nothing is timed."""
    limit, head, _ = limit_of(ladder)
    own = [rung for rung in ladder["rungs"] if rung["time"] and not rung["name"].startswith("cuBLAS")]
    if ladder.get("parameter") or not limit or not own:
        return None
    first, best = own[0]["time"], max((rung["time"] for rung in own), key=lambda time: share(time, limit))
    percent = share(first, limit), share(best, limit)
    if ladder.get("limit") in (rung["name"] for rung in own) or percent[1] > 150:
        return 0, f"{ladder['name']}: {duration(first)} to {duration(best)}"
    return percent[1] - percent[0], f"{ladder['name']}: {percent[0]:.2g} to {percent[1]:.0f} {head}"


def result_of(chapter):
    """The ladder that the chapter's README marks as its flagship; else the one that rises most."""
    with open(os.path.join(ROOT, "chapters", chapter, "README.md")) as file:
        flagship = re.search(r"<!-- flagship: (\w+) -->", file.read())
    try:
        ladders = record(chapter)["ladders"]
    except FileNotFoundError:
        ladders = []
    names = [ladder["name"] for ladder in ladders]
    if flagship and names and flagship.group(1) not in names:
        sys.exit(f"chapters/{chapter}/README.md: flagship {flagship.group(1)} is not a ladder of its record; there are {', '.join(names)}")
    found = [rise(ladder) for ladder in ladders if not flagship or ladder["name"] == flagship.group(1)]
    return max(filter(None, found), default=(0, "not recorded yet"))[1]


def chapter_rows():
    """Of each chapter: its folder's name, its question, its number of exercises, its ladder that rises most."""
    for folder in sorted(glob.glob(os.path.join(ROOT, "chapters", "ch*"))):
        name = os.path.basename(folder)
        with open(os.path.join(folder, "main.cu")) as file:
            # What the program says of itself: "Chapter 5: what does ...?"
            question = re.search(r'"Chapter \d+: ([^"]+)"', file.read()).group(1)
        yield name, question, len(glob.glob(os.path.join(folder, "checks", "*.md"))), result_of(name)


def chapters(_):
    text = row(["chapter", "question", "exercises", "a ladder of it, first rung to best"]) + row(["---", "---", "---:", "---"])
    for name, question, exercises, result in chapter_rows():
        text += row([f"[{name}](chapters/{name}/README.md)", question, str(exercises), result])
    return text


PATTERNS = ("access_patterns", "wide_patterns", "matrix_patterns", "atomic_patterns")
MISTAKES = os.path.join(ROOT, "common", "verification", "mistakes")


def trust():
    """What the simulator is compared with, and how much of it: `./learn test --all` does each row."""
    patterns = sum(len(record(name)["patterns"]) for name in PATTERNS)
    kernels = sum(len(record(os.path.basename(path)[:-5])["kernels"]) for path in glob.glob(os.path.join(ROOT, "docs/results/ch*_counts.json")))
    mistakes = len(glob.glob(os.path.join(MISTAKES, "*", "*.cu")))
    rows = [("sectors, wavefronts, conflicts of access patterns", "Nsight Compute's counts", patterns),
            ("the same of the chapters' kernels", "Nsight Compute's counts", kernels),
            ("the same of whole programs", "Nsight Compute's counts", len(record("whole_programs")["programs"])),
            ("mistakes, each at its line", "programs that hold one each", mistakes)]
    text = row(["what the simulator says", "compared with", "how many"]) + row(["---", "---", "---:"])
    return text + "".join(row([what, with_, f"{count:,}"]) for what, with_, count in rows)


def lists(name):
    return trust() if name == "trust" else chapters(name)


TABLES = {"results": results, "table": table, "counts": counts, "list": lists,
          "code": lambda name: code_blocks.block(ROOT, name)}


def filled(text):
    def between(kind, name):
        try:
            whole, rows = chosen(name)
            # The site draws the curves itself, so the picture is no part of the table.
            picture = f"![{whole.split('/')[1]}: curves of all values](../../docs/pictures/{picture_of(whole).name})\n\n" if rows else ""
            return picture + TABLES[kind](name)
        except (FileNotFoundError, StopIteration):
            return "Not recorded yet.\n"

    text = MARK.sub(lambda m: m.group(1) + between(m.group(2), m.group(3)) + m.group(5), text)
    return values.filled(record, text)


def main():
    pages = subprocess.run(["git", "-C", ROOT, "ls-files", "--cached", "--others", "--exclude-standard", "*.md"],
                           check=True, capture_output=True, text=True).stdout.splitlines()
    stale = []
    for page in pages:
        path = os.path.join(ROOT, page)
        with open(path) as file:
            text = file.read()
        try:
            new_text = filled(text)
        except (code_blocks.NotFound, values.NotFound) as error:
            print(f"{page}: {error}")
            return 1
        if new_text == text:
            continue
        stale.append(page)
        if "--check" not in sys.argv:
            with open(path, "w") as file:
                file.write(new_text)
    print("\n".join("out of date: " + page if "--check" in sys.argv else "written: " + page for page in stale))
    return 1 if stale and "--check" in sys.argv else 0


if __name__ == "__main__":
    sys.exit(main())

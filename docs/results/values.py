"""One number of a record, for a sentence: `<!-- value: KIND LADDER "RUNG" ["RUNG"] -->26<!-- end -->`.

    times     how many times as long the first rung takes as the second
    saved     what the second rung saves of the first one's time, in %
    rate      GB/s or TFLOP/s, as the ladder counts
    of_copy   the rung's share of the copy's speed, in %
    copies    how many times as long the rung takes as a copy of the ladder's bytes
    of_time_of  the first rung's time in % of the second one's
    of_peak   the rung's share of the GPU's peak of multiply-adds, in %
    us        microseconds
    ns        nanoseconds per step, where the last number of the size is the steps that follow each other
    of_rate   the first rung's rate in % of the second one's, which may be of another ladder
    loads_of_time, wavefronts_of_time, issue_of_time
              what the counted load requests of global memory, wavefronts of shared memory or PTX instructions of warps
              need at least, in % of the rung's time: an SM takes one request and one wavefront a cycle, and issues four
              instructions. Cycles are those of the peak, and counts are scaled to the size of the times. PTX is
              not machine code: its share is an estimate.

A rung is its name, SERIES@VALUE in a sweep, or LADDER:RUNG for a rung of another ladder.
"""
import math
import re
import shlex

MARK = re.compile(r"(<!-- value: ([^\n]*?) -->)([^\n]*?)(<!-- end -->)")


class NotFound(Exception):
    """A mark that asks for what no record has."""


def rung_of(record, ladder_name, name):
    """A ladder and one of its rungs."""
    if ":" in name:
        ladder_name, _, name = name.partition(":")
    chapter, _, short = ladder_name.partition("/")
    for ladder in record(chapter)["ladders"]:
        if ladder["name"] != short:
            continue
        for rung in ladder["rungs"]:
            shown = f"{rung['series']}@{rung['value']}" if ladder["parameter"] else rung["name"]
            if shown == name and rung["time"]:
                return ladder, rung
    raise NotFound(f"{ladder_name} has no timed rung \"{name}\"")


def microseconds(found):
    return found[1]["time"]["median_us"]


def rate(found):
    """In giga per second: of flops where the ladder counts them, else of bytes."""
    ladder = found[0]
    return (ladder["flops"] if ladder["rate"] == "TFLOP/s" else ladder["bytes"]) / microseconds(found) / 1000


def cycles(ladder):
    """Of all SMs in a second, at the clock of the peak: 128 multiply-adds a cycle are 256 flops."""
    if ladder.get("tensor_cores"):
        raise NotFound(f"{ladder['name']}: its peak is that of tensor cores")
    return ladder["peak_tflops"] * 1e12 / 256


def of_time(found, names, at_once=1):
    """The counters' sum as cycles of all SMs, over the rung's time, in %."""
    ladder, rung = found
    timed, counted = (math.prod(float(extent) for extent in ladder[size].split("x")) for size in ("size_of_times", "size_of_counts"))
    events = sum(rung["counts"]["counters"][name] for name in names) * timed / counted
    return f"{100 * events / at_once / cycles(ladder) / (microseconds(found) * 1e-6):.0f}"


LOADS = ("l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum",)
WAVEFRONTS = ("warpwise__shared_wavefronts_op_ld", "warpwise__shared_wavefronts_op_st")
ISSUED = ("ptx__warp_instructions",)


def of_limit(found, limit_us):
    """In per cent: the median of pairs taken in turns; in older records the ratio of two medians."""
    return f"{100 * (found[1]['time'].get('of_baseline') or limit_us / microseconds(found)):.0f}"


def of_rate(a, b):
    if b[1]["name"] == b[0].get("limit") and a[0] == b[0]:
        return of_limit(a, microseconds(b))
    return f"{100 * rate(a) / rate(b):.0f}"


def short(number):
    return f"{number:.1f}" if abs(number) < 10 else f"{number:.0f}"


KINDS = {
    "times": lambda a, b: short(microseconds(a) / microseconds(b)),
    "saved": lambda a, b: f"{100 * (1 - microseconds(b) / microseconds(a)):.0f}",
    "rate": lambda a: f"{rate(a) / 1000:.1f}" if a[0]["rate"] == "TFLOP/s" else f"{rate(a):.0f}",
    "us": lambda a: f"{microseconds(a):.0f}",
    "ns": lambda a: short(1000 * microseconds(a) / float(a[0]["size_of_times"].split("x")[-1])),
    "of_copy": lambda a: of_limit(a, a[0]["copy"]["median_us"]),
    "copies": lambda a: f"{microseconds(a) / a[0]['copy']['median_us']:.2f}",
    "of_time_of": lambda a, b: f"{100 * microseconds(a) / microseconds(b):.0f}",
    "of_peak": lambda a: f"{100 * a[0]['flops'] / microseconds(a) / 1e6 / a[0]['peak_tflops']:.0f}",
    "of_rate": of_rate,
    "loads_of_time": lambda a: of_time(a, LOADS),
    "wavefronts_of_time": lambda a: of_time(a, WAVEFRONTS),
    "issue_of_time": lambda a: of_time(a, ISSUED, 4),
}


def value(record, words):
    kind, ladder, *names = shlex.split(words)
    if kind not in KINDS:
        raise NotFound(f"no kind of value \"{kind}\"")
    try:
        return KINDS[kind](*(rung_of(record, ladder, name) for name in names))
    except FileNotFoundError as error:
        raise NotFound(f"no record for {ladder}") from error


def filled(record, text):
    """The text with each mark's number written anew."""
    return MARK.sub(lambda m: m.group(1) + value(record, m.group(2)) + m.group(4), text)

"""The memories of the recorded GPU: how large, how far, how fast."""
import re

from canvas import Canvas

LATENCIES = {"registers": "multiply-add", "shared memory": "shared memory", "L1 cache": "L1", "L2 cache": "L2", "device memory": "device memory"}


def nanoseconds(facts, rung):
    """Per step of a chain in which each step waits for the one before."""
    ladder = facts.ladder("ch04_occupancy", "latency")
    steps = float(ladder["size_of_times"].split("x")[-1])
    return 1000 * facts.rung(ladder, rung)["time"]["median_us"] / steps


def shared_tbps(facts):
    """What shared memory delivered to reads of 16 bytes per lane, without conflicts."""
    ladder = facts.ladder("ch03_shared_memory_banks", "conflicts")
    rung = next(one for one in ladder["rungs"] if one["series"] == "16 bytes" and one["value"] == 1)
    requests = rung["counts"]["counters"]["warpwise__shared_requests_op_ld"] / float(ladder["size_of_counts"])
    return requests * float(ladder["size_of_times"]) * 32 * 16 / rung["time"]["median_us"] / 1e6


def copy_tbps(facts):
    ladder = facts.ladder("ch02_coalescing", "copy")
    return ladder["bytes"] / facts.rung(ladder, "float4")["time"]["median_us"] / 1e6


def rows(facts, gpu):
    """(name, size, nanoseconds, bandwidth)"""
    of = {one["name"]: one["value"] for one in gpu["facts"]}
    registers = int(of["registers per SM"]) * 4 // 1024
    shared = int(re.match(r"\d+", of["shared memory per SM"]).group(0)) // 1024
    ns = {name: nanoseconds(facts, rung) for name, rung in LATENCIES.items()}
    return [("registers", f"{registers} KiB per SM", ns["registers"], "the time of a multiply-add"),
            ("shared memory", f"up to {shared} KiB per SM", ns["shared memory"], f"{shared_tbps(facts):.1f} TB/s read, all SMs"),
            ("L1 cache", "beside shared memory", ns["L1 cache"], "bandwidth not recorded"),
            ("L2 cache", f"{of['L2']}, all SMs", ns["L2 cache"], "bandwidth not recorded"),
            ("device memory", of["memory"], ns["device memory"], f"{copy_tbps(facts):.2f} TB/s by a copy, of {gpu['memory_gbps'] / 1000:g}")]


def shown(value):
    return f"{value:.1f} ns" if value < 10 else f"{value:.0f} ns"


def draw(facts):
    gpu = facts.gpu(facts.record("ch04_occupancy")["limits_of"])
    found = rows(facts, gpu)
    c = Canvas(f"The memories of an {gpu['name']}",
               "; ".join(f"{name}: {size}, {shown(ns)}, {rate}" for name, size, ns, rate in found) + ".")
    c.text(12, 24, f"{gpu['name']}: {gpu['sms']} SMs", "strong")
    c.text(388, 24, "time until a value is there", "end small quiet")
    c.box(8, 34, 384, 178, "box")
    c.text(16, 50, "in each SM", "small quiet")
    longest = max(ns for _, _, ns, _ in found)
    y = 56
    for i, (name, size, ns, rate) in enumerate(found):
        if name == "L2 cache":
            y += 14
        if i > 2:
            c.box(8, y - 4, 384, 54, "box")
        c.box(16, y, 150, 46, f"t{i}")
        c.text(24, y + 19, name, "strong")
        c.text(24, y + 36, size, "small")
        c.box(176, y + 4, 208, 14, "rail", 2)
        c.box(176, y + 4, max(208 * ns / longest, 1.5), 14, "bar", 2)
        c.text(380, y + 15.5, shown(ns), "end small strong")
        c.text(176, y + 36, rate, "small")
        y += 52 if i < 2 else 58
    return c

#!/usr/bin/env python3
"""Records what the warps of a ladder's kernels wait for, with Nsight Compute, on this machine's GPU.

    docs/results/record_warp_states.py build/ch05_warp_reduce layernorm layernorm_1 layernorm_2 layernorm_3

The program, the ladder, then a pattern for each kernel; of each the first launch with the largest grid counts.
Writes a table for the pages into docs/results/CHAPTER_warp_states.json; those of other ladders stay.
"""
import csv
import json
import math
import os
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
# Warps of a scheduler that are in a state, for each instruction issued: long when much is waited for.
BUSY = "smsp__issue_active.avg.pct_of_peak_sustained_active"  # Cycles in which a scheduler issues.
STATES = {"barrier": "barrier", "short_scoreboard": "shared memory, shuffles", "long_scoreboard": "global memory",
          "lg_throttle": "queue of loads", "wait": "fixed latency", "not_selected": "ready, not chosen"}
METRIC = "smsp__average_warps_issue_stalled_{}_per_issue_active.ratio"


def launches(program, ladder, kernel):
    metrics = ",".join([METRIC.format(state) for state in STATES] + [BUSY])
    command = ["ncu", "--target-processes", "application-only", "--csv", "--page", "raw", "--metrics", metrics,
               "-k", "regex:" + kernel, "-c", "32", program, "--device", "gpu", "--only", ladder]
    output = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    return rows_of(output)


def rows_of(output):
    lines = output.splitlines()
    start = next(i for i, line in enumerate(lines) if line.startswith('"ID"'))
    return list(csv.DictReader([lines[start]] + lines[start + 2:]))  # The second line holds units.


def blocks(row):
    return math.prod(int(extent) for extent in row["Grid Size"].strip("()").split(","))


def main():
    program, ladder, kernels = sys.argv[1], sys.argv[2], sys.argv[3:]
    rows, device = [], ""
    for kernel in kernels:
        found = max(launches(program, ladder, kernel), key=blocks)
        device = found["device__attribute_display_name"]
        rows.append([kernel] + [f"{float(found[name]):.1f}" for name in [METRIC.format(state) for state in STATES] + [BUSY]])
    table = {"name": ladder, "columns": ["warps waiting for", *STATES.values(), "issuing, % of cycles"], "rows": rows,
             "note": f"Warps of a scheduler in each state, on average, for each instruction it issues. Nsight Compute on an {device}."}
    path = os.path.join(ROOT, "docs", "results", os.path.basename(program) + "_warp_states.json")
    others = []
    if os.path.exists(path):
        with open(path) as file:
            others = [other for other in json.load(file)["tables"] if other["name"] != ladder]
    with open(path, "w") as file:
        json.dump({"tables": others + [table]}, file, indent=1)
        file.write("\n")


if __name__ == "__main__":
    main()

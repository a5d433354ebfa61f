#!/usr/bin/env python3
"""Records what Nsight Compute counts, so that the simulator can be compared with hardware anywhere.

    docs/results/record_counts.py build/ch05_warp_reduce 12288x128
    docs/results/record_counts.py build/access_patterns
    docs/results/record_counts.py build/matrix_patterns
    docs/results/record_counts.py build/atomic_patterns

Needs a GPU, ncu on PATH and the built program. For a chapter it writes CHAPTER_counts.json beside
itself: for each rung the median, lowest and highest reading of each counter over all launches, and
the simulator's count of the same launch. For access_patterns it writes access_patterns.json (and so for
matrix_patterns): one reading for each pattern. `./learn test` compares the simulator with both.
"""
import csv
import datetime
import io
import json
import os
import re
import statistics
import subprocess
import sys

# The raw conflict counter also counts arbitration: it is recorded, not compared.
METRICS = [
    "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum",
    "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum",
    "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum",
    "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum",
    "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum",
    "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum",
    "smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ld.sum",
    "smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_st.sum",
    "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum",
    "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum",
    "l1tex__t_requests_pipe_lsu_mem_global_op_atom.sum",
    "l1tex__t_sectors_pipe_lsu_mem_global_op_atom.sum",
    "l1tex__t_requests_pipe_lsu_mem_global_op_red.sum",
    "l1tex__t_sectors_pipe_lsu_mem_global_op_red.sum",
]


def profiled(command, *options):
    """Runs a program under ncu. Returns its output and one dict a launch, in order."""
    text = subprocess.run(["ncu", "--csv", "--page", "raw", "--target-processes", "application-only",
                           "--clock-control", "none", "--metrics", ",".join(METRICS), *options, *command],
                          check=True, capture_output=True, text=True).stdout
    start = text.index('"ID"')
    rows = [row for row in csv.DictReader(io.StringIO(text[start:])) if row["ID"]]  # not the units
    for row in rows:
        row.update({metric: float(row[metric].replace(",", "")) for metric in METRICS})
    return text[:start], rows


def measured(program, size):
    """Readings by (kernel, grid, block): metric -> list of values."""
    _, rows = profiled([program, "--device", "gpu", "--size", size, "--only", "reduce_scale"],
                       "--kernel-name-base", "function", "--kernel-name", "regex:^reduce_scale")
    readings = {}
    for row in rows:
        values = readings.setdefault((row["Kernel Name"], row["Grid Size"], row["Block Size"]), {})
        for metric in METRICS:
            values.setdefault(metric, []).append(row[metric])
    return readings


def simulated(program, size):
    """The chapter's own JSON from a run on the simulator."""
    path = os.path.join(os.path.dirname(program), "record_counts.json")
    subprocess.run([program, "--device", "sim", "--size", size, "--json", path], check=True,
                   stdout=subprocess.DEVNULL)
    with open(path) as file:
        return json.load(file)


def text_of(index):
    return "(" + ", ".join(str(i) for i in index) + ")"


def device():
    name, driver = subprocess.run(
        ["nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader"], check=True,
        capture_output=True, text=True).stdout.strip().split(", ")
    return {"device": name, "driver": driver, "date": datetime.date.today().isoformat()}


def write(name, record):
    folder = os.environ.get("WARPWISE_RECORDS", os.path.dirname(os.path.abspath(__file__)))
    with open(os.path.join(folder, name), "w") as file:
        json.dump(record, file, indent=1)
        file.write("\n")


def record_chapter(program, size):
    readings = measured(program, size)
    kernels = []
    for ladder in simulated(program, size)["ladders"]:
        for rung in ladder["rungs"]:
            name = re.search(r"(\w+)(<.*>)?\(", rung["kernel"].replace("(anonymous namespace)::", "")).group(1)
            key = next(k for k in readings if name in k[0]
                       and k[1] == text_of(rung["grid"]) and k[2] == text_of(rung["block"]))
            kernels.append({
                "rung": rung["name"], "kernel": name, "grid": rung["grid"], "block": rung["block"],
                "hardware": {m: {"median": statistics.median(v), "lowest": min(v), "highest": max(v),
                                 "launches": len(v)} for m, v in readings[key].items()},
                "simulator": rung["counts"]["counters"]})
    write(os.path.basename(program) + "_counts.json", {**device(), "size": size, "kernels": kernels})
    for kernel in kernels:
        print(kernel["rung"])
        for metric, value in kernel["hardware"].items():
            print(f"  {metric:62} {value['median']:>10.0f} {value['lowest']:>10.0f} {value['highest']:>10.0f}"
                  f"  simulator {kernel['simulator'].get(metric, '-')}")


def record_patterns(program):
    output, rows = profiled([program])
    names = [line for line in output.splitlines() if re.match(r"(global|shared|ldmatrix|stmatrix|copy|cluster)_\w+: ", line)]
    assert len(names) == len(rows), (len(names), len(rows))
    patterns = [{"pattern": name, **{metric: row[metric] for metric in METRICS if row[metric]}}
                for name, row in zip(names, rows)]
    write(os.path.basename(program) + ".json", {**device(), "patterns": patterns})
    print(len(patterns), "patterns recorded")


def main():
    program = os.path.abspath(sys.argv[1])
    if os.path.basename(program).endswith("_patterns"):
        record_patterns(program)
    else:
        record_chapter(program, sys.argv[2])


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Records what Nsight Compute counts, so that the simulator can be compared with hardware anywhere.

    docs/results/record_counts.py build/ch05_warp_reduce      # three runs; or: ... build/ch05_warp_reduce RUNS
    docs/results/record_counts.py build/access_patterns
    docs/results/record_counts.py build/matrix_patterns
    docs/results/record_counts.py build/atomic_patterns
    docs/results/record_counts.py build/wide_patterns
    docs/results/record_counts.py build/programs          # the first launches of each whole program

Needs a GPU, ncu on PATH and the built program. For a chapter it writes CHAPTER_counts.json beside
itself: for each rung at its small size the median, lowest and highest reading of each counter over a few
runs of the program, and the simulator's count of the same launch. For access_patterns it writes access_patterns.json (and so for
matrix_patterns): one reading for each pattern. For programs it writes whole_programs.json. `./learn test` compares the simulator with both.
"""
import csv
import datetime
import io
import json
import os
import re
import signal
import statistics
import subprocess
import sys

import record_programs

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


def profiled(command, *options, seconds=None):
    """Runs a program under ncu. Returns its output and one dict a launch, in order."""
    command = ["ncu", "--csv", "--page", "raw", "--target-processes", "application-only",
               "--clock-control", "none", "--metrics", ",".join(METRICS), *options, *command]
    # A session of its own: a kernel that never ends would hold the GPU if ncu alone were killed.
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, start_new_session=True) as process:
        try:
            text, _ = process.communicate(timeout=seconds)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            raise
    if process.returncode:
        raise subprocess.CalledProcessError(process.returncode, command, text)
    start = text.index('"ID"')
    rows = [row for row in csv.DictReader(io.StringIO(text[start:])) if row["ID"]]  # not the units
    for row in rows:
        row.update({metric: float(row[metric].replace(",", "")) for metric in METRICS})
    return text[:start], rows


def launches(program, ladder):
    """Every kernel that a ladder launches at its small size, in order."""
    return profiled([program, "--device", "gpu", "--small", "--only", ladder], "--kernel-name-base", "function")[1]


def simulated(program):
    """The chapter's own JSON from a run on the simulator."""
    path = os.path.join(os.environ.get("WARPWISE_RECORDS", os.path.dirname(program)), "record_counts.json")
    subprocess.run([program, "--device", "sim", "--small", "--json", path], check=True, stdout=subprocess.DEVNULL)
    with open(path) as file:
        result = json.load(file)
    os.remove(path)
    return result


def text_of(index):
    return "(" + ", ".join(str(i) for i in index) + ")"


def device():
    name, driver = subprocess.run(
        ["nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader"], check=True,
        capture_output=True, text=True).stdout.strip().split(", ")
    return {"device": name, "driver": driver, "date": datetime.date.today().isoformat()}


def write(name, record):
    # Pages show what chapters count; only tests read the rest.
    here = os.path.dirname(os.path.abspath(__file__))
    own = here if name.startswith("ch") else os.path.join(here, "../../common/verification/recorded")
    folder = os.environ.get("WARPWISE_RECORDS", own)
    with open(os.path.join(folder, name), "w") as file:
        json.dump(record, file, indent=1)
        file.write("\n")


def base_name(kernel):
    """"gather_rows" of "void (anonymous namespace)::gather_rows<float, 1>(int const*)"."""
    plain = kernel.replace("(anonymous namespace)::", "").replace("<unnamed>::", "")
    found = re.search(r"(\w+)(<.*>)?(\(|$)", plain)
    # A library's kernels have names of other forms; they are compared with none of ours.
    return found.group(1) if found else plain


def readings_of(rungs, rows):
    """The launch of each rung, or None. Rungs run in their order; what a library launches is passed over."""
    at = 0
    for rung in rungs:
        wanted = (base_name(rung["kernel"]), text_of(rung["grid"]), text_of(rung["block"]))
        found = next((i for i in range(at, len(rows)) if wanted == (
            base_name(rows[i]["Kernel Name"]), rows[i]["Grid Size"], rows[i]["Block Size"])), None)
        at = at if found is None else found + 1
        yield None if found is None else rows[found]


def record_chapter(program, runs=3):
    kernels = [kernel for ladder in simulated(program)["ladders"] for kernel in record_ladder(program, ladder, runs)]
    if not kernels:
        print(f"{os.path.basename(program)}: no rung is a single kernel, nothing is counted")
        return
    write(os.path.basename(program) + "_counts.json", {**device(), "kernels": kernels})
    for kernel in kernels:
        print(kernel["rung"])
        for metric, value in kernel["hardware"].items():
            print(f"  {metric:62} {value['median']:>10.0f} {value['lowest']:>10.0f} {value['highest']:>10.0f}"
                  f"  simulator {kernel['simulator'].get(metric, '-')}")


def record_ladder(program, ladder, runs):
    rungs = [rung for rung in ladder["rungs"] if rung["kernel"]]
    if not rungs:
        return []
    all_readings = [list(readings_of(rungs, launches(program, ladder["name"]))) for _ in range(runs)]
    kernels = []
    for i, rung in enumerate(rungs):
        if any(readings[i] is None for readings in all_readings):
            print(f"not profiled, so not recorded: {ladder['name']}: {rung['name']}")
            continue
        values = {m: [readings[i][m] for readings in all_readings] for m in METRICS}
        kernels.append({
            "ladder": ladder["name"], "rung": rung["name"], "kernel": base_name(rung["kernel"]),
            "grid": rung["grid"], "block": rung["block"],
            "hardware": {m: {"median": statistics.median(v), "lowest": min(v), "highest": max(v), "launches": len(v)}
                         for m, v in values.items()},
            "simulator": {m: v for m, v in rung["counts"]["counters"].items() if m in METRICS}})
    return kernels


def record_patterns(program):
    output, rows = profiled([program])
    names = [line for line in output.splitlines() if re.match(r"(global|shared|ldmatrix|stmatrix|copy|cluster)_\w+: ", line)]
    assert len(names) == len(rows), (len(names), len(rows))
    patterns = [{"pattern": name, **{metric: row[metric] for metric in METRICS if row[metric]}}
                for name, row in zip(names, rows)]
    write(os.path.basename(program) + ".json", {**device(), "patterns": patterns})
    print(len(patterns), "patterns recorded")


def first_launches(program, most=50, seconds=60):
    """Mangled name and readings of a program's first launches; none where it does not end, or launches nothing."""
    try:
        _, rows = profiled([program], "-c", str(most), "--print-kernel-base", "mangled", seconds=seconds)
    except (subprocess.SubprocessError, ValueError):
        print(f"not profiled: {program}")
        return []
    return [{"kernel": row["Kernel Name"], **{metric: row[metric] for metric in METRICS}} for row in rows]


def record_whole_programs(folder):
    programs = {name: first_launches(os.path.join(folder, name))
                for name in record_programs.names(record_programs.PROGRAMS)}
    write("whole_programs.json", {**device(), "programs": {name: rows for name, rows in programs.items() if rows}})
    print(sum(len(rows) for rows in programs.values()), "launches recorded")


def main():
    program = os.path.abspath(sys.argv[1])
    if os.path.basename(program) == "programs":
        record_whole_programs(program)
    elif os.path.basename(program).endswith("_patterns"):
        record_patterns(program)
    else:
        record_chapter(program, int(sys.argv[2]) if len(sys.argv) > 2 else 3)


if __name__ == "__main__":
    main()

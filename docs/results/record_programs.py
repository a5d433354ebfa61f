#!/usr/bin/env python3
"""Records what whole CUDA programs print on a GPU, so that the simulator can be compared with it anywhere.

    docs/results/record_programs.py build/programs            # outputs
    docs/results/record_programs.py build/programs --sanitize # which mistakes compute-sanitizer finds
    docs/results/record_programs.py build/programs --sanitize --new  # the same of those not recorded yet

The first writes expected/NAME.txt beside the source: standard output and the exit status of
every program, and of every mistake that prints something. Each is run twice; one that differs between
its runs is named, and not recorded. The second writes common/verification/recorded/mistakes_found.csv: for each mistake
and tool of compute-sanitizer its exit status, its summary and the first thing it says.
"""
import argparse
import concurrent.futures
import csv
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAMS = ROOT / "common/verification/programs"
MISTAKES = ROOT / "common/verification/mistakes"
TOOLS = {"memcheck": ["--leak-check", "full", "--padding", "32"], "racecheck": [], "initcheck": [], "synccheck": []}
# The compute capability without which the code of a variant (common/cmake/programs.cmake) runs on no GPU.
NEEDS = {"blackwell": 10.0}
SUMMARY = re.compile(r"(ERROR SUMMARY: [0-9]+|RACECHECK SUMMARY: [0-9]+ hazard|LEAK SUMMARY: [0-9]+ bytes)")


def names(folder):
    return sorted(path.stem for path in sources(folder))


def sources(folder):
    """The programs of a folder of folders by subject; what is in bench/ is measured, not compared."""
    return [path for path in folder.glob("*/*.cu") if path.parent.name != "bench"]


def run(command, seconds):
    """Standard output and exit status; 124 where the time was up, 128 and more after a signal."""
    try:
        done = subprocess.run(command, capture_output=True, timeout=seconds)
    except subprocess.TimeoutExpired as expired:
        return (expired.stdout or b"").decode(errors="replace"), 124
    status = done.returncode if done.returncode >= 0 else 128 - done.returncode
    return done.stdout.decode(errors="replace"), status


def capability():
    return float(subprocess.run(["nvidia-smi", "--query-gpu=compute_cap", "--format=csv,noheader"], check=True,
                                capture_output=True, text=True).stdout.split()[0])


def runnable(variants, capability):
    """Those whose code the GPU can run; the others are named."""
    able = [name for name in variants if NEEDS.get(name.split(".")[1], 0) <= capability]
    for name in sorted(set(variants) - set(able)):
        print(f"{name}: skipped, this GPU cannot run its code")
    return able


def record(built, jobs):
    folders = {path.stem: path.parent for path in sources(PROGRAMS) + sources(MISTAKES)}
    mistakes = set(names(MISTAKES))
    every = names(PROGRAMS) + sorted(mistakes)
    # Variants have no records of their own: they have to print what the program prints.
    variants = runnable(sorted(path.name for path in built.glob("*.*")), capability())

    def twice(name):
        return name, [run([str(built / name)], 20) for _ in range(2)]

    outputs, wrong = {}, 0
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        for name, (first, second) in pool.map(twice, every + variants):
            if first != second:
                print(f"{name}: two runs differ, not recorded")
                wrong += name not in mistakes
                continue
            outputs[name] = f"{first[0]}[exit status {first[1]}]\n"
    for name in every:
        if name in outputs and (name not in mistakes or not outputs[name].startswith("[exit")):
            expected = folders[name] / "expected"
            expected.mkdir(exist_ok=True)
            (expected / f"{name}.txt").write_text(outputs[name])
    for name in variants:
        if outputs.get(name) != outputs.get(name.split(".")[0]):
            print(f"{name}: prints something else than the program itself")
            wrong += 1
    print(f"{len(outputs)} of {len(every) + len(variants)} recorded")
    return wrong


def sanitize(built, jobs, only_new):
    def check(pair):
        name, tool = pair
        command = ["compute-sanitizer", "--tool", tool, "--print-limit", "3", "--error-exitcode", "99",
                   *TOOLS[tool], str(built / name)]
        text, status = run(command, 30)
        said = [line[10:] for line in text.splitlines() if line.startswith("========= ")]
        first = next((line for line in said if not re.match(r"COMPUTE-SANITIZER|\s|.*SUMMARY", line)), "")
        return [name, tool, status, "; ".join(SUMMARY.findall(text)), first]

    file = ROOT / "common/verification/recorded/mistakes_found.csv"
    present = names(MISTAKES)
    rows = []
    if only_new:
        with open(file, newline="") as known:
            rows = [row for row in csv.reader(known) if row[0] in present]
    recorded = {row[0] for row in rows}
    pairs = [(name, tool) for name in present if name not in recorded for tool in TOOLS]
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        rows += pool.map(check, pairs)
    order = list(TOOLS)
    with open(file, "w", newline="") as out:
        table = csv.writer(out, lineterminator="\n")
        table.writerow(["mistake", "tool", "status", "summary", "first"])
        table.writerows(sorted(rows, key=lambda row: (row[0], order.index(row[1]))))
    return 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("built", type=pathlib.Path, help="the folder of the built programs")
    parser.add_argument("--sanitize", action="store_true")
    parser.add_argument("--new", action="store_true", help="leave what is recorded already as it is")
    parser.add_argument("--jobs", type=int, default=8)
    arguments = parser.parse_args()
    built = arguments.built.resolve()
    if arguments.sanitize:
        return sanitize(built, arguments.jobs, arguments.new)
    return 1 if record(built, arguments.jobs) else 0


if __name__ == "__main__":
    sys.exit(main())

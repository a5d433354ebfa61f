"""Traces of the chapters' kernels for the stepper: each from a run of the real program on the simulator."""
import json
from pathlib import Path
from tempfile import TemporaryDirectory

from tools import ROOT, AssetError, is_current, run, write

LIST = ROOT / "docs/widgets/traces.json"
AROUND = 2  # lines shown before the first and behind the last that the warp executes


def wanted():
    """Ids of the traces: names of chapters."""
    return json.loads(LIST.read_text())


def make(name, build, out):
    how = wanted()[name]
    program = build / name
    simulator = build / "simulator/libcudart.so.13"
    for needed in (program, simulator):
        if not needed.exists():
            raise AssetError(f"{needed} is missing: ./learn docs builds it")
    made = out / f"trace_{name}.js"
    if is_current(made, [program, simulator, LIST, Path(__file__), *(ROOT / "chapters" / name).iterdir()]):
        return
    with TemporaryDirectory() as folder:
        file = Path(folder) / "trace.json"
        words = [build / "tutor/learn", "sim", "--trace", file, "--kernel", how["kernel"]]
        for option in ("block", "warp", "steps", "gpus"):
            if option in how:
                words += [f"--{option}", how[option]]
        command = [program, "--only", how["only"], "--size", how["size"]]
        run([*words, "--", *command], 120)
        trace = json.loads(file.read_text())
    trace["command"] = f"./learn run {name} --only \"{how['only']}\" --size {how['size']}" + (f" --gpus {how['gpus']}" if "gpus" in how else "")
    trace["sources"] = [source(trace, index) for index in range(len(trace["files"]))]
    del trace["files"]
    text = json.dumps(trace, separators=(",", ":"))
    write(made, f"// Made by docs/widgets/traces.py from a run of {name} on the simulator.\nwarp_traces[{json.dumps(name)}] = {text};\n")


def source(trace, index):
    """The part of a file that the warp executes: its place in the checkout, the first line's number, the lines."""
    path = trace["files"][index]
    # The compiler names files as they were when it ran; what counts is where they are in the checkout.
    place = next((path[path.find(top):] for top in ("chapters/", "common/") if top in path), None)
    used = [line["line"] for line in trace["lines"] if line["file"] == index and line["line"]]
    if place is None or not used:
        return {"file": Path(path).name, "first": 1, "lines": []}
    lines = (ROOT / place).read_text().splitlines()
    first = max(1, min(used) - AROUND)
    return {"file": place, "first": first, "lines": lines[first - 1:max(used) + AROUND]}

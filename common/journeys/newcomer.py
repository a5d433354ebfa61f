"""A plain user, in a folder whose path holds a blank and an umlaut, from `git clone` on."""
import glob
import os
import re

import readme
from walk import clone

KEPT_IMAGES = "/var/cache/images"
PROGRAM = """#include <cstdio>
__global__ void store(int* x) { *x = 42; }
int main() {
  int *device, host = 0;
  cudaMalloc(&device, sizeof host);
  store<<<1, 1>>>(device);
  cudaMemcpy(&host, device, sizeof host, cudaMemcpyDeviceToHost);
  cudaFree(device);
  std::printf("%d\\n", host);
}
"""
# One exercise of each kind, and a stored mistake of it with what its verdict names.
LEARNED = [("ch05_warp_reduce/01_lane_sum", "wrong_mask", "invalid-shuffle"),
           ("ch01_programming_model/01_grid_size", None, "wrong"),
           ("ch01_programming_model/06_five_steps", None, "")]


def walk(root):
    root.know_what_is_compiled()
    way = clone(root, "learner", "/home/learner/Mein Kurs ü/warpwise")
    way.variables["WARPWISE_KEPT_IMAGES"] = KEPT_IMAGES
    install_what_is_named(way, "./learn")
    commands_of_readme(way)
    for exercise, mistake, kind in LEARNED:
        learn(way, exercise, mistake, kind)
    without_learn(way)
    every_chapter(way)
    to_terminal_pipe_and_file(way)
    odd_limits(way)
    return way


def install_what_is_named(way, command):
    """The command names the packages that are missing in one line: root runs that line."""
    text = way.expect(command, status=3, says=["sudo apt-get install"])
    lines = [line for line in text.splitlines() if line.strip()]
    way.count("what is missing is one line", [] if len(lines) == 1 else [f"{len(lines)} lines"], text)
    found = re.search(r"sudo (apt-get install .*)", text)
    if found:
        way.expect("apt-get update -q", user="root")
        way.expect(f"DEBIAN_FRONTEND=noninteractive {found.group(1).replace('install', 'install -q -y', 1)}", user="root")


def commands_of_readme(way):
    way.write("program.cu", PROGRAM)
    way.expect("/usr/local/cuda/bin/nvcc -cudart shared -o program program.cu")
    way.expect("mkdir -p SUBMISSIONS/right/exercises/ch01_programming_model && echo 'ch01/01 1' >FILE && "
               "cp solutions/ch01_programming_model/01_grid_size.cu SUBMISSIONS/right/exercises/ch01_programming_model/")
    for command in readme.commands(way.read("README.md")):
        expected = readme.EXPECTED.get(command)
        if expected is None:
            way.count(command, ["README.md has a command that common/journeys/readme.py does not know"])
            continue
        if command == "./learn test" and os.environ.get("WARPWISE_TESTED") == "yes":
            print(f"  {command}  [left out: it has run outside of the journey]")
            continue
        expected = dict(expected)
        if expected.pop("asks_for_packages", False):
            install_what_is_named(way, command)
        if expected.pop("makes_every_image", False):
            way.variables["WARPWISE_IMAGE_CACHE"] = KEPT_IMAGES
        way.expect(command, **expected)
        way.variables.pop("WARPWISE_IMAGE_CACHE", None)
    way.expect("rm -rf SUBMISSIONS FILE program program.cu report.json steps.json && git status --short",
               never=["M ", "??"])


def answer_with(way, exercise, source):
    """Puts an answer in the learner's place, as an editor saves it."""
    way.write(f"exercises/{exercise}.cu", source)


def mistake_of(way, exercise, name):
    """The solution with its blank filled by the stored mistake of that name, or by the first one."""
    frame = way.read(f"solutions/{exercise}.cu")
    chapter, stem = exercise.split("/")
    stored = way.read(f"solutions/{chapter}/mistakes/{stem}.cu")
    texts = dict(re.findall(r"^//= (\w+):[^\n]*\n(.*?)(?=^//= |\Z)", stored, re.MULTILINE | re.DOTALL))
    text = texts[name] if name else next(iter(texts.values()))
    return re.sub(r"(// BEGIN YOUR CODE\n).*?(\n *// END YOUR CODE)", lambda m: m.group(1) + text.rstrip("\n") + m.group(2),
                  frame, flags=re.DOTALL)


def learn(way, exercise, mistake, kind):
    """Stub, hint, wrong, right, and what comes after."""
    stub, name = way.read(f"exercises/{exercise}.cu"), exercise.split("/")[1]
    way.expect(f"./learn run {exercise}", status=1, says=["not solved yet"])
    way.expect(f"./learn hint {exercise}", says=["of 3"])
    way.expect(f"./learn explain {exercise}", status=1)
    answer_with(way, exercise, mistake_of(way, exercise, mistake))
    way.expect(f"./learn run {exercise}", status=1, says=[kind], never=["could not"])
    answer_with(way, exercise, way.read(f"solutions/{exercise}.cu"))
    way.expect(f"./learn run {exercise}", says=["pass"])
    way.expect("./learn list", says=[f"{name}"])
    way.expect(f"./learn explain {exercise}")
    way.expect(f"./learn compare {exercise}")
    way.expect(f"./learn reset --yes {exercise}")
    way.count(f"reset brought {name} back", [] if way.read(f"exercises/{exercise}.cu") == stub else ["it is not the stub"])


def without_learn(way):
    """The chapter's target and program alone: edit, build, compare."""
    exercise = "ch05_warp_reduce/01_lane_sum"
    build, compare = "cmake --build --preset default --target ch05_warp_reduce", "build/ch05_warp_reduce --compare"
    stub = way.read(f"exercises/{exercise}.cu")
    answer_with(way, exercise, way.read(f"solutions/{exercise}.cu"))
    way.expect(build)
    row_of(way, way.expect(compare, never=["not built"]), "01_lane_sum", "pass")
    answer_with(way, exercise, mistake_of(way, exercise, "wrong_mask"))
    way.expect(build)
    way.expect(compare, status=1, says=["invalid-shuffle"])
    answer_with(way, exercise, stub.replace("// Your code here.", "this is no C++"))
    way.expect(build)
    way.expect(compare, status=1, says=["does not compile"])
    answer_with(way, exercise, stub)


def row_of(way, text, exercise, wanted):
    rows = [line for line in text.splitlines() if exercise in line]
    way.count(f"{exercise} is '{wanted}' in the table", [] if any(wanted in row for row in rows) else ["no row says so"], text)


def every_chapter(way):
    """Each chapter's program ends with 0, on stubs and on solutions, and every solution's row is a pass."""
    chapters = sorted(os.path.basename(folder) for folder in glob.glob(way.root + way.folder + "/chapters/ch*"))
    for chapter in chapters:
        text = way.expect(f"./learn run {chapter}")
        no_row_fails(way, chapter, text)
    way.expect("cp -r exercises /tmp/stubs && for f in solutions/*/*.cu; do cp $f exercises/${f#solutions/}; done")
    for chapter in chapters:
        text = way.expect(f"./learn run {chapter} --compare", never=["not solved yet", "not built"])
        no_row_fails(way, chapter, text)
    way.expect("cp -r /tmp/stubs/. exercises/ && git status --short", never=["M "])


def no_row_fails(way, chapter, text):
    """A solution's row says pass, whatever stands beside it."""
    rows = [line for line in text.splitlines() if re.search(r"\bsolution\b", line) and "|" not in line]
    wrong = [line for line in rows if "pass" not in line]
    way.count(f"{chapter}: {len(rows)} rows of solutions", wrong or ([] if rows else ["no row of a solution was found"]), text)


def to_terminal_pipe_and_file(way):
    for command in ("./learn run ch01", "./learn list", "./learn run ch05/01"):
        status, _ = way.run(command)
        way.expect(f"{command} >/tmp/out 2>&1", status=status)
        way.expect(command, status=status, terminal=True)
    way.expect("./learn", terminal=True, typed=[("q quit", "q")])
    way.expect("TERM=dumb NO_COLOR=1 ./learn list", terminal=True, never=["\x1b["])


def odd_limits(way):
    """What a site may have set is said, not died of."""
    answer_with(way, "ch01_programming_model/02_index", way.read("solutions/ch01_programming_model/02_index.cu"))
    way.expect("ulimit -f 100000; ./learn run ch01/02", status=3, says=["ulimit -f"])
    way.expect("ulimit -v 4000000; ./learn run ch01/02", status=3, says=["ulimit -v"])

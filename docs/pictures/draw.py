#!/usr/bin/env python3
"""Draws verdict.svg: what `./learn run` prints for a wrong answer, from a run of the exercise's check.

    docs/pictures/draw.py BUILD            # runs it and draws; BUILD is a build folder after ./learn docs
    docs/pictures/draw.py BUILD --check    # says whether the picture is out of date, status 1
"""
import json
import re
import subprocess
import sys
import tempfile
from html import escape
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PICTURE = ROOT / "docs/pictures/verdict.svg"
EXERCISE, MISTAKE = "ch03_shared_memory_banks/01_rotate_segments", "no_barrier"
CHARACTER, LINE, MARGIN = 7.83, 18, 16  # pixels of a 13 px monospaced font
STYLE = """
text { font: 13px ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace; fill: #24292f; white-space: pre; }
.paper { fill: #f6f8fa; stroke: #d0d7de; } .prompt { fill: #6e7781; } .wrong { fill: #b3261e; font-weight: bold; } .place { fill: #0550ae; }
@media (prefers-color-scheme: dark) {
  text { fill: #e6edf3; } .paper { fill: #161b22; stroke: #30363d; } .prompt { fill: #8b949e; } .wrong { fill: #ff8a80; } .place { fill: #79c0ff; }
}
"""


class CannotDraw(Exception):
    """The text says why, and what to do."""


def exercise(build):
    """What `./learn docs` wrote down of the exercise."""
    facts = build / "docs/facts/course.json"
    if not facts.exists():
        raise CannotDraw(f"{facts} is missing: run ./learn docs first")
    chapters = json.loads(facts.read_text())["chapters"]
    return next(one for chapter in chapters for one in chapter["exercises"] if one["id"] == EXERCISE)


def wrong_answer(found):
    """The stub with the stored mistake in its blank, as a learner would have written it."""
    mistake = next(one for one in found["mistakes"] if one["name"] == MISTAKE)
    text = re.sub(r" *// expect:.*", "", mistake["text"]).rstrip("\n") + "\n"
    return re.sub(r" *// Your code here\.\n", lambda _: text, found["stub"])


def printed(build):
    """The verdict's text, with the paths that a learner would see."""
    target = "check_" + EXERCISE.replace("/", "_")
    run = {"check": True, "capture_output": True, "text": True, "timeout": 600}
    subprocess.run(["cmake", "--build", build, "--target", target, "simulator/libcudart.so.13"], **run)
    cache = (build / "CMakeCache.txt").read_text()
    nvcc = re.search(r"^WARPWISE_NVCC:\w+=(.*)$", cache, re.MULTILINE).group(1)
    flags = (build / "image_flags/exercise.txt").read_text().split()
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "exercises" / f"{EXERCISE}.cu"
        source.parent.mkdir(parents=True)
        source.write_text(wrong_answer(exercise(build)))
        subprocess.run([nvcc, *flags, "-o", "image", str(source)], cwd=folder, **run)
        judged = subprocess.run([build / "checks" / EXERCISE, "--image", f"{folder}/image", "--device", "sim"], cwd=folder,
                                **{**run, "check": False})
        text = judged.stdout + judged.stderr
        return text.replace(folder + "/", "").rstrip("\n").split("\n")


def span(words, kind=""):
    return f'<tspan class="{kind}">{escape(words)}</tspan>' if kind else escape(words)


def shown(line):
    """One line: its verdict and its places in the source stand out."""
    if re.match(r"\S+: (?!pass)", line) and EXERCISE in line:
        name, _, verdict = line.partition(": ")
        return span(name + ": ") + span(verdict, "wrong")
    place = re.search(r"exercises/\S+\.cu:\d+", line)
    return span(line[:place.start()]) + span(place.group(0), "place") + span(line[place.end():]) if place else span(line)


def picture(lines):
    command = "$ ./learn run " + "/".join(part.split("_")[0] for part in EXERCISE.split("/"))
    width = max(len(line) for line in [command, *lines]) * CHARACTER + 2 * MARGIN
    height = (len(lines) + 2) * LINE + 2 * MARGIN
    rows = [span(command, "prompt"), ""] + [shown(line) for line in lines]
    texts = "\n".join(f'<text x="{MARGIN}" y="{MARGIN + 13 + i * LINE}" xml:space="preserve">{row}</text>' for i, row in enumerate(rows) if row)
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height}" width="{width:.0f}" height="{height}" role="img" '
            f'aria-labelledby="title words">\n<title id="title">What {escape(command[2:])} prints for a wrong answer</title>\n'
            f'<desc id="words">{escape(chr(10).join(lines))}</desc>\n<style>{STYLE}</style>\n'
            f'<rect class="paper" x="0.5" y="0.5" width="{width - 1:.0f}" height="{height - 1}" rx="6"/>\n{texts}\n</svg>\n')


def main():
    words = [word for word in sys.argv[1:] if word != "--check"]
    if len(words) != 1:
        print(__doc__, file=sys.stderr)
        return 2
    try:
        drawn = picture(printed(Path(words[0]).resolve()))
    except CannotDraw as error:
        print(error, file=sys.stderr)
        return 3
    except subprocess.CalledProcessError as error:
        print(f"{error.cmd[0]} failed:\n{error.stdout}{error.stderr}", file=sys.stderr)
        return 3
    if PICTURE.exists() and PICTURE.read_text() == drawn:
        return 0
    if "--check" in sys.argv:
        print(f"out of date: {PICTURE.relative_to(ROOT)}; docs/pictures/draw.py BUILD draws it again")
        return 1
    PICTURE.write_text(drawn)
    print(f"written: {PICTURE.relative_to(ROOT)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""What `./learn run` prints for a wrong answer, from a run of the exercise's check."""
import re
import subprocess
import tempfile
from html import escape
from pathlib import Path

EXERCISE, MISTAKE = "ch03_shared_memory_banks/01_rotate_segments", "no_barrier"
CHARACTER, LINE, MARGIN = 7.83, 18, 16  # pixels of a 13 px monospaced font
STYLE = """
text { font: 13px ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace; fill: #24292f; white-space: pre; }
.paper { fill: #f6f8fa; stroke: #d0d7de; } .prompt { fill: #6e7781; } .wrong { fill: #b3261e; font-weight: bold; } .place { fill: #0550ae; }
@media (prefers-color-scheme: dark) {
  text { fill: #e6edf3; } .paper { fill: #161b22; stroke: #30363d; } .prompt { fill: #8b949e; } .wrong { fill: #ff8a80; } .place { fill: #79c0ff; }
}
"""


def exercise(facts):
    """What `./learn docs` wrote down of the exercise."""
    chapters = facts.written("course.json")["chapters"]
    return next(one for chapter in chapters for one in chapter["exercises"] if one["id"] == EXERCISE)


def wrong_answer(found):
    """The stub with the stored mistake in its blank, as a learner would have written it."""
    mistake = next(one for one in found["mistakes"] if one["name"] == MISTAKE)
    text = re.sub(r" *// expect:.*", "", mistake["text"]).rstrip("\n") + "\n"
    return re.sub(r" *// Your code here\.\n", lambda _: text, found["stub"])


def printed(facts):
    """The verdict's text, with the paths that a learner would see."""
    build = facts.build
    target = "check_" + EXERCISE.replace("/", "_")
    run = {"check": True, "capture_output": True, "text": True, "timeout": 600}
    subprocess.run(["cmake", "--build", build, "--target", target, "simulator/libcudart.so.13"], **run)
    cache = (build / "CMakeCache.txt").read_text()
    nvcc = re.search(r"^WARPWISE_NVCC:\w+=(.*)$", cache, re.MULTILINE).group(1)
    flags = (build / "image_flags/exercise.txt").read_text().split()
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "exercises" / f"{EXERCISE}.cu"
        source.parent.mkdir(parents=True)
        source.write_text(wrong_answer(exercise(facts)))
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


def drawn(facts):
    """The picture's text. @throws CalledProcessError where the check does not build."""
    return picture(printed(facts))

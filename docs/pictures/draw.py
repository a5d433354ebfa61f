#!/usr/bin/env python3
"""Draws the pictures of the pages: a module of drawings/ each, from records and computed places; a curve for each sweep of
which a page shows some rows; and verdict.svg, from a real run.

    docs/pictures/draw.py BUILD            # draws all; BUILD is a build folder after ./learn docs
    docs/pictures/draw.py BUILD --check    # says which picture is out of date, status 1
"""
import importlib
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.dont_write_bytecode = True
sys.path[:0] = [str(HERE)]

import sweep  # noqa: E402
import verdict  # noqa: E402
import fill_tables  # noqa: E402  (sweep has put its folder on the path)
from facts import CannotDraw, Facts  # noqa: E402


def names():
    return sorted(path.stem for path in (HERE / "drawings").glob("*.py") if path.stem != "__init__")


def drawn(facts):
    """(file, text) of each picture."""
    for name in names():
        yield HERE / f"{name}.svg", importlib.import_module(f"drawings.{name}").draw(facts).svg()
    for name in sweep.asked_for():
        yield fill_tables.picture_of(name), sweep.draw(facts, name).svg()
    yield HERE / "verdict.svg", verdict.drawn(facts)


def main():
    words = [word for word in sys.argv[1:] if word != "--check"]
    if len(words) != 1:
        print(__doc__, file=sys.stderr)
        return 2
    try:
        stale = [(path, text) for path, text in drawn(Facts(words[0])) if not path.exists() or path.read_text() != text]
    except CannotDraw as error:
        print(error, file=sys.stderr)
        return 3
    except subprocess.CalledProcessError as error:
        print(f"{error.cmd[0]} failed:\n{error.stdout}{error.stderr}", file=sys.stderr)
        return 3
    for path, text in stale:
        name = path.relative_to(HERE.parent.parent)
        if "--check" in sys.argv:
            print(f"out of date: {name}; docs/pictures/draw.py BUILD draws it again")
        else:
            path.write_text(text)
            print(f"written: {name}")
    return 1 if stale and "--check" in sys.argv else 0


if __name__ == "__main__":
    sys.exit(main())

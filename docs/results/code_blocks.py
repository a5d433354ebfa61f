"""Code that pages show: a function, or what stands between two marks, of a compiled source.

    <!-- code: ch02_coalescing/copy.cu:copy_2_float -->   the function of that name, or the lines between
    <!-- end -->                                          two lines `//! [copy_2_float]` where there are such; `whole` is
                                                          all of a file after its first comment
"""
import os
import re


HEADS = ("template", "__global__", "__device__")


class NotFound(Exception):
    """No such code; the text says where it was looked for."""


def find(lines, name, place):
    """The first line of the code and the one behind its last, counted from 0."""
    if name == "whole":
        first = next(i for i, line in enumerate(lines) if not line.startswith("//"))
        return first, len(lines) - (lines[-1] == "")
    marks = [i for i, line in enumerate(lines) if line.strip() == f"//! [{name}]"]
    if len(marks) == 2:
        return marks[0] + 1, marks[1]
    if marks:
        raise NotFound(f"{place}: //! [{name}] has to stand there twice")
    return function(lines, name, place)


def function(lines, name, place):
    """From the template line, if there is one, to the brace that closes the definition."""
    head = re.compile(rf"\b{re.escape(name)}\s*(\(|\{{|:)")
    for i, line in enumerate(lines):
        # A definition begins at the margin, or in the line below its __global__.
        if not head.search(line) or line[:1] in "/}#" or line[:1] == " " and not lines[i - 1].startswith(HEADS):
            continue
        end = closing(lines, i)
        if end is None:
            continue
        first = i
        while first > 0 and lines[first - 1].startswith(("template", "__global__", "__device__")):
            first -= 1
        return first, end
    raise NotFound(f"{place}: no function {name}, and no marks //! [{name}]")


def closing(lines, start):
    """The line behind the one that closes the first brace from `start` on; None for a declaration."""
    depth, opened = 0, False
    for i in range(start, len(lines)):
        code = re.sub(r"//.*|'.'|\"(\\.|[^\"])*\"", "", lines[i])
        for letter in code:
            if letter == ";" and not opened and depth == 0:
                return None
            depth += (letter == "{") - (letter == "}")
            opened |= letter == "{"
        if opened and depth == 0:
            return i + 1
    return None


def place_of(path):
    """Of a file of a chapter, which is named without chapters/, or of one of common/."""
    return path if path.startswith("common/") else "chapters/" + path


def block(root, name):
    """The code as a fenced block of Markdown."""
    path, _, entity = name.partition(":")
    place = place_of(path)
    with open(os.path.join(root, place)) as file:
        lines = file.read().split("\n")
    first, last = find(lines, entity, place)
    shown = [line for line in lines[first:last] if not line.strip().startswith("//! [")]
    return "```cpp\n" + "\n".join(shown) + "\n```\n"

"""The reference of everything public in common/: the headers, grouped by room. The grouping is written into
copies of the headers, with all lines in their places; the names of the rooms come from ARCHITECTURE.md."""
import re

from site_pages import PageError

ROOM = re.compile(r"^\| `common/((?:simulator/|verification/)?(\w+))` \| (.*?) \|", re.MULTILINE)
LEFT_OUT = ("programs", "fuzz")  # rooms of programs and tests: they offer nothing
SIMULATOR = "simulator"


def rooms(site):
    """Folder below common/, name, and what the room is."""
    found = [(folder, name, words) for folder, name, words in ROOM.findall(site.read("docs/ARCHITECTURE.md"))
             if name not in LEFT_OUT]
    if not found:
        raise PageError("docs/ARCHITECTURE.md has no table of rooms that looks like: | `common/NAME` | what it is |")
    return found


def write(site):
    groups = [f"/** @defgroup {SIMULATOR} Simulator\n * A CUDA runtime and the PTX machine behind it, room by room. */"]
    folder = site.out / "reference"
    for path, name, words in rooms(site):
        headers = [header for header in sorted((site.root / "common" / path).rglob("*.h"))
                   if not header.name.endswith(("_fixture.h", "_test.h"))]
        if not any(f"\\defgroup {name} " in header.read_text() for header in headers):
            groups.append(f"/** @defgroup {name} {name.capitalize()}\n * {words[0].upper()}{words[1:]}. */")
        if path.startswith(SIMULATOR):
            groups.append(f"/** @addtogroup {name}\n * @ingroup {SIMULATOR} */")
        for header in headers:
            copy = folder / header.relative_to(site.root)
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_text(grouped(header.read_text(), name))
    (folder / "rooms.dox").write_text("\n".join(groups) + "\n")


def write_front(site):
    """The main page: the rooms, as ARCHITECTURE.md lists them."""
    site.announce("index", "The rooms of Warpwise")
    lines = [f"- @ref {name} (`common/{path}`): {words}" for path, name, words in rooms(site)]
    text = ("Everything public in `common/`, from the comments of its headers. docs/ARCHITECTURE.md says how the rooms work "
            "together. The course itself is another site: `./learn docs` builds it.\n\n" + "\n".join(lines))
    site.write("index", text, False)


# From the line that opens a namespace to the one that closes it and says so; a forward declaration does not.
NAMESPACE = re.compile(r"^(namespace warpwise[\w:]* \{)(?=(?:(?!^namespace warpwise).)*?^\}[^\n]*// namespace warpwise)",
                       re.MULTILINE | re.DOTALL)


# In comments "#include" and "#if" are words, not links as Doxygen thinks.
DIRECTIVE = re.compile(r"(?m)(///.*?[^\\`])#(?=(?:if|ifdef|include|define|pragma|line)\b)")

def grouped(text, room):
    """Everything in the project's namespaces belongs to the room."""
    while DIRECTIVE.search(text):
        text = DIRECTIVE.sub(r"\1\\#", text)
    text = NAMESPACE.sub(rf"\1 /** @addtogroup {room} */ /** @{{ */", text)
    return re.sub(r"(?m)^(\}.*// namespace warpwise)", r"/** @} */ \1", text)

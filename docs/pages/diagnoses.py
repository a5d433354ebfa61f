"""The page of diagnoses. Its texts are docs/diagnoses.md; the list of what needs a text comes from the sources,
so that none can be forgotten, and so do the programs shown as examples."""
import re

import markdown
from site_pages import PageError

TEXTS = "docs/diagnoses.md"
# Rooms that find mistakes or judge exercises.
ROOMS = ("common/simulator/machine", "common/simulator/watch", "common/simulator/cudart", "common/report",
         "common/check", "common/lesson")
FINDS = (re.compile(r'\bfinding\(\s*"([a-z-]+)"'),            # a finding of a launch
         re.compile(r'\bkind = "([a-z-]+)"'),                 # a diagnosis filled by hand
         re.compile(r'"diagnosed",\s*"([a-z-]+)"'),           # a check's own
         re.compile(r'\bdied\("([a-z-]+)"'),                  # the end of a host function
         re.compile(r'\bverdict_?\.verdict = "([a-z ]+)"'),    # a check's verdict, given
         re.compile(r'\bfail\([^;]*?, "([a-z ]+)", "", '),    # and without a kind of its own
         re.compile(r'"([a-z]+(?:-[a-z]+)+)"'))               # whatever else is written as a kind is
NO_DIAGNOSIS = {"gpu", "pass", "diagnosed"}  # a kind of device; nothing is wrong; a diagnosis has a kind of its own
EXPECTED = re.compile(r"// expect: (gate [a-z]+|wrong result|[a-z-]+)")
GATE = re.compile(r'(?:\.name = |gate\(|_request\(|_sectors\()"([a-z]+)"')
SECTION = re.compile(r"^### (.+)$", re.MULTILINE)
PROGRAMS = "common/verification/mistakes"


def kinds(site):
    """Each kind with the place where it was met first."""
    found = {}

    def add(kind, path):
        found.setdefault(kind, str(path.relative_to(site.root)))

    for room in ROOMS:
        for path in sorted((site.root / room).rglob("*.cpp")):
            if path.name.endswith("_test.cpp"):
                continue
            text = path.read_text()
            for pattern in FINDS:
                for kind in pattern.findall(text):
                    if kind not in NO_DIAGNOSIS:
                        add(kind, path)
    stored = sorted(site.root.glob("solutions/*/mistakes/*.cu")) + sorted((site.root / PROGRAMS).glob("*/*.cu"))
    for path in stored:
        for kind in EXPECTED.findall(path.read_text()):
            if kind not in NO_DIAGNOSIS:
                add(kind, path)
    for path in sorted(site.root.glob("chapters/*/checks/*.cu")):
        for gate in GATE.findall(path.read_text()):
            add("gate " + gate, path)
    return found


def require_texts(found, text, all_mistakes=True):
    """Without the stored mistakes, as in an exported course, a text may stand for one of them."""
    sections = SECTION.findall(text)
    missing = sorted(kind for kind in found if kind not in sections)
    stale = sorted(section for section in sections if section not in found)
    if missing:
        raise PageError(f"{TEXTS} has no section for: " + ", ".join(f"{kind} ({found[kind]})" for kind in missing))
    if stale and all_mistakes:
        raise PageError(f"{TEXTS} has sections for what nothing finds: {', '.join(stale)}")


def announce(site):
    title, _ = markdown.split_title(site.read(TEXTS))
    return site.announce("diagnoses", title, TEXTS)


def write(site):
    _, text = markdown.split_title(site.read(TEXTS))
    require_texts(kinds(site), text, (site.root / "solutions").is_dir())
    link = markdown.Linker(site, TEXTS)
    parts = SECTION.split(text)
    out = [markdown.to_doxygen(parts[0], "diagnoses", link)]
    for kind, body in zip(parts[1::2], parts[2::2]):
        # What follows the kind's own text is the head of the next group.
        own, group, rest = re.match(r"(.*?)((?:^## )|\Z)(.*)", body, re.DOTALL | re.MULTILINE).groups()
        out.append(markdown.to_doxygen(f"### {kind}\n{own}", "diagnoses", link) + example(site, kind))
        out.append(markdown.to_doxygen(group + rest, "diagnoses", link))
    site.write("diagnoses", "\n".join(out))


def example(site, kind):
    """The shortest stored program that makes the mistake, folded."""
    programs = [path for path in (site.root / PROGRAMS).glob("*/*.cu")
                if kind in EXPECTED.findall(path.read_text())]
    if not programs:
        return ""
    path = min(programs, key=lambda path: (len(path.read_text()), path.name)).relative_to(site.root)
    return markdown.folded("A whole program that does it", f"Try `./learn sim {path}`.\n\n@include {path}\n")

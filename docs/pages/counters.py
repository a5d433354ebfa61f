"""The page of counters: docs/counters.md, held against every counter that was ever recorded."""
import json
import re

import markdown
from site_pages import PageError

TEXTS = "docs/counters.md"
NAME = re.compile(r"^(?:ptx|warpwise|l1tex|smsp)__[a-z0-9_.]+$")
UNCONFIRMED = re.compile(r"^ptx__(?=l1tex__|smsp__)")
SECTION = re.compile(r"^### (\S+)$", re.MULTILINE)


def names_in(value):
    """Every key of a record that is a counter's name."""
    if isinstance(value, dict):
        for key, inner in value.items():
            if NAME.match(key):
                yield UNCONFIRMED.sub("", key)
            yield from names_in(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from names_in(inner)


def spelled_out(section):
    """`a_{ld,st}` is a_ld and a_st."""
    braces = re.search(r"\{([^}]*)\}", section)
    if not braces:
        return [section]
    return [section[:braces.start()] + word + section[braces.end():] for word in braces.group(1).split(",")]


def announce(site):
    title, _ = markdown.split_title(site.read(TEXTS))
    return site.announce("counters", title, TEXTS)


def write(site):
    _, text = markdown.split_title(site.read(TEXTS))
    records = [*(site.root / "docs/results").glob("*.json"), *(site.root / "common/verification/recorded").glob("*.json")]
    recorded = {name for path in records for name in names_in(json.loads(path.read_text()))}
    described = {name for section in SECTION.findall(text) for name in spelled_out(section)}
    if missing := sorted(recorded - described):
        raise PageError(f"{TEXTS} has no section for: {', '.join(missing)}")
    if stale := sorted(described - recorded):
        raise PageError(f"{TEXTS} has sections for what no record counts: {', '.join(stale)}")
    broken = SECTION.sub(lambda m: f"### `{m.group(1)}`", text)
    site.write("counters", markdown.to_doxygen(broken, "counters", markdown.Linker(site, TEXTS)))

#!/usr/bin/env python3
"""Draws timeline.svg of chapter 9: four pieces over two streams, as a GPU measured them and as the program orders them.

    docs/pictures/timeline.py              # from docs/results/ch09_streams_and_graphs.json
    docs/pictures/timeline.py --check      # says whether the picture is out of date, status 1

The upper half is to scale, with times of the record. The lower half has columns: it holds no times, since the order that
is enforced has none. Three operations of a piece follow each other in its stream, so piece p of stream s has the
columns 3 * (p // 2) to 3 * (p // 2) + 2.
"""
import json
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PICTURE = ROOT / "docs/pictures/timeline.svg"
RECORD = ROOT / "docs/results/ch09_streams_and_graphs.json"
WIDTH, LEFT, ROW, COLUMNS = 760, 80, 30, 6
STYLE = """
text { font: 12px ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace; fill: #24292f; }
.paper { fill: #f6f8fa; stroke: #d0d7de; } .in { fill: #9ecbff; } .kernel { fill: #b4e3b0; } .out { fill: #ffd7a0; }
.box { stroke: #57606a; } .inside { fill: #24292f; } .faint { fill: #6e7781; } .tick { stroke: #d0d7de; }
@media (prefers-color-scheme: dark) {
  text { fill: #e6edf3; } .paper { fill: #161b22; stroke: #30363d; } .faint { fill: #8b949e; } .tick { stroke: #30363d; }
  .inside { fill: #24292f; }
}
"""
CLASSES = {"copy in": "in", "kernel": "kernel", "copy out": "out"}


def operations(record):
    """Name, number of the piece, stream, begin and end in microseconds."""
    table = next(table for table in record["tables"] if table["name"] == "timeline")
    if "begins, us" not in table["columns"]:
        raise SystemExit(f"{RECORD} holds no times: record it on a GPU")
    for name, stream, begin, end in table["rows"]:
        kind, _, piece = name.rpartition(" ")
        yield kind, int(piece), int(stream), float(begin), float(end)


def box(x, y, width, kind, piece):
    words = {"copy in": "in", "kernel": "k", "copy out": "out"}[kind]
    return (f'<rect class="box {CLASSES[kind]}" x="{x:.1f}" y="{y}" width="{width:.1f}" height="{ROW - 6}"/>'
            f'<text class="inside" x="{x + width / 2:.1f}" y="{y + 16}" text-anchor="middle">{words} {piece}</text>')


def drawn(record):
    everything = list(operations(record))
    last = max(end for *_, end in everything)
    inner = WIDTH - LEFT - 20
    parts = [f'<text x="16" y="24">measured, {record["device"]["name"]}: microseconds, to scale</text>']
    for row in range(2):
        parts.append(f'<text class="faint" x="16" y="{54 + row * ROW}">stream {row}</text>')
        parts.append(f'<text class="faint" x="16" y="{174 + row * ROW}">stream {row}</text>')
    for quarter in range(5):
        x = LEFT + inner * quarter / 4
        parts.append(f'<path class="tick" d="M{x:.1f} 34V102"/>')
        parts.append(f'<text class="faint" x="{x:.1f}" y="116" text-anchor="middle">{last * quarter / 4:.0f}</text>')
    for kind, piece, stream, begin, end in everything:
        x = LEFT + inner * begin / last
        parts.append(box(x, 38 + stream * ROW, inner * (end - begin) / last, kind, piece))
    parts.append('<text x="16" y="146">enforced order, the same program: one column per operation that has to come before</text>')
    stages = list(CLASSES)
    for kind, piece, stream, _, _ in everything:
        column = 3 * (piece // 2) + stages.index(kind)
        parts.append(box(LEFT + inner * column / COLUMNS, 158 + stream * ROW, inner / COLUMNS - 8, kind, piece))
    parts.append('<text class="faint" x="16" y="236">Order only. The simulator has no clock.</text>')
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} 250" width="{WIDTH}" height="250" role="img">'
            f'<title>Four pieces over two streams: measured times above, enforced order below</title>'
            f'<desc>Two rows of boxes, a stream each. Each of four pieces is copied in, computed and copied out; pieces 1 '
            f'and 3 are in the second stream, and overlap with those of the first.</desc><style>{STYLE}</style>'
            f'<rect class="paper" x="0.5" y="0.5" width="{WIDTH - 1}" height="249" rx="8"/>' + "\n".join(parts) + "</svg>\n")


def main():
    picture = drawn(json.loads(RECORD.read_text()))
    if "--check" not in sys.argv[1:]:
        PICTURE.write_text(picture)
    elif not PICTURE.exists() or PICTURE.read_text() != picture:
        sys.exit(f"{PICTURE} is out of date: docs/pictures/timeline.py draws it")


if __name__ == "__main__":
    main()

"""GitHub's Markdown to Doxygen's: the same text, with what Doxygen would take for commands escaped."""
import html
import posixpath
import re

from site_pages import anchor

FENCE = re.compile(r"^\s*(```|~~~)")
HEADING = re.compile(r"^(#{1,5}) +(.*?)\s*$")
IMAGE = re.compile(r"!\[([^\]]*)\]\(([^)\s]+)\)")
LINK = re.compile(r"\[([^\]]+)\]\(([^)\s]+)\)")
CODE = re.compile(r"(`+)(.+?)\1")
DETAILS = re.compile(r"<details><summary>(.*)</summary>")
PREDICTION = re.compile(r"<!-- (question|answer): ([a-z0-9_ ]+?) -->")
COMMENT = re.compile(r"<!--(?! (?:question|answer): ).*?-->", re.DOTALL)
MARK = "\0"


def split_title(text):
    """The first heading and the rest."""
    head, _, rest = text.partition("\n")
    match = HEADING.match(head)
    return (match.group(2), rest) if match else (None, text)


def code_span(words):
    """Doxygen ends a code span at a quote; two backticks keep it open."""
    ticks = "``" if "'" in words or "`" in words else "`"
    return ticks + words + ticks


def prediction(kind, names):
    """Where predictions.js puts a box for a guess, or what was guessed beside its answer."""
    return f'@htmlonly<span class="{kind}-mark" data-names="{names}"></span>@endhtmlonly'


def prose(line, link):
    """One line outside of code blocks."""
    if re.fullmatch(r"[|: -]+", line):  # below the head of a table
        return line
    kept = []

    def keep(words):
        kept.append(words)
        return f"{MARK}{len(kept) - 1}{MARK}"

    line = PREDICTION.sub(lambda m: keep(prediction(m.group(1), m.group(2))), line)
    line = CODE.sub(lambda m: keep(code_span(m.group(2).strip())), line)
    line = IMAGE.sub(lambda m: keep(link.image(m.group(1), m.group(2))), line)
    line = LINK.sub(lambda m: keep(link(m.group(1), m.group(2))), line)
    line = re.sub(r"[@\\]", lambda m: "\\" + m.group(0), line)
    line = line.replace("<", "&lt;").replace(">", "&gt;") if not line.startswith(">") else line
    line = re.sub(r"(?<!^)#(?=\w)", r"\#", line).replace("--", "\\--")
    while MARK in line:
        line = re.sub(f"{MARK}(\\d+){MARK}", lambda m: kept[int(m.group(1))], line)
    return line


def leaves_code_open(line):
    return "`" in CODE.sub("", line) and not FENCE.match(line) and not line.startswith("    ")


def with_whole_code(lines):
    """The lines; a code span that goes on in the next line is whole in the one where it begins."""
    joined, in_fence = [], False
    for line in lines:
        if FENCE.match(line):
            in_fence = not in_fence
        elif joined and not in_fence and line.strip() and leaves_code_open(joined[-1]):
            joined[-1] += f" {line.strip()}"
            continue
        joined.append(line)
    return joined


FOLD_END = "\n@htmlonly[block]\n</details>\n@endhtmlonly\n"


def fold_begin(summary):
    """Raw HTML: Doxygen would close its own <details> after each paragraph."""
    words = CODE.sub(r"<code>\2</code>", html.escape(summary))
    return f"\n@htmlonly[block]\n<details><summary>{words}</summary>\n@endhtmlonly\n"


def folded(summary, inside):
    """A part that opens on a click."""
    return f"{fold_begin(summary)}\n{inside.strip()}\n{FOLD_END}\n"


def to_doxygen(text, page_id, link):
    """
    text     without its title
    page_id  begins the ids of the headings
    link     (words, target) to Doxygen's text
    """
    out, in_fence, previous_blank, in_code = [], False, True, False
    seen = {}
    for line in with_whole_code(COMMENT.sub("", text).split("\n")):
        if FENCE.match(line):
            in_fence = not in_fence
            out.append(re.sub(r"```cuda?$|```cpp$", "```{.cpp}", line.strip()) if in_fence else line.strip())
        elif in_fence:
            out.append(line)
        elif line.startswith("    ") and (previous_blank or in_code):
            in_code = True
            out.append(line)
        elif fold := DETAILS.fullmatch(line):
            out.append(fold_begin(fold.group(1)))
        elif line == "</details>":
            out.append(FOLD_END)
        elif heading := HEADING.match(line):
            in_code = False
            name = anchor(heading.group(2))
            seen[name] = seen.get(name, 0) + 1
            words, label = prose(heading.group(2), link), f"{page_id}_{name}{'' if seen[name] == 1 else seen[name]}"
            # Sections of the main page would stand in the tree among the parts of the site.
            out.append(f"<h2>{words}</h2>" if page_id == "index" else f"{heading.group(1)} {words} {{#{label}}}")
        else:
            in_code = in_code and not line.strip()
            out.append(prose(line, link))
        previous_blank = not line.strip()
    return "\n".join(out)


class Linker:
    """Links of a file below the root: to its page, or, where the site has none, the path as text."""

    def __init__(self, site, source):
        self.site, self.source = site, str(source)

    def place(self, path):
        return posixpath.normpath(posixpath.join(posixpath.dirname(self.source), path)) if path else self.source

    def __call__(self, words, target):
        if target.startswith(("http:", "https:")):
            return f"[{words}]({target})"
        path, _, section = target.partition("#")
        place = self.place(path)
        page = self.site.places.get(place)
        if page is None:
            plain = words.strip("`")
            return code_span(plain) if plain == place or "/" in plain else f"{words} ({code_span(place)})"
        return f"[{words}](@ref {page}{'_' + anchor(section) if section else ''})"

    def image(self, words, target):
        """An image lies beside the pages."""
        self.site.images.add(self.place(target))
        return f'\n@htmlonly[block]\n<p><img src="{posixpath.basename(target)}" alt="{html.escape(words)}"/></p>\n@endhtmlonly\n'

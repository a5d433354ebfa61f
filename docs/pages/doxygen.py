"""Doxygen: its configuration, one run of it, and what goes beside its pages."""
import re
import shutil
import subprocess
from pathlib import Path

import navigation
from site_pages import PageError

STYLE = Path("/usr/share/doxygen-awesome-css")
SHEETS = ("doxygen-awesome.css", "doxygen-awesome-sidebar-only.css", "doxygen-awesome-sidebar-only-darkmode-toggle.css")
SCRIPTS = ("doxygen-awesome-darkmode-toggle.js", "doxygen-awesome-fragment-copy-button.js",
           "doxygen-awesome-interactive-toc.js")
OWN = Path(__file__).parent / "style"
OWN_SCRIPTS = ("storage.js", "warpwise.js")  # before and after those of the theme
COURSE_SCRIPTS = ("search.js", "predictions.js")  # of the site of the course alone
EXPANDED = ("__launch_bounds__(...)=", "__cluster_dims__(...)=", "__align__(x)=", "__forceinline__=inline", "__restrict__=",
            "__grid_constant__=", "__shared__=")
MOST_WARNINGS = 12


def tool(*words):
    return subprocess.run(["doxygen", *words], check=True, capture_output=True, text=True, timeout=60).stdout


def version():
    return tuple(int(number) for number in re.findall(r"\d+", tool("--version"))[:3])


def header(folder, is_course):
    """Doxygen's own header without MathJax, which would be fetched from elsewhere, with the switch for dark, and the
    search where it is the course's."""
    tool("-w", "html", str(folder / "header.html"), str(folder / "footer.html"), str(folder / "unused.css"))
    text = (folder / "header.html").read_text().replace("$mathjax\n", "")
    text = re.sub(r"<html [^>]*>", '<html xmlns="http://www.w3.org/1999/xhtml" lang="en">', text)
    names = (OWN_SCRIPTS[0], *SCRIPTS, OWN_SCRIPTS[1], *(COURSE_SCRIPTS if is_course else ()))
    scripts = "".join(f'<script type="text/javascript" src="$relpath^{name}"></script>\n' for name in names)
    if is_course:
        end = "<!-- end header part -->"
        text = text.replace("<body>", '<body class="course">').replace(end, (OWN / "search.html").read_text() + end)
    (folder / "header.html").write_text(text.replace("</head>", scripts + "</head>"))
    (folder / "footer.html").write_text((OWN / "footer.html").read_text())


def course_settings(site, assets):
    """Of docs/site: pages only, with a search of our own."""
    return {"PROJECT_NAME": "Warpwise",
            "PROJECT_BRIEF": "For instructors" if site.instructor else "Learn CUDA C++ one warp at a time",
            "INPUT": [site.out / "pages"], "SEARCHENGINE": "NO",
            "HTML_EXTRA_FILES": [*(OWN / name for name in COURSE_SCRIPTS), *assets]}


def api_settings(site):
    """Of docs/api: the headers of common/."""
    return {"PROJECT_NAME": '"Warpwise API"', "PROJECT_BRIEF": "What is public in common/",
            "INPUT": [site.out / "pages", site.out / "reference"], "SEARCHENGINE": "YES", "HTML_EXTRA_FILES": []}


def settings(site, html, own):
    """
    own  what the two sites differ in
    """
    values = {
        **own,
        "HTML_EXTRA_FILES": [*(STYLE / name for name in SCRIPTS), *(OWN / name for name in OWN_SCRIPTS), *own["HTML_EXTRA_FILES"]],
        "OUTPUT_DIRECTORY": site.out, "HTML_OUTPUT": html, "GENERATE_LATEX": "NO", "RECURSIVE": "YES",
        "FILE_PATTERNS": ["*.md", "*.h", "*.dox"], "EXTENSION_MAPPING": ["cu=C++", "cuh=C++", "h=C++"],
        "EXAMPLE_PATH": [site.out / "html", site.out / "snippets", site.root],
        "STRIP_FROM_PATH": [site.out / "reference", site.out / "pages", site.root],
        "USE_MDFILE_AS_MAINPAGE": site.out / "pages" / "index.md",
        "EXTRACT_ALL": "YES", "EXTRACT_LOCAL_CLASSES": "NO", "JAVADOC_AUTOBRIEF": "YES", "MACRO_EXPANSION": "YES",
        "EXPAND_ONLY_PREDEF": "YES", "PREDEFINED": [f'"{word}"' for word in EXPANDED],
        "BUILTIN_STL_SUPPORT": "YES", "HAVE_DOT": "NO", "CLASS_GRAPH": "NO", "VERBATIM_HEADERS": "NO",
        "SHOW_USED_FILES": "NO", "SORT_GROUP_NAMES": "NO", "SORT_MEMBERS_CTORS_1ST": "YES",
        "QUIET": "YES", "WARN_AS_ERROR": "FAIL_ON_WARNINGS", "WARN_IF_INCOMPLETE_DOC": "NO", "WARN_NO_PARAMDOC": "NO",
        "WARN_LOGFILE": site.out / "warnings.txt",
        "GENERATE_TREEVIEW": "YES", "DISABLE_INDEX": "NO", "SERVER_BASED_SEARCH": "NO",
        "HTML_HEADER": site.out / "header.html", "HTML_FOOTER": site.out / "footer.html",
        "HTML_EXTRA_STYLESHEET": [STYLE / name for name in SHEETS] + [OWN / "warpwise.css"],
        "LAYOUT_FILE": site.out / "layout.xml", "HTML_DYNAMIC_MENUS": "YES", "HTML_TIMESTAMP": "NO", "USE_MATHJAX": "NO",
        "TOC_INCLUDE_HEADINGS": "2", "NUM_PROC_THREADS": "1",
    }
    if version() >= (1, 9, 5):
        values["HTML_COLORSTYLE"] = "LIGHT"
        del values["HTML_TIMESTAMP"]

    def written(value):
        return " \\\n  ".join(written(one) for one in value) if isinstance(value, list) else (
            f'"{value}"' if isinstance(value, Path) or " " in str(value) and '"' not in str(value) else str(value))

    return "\n".join(f"{key} = {written(value)}" for key, value in values.items()) + "\n"


def run(site, target, own, sections, finish=lambda html: None):
    """Builds the pages and moves them to `target` when nothing was wrong.
    Raises PageError with the first warnings.

    own       what the two sites differ in: course_settings or api_settings
    sections  of the tree at the side; none for the reference
    finish    is called with the folder of the pages
    """
    html = site.out / "site"
    header(site.out, bool(sections))
    (site.out / "layout.xml").write_text(navigation.layout(sections))
    (site.out / "Doxyfile").write_text(settings(site, html, own))
    done = subprocess.run(["doxygen", str(site.out / "Doxyfile")], capture_output=True, text=True, timeout=300)
    log = site.out / "warnings.txt"
    warnings = list(dict.fromkeys((log.read_text() if log.exists() else "").splitlines()))
    if warnings or done.returncode:
        shown = "\n".join(warnings[:MOST_WARNINGS] or done.stderr.splitlines()[-MOST_WARNINGS:])
        rest = f"\n... and {len(warnings) - MOST_WARNINGS} more in {log}" if len(warnings) > MOST_WARNINGS else ""
        raise PageError(f"doxygen warns ({len(warnings)}):\n{shown.replace(str(site.out / 'reference') + '/', '')}{rest}")
    drop_dead_links(html)
    finish(html)
    other_hosts(html)
    shutil.rmtree(target, ignore_errors=True)
    shutil.move(str(html), str(target))


def drop_dead_links(html):
    """Doxygen announces nested classes at the top of a page also where it lists none below, and takes the words
    file:line for an address."""
    summary = re.compile(r'<a href="#nested-classes">Classes</a>( &#124;\n)?')
    address = re.compile(r'<a href="file:[^"]*">(.*?)</a>')
    for path in html.glob("*.html"):
        text = path.read_text()
        cleaned = address.sub(r"\1", text)
        if 'id="nested-classes"' not in text:
            cleaned = summary.sub("", cleaned)
        if cleaned != text:
            path.write_text(cleaned)


def other_hosts(html):
    """A page that loads anything from another host would not work offline."""
    loads = re.compile(r"""<(?:script|img|iframe|link|source)\b[^>]*?(?:src|href)\s*=\s*["'](?:https?:)?//[^"']*|"""
                       r"""url\(\s*["']?(?:https?:)?//[^)]*|@import\s+["'](?:https?:)?//[^"']*""")
    for path in sorted(html.rglob("*")):
        if path.suffix in (".html", ".css", ".js") and (found := loads.search(path.read_text(errors="replace"))):
            raise PageError(f"{path.name} would load from another host: {found.group(0)[:200]}")

#!/usr/bin/env python3
"""Builds docs/site; ./learn docs calls it with what only programs know.

    docs/pages/build.py --facts FOLDER --work FOLDER [--assets FOLDER] [--instructor]
"""
import argparse
import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.dont_write_bytecode = True
sys.path[:0] = [str(HERE), str(HERE.parent / "results")]

import chapters  # noqa: E402
import code_blocks  # noqa: E402
import counters  # noqa: E402
import diagnoses  # noqa: E402
import doxygen  # noqa: E402
import lookup  # noqa: E402
import markdown  # noqa: E402
import marks  # noqa: E402
import reference  # noqa: E402
import teaching  # noqa: E402
from site_pages import PageError, Site  # noqa: E402

# Pages that are a file of the repository: the file, the page's name.
FRONT = ("README.md", "index")
CONTRIBUTORS = (("docs/ARCHITECTURE.md", "architecture"), ("docs/CONTRIBUTING.md", "contributing"),
                ("docs/results/README.md", "recorded_results"))
GRADING = ("docs/GRADING.md", "grading")
COLAB = ("docs/COLAB.md", "colab")
GLOSSARY = ("docs/glossary.md", "glossary")
WIDGETS = "docs/widgets/pages"


def file_page(site, source, page_id):
    title, _ = markdown.split_title(site.read(source))
    return site.announce(page_id, title or page_id, source)


def write_file_page(site, source):
    page_id = site.places[str(source)]
    _, text = markdown.split_title(site.read(source))
    site.write(page_id, marks.expand(site, text, page_id, markdown.Linker(site, source)), page_id != "index")


def widget_pages(site):
    """Pages that are written in Doxygen's own Markdown, with HTML in them: they go in as they are."""
    pages = []
    for path in sorted((site.root / WIDGETS).glob("*.md")):
        title, text = markdown.split_title(path.read_text())
        pages.append(site.announce(path.stem, title or path.stem, path.relative_to(site.root)))
        site.write(path.stem, text, False)
    return pages


def assets(site):
    """Files that go beside the html: written by hand, and made by other programs."""
    folders = [site.root / "docs/widgets/assets", site.assets]
    found = [path for folder in folders if folder and folder.is_dir() for path in sorted(folder.iterdir()) if path.is_file()]
    return found + [site.root / image for image in sorted(site.images)]


def build(site, target):
    shutil.rmtree(site.out, ignore_errors=True)
    for folder in ("pages", "html", "snippets"):
        (site.out / folder).mkdir(parents=True)
    files = [FRONT, COLAB, GLOSSARY, *CONTRIBUTORS] + [GRADING] * site.instructor
    for source, page_id in files:
        file_page(site, source, page_id)
    chapters.announce(site)
    tables = [diagnoses.announce(site), counters.announce(site), *lookup.announce(site), site.pages[GLOSSARY[1]]]
    widgets = widget_pages(site)
    lessons = teaching.announce(site) + [site.pages[page_id] for _, page_id in files if page_id == GRADING[1]]
    for source, _ in files:
        write_file_page(site, source)
    chapters.write(site)
    diagnoses.write(site)
    counters.write(site)
    lookup.write(site)
    teaching.write(site)
    reference.write(site)
    sections = [("Chapters", [site.pages[chapter["id"]] for chapter in site.fact("course.json")["chapters"]]),
                ("Try it", widgets), ("Teach", lessons), ("Look up", [*tables, site.pages[COLAB[1]]]),
                ("Contribute", [site.pages[page_id] for _, page_id in CONTRIBUTORS])]
    doxygen.run(site, target, sections, assets(site))


def main():
    parser = argparse.ArgumentParser(description="Builds docs/site; ./learn docs calls it.")
    parser.add_argument("--facts", type=Path, required=True, help="what programs wrote: gpus.json, course.json, isa.txt")
    parser.add_argument("--work", type=Path, required=True, help="a folder of its own for the pages, emptied first")
    parser.add_argument("--assets", type=Path, help="files that other programs made for the site")
    parser.add_argument("--instructor", action="store_true", help="with solutions, explanations and teaching notes")
    options = parser.parse_args()
    root = HERE.parent.parent
    site = Site(root, options.facts.resolve(), options.work.resolve(), options.assets, options.instructor)
    try:
        build(site, root / "docs" / "site")
    except (PageError, code_blocks.NotFound) as error:
        print(error, file=sys.stderr)
        return 1
    except subprocess.CalledProcessError as error:
        print(f"{' '.join(map(str, error.cmd))} failed: {error.stderr}", file=sys.stderr)
        return 1
    print(f"{len(site.pages)} pages")
    return 0


if __name__ == "__main__":
    sys.exit(main())

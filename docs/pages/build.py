#!/usr/bin/env python3
"""Builds docs/site, or docs/api; ./learn docs calls it with what only programs know.

    docs/pages/build.py --facts FOLDER --work FOLDER [--assets FOLDER] [--instructor]
    docs/pages/build.py --api --work FOLDER

Lines "progress: WHAT" say how far it is.
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
import finish  # noqa: E402
import landing  # noqa: E402
import lookup  # noqa: E402
import markdown  # noqa: E402
import marks  # noqa: E402
import reading_order  # noqa: E402
import reference  # noqa: E402
import teaching  # noqa: E402
from site_pages import PageError, Site  # noqa: E402

# Pages that are a file of the repository: the file, the page's name.
FRONT = ("README.md", "readme")
CONTRIBUTORS = (("docs/ARCHITECTURE.md", "architecture"), ("docs/CONTRIBUTING.md", "contributing"),
                ("docs/results/README.md", "recorded_results"))
GRADING = ("docs/GRADING.md", "grading")
COLAB = ("docs/COLAB.md", "colab")
GLOSSARY = ("docs/glossary.md", "glossary")
WIDGETS = "docs/widgets/pages"


def file_page(site, source, page_id):
    title, _ = markdown.split_title(site.read(source))
    return site.announce(page_id, "Read me" if page_id == FRONT[1] else title or page_id, source)


def write_file_page(site, source):
    page_id = site.places[str(source)]
    _, text = markdown.split_title(site.read(source))
    site.write(page_id, marks.expand(site, text, page_id, markdown.Linker(site, source)))


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


def empty_folder(site):
    shutil.rmtree(site.out, ignore_errors=True)
    for folder in ("pages", "html", "snippets"):
        (site.out / folder).mkdir(parents=True)


def progress(what):
    print(f"progress: {what}", flush=True)


def build(site, target):
    progress("writing the pages")
    empty_folder(site)
    start = landing.announce(site)
    files = [FRONT, COLAB, GLOSSARY, *CONTRIBUTORS] + [GRADING] * site.instructor
    for source, page_id in files:
        file_page(site, source, page_id)
    chapters.announce(site)
    tables = [diagnoses.announce(site), counters.announce(site), *lookup.announce(site), site.pages[GLOSSARY[1]]]
    widgets = widget_pages(site)
    lessons = teaching.announce(site) + [site.pages[page_id] for _, page_id in files if page_id == GRADING[1]]
    landing.write(site, widgets)
    for source, _ in files:
        write_file_page(site, source)
    chapters.write(site)
    diagnoses.write(site)
    counters.write(site)
    lookup.write(site)
    teaching.write(site)
    course = [site.pages[chapter["id"]] for chapter in site.fact("course.json")["chapters"]]
    order = reading_order.of_course(course, start)
    order.chain([page for page in widgets if page.id.endswith("_steps")])
    for chapter in course:
        for source in chapters.sources(site, chapter.id):
            order.add(site.places[str(source.relative_to(site.root))], "up", chapter.id, chapter.title)
    sections = [("Chapters", course), ("Try it", widgets), ("Teach", lessons),
                ("Look up", [*tables, site.pages[COLAB[1]]]),
                ("About", [site.pages[page_id] for _, page_id in (FRONT, *CONTRIBUTORS)])]
    progress(f"Doxygen reads {len(site.pages)} pages")
    doxygen.run(site, target, doxygen.course_settings(site, assets(site)), sections, lambda html: finish.finish(site, html, order))


def build_api(site, target):
    empty_folder(site)
    reference.write(site)
    reference.write_front(site)
    progress("Doxygen reads the headers of common/")
    doxygen.run(site, target, doxygen.api_settings(site), [])


def main():
    parser = argparse.ArgumentParser(description="Builds docs/site; ./learn docs calls it.")
    parser.add_argument("--api", action="store_true", help="build the reference of common/ instead: docs/api")
    parser.add_argument("--facts", type=Path, default=Path("."), help="what programs wrote: gpus.json, course.json, isa.txt")
    parser.add_argument("--work", type=Path, required=True, help="a folder of its own for the pages, emptied first")
    parser.add_argument("--assets", type=Path, help="files that other programs made for the site")
    parser.add_argument("--instructor", action="store_true", help="with solutions, explanations and teaching notes")
    options = parser.parse_args()
    root = HERE.parent.parent
    site = Site(root, options.facts.resolve(), options.work.resolve(), options.assets, options.instructor)
    try:
        if options.api:
            build_api(site, root / "docs" / "api")
        else:
            build(site, root / "docs" / "site")
    except (PageError, code_blocks.NotFound) as error:
        print(error, file=sys.stderr)
        return 1
    except subprocess.CalledProcessError as error:
        print(f"{' '.join(map(str, error.cmd))} failed: {error.stderr}", file=sys.stderr)
        return 1
    print("the reference of common/" if options.api else f"{len(site.pages)} pages")
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""Notes for instructors, a page a chapter: docs/teaching/chNN.md with its answers folded, and what students get
wrong, from the stored mistakes."""
import re

import markdown
from exercises import page_id
from fill_tables import row
from site_pages import PageError

QUESTION = re.compile(r"^### ([^\n]+)\n(.*?)(?=^##|\Z)", re.MULTILINE | re.DOTALL)
SECTIONS = ("Time", "Questions")  # without which a chapter's notes are not complete


def notes(site, chapter):
    """The file with a chapter's notes, checked."""
    path = f"docs/teaching/{chapter['id'].split('_')[0]}.md"
    if not (site.root / path).exists():
        raise PageError(f"{path} is missing: each chapter has notes for instructors, with sections {' and '.join(SECTIONS)}")
    text = site.read(path)
    if missing := [section for section in SECTIONS if not re.search(rf"^## {section}$", text, re.MULTILINE)]:
        raise PageError(f"{path} has no section {' and none '.join(missing)}")
    return path


def announce(site):
    """The pages; none outside of the instructor's build, where the notes are only checked."""
    pages = []
    if not site.instructor and not (site.root / "docs/teaching").exists():
        return pages  # a course exported without solutions
    for chapter in site.fact("course.json")["chapters"]:
        path = notes(site, chapter)
        if site.instructor:
            title, _ = markdown.split_title(site.read(path))
            pages.append(site.announce(f"teaching_{chapter['id']}", title, path))
    return pages


def write(site):
    if not site.instructor:
        return
    for chapter in site.fact("course.json")["chapters"]:
        path = notes(site, chapter)
        _, text = markdown.split_title(site.read(path))
        name, link = f"teaching_{chapter['id']}", markdown.Linker(site, path)
        head, _, questions = text.partition("\n## Questions\n")
        after = re.search(r"^## ", questions, re.MULTILINE)
        asked, rest = (questions[:after.start()], questions[after.start():]) if after else (questions, "")
        folded = "".join(question(*match.groups(), name, link) for match in QUESTION.finditer(asked))
        site.write(name, f"For @ref {chapter['id']}.\n\n{markdown.to_doxygen(head, name, link)}\n\n## Questions {{#{name}_questions}}\n\n"
                   f"Answers open on a click.\n\n{folded}\n{markdown.to_doxygen(rest, name, link)}\n{mistakes(chapter, name)}")


def question(words, answer, name, link):
    return markdown.folded(words, markdown.to_doxygen(answer.strip(), name, link))


def mistakes(chapter, name):
    """A table for each exercise: every wrong answer that is stored, and how it shows."""
    text = (f"\n## What students get wrong {{#{name}_wrong}}\n\nThe stored wrong answers, each with the check's verdict. "
            "Their code is on the exercises' pages.\n")
    for exercise in chapter["exercises"]:
        text += f"\n### {exercise['name']} {{#{name}_{exercise['name']}}}\n\n@ref {page_id(exercise)}\n\n"
        text += row(["mistake", "what it is", "what the check says"]) + row(["---"] * 3)
        for mistake in exercise["mistakes"]:
            text += row([f"`{mistake['name']}`", markdown.prose(mistake["description"], None), mistake["expectation"]])
    return text

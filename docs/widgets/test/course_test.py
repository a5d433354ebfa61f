"""What a reader of the course does: searches, guesses and compares."""
import re

from order import chapters
from tools import ROOT

QUERY = """(query) => new Promise((done) => { const place = document.querySelector('.site-search'), input = place.querySelector('input');
  input.focus();
  input.value = query;
  input.dispatchEvent(new Event('input', {bubbles: true}));
  place.search.load().then(() => setTimeout(() => done({ said: place.querySelector('[role=status]').textContent,
    open: !place.querySelector('.search-panel').hidden, marked: place.querySelectorAll('mark').length,
    found: [...place.querySelectorAll('a')].map((a) => a.getAttribute('href')) }), 50)); })"""
WIDER = "document.documentElement.scrollWidth - innerWidth"
# Words of a beginner, and the chapter that teaches each, or the first exercise that explains it.
FINDS = {"bank conflict": "ch03", "bank conflicts": "ch03", "coalescing": "ch02", "occupancy": "ch04", "butterfly": "ch05", "__shfl_xor_sync": ("ch05", "ch04_occupancy_03_shared_diet"),
         "fragment mma": "ch06", "illegal address": "ch01"}


def check_search(browser, site):
    """Words lead to the chapter that teaches them; keys alone reach it."""
    browser.open(site / "index.html")
    problems = []
    if browser.evaluate("typeof search_pages") != "undefined":
        problems.append("the index is loaded before anybody searches")
    for query, chapter in FINDS.items():
        seen = browser.evaluate(f"({QUERY})({query!r})")
        if (wider := browser.evaluate(WIDER)) > 0:
            problems.append(f"the search for {query!r} makes the page {wider} pixels too wide")
        if not seen["found"] or not seen["found"][0].startswith(chapter) or not seen["open"] or not seen["marked"]:
            problems.append(f"{query!r} finds {seen['found'][:3]}, not first {chapter}")
    seen = browser.evaluate(f"({QUERY})('qwertzuiop')")
    if seen["found"] or "No page" not in seen["said"]:
        problems.append(f"nonsense finds {seen}")
    browser.evaluate("document.activeElement.blur()")
    browser.press("/", "Slash", "/")
    focus = "document.activeElement.closest('.site-search') ? document.activeElement.tagName : ''"
    if browser.evaluate(focus) != "INPUT" or "/" in browser.evaluate("document.activeElement.value"):
        problems.append("the key / does not lead to the search")
    browser.evaluate(f"({QUERY})('bank conflict')")
    browser.press("ArrowDown")
    if browser.evaluate(focus) != "A":
        problems.append("Down does not lead to what was found")
    browser.press("Escape")
    if browser.evaluate(focus) != "INPUT" or not browser.evaluate("document.querySelector('.search-panel').hidden"):
        problems.append("Escape does not close what was found")
    browser.evaluate(f"({QUERY})('bank conflict')")
    browser.press("Enter", text="\r")
    browser.wait_for("Page.loadEventFired")
    browser.evaluate("new Promise((done) => setTimeout(done, 300))")
    if not browser.evaluate("location.pathname").endswith("ch03_shared_memory_banks.html"):
        problems.append(f"Enter leads to {browser.evaluate('location.pathname')}")
    return problems


BOXES = """(() => [...document.querySelectorAll('.guess')].map((box) => ({ value: box.querySelector('textarea').value,
  disabled: box.querySelector('button').disabled, shown: !box.querySelector('.guess-answer').hidden,
  label: box.querySelector('label').htmlFor === box.querySelector('textarea').id, text: box.querySelector('.guess-answer').textContent })))()"""
TYPE = """(texts) => document.querySelectorAll('.guess textarea').forEach((field, index) => {
  field.value = texts[index] ?? '';
  field.dispatchEvent(new Event('input', {bubbles: true})); })"""
BLOCKED = "Object.defineProperty(window, 'localStorage', { get() { throw new DOMException('blocked', 'SecurityError'); }, configurable: true });"


def compare_all(browser):
    """Types a guess into each box and compares each. @return the boxes."""
    count = len(browser.evaluate(BOXES))
    browser.evaluate(f"({TYPE})({[f'guess {i}' for i in range(count)]})")
    browser.evaluate("document.querySelectorAll('.guess button').forEach((button) => button.click())")
    return browser.evaluate(BOXES)


def too_wide(browser, name):
    """What is wrong with the width of a chapter whose answers are open, as sentences."""
    wider = browser.evaluate(WIDER)
    return [f"{name} with all answers is {wider} pixels too wide"] if wider > 0 else []


def check_predictions(browser, site):
    """Each marked question has a box; a guess opens its answer, and is there the next time."""
    problems = []
    for name in chapters():
        asked = (ROOT / "chapters" / name / "README.md").read_text().count("<!-- question: ")
        browser.open(site / f"{name}.html")
        before = browser.evaluate(BOXES)
        if len(before) != asked or not all(box["disabled"] and not box["shown"] and box["label"] for box in before):
            problems.append(f"{name} asks {asked} questions; its boxes before a guess: {before}")
            continue
        after = compare_all(browser)
        if wrong := [box for i, box in enumerate(after) if not box["shown"] or f"guess {i}" not in box["text"] or len(box["text"]) < 60]:
            problems.append(f"{name}: guessed and compared, yet {wrong[0]}")
        given = browser.evaluate("[...document.querySelectorAll('.guess-shown')].map((one) => one.textContent)")
        if not given or not all("guess" in text for text in given):
            problems.append(f"{name}: the answers show {given}")
        problems += too_wide(browser, name)
        browser.open(site / f"{name}.html")
        if [box["value"] for box in browser.evaluate(BOXES)] != [f"guess {i}" for i in range(asked)]:
            problems.append(f"{name}: the guesses are gone after another visit")
        browser.evaluate("localStorage.clear()")
    return problems


def check_answers_fit(browser, site):
    """With every answer open, no chapter is wider than the screen."""
    problems = []
    for name in chapters():
        browser.open(site / f"{name}.html")
        if not all(box["shown"] for box in compare_all(browser)):
            problems.append(f"{name} was guessed and compared, yet not every answer is open")
        problems += too_wide(browser, name)
        browser.evaluate("localStorage.clear()")
    return problems


def check_one_answer_of_several(browser, site):
    """An answer of three questions opens when all three are guessed."""
    name, problems = "ch05_warp_reduce", []
    names = re.search(r"<!-- answer: (\w+ \w[\w ]*) -->", (ROOT / "chapters" / name / "README.md").read_text())
    if not names:
        return [f"{name} has no answer of several questions: this test needs another chapter"]
    browser.open(site / f"{name}.html")
    browser.evaluate(f"({TYPE})(['4'])")
    box = browser.evaluate(BOXES)[0]
    note = browser.evaluate("document.querySelector('.guess-note').textContent")
    if not box["disabled"] or "2" not in note:
        problems.append(f"one of {names.group(1)} was guessed, and the box says {note!r}")
    browser.evaluate("localStorage.clear()")
    return problems


def check_blocked(browser, site):
    """Where the browser keeps nothing, boxes and the switch for dark work all the same."""
    script = browser.call("Page.addScriptToEvaluateOnNewDocument", source=BLOCKED)["identifier"]
    try:
        browser.open(site / "ch05_warp_reduce.html")
        boxes = compare_all(browser)
        problems = browser.complaints()
        if not boxes or not all(box["shown"] for box in boxes):
            problems.append("without storage the boxes show no answer")
        browser.evaluate("document.querySelector('doxygen-awesome-dark-mode-toggle').click()")
        return problems + browser.complaints()
    finally:
        browser.call("Page.removeScriptToEvaluateOnNewDocument", identifier=script)


REACHED = (".site-search input", "doxygen-awesome-dark-mode-toggle", ".toc a", ".guess textarea", ".guess button", "summary", "doxygen-awesome-fragment-copy-button",
           ".reading-order .previous", ".reading-order .exercise", ".reading-order .next")
FOCUSED = """(names) => { const here = document.activeElement;
  const style = getComputedStyle(here);
  return { found: names.filter((name) => here.matches(name)), shown: style.outlineStyle !== 'none' || style.boxShadow !== 'none', where: here.outerHTML.slice(0, 80) }; }"""


def check_tab(browser, site):
    """The key Tab alone reaches everything that can be used on a chapter's page, and shows where it is."""
    browser.open(site / "ch05_warp_reduce.html")
    compare_all(browser)
    browser.evaluate("document.activeElement.blur()")
    seen, problems = set(), []
    for _ in range(400):
        browser.press("Tab")
        at = browser.evaluate(f"({FOCUSED})({list(REACHED)})")
        seen |= set(at["found"])
        if at["found"] and not at["shown"]:
            problems.append(f"the focus is not to be seen at {at['where']}")
        if len(seen) == len(REACHED):
            break
    browser.evaluate("localStorage.clear()")
    return problems + [f"Tab does not reach {name}" for name in REACHED if name not in seen]

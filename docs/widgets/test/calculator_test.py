"""The calculator in the page against the same code run natively, for random kernels."""
import json
import random
import subprocess
from pathlib import Path

import calculator
from tools import run

KERNELS = 200
FIELDS = ("gpu", "registers", "threads", "fixed", "dynamic", "grid")
# Fills the form as a person would and reads what the page then says.
ASK = """(kernels) => { const page = document.querySelector('.occupancy-calculator');
  return kernels.map((kernel) => {
    for (const [name, value] of Object.entries(kernel)) {
      const field = document.getElementById('calculator-' + name);
      field.value = String(value);
      field.dispatchEvent(new Event('input', {bubbles: true}));
    }
    const said = (name) => page.querySelector(name).textContent;
    const here = page.querySelector('.calculator-chart circle');
    return { text: said('.calculator-text'), headline: said('.calculator-headline'),
             limits: [...page.querySelectorAll('.calculator-limits li')].map((one) => [one.querySelector('b').textContent,
               one.querySelector('.limit-words').textContent, one.querySelector('.limit-fill').style.width, one.className]),
             problems: [...page.querySelectorAll('.calculator-problem')].map((one) => one.textContent).filter(Boolean).length,
             cliffs: [...page.querySelectorAll('.calculator-cliffs li')].map((one) => one.textContent), charts: here !== null };
  }); }"""


def native_program(folder):
    """Compiles the native side. @return its path."""
    program = folder / "occupancy_answers"
    run(["c++", "-std=c++20", "-O1", *calculator.include_flags(), "-o", program, calculator.SOURCE / "answer.cpp",
         calculator.SOURCE / "native_main.cpp", *calculator.library()], 300)
    return program


def random_kernels(gpus):
    """Kernels as people have them, and some that no GPU can run; the same ones every time."""
    draw = random.Random(6)
    return [{"gpu": draw.randrange(gpus), "registers": draw.choice([draw.randint(0, 255), draw.randint(16, 64), 300]),
             "threads": draw.choice([32 * draw.randint(1, 32), draw.randint(0, 1024), 1500]),
             "fixed": draw.choice([0, draw.randint(0, 49152)]), "dynamic": draw.choice([0, draw.randint(0, 232448), draw.randint(0, 40000)]),
             "grid": draw.choice([0, draw.randint(1, 100000)])} for _ in range(KERNELS)]


def expected_headline(answer):
    if not answer["fits"]:
        return "Not one block fits: the launch fails. The derivation says why."
    blocks = f"{answer['blocks']} block{'' if answer['blocks'] == 1 else 's'}"
    return (f"{blocks} per SM, {answer['warps']} of {answer['of']} warps: occupancy {answer['percent']}. "
            f"Limiter: {', '.join(answer['limiters'])}.")


def limits_differ(answer, page, slots):
    """What is wrong with the four bars, as a sentence; None where nothing is."""
    if [name for name, *_ in page["limits"]] != [limit["name"] for limit in answer["limits"]] or len(page["limits"]) != 4:
        return f"the bars are {page['limits']}"
    for (name, words, width, kind), limit in zip(page["limits"], answer["limits"]):
        share = 100 * min(slots if limit["blocks"] is None else limit["blocks"], slots) / slots
        wanted = "no limit" if limit["blocks"] is None else f"{limit['blocks']} block"
        if not words.startswith(wanted) or abs(float(width.rstrip("%")) - share) > 0.01 or ("limiter" in kind) != (name in answer["limiters"]):
            return f"the bar of {name} says {words!r}, is {width} wide and is called {kind!r}; the program has {limit}"
    return None


def check(browser, site, folder):
    """Sentences about kernels for which page and program disagree."""
    browser.open(site / "occupancy_calculator.html")
    gpus = browser.evaluate("document.getElementById('calculator-gpu').options.length")
    kernels = random_kernels(gpus)
    lines = "\n".join(" ".join(str(kernel[name]) for name in FIELDS) for kernel in kernels)
    native = subprocess.run([native_program(Path(folder))], input=lines, capture_output=True, text=True, timeout=60, check=True)
    answers = [json.loads(line) for line in native.stdout.splitlines()]
    said = browser.evaluate(f"({ASK})({json.dumps(kernels)})")
    problems = [] if len(answers) == KERNELS == len(said) else [f"{len(answers)} native answers, {len(said)} of the page"]
    for kernel, answer, page in zip(kernels, answers, said):
        if page["text"] != answer["text"] or page["cliffs"] != answer["cliffs"] or page["headline"] != expected_headline(answer):
            problems.append(f"{kernel}: the page says {page['headline']!r}, the program {expected_headline(answer)!r}")
        slots = browser.evaluate(f"document.querySelector('.occupancy-calculator').calculator.module.gpus[{kernel['gpu']}].blocks")
        if differ := limits_differ(answer, page, slots):
            problems.append(f"{kernel}: {differ}")
        if not answer["fits"] and not page["problems"]:
            problems.append(f"{kernel} does not fit, and no field says why")
    if all(answer["fits"] for answer in answers) or not any(answer["fits"] for answer in answers):
        problems.append("the kernels are all alike: some should fit and some should not")
    return problems


def check_slider(browser, site):
    """A chart's slider moves the kernel, from the keyboard too."""
    browser.open(site / "occupancy_calculator.html")
    browser.evaluate("document.querySelectorAll('.calculator-chart input')[1].focus()")
    before = browser.evaluate("Number(document.getElementById('calculator-registers').value)")
    browser.press("ArrowRight")
    after = browser.evaluate("Number(document.getElementById('calculator-registers').value)")
    text = browser.evaluate("document.querySelector('.calculator-text').textContent")
    if after != before + 1 or f"{after} registers" not in text:
        return [f"the key Right on the chart of registers gave {after} registers after {before}: {text.splitlines()[0]}"]
    return []


SET = """(name, value) => { const field = document.getElementById('calculator-' + name);
  field.value = value;
  field.dispatchEvent(new Event('input', {bubbles: true}));
  return document.getElementById(`calculator-${name}-problem`)?.textContent ?? ''; }"""
BAD = (("registers", "300", "at most 255"), ("registers", "", "missing"), ("threads", "2.5", "whole number"), ("threads", "-3", "less than zero"),
       ("threads", "0", "at least one"), ("threads", "1500", "at most 1024"), ("fixed", "50000", "49152"), ("dynamic", "999999", "at most 232448"))


def check_state(browser, site):
    """The address keeps the kernel, and each bad number is named at its field."""
    problems = []
    page = site / "occupancy_calculator.html"
    browser.open(page)
    if browser.evaluate("location.search") != "":
        problems.append("the address has a state before anybody changed one")
    for name, value, words in BAD:
        good = browser.evaluate(f"document.getElementById('calculator-{name}').value")
        said = browser.evaluate(f"({SET})({name!r}, {value!r})")
        invalid = browser.evaluate(f"document.getElementById('calculator-{name}').getAttribute('aria-invalid')")
        if words not in said or invalid != "true":
            problems.append(f"{name} {value!r}: the page says {said!r}")
        if said := browser.evaluate(f"({SET})({name!r}, {good!r})"):
            problems.append(f"{name} {good!r} is good, and the page says {said!r}")
    browser.evaluate(f"({SET})('threads', '192')")
    browser.evaluate(f"({SET})('dynamic', '1000')")
    browser.evaluate("(() => { const gpu = document.getElementById('calculator-gpu'); gpu.value = '0'; gpu.dispatchEvent(new Event('input', {bubbles: true})); })()")
    address = browser.evaluate("location.search")
    headline = "document.querySelector('.calculator-headline').textContent"
    before = browser.evaluate(headline)
    browser.open(page)
    if browser.evaluate(headline) == before:
        problems.append("the first kernel and the changed one have the same headline: this test needs another")
    browser.open(page, address)
    after = browser.evaluate(headline)
    if "threads=192" not in address or after != before:
        problems.append(f"{address} shows {after!r}, not {before!r}")
    browser.open(page, "?gpu=nonsense&threads=abc&x=1")
    if browser.complaints() or not browser.evaluate("document.getElementById('calculator-threads-problem').textContent"):
        problems.append(f"a bad address: {browser.complaints()}")
    return problems

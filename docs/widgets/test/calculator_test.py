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

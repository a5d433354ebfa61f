"""Screenshots for a person to look at, and whether dark is dark."""
import re
import shutil

from browser import Browser, BrowserError
from loading import GENERATED

WIDE, NARROW = (1280, 1000), (390, 844)
# Pages that people read from top to bottom; sources and the reference look alike.
READ = re.compile(r"^(index|architecture|contributing|recorded_results|occupancy_calculator|readme|ch\d\d_[a-z_]+)\.html$")
BOTH_THEMES = ("index.html", "occupancy_calculator.html", "ch05_warp_reduce.html", "ch05_warp_reduce_steps.html", "ch03_shared_memory_banks_steps.html")
LEAST_CONTRAST = 4.5
TEXTS = ("p", "a.el", "h1", ".title", "code", ".fragment .cuda", ".fragment .comment", ".fragment .keyword", ".fragment .keywordtype", ".fragment .keywordflow", ".guess label", ".reading-order a", ".reading-order span", ".chapters small", "a.begin",
         ".ptx", ".ptx-source", ".marks-legend", ".limit-words", ".lane-value", ".steps-words", ".steps-source [data-line]", ".calculator-text", ".calculator-headline", "figcaption")
# The contrast of each kind of text with what is behind it, as WCAG defines it.
CONTRAST = """(names) => {
  const parse = (colour) => { const numbers = colour.match(/[\\d.]+/g).map(Number);
    return colour.startsWith('color(') ? [...numbers.slice(0, 3).map((one) => one * 255), numbers[3] ?? 1] : [...numbers.slice(0, 3), numbers[3] ?? 1]; };
  const over = (front, back) => [0, 1, 2].map((i) => front[i] * front[3] + back[i] * (1 - front[3]));
  const behind = (element) => { const layers = [];
    for (let at = element; at; at = at.parentElement) layers.unshift(parse(getComputedStyle(at).backgroundColor));
    return layers.reduce((back, front) => over(front, back), [255, 255, 255]); };
  const light = (colour) => { const [r, g, b] = colour.map((one) => (one / 255 <= 0.03928 ? one / 255 / 12.92 : ((one / 255 + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
  const found = { page: light(behind(document.querySelector('#doc-content') ?? document.body)) };
  for (const name of names) { const element = document.querySelector('#doc-content ' + name);
    if (!element) continue;
    const back = behind(element), front = over(parse(getComputedStyle(element).color), back);
    const [a, b] = [light(front), light(back)].sort((x, y) => y - x);
    found[name] = (a + 0.05) / (b + 0.05); }
  return found; }"""


def fresh(folder):
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    return folder


def is_read(page):
    return bool(READ.match(page.name) and not GENERATED.search(page.name))


def take(browser, pages, folder):
    """Two widths of each page in light colours, both themes of a few. Steppers stand at a step worth looking at."""
    for page in pages:
        for scheme in ("light", "dark") if page.name in BOTH_THEMES else ("light",):
            browser.colours(scheme)
            for size in (WIDE, NARROW):
                browser.size(*size)
                browser.open(page)
                browser.evaluate(INTERESTING)
                browser.screenshot(folder / f"{page.stem}_{size[0]}_{scheme}.png")
    browser.colours("light")


# To the access or shuffle that costs or moves most, and in sight.
INTERESTING = """(() => { const page = document.querySelector('.warp-steps, .occupancy-calculator');
  if (!page) return;
  const steps = page.stepper?.trace.steps ?? [];
  const worth = steps.map((step) => (step.from ? 100 : 0) + step.accesses.reduce((sum, one) => sum + (one.wavefronts ?? one.sectors), 0));
  if (steps.length) page.stepper.go(worth.indexOf(Math.max(...worth)));
  page.scrollIntoView();
  return new Promise((done) => setTimeout(done, steps.length ? 700 : 50)); })()"""


def check_dark(site):
    """Sentences about pages that stay bright in the dark, or whose text fades into it, in either theme."""
    problems = []
    browser = Browser()
    try:
        browser.size(*WIDE)
        for scheme in ("light", "dark"):
            browser.colours(scheme)
            for name in BOTH_THEMES:
                browser.open(site / name)
                found = browser.evaluate(f"({CONTRAST})({list(TEXTS)})")
                page = found.pop("page")
                if (page < 0.2) != (scheme == "dark"):
                    problems.append(f"{name} in {scheme}: the page's own brightness is {page:.2f}")
                problems += [f"{name} in {scheme}: {text} has a contrast of {value:.1f}, less than {LEAST_CONTRAST}"
                             for text, value in found.items() if value < LEAST_CONTRAST]
    except BrowserError as error:
        problems.append(str(error))
    finally:
        browser.close()
    return problems

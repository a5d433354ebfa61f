"""The stepper against the trace it shows, and its keys."""
import json

LANES = range(32)
STATE = """(() => { const page = document.querySelector('.warp-steps'), all = (name) => [...page.querySelectorAll(name)];
  return { number: page.querySelector('.steps-number').textContent, text: page.querySelector('.steps-text').textContent,
    words: page.querySelector('.steps-words').textContent, totals: page.querySelector('.steps-totals').textContent,
    line: page.querySelector('.steps-source [aria-current]')?.dataset.line ?? null,
    file: page.querySelector('.steps-file').textContent,
    lanes: all('.lane').map((lane) => lane.className.replace('lane ', '')), titles: all('.lane').map((lane) => lane.title),
    values: all('.lane-value').map((value) => value.textContent),
    ptx: page.querySelector('.ptx[aria-current]')?.textContent ?? null,
    above: (() => { let at = page.querySelector('.ptx[aria-current]');
      while (at && !at.classList.contains('ptx-source')) at = at.previousElementSibling;
      return at?.textContent ?? null; })(),
    here: Number(page.querySelector('.marks-strip .here').getAttribute('x')),
    arrows: all('.lane-arrows > path').length,
    sectors: all('figure.memory').map((figure) => figure.querySelectorAll('.sector.touched').length),
    banks: all('figure.memory').map((figure) => Math.max(0, ...[...figure.querySelectorAll('.bank')].map((bank) => bank.children.length))) };
})()"""


def has(mask, lane):
    return mask >> lane & 1


def read_trace(site, name):
    """The data of a trace's script."""
    text = (site / f"trace_{name}.js").read_text()
    return json.loads(text[text.index("] = ") + 4:text.rindex(";")])


class Replay:
    """The trace, step by step, written down again in another language than the page's."""

    def __init__(self, trace):
        self.trace, self.steps, live, active = trace, [], 0, 0
        for step in trace["steps"]:
            live, active = step.get("live", live), step.get("active", active)
            self.steps.append({**step, "live": live, "active": active, "mask": step.get("mask", active), "code": trace["lines"][step["line"]]})

    def state(self, lane, step):
        return ("executes" if has(step["mask"], lane) else "guarded" if has(step["active"], lane) else
                "elsewhere" if has(step["live"], lane) else "gone")

    def totals(self, count):
        accesses = [access for step in self.steps[:count] for access in step.get("accesses", [])]
        return [count, sum(a.get("sectors", 0) for a in accesses), sum(a.get("wavefronts", 0) for a in accesses),
                sum(a.get("wavefronts", 0) - a.get("ideal", 0) for a in accesses)]


def value_text(value, one, trace):
    """As the page shows it; None where the page's way to shorten is its own business."""
    if one["type"] == "pred":
        return "true" if value else "false"
    if isinstance(value, int) and not one["type"].startswith(("f", "bf")):
        return str(value) if value < 2**32 else None
    return None


def compare(replay, index, seen):
    """Sentences about what the page shows otherwise than the trace has it."""
    step, problems = replay.steps[index], []

    def same(what, shown, wanted):
        if shown != wanted:
            problems.append(f"step {index + 1}, {what}: the page shows {shown!r}, the trace has {wanted!r}")

    same("number", seen["number"], f"{index + 1} / {len(replay.steps)}")
    same("instruction", seen["text"], step["code"]["text"])
    same("PTX in the listing", seen["ptx"], step["code"]["text"])
    same("source above the PTX", seen["above"], source_of(replay.trace, step["code"]))
    same("place on the strip", seen["here"], index)
    same("file", seen["file"], replay.trace["sources"][step["code"]["file"]]["file"])
    same("line", seen["line"], str(step["code"]["line"]))
    same("lanes", seen["lanes"], [replay.state(lane, step) for lane in LANES])
    same("totals", [int(word) for word in seen["totals"].split() if word.isdigit()], replay.totals(index + 1))
    accesses = step.get("accesses", [])
    spaces = [replay.trace["arrays"][access["array"]]["space"] for access in accesses]
    same("sectors", [n for n, space in zip(seen["sectors"], spaces) if space == "global"],
         [access["sectors"] for access in accesses if "sectors" in access])
    # A wider access goes in several parts, which a bank's words do not show.
    same("wavefronts", [n for n, space, access in zip(seen["banks"], spaces, accesses) if space == "shared" and access["bytes"] == 4],
         [access["wavefronts"] for access in accesses if "wavefronts" in access and access["bytes"] == 4])
    moved = step.get("from")
    same("arrows", seen["arrows"], sum(1 for lane in LANES if moved and has(step["mask"], lane) and moved[lane if len(moved) > 1 else 0] != lane))
    shown = (step.get("to") or step.get("values") or [None])[0]
    if shown:
        for lane in LANES:
            value = shown["lanes"][lane if len(shown["lanes"]) > 1 else 0] if has(step["mask"], lane) else None
            wanted = "" if value is None else value_text(value, shown, replay.trace)
            if wanted is not None:
                same(f"value of lane {lane}", seen["values"][lane], wanted)
            elif isinstance(value, float) and abs(float(seen["values"][lane]) - value) > 1e-3 * abs(value):
                same(f"value of lane {lane}", seen["values"][lane], value)
    return problems


def source_of(trace, code):
    """The number and the text of the line that an instruction comes from."""
    source = trace["sources"][code["file"]]
    at = code["line"] - source["first"]
    return f"{code['line']}{source['lines'][at].strip() if 0 <= at < len(source['lines']) else ''}"


def is_special(step):
    """Whether lanes meet memory, each other, or different ways."""
    return bool(step.get("accesses") or step.get("from") or step["code"]["op"] in ("bar", "barrier", "vote", "mma", "wmma", "ret", "exit")
                or step["code"]["op"] == "bra" and step["mask"] not in (0, step["active"]))


def check_steps(browser, site, name):
    """Every step of a trace, reached by the button."""
    replay, problems = Replay(read_trace(site, name)), []
    browser.open(site / f"{name}_steps.html")
    first = next((index for index, step in enumerate(replay.steps) if step.get("accesses")), 0)
    problems += compare(replay, first, browser.evaluate(STATE))
    marked = browser.evaluate("[...document.querySelectorAll('.marks-strip .mark')].map((mark) => Number(mark.dataset.step))")
    if marked != [index for index, step in enumerate(replay.steps) if is_special(step)]:
        problems.append(f"marked are the steps {marked}")
    browser.evaluate("document.querySelector('[data-action=first]').click()")
    for index in range(len(replay.steps)):
        seen = browser.evaluate(STATE)
        problems += compare(replay, index, seen)
        if not seen["words"].endswith("."):
            problems.append(f"step {index + 1} has no sentence: {seen['words']!r}")
        browser.evaluate("document.querySelector('[data-action=next]').click()")
    last = browser.evaluate(STATE)
    if last["number"] != f"{len(replay.steps)} / {len(replay.steps)}":
        problems.append(f"after the last step the page shows {last['number']}")
    return problems[:8]


def check_keys(browser, site, name):
    """Keys alone reach the stepper and move it; playing moves by itself."""
    replay, problems = Replay(read_trace(site, name)), []
    browser.open(site / f"{name}_steps.html")
    number = lambda: int(browser.evaluate("document.querySelector('.steps-number').textContent.split('/')[0]"))
    for _ in range(200):
        browser.press("Tab")
        if browser.evaluate("document.activeElement.dataset.action ?? ''") == "first":
            break
    else:
        return ["Tab does not reach the buttons"]
    outline = browser.evaluate("getComputedStyle(document.activeElement).outlineStyle")
    if outline == "none":
        problems.append("the button that has the focus does not show it")
    count = len(replay.steps)
    browser.press("Home")
    for key, wanted in (("ArrowRight", 2), ("ArrowRight", 3), ("ArrowLeft", 2), ("End", count), ("ArrowRight", count), ("Home", 1), ("ArrowLeft", 1)):
        browser.press(key)
        if number() != wanted:
            problems.append(f"{key} leads to step {number()}, not {wanted}")
    browser.press("n", "KeyN")
    key_step = number()
    step = replay.steps[key_step - 1]
    if not is_special(step):
        problems.append(f"N leads to step {key_step}, {step['code']['text']!r}, which is nothing special")
    browser.press("n", "KeyN")
    browser.press("b", "KeyB")
    if number() != key_step:
        problems.append(f"B leads to step {number()}, not back to {key_step}")
    browser.press("Home")
    browser.press("p", "KeyP")
    browser.evaluate("new Promise((done) => setTimeout(done, 2300))")
    browser.press("p", "KeyP")
    played = number()
    if not 2 <= played <= 4:
        problems.append(f"after 2.3 s of playing the page shows step {played}")
    browser.evaluate("new Promise((done) => setTimeout(done, 1100))")
    if number() != played:
        problems.append("P does not stop playing")
    return problems


def check_keys_at_once(browser, site, name):
    """Keys move the stepper without a click before, and write where a reader writes."""
    browser.open(site / f"{name}_steps.html")
    number, problems = lambda: int(browser.evaluate("document.querySelector('.steps-number').textContent.split('/')[0]")), []
    start = number()
    browser.press("ArrowRight")
    browser.press("ArrowRight")
    browser.press("ArrowLeft")
    if number() != start + 1:
        problems.append(f"from step {start} the keys Right, Right, Left lead to {number()}")
    browser.press("n", "KeyN", "n")
    after = number()
    if after <= start + 1:
        problems.append(f"N leads to step {after}")
    browser.press("End")
    if number() != after:
        problems.append("End moves the stepper, though it is the page that should scroll")
    browser.press("/", "Slash", "/")
    browser.press("n", "KeyN", "n")
    browser.press("ArrowLeft")
    if number() != after or browser.evaluate("document.activeElement.value") != "n":
        problems.append("keys that are written into the search move the stepper")
    browser.evaluate("document.activeElement.blur()")
    browser.evaluate("""(() => { const strip = document.querySelector('.marks-strip'), box = strip.getBoundingClientRect();
      strip.dispatchEvent(new MouseEvent('click', {bubbles: true, clientX: box.left + 1, clientY: box.top + 3})); })()""")
    if number() >= start:
        problems.append(f"a click at the beginning of the strip leads to step {number()}")
    return problems

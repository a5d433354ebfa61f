#!/usr/bin/env python3
"""Tests docs/site, which ./learn docs has built, in a Chromium without a window; ends with "N passed, N failed".

    docs/widgets/test/run.py [--all] [--screenshots]
    docs/widgets/test/run.py --api [--all]              # docs/api: its links, and that its pages load
"""
import argparse
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.dont_write_bytecode = True
sys.path[:0] = [str(HERE), str(HERE.parent)]

import calculator_test  # noqa: E402
import course_test  # noqa: E402
import links  # noqa: E402
import loading  # noqa: E402
import order  # noqa: E402
import pictures  # noqa: E402
import stepper_test  # noqa: E402
import traces  # noqa: E402
from browser import Browser, BrowserError  # noqa: E402
from tools import ROOT, AssetError  # noqa: E402

MOST_SHOWN = 12


class Results:
    """Counts what held and prints what did not."""

    def __init__(self):
        self.passed = self.failed = 0

    def add(self, name, problems):
        """One check, or many of a kind: `problems` is what was found wrong."""
        if problems:
            self.failed += 1
            print(f"FAILED {name}")
            for text in problems[:MOST_SHOWN]:
                print(f"  {text}")
            if len(problems) > MOST_SHOWN:
                print(f"  ... and {len(problems) - MOST_SHOWN} more")
        else:
            self.passed += 1


def widgets(site):
    """The checks of the interactive pages, in a browser of their own. @return (name, problems) of each."""
    results = []
    browser = Browser()
    try:
        browser.size(1280, 900)
        browser.colours("light")
        checks = [(f"{name} steps as its trace does", stepper_test.check_steps, name) for name in traces.wanted()]
        checks += [("the stepper obeys keys", stepper_test.check_keys, "ch05_warp_reduce"),
                   ("the stepper obeys keys without a click", stepper_test.check_keys_at_once, "ch05_warp_reduce")]
        for name, check, trace in checks:
            results.append((name, attempted(check, browser, site, trace)))
        for name, check in (("words are found", course_test.check_search), ("guesses are kept and compared", course_test.check_predictions),
                            ("one answer of several questions", course_test.check_one_answer_of_several),
                            ("guesses without storage", course_test.check_blocked), ("Tab reaches everything", course_test.check_tab)):
            results.append((name, attempted(check, browser, site)))
        browser.size(loading.NARROW, loading.HEIGHT)
        results.append(("words are found on a telephone", attempted(course_test.check_search, browser, site)))
        results.append(("answers fit on a telephone", attempted(course_test.check_answers_fit, browser, site)))
        browser.size(1280, 900)
        with tempfile.TemporaryDirectory() as folder:
            results.append((f"calculator and program agree on {calculator_test.KERNELS} kernels", attempted(calculator_test.check, browser, site, folder)))
        results.append(("the calculator's address keeps its state", attempted(calculator_test.check_state, browser, site)))
        results.append(("a chart's slider obeys keys", attempted(calculator_test.check_slider, browser, site)))
    finally:
        browser.close()
    return results


def attempted(check, *arguments):
    try:
        return check(*arguments)
    except (BrowserError, AssetError) as error:
        return [str(error)]


def load(pages, folder):
    """Loads pages in a browser of their own; where there is a folder, screenshots of those that people read.
    @return problems by page."""
    browser = Browser()
    try:
        browser.size(loading.NARROW, loading.HEIGHT)
        browser.colours("light")
        found = [(page, loading.problems_of(browser, page)) for page in pages]
        if folder:
            pictures.take(browser, [page for page in pages if pictures.is_read(page)], folder)
        return found
    finally:
        browser.close()


def main():
    parser = argparse.ArgumentParser(description="Tests docs/site in a Chromium without a window.")
    parser.add_argument("--all", action="store_true", help=f"load every generated page, not one in {loading.ONE_IN}")
    parser.add_argument("--screenshots", action="store_true", help="leave screenshots for a person to look at in build/site_screenshots")
    parser.add_argument("--api", action="store_true", help="test docs/api instead, the reference of common/")
    options = parser.parse_args()
    site = ROOT / ("docs/api" if options.api else "docs/site")
    if not (site / "index.html").exists():
        print(f"{site.relative_to(ROOT)} is missing: ./learn docs{' --api' * options.api} builds it", file=sys.stderr)
        return 3
    start = time.monotonic()
    results = Results()
    broken, links_seen = links.check(site)
    results.add("links and anchors lead somewhere", broken)
    pages = loading.pages_of(site, options.all)
    if not options.api:
        results.add("pages lead to the next", order.check(site))
    folder = pictures.fresh(ROOT / "build" / f"{site.name}_screenshots") if options.screenshots else None
    with ThreadPoolExecutor(3) as pool:
        jobs = [pool.submit(load, pages[part::2], folder) for part in range(2)]
        special = None if options.api else pool.submit(widgets, site)
        for job in jobs:
            for page, problems in job.result():
                results.add(page.name, problems)
        for name, problems in special.result() if special else []:
            results.add(name, problems)
    if not options.api:
        results.add("dark pages are dark, and their text can be read", pictures.check_dark(site))
    print(f"{len(pages)} pages, {links_seen} links{f', screenshots in {folder}' if folder else ''}, {time.monotonic() - start:.0f} s")
    print(f"{results.passed} passed, {results.failed} failed")
    return 1 if results.failed else 0


if __name__ == "__main__":
    sys.exit(main())

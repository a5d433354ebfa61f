"""Every page in the browser: it loads without complaint, asks no other host, and fits on a telephone."""
import re
import zlib

from browser import BrowserError

NARROW, HEIGHT = 390, 844
# Pages of one template: Doxygen's of each class and header, and listings. Of these one in a few is loaded, always the
# same ones.
GENERATED = re.compile(r"^(class|struct|union|namespace|dir_|functions|globals|.*_8h)|(-members|_(cu|cuh|h|cpp|py))\.html$")
ONE_IN = 32
# Once the page's own scripts have laid it out, with everything open that opens.
WIDTHS = """new Promise((done) => { document.querySelectorAll('details').forEach((part) => { part.open = true; });
  requestAnimationFrame(() => requestAnimationFrame(() => {
  const inside = document.querySelector('#doc-content');
  done([document.documentElement.scrollWidth - innerWidth, inside ? inside.scrollWidth - inside.clientWidth : 0]); })); })"""


def pages_of(site, all_pages):
    """The pages to load: all that somebody wrote, and a part of the generated reference."""
    pages = sorted(site.glob("*.html"))
    return [page for page in pages if all_pages or not GENERATED.search(page.name) or zlib.crc32(page.name.encode()) % ONE_IN == 0]


def problems_of(browser, page):
    """What is wrong with a page, as sentences."""
    try:
        browser.open(page)
        outside, inside = browser.evaluate(WIDTHS)
    except BrowserError as error:
        return [f"{page.name}: {error}"]
    found = [f"{page.name} complains: {text}" for text in browser.complaints()]
    home = page.parent.as_uri() + "/"
    found += [f"{page.name} asks for {url}" for url in browser.requests() if not url.startswith((home, "data:", "blob:", "about:"))]
    if max(outside, inside) > 0:
        found.append(f"{page.name} is {max(outside, inside)} pixels wider than a screen of {NARROW}")
    return found

// The search over the text of all pages. The index (search_index.js) is loaded when a reader begins to search.
"use strict";

const SEARCH_MOST = 12, SNIPPET = 150;
// Which kind of page comes first when the words fit equally well.
const KIND_WEIGHT = { chapter: 3, glossary: 2.5, exercise: 1.6, page: 1, source: 0.4 };

/** The words of a query, each without the s of its plural. */
const search_words = (query) => query.toLowerCase().split(/\s+/).filter(Boolean).map((word) => (word.length > 3 ? word.replace(/s$/, "") : word));

function count_of(text, part) {
  let count = 0;
  for (let at = text.indexOf(part); at >= 0 && count < 5; at = text.indexOf(part, at + part.length)) ++count;
  return count;
}

/** How well a section fits; 0: not at all, because a word is in neither its text nor its headings. */
function section_score(words, title, [, heading, text]) {
  const head = heading.toLowerCase(), body = text.toLowerCase(), all = `${title.toLowerCase()} ${head} ${body}`;
  if (!words.every((word) => all.includes(word))) return 0;
  const phrase = words.join(" "), plural = words.join("s ");
  const phrases = words.length > 1 ? count_of(body, phrase) + (plural === phrase ? 0 : count_of(body, plural)) : 0;
  const in_heading = words.filter((word) => head.includes(word)).length / words.length;
  return 1 + 2 * phrases + words.reduce((sum, word) => sum + 0.4 * count_of(body, word), 0) + 8 * in_heading;
}

/** The pages that fit, best first: {page, title, anchor, heading, text, score}. */
function search_site(query, pages) {
  const words = search_words(query);
  if (!words.length) return [];
  const found = [];
  for (const { page, title, kind, sections } of pages) {
    const scored = sections.map((section) => [section_score(words, title, section), section]).filter(([score]) => score > 0);
    if (!scored.length) continue;
    scored.sort((a, b) => b[0] - a[0]);
    const in_title = words.every((word) => title.toLowerCase().includes(word)) ? 20 : 0;
    const [anchor, heading, text] = scored[0][1];
    // A page is as good as its best sections.
    const score = (in_title + scored.slice(0, 4).reduce((sum, [one]) => sum + one, 0)) * (KIND_WEIGHT[kind] ?? 1);
    found.push({ page, title, anchor, heading, text, score });
  }
  return found.sort((a, b) => b.score - a.score).slice(0, SEARCH_MOST);
}

/** A piece of a text around the first of the words, as nodes with the words marked. */
function snippet(text, words) {
  const low = text.toLowerCase();
  const places = words.map((word) => low.indexOf(word)).filter((place) => place >= 0);
  const phrase = low.indexOf(words.join(" "));
  const centre = phrase >= 0 ? phrase : Math.min(...places, text.length);
  const begin = Math.max(0, text.lastIndexOf(" ", Math.max(0, centre - SNIPPET / 3)));
  const part = text.slice(begin, begin + SNIPPET);
  const escaped = words.map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  const pieces = part.split(new RegExp(`(${escaped.join("|")})`, "gi"));
  const nodes = pieces.map((piece, index) => (index % 2 ? Object.assign(document.createElement("mark"), { textContent: piece }) : piece));
  return [begin > 0 ? "… " : "", ...nodes, begin + SNIPPET < text.length ? " …" : ""];
}

class SiteSearch {
  constructor(place) {
    this.input = place.querySelector("input");
    this.list = place.querySelector("ol");
    this.said = place.querySelector("[role=status]");
    this.panel = place.querySelector(".search-panel");
    this.input.addEventListener("focus", () => this.load());
    this.input.addEventListener("input", () => this.show());
    place.addEventListener("keydown", (event) => this.key(event));
    document.addEventListener("keydown", (event) => this.shortcut(event));
    document.addEventListener("click", (event) => place.contains(event.target) || this.close());
    place.addEventListener("focusout", (event) => event.relatedTarget && !place.contains(event.relatedTarget) && this.close());
  }

  load() {
    this.loading ??= new Promise((done) => {
      const script = document.createElement("script");
      script.src = "search_index.js";
      script.addEventListener("load", done);
      script.addEventListener("error", done);
      document.head.append(script);
    });
    return this.loading;
  }

  async show() {
    await this.load();
    const query = this.input.value.trim();
    if (!query) return this.close();
    if (typeof search_pages === "undefined") {
      this.list.replaceChildren();
      this.said.textContent = "search_index.js is missing: ./learn docs makes it.";
      this.panel.hidden = false;
      return;
    }
    const words = search_words(query), found = search_site(query, search_pages);
    this.said.textContent = found.length ? `${found.length === SEARCH_MOST ? "The best " : ""}${found.length} page${found.length === 1 ? "" : "s"}` : `No page has “${query}”.`;
    this.list.replaceChildren(...found.map((one) => this.item(one, words)));
    this.panel.hidden = false;
  }

  item(one, words) {
    const link = document.createElement("a"), title = document.createElement("b"), text = document.createElement("span");
    link.href = one.page + (one.anchor ? `#${one.anchor}` : "");
    link.addEventListener("click", () => this.close());
    title.textContent = one.title + (one.heading && one.heading !== one.title ? ` › ${one.heading}` : "");
    text.append(...snippet(one.text, words));
    link.append(title, text);
    const made = document.createElement("li");
    made.append(link);
    return made;
  }

  close() {
    this.panel.hidden = true;
  }

  key(event) {
    if (event.key === "Escape") {
      this.close();
      this.input.focus();
      return;
    }
    const links = [...this.list.querySelectorAll("a")];
    if (this.panel.hidden || !links.length) return;
    if (event.key === "Enter" && event.target === this.input) {
      event.preventDefault();
      links[0].click();
    }
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    const next = links.indexOf(document.activeElement) + step;
    (next < 0 ? this.input : links[Math.min(next, links.length - 1)]).focus();
  }

  /** The key / goes to the search, unless the reader is writing. */
  shortcut(event) {
    if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, textarea, select, [contenteditable]")) return;
    event.preventDefault();
    this.input.focus();
  }
}

document.addEventListener("DOMContentLoaded", () => {
  for (const place of document.querySelectorAll(".site-search")) place.search = new SiteSearch(place);
});

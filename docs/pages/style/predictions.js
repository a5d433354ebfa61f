// A box for the reader's guess below each question, and the guess beside its answer. Questions and answers are
// those of the page: marks say where they are. Guesses stay in this browser, or, where it keeps nothing, on this page.
"use strict";

const kept_guesses = {
  memory: new Map(),
  read(key) { return this.memory.get(key) ?? localStorage.getItem(key) ?? ""; },
  write(key, text) {
    this.memory.set(key, text);
    try {
      if (text) localStorage.setItem(key, text);
      else localStorage.removeItem(key);
    } catch {
      // Full: the guess lasts as long as the page.
    }
  },
};

function made(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

/** What an answer's paragraph says after its mark; with the words before it where they are part of the sentence. */
function answer_nodes(mark) {
  const paragraph = mark.closest("p, li, dd");
  const range = document.createRange();
  const word = mark.previousElementSibling;
  if (word && /^Answer$/.test(word.textContent.trim())) range.setStartBefore(word);
  else range.setStartAfter(mark);
  range.setEnd(paragraph, paragraph.childNodes.length);
  const nodes = range.cloneContents();
  for (const one of nodes.querySelectorAll("[id], [name], .guess-shown")) {
    if (one.classList.contains("guess-shown")) one.remove();
    one.removeAttribute("id");
    one.removeAttribute("name");
  }
  return nodes;
}

class Prediction {
  /** @param mark of the question. @param number in its page. @param answer the answer's mark, or null. */
  constructor(page, mark, number, answer) {
    this.number = number;
    this.others = [];  // questions that have the same answer
    this.key = `warpwise-guess:${page}/${mark.dataset.names}`;
    this.answer = answer;
    const id = `guess-${mark.dataset.names}`;
    this.field = made("textarea", { id, rows: "1", spellcheck: "false" });
    this.field.value = kept_guesses.read(this.key);
    this.button = made("button", { type: "button", "aria-expanded": "false", "aria-controls": `${id}-answer` }, "Compare");
    this.shown = made("div", { id: `${id}-answer`, class: "guess-answer", "aria-live": "polite", hidden: "" });
    this.note = made("span", { class: "guess-note", role: "status" });
    const box = made("div", { class: "guess" }, made("label", { for: id }, `Your guess ${number}`), this.field, this.button, this.note, this.shown);
    const place = mark.closest("p, li, dd");
    if (place.tagName === "P") place.after(box);
    else place.append(box);
    this.field.addEventListener("input", () => this.keep());
    this.button.addEventListener("click", () => this.toggle());
  }

  get guess() { return this.field.value.trim(); }

  keep() {
    kept_guesses.write(this.key, this.guess);
    for (const one of this.group) one.can_compare();
    this.changed?.();
  }

  /** The questions of one answer, in their order. */
  get group() { return [this, ...this.others].sort((a, b) => a.number - b.number); }

  /** An answer is for those who have guessed, all questions that it answers. */
  can_compare() {
    const missing = this.others.filter((one) => !one.guess).map((one) => one.number);
    this.button.disabled = !this.answer || !this.guess || missing.length > 0;
    this.note.textContent = this.guess && missing.length ? `The same text answers ${missing.join(" and ")}: guess there also.` : "";
    if (this.button.disabled) this.close();
    else if (!this.shown.hidden) this.fill();
  }

  close() {
    this.shown.hidden = true;
    this.button.setAttribute("aria-expanded", "false");
  }

  toggle() {
    if (!this.shown.hidden) return this.close();
    this.fill();
    this.shown.hidden = false;
    this.button.setAttribute("aria-expanded", "true");
  }

  fill() {
    const link = made("a", { href: `#${this.answer.id}` }, "where it is explained");
    link.addEventListener("click", () => this.open_folds());
    this.shown.replaceChildren(made("div", {}, made("b", {}, "You guessed"), ...this.group.map((one) => made("p", {}, this.others.length ? `${one.number}: ${one.guess}` : one.guess))),
      made("div", {}, made("b", {}, "Answer"), made("p", {}, answer_nodes(this.answer), " (", link, ")")));
  }

  open_folds() {
    for (let at = this.answer.closest("details"); at; at = at.parentElement.closest("details")) at.open = true;
  }
}

document.addEventListener("DOMContentLoaded", () => {
  const page = decodeURIComponent(location.pathname.split("/").pop()).replace(/\.html$/, "");
  const answers = new Map();
  for (const mark of document.querySelectorAll(".answer-mark")) {
    const names = mark.dataset.names.split(" ");
    mark.id = `answer-${names[0]}`;
    for (const name of names) answers.set(name, mark);
  }
  const predictions = [...document.querySelectorAll(".question-mark")].map((mark, index) =>
    new Prediction(page, mark, index + 1, answers.get(mark.dataset.names) ?? null));
  for (const mark of new Set(answers.values())) {
    const asked = predictions.filter((one) => one.answer === mark);
    const shown = made("span", { class: "guess-shown" });
    // Before the word Answer, which is the mark's neighbour.
    (mark.previousElementSibling ?? mark).before(shown);
    const show = () => {
      const given = asked.filter((one) => one.guess);
      shown.textContent = given.length ? `You guessed ${given.map((one) => (asked.length > 1 ? `${one.number}: ${one.guess}` : one.guess)).join("; ")}.` : "";
    };
    for (const one of asked) {
      one.changed = show;
      one.others = asked.filter((other) => other !== one);
    }
    show();
  }
  for (const one of predictions) one.can_compare();
});

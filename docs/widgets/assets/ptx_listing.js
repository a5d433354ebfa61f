// The instructions that the warp executes, each group below the line of the source that it comes from.
"use strict";

class PtxListing {
  /** @param go is called with the index of a step. */
  constructor(trace, go) {
    this.trace = trace;
    this.place = element("div", { class: "steps-ptx", tabindex: "0", role: "region", "aria-label": "PTX with its source lines" });
    this.rows = trace.data.lines.map((line, number) => {
      const row = element("div", { class: "ptx", "data-ptx": String(number) }, line.text);
      row.addEventListener("click", () => go(this.step_of(number)));
      return row;
    });
    this.heads = [];
    trace.data.lines.forEach((line, number) => {
      const before = trace.data.lines[number - 1];
      if (!before || before.line !== line.line || before.file !== line.file) {
        this.place.append(element("div", { class: "ptx-source" }, element("b", {}, String(line.line)), source_text(trace.data, line)));
      }
      this.place.append(this.rows[number]);
    });
  }

  /** The next step after the current one that executes an instruction; else the first one. */
  step_of(number) {
    const steps = this.trace.steps;
    const next = steps.findIndex((step, index) => index > this.index && step.at === number);
    return next >= 0 ? next : steps.findIndex((step) => step.at === number);
  }

  show(index) {
    this.index = index;
    const step = this.trace.steps[index];
    this.rows.forEach((row, number) => {
      const line = this.trace.data.lines[number];
      row.classList.toggle("same-line", line.line === step.line.line && line.file === step.line.file);
      if (number === step.at) row.setAttribute("aria-current", "step");
      else row.removeAttribute("aria-current");
    });
    const current = this.rows[step.at];
    this.place.scrollTop = current.offsetTop - this.place.clientHeight / 2;
  }
}

/** The text of the line that an instruction comes from, without its indentation; nothing where it is unknown. */
function source_text(data, line) {
  const source = data.sources[line.file];
  return (source.lines[line.line - source.first] ?? "").trim();
}

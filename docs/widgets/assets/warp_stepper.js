// The stepper: shows one step of a trace at a time. <div class="warp-steps" data-trace="CHAPTER">
// becomes one; it needs warp_trace.js, warp_words.js, memory_picture.js, lane_grid.js, step_marks.js, ptx_listing.js
// and the trace.
"use strict";

const PLAY_MS = 900;

class WarpStepper {
  constructor(place, trace) {
    this.place = place;
    this.trace = trace;
    this.index = 0;
    this.timer = null;
    this.grid = new LaneGrid(trace);
    this.marks = new StepMarks(trace, (index) => this.go(index));
    this.ptx = new PtxListing(trace, (index) => this.go(index));
    this.build();
    this.go(trace.first_access);
  }

  build() {
    const data = this.trace.data;
    this.head = element("p", { class: "steps-head" });
    this.head.append(element("code", {}, data.kernel.replace("(anonymous namespace)::", "")),
      ` block ${data.block_index} of a grid of ${data.grid.join(" x ")}, warp ${data.warp}; blocks of ${data.block.join(" x ")} threads. `,
      data.complete ? "The program: " : "Only the beginning is shown. The program: ", element("code", {}, data.command),
      this.trace.first_access ? `. It opens at step ${this.trace.first_access + 1}, the first access to memory.` : "");
    this.source = element("div", { class: "steps-source", tabindex: "0", role: "region", "aria-label": "Source" });
    this.text = element("code", { class: "steps-text" });
    this.words = element("p", { class: "steps-words", "aria-live": "polite" });
    this.memory = element("div", { class: "steps-memory" });
    this.totals = element("p", { class: "steps-totals" });
    this.table = element("details", { class: "steps-table" }, element("summary", {}, "This step lane by lane, as a table"));
    this.table.addEventListener("toggle", () => this.show_table());
    this.list = element("details", { class: "steps-list" }, element("summary", {}, "All steps as text"));
    this.list.addEventListener("toggle", () => this.show_list());
    this.place.replaceChildren(this.head, this.controls(), this.marks.place,
      element("div", { class: "steps-columns" }, this.source, this.ptx.place),
      element("div", { class: "steps-now" }, this.text, this.words, this.totals),
      this.grid.place, this.memory, this.table, this.list);
    document.addEventListener("keydown", (event) => this.key(event));
  }

  controls() {
    const button = (name, label, action) => {
      const made = element("button", { type: "button", "data-action": name, title: label, "aria-label": label });
      made.addEventListener("click", action);
      return made;
    };
    this.play_button = button("play", "Play (P)", () => this.toggle_play());
    this.scrubber = element("input", { type: "range", min: "0", max: String(this.trace.count - 1), value: "0", "aria-label": "Step" });
    this.scrubber.addEventListener("input", () => this.go(Number(this.scrubber.value)));
    this.number = element("output", { class: "steps-number" });
    return element("div", { class: "steps-controls", role: "group", "aria-label": "Steps" },
      button("first", "First step (Home)", () => this.go(0)),
      button("previous-key", "Previous memory access, shuffle, barrier or split (B)", () => this.go_key(-1)),
      button("previous", "One step back (Left)", () => this.go(this.index - 1)),
      this.play_button,
      button("next", "One step on (Right)", () => this.go(this.index + 1)),
      button("next-key", "Next memory access, shuffle, barrier or split (N)", () => this.go_key(1)),
      button("last", "Last step (End)", () => this.go(this.trace.count - 1)),
      this.scrubber, this.number);
  }

  /** Keys work without a click before; those that scroll the page, only inside the stepper. */
  key(event) {
    if (event.altKey || event.ctrlKey || event.metaKey || event.defaultPrevented) return;
    const is_inside = this.place.contains(event.target);
    const writes = "input:not([type=range]), textarea, select, [contenteditable]";
    if (event.target.closest?.(is_inside ? "select" : writes)) return;
    const actions = {
      ArrowRight: () => this.go(this.index + 1), ArrowLeft: () => this.go(this.index - 1),
      n: () => this.go_key(1), b: () => this.go_key(-1), p: () => this.toggle_play(),
      ...(is_inside ? { Home: () => this.go(0), End: () => this.go(this.trace.count - 1) } : {}),
    };
    const action = actions[event.key] ?? actions[event.key.toLowerCase()];
    if (!action) return;
    event.preventDefault();
    action();
  }

  go_key(direction) {
    let index = this.index + direction;
    while (index > 0 && index < this.trace.count - 1 && !this.trace.is_key(index)) index += direction;
    this.go(index);
  }

  toggle_play() {
    if (this.timer) return this.stop();
    if (this.index === this.trace.count - 1) this.go(0);
    this.timer = setInterval(() => (this.index < this.trace.count - 1 ? this.go(this.index + 1, true) : this.stop()), PLAY_MS);
    this.play_button.setAttribute("aria-pressed", "true");
  }

  stop() {
    clearInterval(this.timer);
    this.timer = null;
    this.play_button.setAttribute("aria-pressed", "false");
  }

  /** Shows a step; moving by hand ends playing. */
  go(index, is_playing = false) {
    if (this.timer && !is_playing) this.stop();
    this.index = Math.min(Math.max(index, 0), this.trace.count - 1);
    const step = this.trace.steps[this.index];
    this.scrubber.value = String(this.index);
    this.scrubber.setAttribute("aria-valuetext", `step ${this.index + 1} of ${this.trace.count}`);
    this.number.textContent = `${this.index + 1} / ${this.trace.count}`;
    this.text.textContent = step.line.text;
    this.words.textContent = step_in_words(step);
    this.show_source(step.line);
    this.ptx.show(this.index);
    this.marks.show(this.index);
    this.show_totals();
    this.grid.show(step, this.index);
    this.memory.replaceChildren(...step.accesses.map((access, number) => memory_picture(access, number + 1, step.accesses.length)));
    this.show_table();
  }

  show_totals() {
    const totals = this.trace.totals(this.index + 1);
    this.totals.textContent = `So far: ${plural(totals.instructions, "instruction")}, ${plural(totals.sectors, "sector")}, ` +
      `${plural(totals.wavefronts, "wavefront")}, ${plural(totals.conflicts, "bank conflict")}.`;
  }

  /** The file that the step comes from, with its line marked and in sight. */
  show_source(line) {
    const source = this.trace.data.sources[line.file];
    if (this.source.dataset.file !== source.file) {
      this.source.dataset.file = source.file;
      const lines = source.lines.map((text, index) => element("div", { "data-line": String(source.first + index) }, text || " "));
      this.source.replaceChildren(element("div", { class: "steps-file" }, source.file), ...lines);
    }
    for (const marked of this.source.querySelectorAll("[aria-current]")) marked.removeAttribute("aria-current");
    const current = this.source.querySelector(`[data-line="${line.line}"]`);
    if (!current) return;
    current.setAttribute("aria-current", "step");
    // Not scrollIntoView, which would move the page as well.
    this.source.scrollTop = current.offsetTop - this.source.clientHeight / 2;
  }

  show_table() {
    if (!this.table.open) return;
    const step = this.trace.steps[this.index], access = step.accesses[0];
    const shown = [...step.to, ...step.values];
    const heads = ["lane", "state", ...shown.map((one) => one.register), ...(step.from ? ["reads lane"] : []), ...(access ? ["address"] : [])];
    const rows = lane_numbers.map((lane) => [lane, lane_state(step, lane).words, ...shown.map((one) => this.trace.text(one.lanes[lane], one.type)),
      ...(step.from ? [step.from[lane] ?? ""] : []),
      ...(access ? [access.offsets[lane] === null ? "" : `${access.array.name}+${access.offsets[lane]}`] : [])]);
    const line = (cells, name) => element("tr", {}, ...cells.map((cell) => element(name, {}, String(cell))));
    const table = element("table", {}, element("thead", {}, line(heads, "th")), element("tbody", {}, ...rows.map((cells) => line(cells, "td"))));
    this.table.replaceChildren(this.table.firstChild, element("div", { class: "steps-scroll", tabindex: "0" }, table));
  }

  show_list() {
    if (!this.list.open || this.list.children.length > 1) return;
    const items = this.trace.steps.map((step, index) => {
      const before = this.trace.steps[index - 1]?.line, line = step.line;
      // The source once, where it begins.
      const source = before?.line === line.line && before?.file === line.file ? [] :
        [element("small", {}, `Line ${line.line}: ${source_text(this.trace.data, line)}`), element("br")];
      return element("li", {}, ...source, element("code", {}, line.text), ` ${step_in_words(step)}`);
    });
    this.list.append(element("ol", {}, ...items));
  }
}

document.addEventListener("DOMContentLoaded", () => {
  for (const place of document.querySelectorAll(".warp-steps")) {
    const data = warp_traces[place.dataset.trace];
    place.stepper = new WarpStepper(place, new WarpTrace(data));
  }
});

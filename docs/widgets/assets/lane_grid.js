// The 32 lanes: who takes part, what each holds, and, at a shuffle, who reads from whom.
"use strict";

const SVG = "http://www.w3.org/2000/svg";
const MOVE_MS = 500;

/** What a lane does at a step: a short name for styles, a sign, and words. */
function lane_state(step, lane) {
  if (has_lane(step.mask, lane)) return { name: "executes", sign: "", words: "executes" };
  if (has_lane(step.active, lane)) return { name: "guarded", sign: "○", words: "guard is false" };
  if (has_lane(step.live, lane)) return { name: "elsewhere", sign: "…", words: "is at another instruction" };
  return { name: "gone", sign: "×", words: "has ended" };
}

class LaneGrid {
  constructor(trace) {
    this.trace = trace;
    this.cells = lane_numbers.map((lane) => {
      const value = element("span", { class: "lane-value" }), sign = element("span", { class: "lane-sign" });
      return { box: element("div", { class: "lane" }, element("b", {}, String(lane)), sign, value), value, sign };
    });
    this.arrows = document.createElementNS(SVG, "svg");
    this.arrows.setAttribute("class", "lane-arrows");
    this.arrows.setAttribute("aria-hidden", "true");
    this.lanes = element("div", { class: "lane-cells" }, ...this.cells.map((cell) => cell.box));
    this.select = element("select", { "aria-label": "Values shown" });
    this.select.addEventListener("change", () => this.show(this.step, this.index));
    const legend = ["executes", "○ guard is false", "… elsewhere", "× has ended"].map((words, index) =>
      element("span", { class: `lane-key ${["executes", "guarded", "elsewhere", "gone"][index]}` }, words));
    this.place = element("section", { class: "lane-grid", "aria-label": "The 32 lanes" },
      element("div", { class: "lane-head" }, element("label", {}, "Values of ", this.select), element("span", { class: "lane-legend" }, ...legend)),
      element("div", { class: "lane-area" }, this.lanes, this.arrows));
    new ResizeObserver(() => this.step && this.draw_arrows(this.step)).observe(this.lanes);
  }

  show(step, index) {
    const is_new = this.index !== index;
    this.step = step;
    this.index = index;
    const value = this.chosen(step, index);
    this.cells.forEach((cell, lane) => {
      const state = lane_state(step, lane), text = value ? this.trace.text(value.lanes[lane], value.type) : "";
      cell.box.className = `lane ${state.name}`;
      cell.sign.textContent = state.sign;
      cell.value.textContent = text;
      cell.value.classList.toggle("long", text.length > 8);
      cell.box.title = `lane ${lane}: ${state.words}${text ? `, ${value.register} = ${text}` : ""}`;
    });
    this.draw_arrows(step);
    if (is_new && step.from) this.move(step);
  }

  /** What the step writes, or stores; or the register that somebody chose. */
  chosen(step, index) {
    const own = [...step.to, ...step.values].map((value) => value.register);
    const held = this.trace.registers(index + 1);
    const names = ["", ...own, ...[...held.keys()].filter((name) => !own.includes(name)).reverse()];
    const before = this.select.value;
    const label = (name) => (name || (own.length ? `this step (${own[0]})` : "this step (none)"));
    this.select.replaceChildren(...names.map((name) => element("option", { value: name }, label(name))));
    this.select.value = names.includes(before) ? before : "";
    const wanted = this.select.value || own[0];
    return step.to.find((value) => value.register === wanted) ?? step.values.find((value) => value.register === wanted) ?? held.get(wanted);
  }

  centre(lane) {
    const box = this.cells[lane].box;
    return [box.offsetLeft + box.offsetWidth / 2, box.offsetTop + box.offsetHeight / 2];
  }

  draw_arrows(step) {
    this.arrows.replaceChildren();
    if (!step.from) return;
    this.arrows.setAttribute("viewBox", `0 0 ${this.lanes.clientWidth} ${this.lanes.clientHeight}`);
    const marker = document.createElementNS(SVG, "defs");
    marker.innerHTML = '<marker id="lane-arrow" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path d="M0 0 8 4 0 8z"/></marker>';
    this.arrows.append(marker);
    for (const lane of lane_numbers) {
      if (step.from[lane] === null || step.from[lane] === lane) continue;
      const path = document.createElementNS(SVG, "path");
      path.setAttribute("d", this.curve(this.centre(step.from[lane]), this.centre(lane)));
      path.setAttribute("marker-end", "url(#lane-arrow)");
      this.arrows.append(path);
    }
  }

  /** Bent to the right of its way, so that two lanes that exchange have two arrows. */
  curve([x0, y0], [x1, y1]) {
    const dx = x1 - x0, dy = y1 - y0, length = Math.hypot(dx, dy), bend = Math.min(18, length / 4), trim = 10 / length;
    const control = [(x0 + x1) / 2 - (dy / length) * bend, (y0 + y1) / 2 + (dx / length) * bend];
    const near = ([x, y]) => [x + (control[0] - x) * trim * 2, y + (control[1] - y) * trim * 2];
    return `M${near([x0, y0])} Q${control} ${near([x1, y1])}`;
  }

  /** The values travel to the lanes that read them. */
  move(step) {
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    for (const lane of lane_numbers) {
      const from = step.from[lane];
      if (from === null || from === lane) continue;
      const [x0, y0] = this.centre(from), [x1, y1] = this.centre(lane);
      this.cells[lane].value.animate([{ transform: `translate(${x0 - x1}px, ${y0 - y1}px)` }, { transform: "none" }], { duration: MOVE_MS, easing: "ease-in-out" });
    }
  }
}

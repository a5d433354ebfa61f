// The steps as a strip with a mark for each that matters, in the colour of what it does; a click goes there.
"use strict";

const STEP_KINDS = {
  load: "load from global memory", store: "store or atomic update", shared: "shared memory", shuffle: "shuffle or vote",
  barrier: "barrier", product: "matrix product", split: "the warp splits", end: "lanes end",
};

class StepMarks {
  /** @param go is called with the index of a step. */
  constructor(trace, go) {
    this.trace = trace;
    this.svg = svg_of("svg", { class: "marks-strip", viewBox: `0 0 ${trace.count} 10`, preserveAspectRatio: "none" });
    const seen = new Set();
    for (let index = 0; index < trace.count; ++index) {
      const kind = trace.kind(index);
      if (!kind) continue;
      seen.add(kind);
      this.svg.append(svg_of("rect", { x: index + 0.1, y: 1, width: 0.8, height: 8, class: `mark ${kind}`, "data-step": index }));
    }
    this.here = svg_of("rect", { y: 0, width: 1, height: 10, class: "here" });
    this.svg.append(this.here);
    this.svg.addEventListener("click", (event) => {
      const box = this.svg.getBoundingClientRect();
      go(this.nearest(((event.clientX - box.left) / box.width) * trace.count));
    });
    const legend = Object.keys(STEP_KINDS).filter((kind) => seen.has(kind)).map((kind) => element("span", { class: `mark-key ${kind}` }, STEP_KINDS[kind]));
    // The buttons and keys do the same, and the list of all steps says it in words.
    this.place = element("div", { class: "steps-marks", "aria-hidden": "true" }, this.svg, element("div", { class: "marks-legend" }, ...legend));
  }

  /** The marked step next to a place on the strip; the place itself where none is near. */
  nearest(place) {
    const near = Math.max(1, this.trace.count / 60), index = Math.min(Math.floor(place), this.trace.count - 1);
    const marked = this.trace.steps.map((_, step) => step).filter((step) => this.trace.kind(step));
    const best = marked.reduce((found, step) => (Math.abs(step - index) < Math.abs(found - index) ? step : found), marked[0] ?? index);
    return Math.abs(best - index) <= near ? best : index;
  }

  show(index) {
    this.here.setAttribute("x", String(index));
  }
}

function svg_of(name, attributes) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value));
  return made;
}

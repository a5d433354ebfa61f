// The four limits as bars: how many blocks each resource of an SM admits. The shortest bar is the limiter.
"use strict";

class OccupancyLimits {
  constructor() {
    this.list = element("ul", { class: "calculator-limits" });
    this.caption = element("figcaption");
    this.place = element("figure", { class: "calculator-limits-figure" }, element("div", { class: "chart-title" }, "Blocks that each resource of an SM admits"), this.list, this.caption);
  }

  /** @param answer of the calculator. @param slots blocks that an SM holds at most: a full bar. */
  show(answer, slots) {
    this.list.replaceChildren(...answer.limits.map((limit) => this.bar(limit, answer, slots)));
    this.caption.textContent = answer.fits
      ? `A full bar is ${slots} blocks, all that an SM has slots for. The shortest bar decides: ${answer.limiters.join(" and ")}.`
      : `A full bar is ${slots} blocks. A resource that admits no block stops the launch.`;
  }

  bar({ name, blocks }, answer, slots) {
    const width = 100 * Math.min(blocks ?? slots, slots) / slots, decides = answer.limiters.includes(name);
    const words = blocks === null ? "no limit: none is used" : `${plural(blocks, "block")}${!decides ? "" : answer.limiters.length > 1 ? ", a limiter" : ", the limiter"}`;
    const fill = element("span", { class: "limit-fill", style: `width: ${width}%` });
    return element("li", { class: decides ? "limiter" : "" }, element("b", {}, name), element("span", { class: "limit-rail", "aria-hidden": "true" }, fill), element("span", { class: "limit-words" }, words));
  }
}

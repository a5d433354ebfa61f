// One chart of the calculator: resident warps as steps over one amount, and where the kernel stands.
// A slider below it moves the kernel along the chart.
"use strict";

const CHART = { width: 420, height: 190, left: 34, right: 12, top: 10, bottom: 30 };

function svg_element(name, attributes = {}, text = "") {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.textContent = text;
  return made;
}

class OccupancyChart {
  /** @param what title, unit, step. @param take is called with the amount that somebody chose. */
  constructor(what, take) {
    this.what = what;
    this.svg = svg_element("svg", { viewBox: `0 0 ${CHART.width} ${CHART.height}`, "aria-hidden": "true" });
    this.slider = element("input", { type: "range", min: "0", step: String(what.step), "aria-label": what.title });
    this.slider.addEventListener("input", () => take(Number(this.slider.value)));
    this.caption = element("figcaption");
    this.place = element("figure", { class: "calculator-chart" }, element("div", { class: "chart-title" }, what.title), this.svg, this.slider, this.caption);
  }

  /** @param points [amount, warps] in order. @param amount of the kernel. @param most warps of an SM. */
  show(points, amount, most) {
    const last = points.length ? points[points.length - 1][0] : 1, first = points.length ? points[0][0] : 0;
    const x = (value) => CHART.left + ((value - first) / Math.max(last - first, 1)) * (CHART.width - CHART.left - CHART.right);
    const y = (warps) => CHART.height - CHART.bottom - (warps / most) * (CHART.height - CHART.top - CHART.bottom);
    this.svg.replaceChildren(...this.grid(x, y, first, last, most));
    let path = "";
    points.forEach(([value, warps], index) => {
      path += index ? `H${x(value)}V${y(warps)}` : `M${x(value)} ${y(warps)}`;
    });
    if (points.length) this.svg.append(svg_element("path", { d: path, class: "curve" }));
    const here = [...points].reverse().find(([value]) => value <= amount) ?? points[0];
    if (here && amount <= last) this.svg.append(svg_element("circle", { cx: x(Math.max(amount, first)), cy: y(here[1]), r: 5, class: "here" }));
    this.slider.min = String(first);
    this.slider.max = String(last);
    this.slider.value = String(amount);
    this.caption.textContent = this.words(points);
    this.slider.setAttribute("aria-valuetext", `${amount} ${this.what.unit}: ${here && amount <= last ? here[1] : 0} warps`);
  }

  grid(x, y, first, last, most) {
    const lines = [0, most / 4, most / 2, (3 * most) / 4, most].flatMap((warps) => [
      svg_element("line", { x1: CHART.left, x2: CHART.width - CHART.right, y1: y(warps), y2: y(warps), class: "rail" }),
      svg_element("text", { x: CHART.left - 6, y: y(warps) + 4, "text-anchor": "end" }, String(warps))]);
    const ticks = [0, 1, 2, 3, 4].map((part) => Math.round((first + ((last - first) * part) / 4) / this.what.step) * this.what.step);
    return lines.concat(ticks.map((value) =>
      svg_element("text", { x: x(value), y: CHART.height - 10, "text-anchor": value === ticks[4] ? "end" : "middle" }, String(value))));
  }

  /** The chart in words: where it is highest, and where it falls to nothing. */
  words(points) {
    const most = points.reduce((best, [, warps]) => Math.max(best, warps), 0);
    const best = points.filter(([, warps]) => warps === most).map(([value]) => value);
    if (most === 0) return `No amount of ${this.what.unit} fits.`;
    const first = best[0], last = best[best.length - 1], steps = (last - first) / this.what.step + 1;
    const range = first === last ? `at ${first}` : `${steps === best.length ? "from" : "in places from"} ${first} to ${last}`;
    return `At most ${most} warps, ${range} ${this.what.unit}.`;
  }
}

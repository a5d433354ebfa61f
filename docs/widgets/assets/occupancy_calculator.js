// The occupancy calculator: asks common/occupancy, which runs here as WebAssembly (occupancy_module.js
// holds it as text, so that a page from file:// needs to fetch nothing).
"use strict";

class OccupancyModule {
  constructor(code) {
    const bytes = Uint8Array.from(atob(code), (character) => character.charCodeAt(0));
    // It writes nothing and opens nothing; its C library asks for these all the same.
    const refuse = () => 8;
    const system = { fd_close: refuse, fd_seek: refuse, fd_write: refuse };
    this.exports = new WebAssembly.Instance(new WebAssembly.Module(bytes), { wasi_snapshot_preview1: system }).exports;
    this.exports._initialize();
    this.gpus = this.read(this.exports.gpus());
  }

  read(address) {
    const bytes = new Uint8Array(this.exports.memory.buffer, address);
    return JSON.parse(new TextDecoder().decode(bytes.subarray(0, bytes.indexOf(0))));
  }

  /** @param kernel {gpu (index), registers, threads, fixed, dynamic}; bytes of a block. */
  answer(kernel, grid) {
    return this.read(this.exports.answer(kernel.gpu, kernel.registers, kernel.threads, kernel.fixed, kernel.dynamic, grid));
  }

  /** [amount, resident warps] for every amount. @param axis 0 threads, 1 registers, 2 dynamic bytes. */
  chart(kernel, axis) {
    return this.read(this.exports.chart(kernel.gpu, kernel.registers, kernel.threads, kernel.fixed, kernel.dynamic, axis));
  }
}

const CALCULATOR_FIELDS = [
  { name: "registers", label: "Registers per thread", value: 32, most: 255, axis: 1 },
  { name: "threads", label: "Threads per block", value: 256, most: 1024, axis: 0 },
  { name: "fixed", label: "Static shared memory, bytes per block", value: 0, most: 1 << 20 },
  { name: "dynamic", label: "Dynamic shared memory, bytes per block", value: 16384, most: 1 << 20, axis: 2 },
  { name: "grid", label: "Blocks of the grid (0: leave waves out)", value: 0, most: 2147483647 },
];
const CALCULATOR_CHARTS = [
  { axis: 0, field: "threads", title: "Resident warps over threads per block", unit: "threads", step: 32 },
  { axis: 1, field: "registers", title: "Resident warps over registers per thread", unit: "registers", step: 1 },
  { axis: 2, field: "dynamic", title: "Resident warps over dynamic shared memory", unit: "bytes", step: 512 },
];

class OccupancyCalculator {
  constructor(place) {
    this.place = place;
    this.module = new OccupancyModule(occupancy_module);
    this.build();
    this.from_address();
    window.addEventListener("popstate", () => this.from_address());
  }

  build() {
    this.gpu = element("select", { id: "calculator-gpu" }, ...this.module.gpus.map((gpu, index) =>
      element("option", { value: String(index) }, `${gpu.name} (${gpu.sm})`)));
    this.gpu.value = String(this.module.gpus.findIndex((gpu) => gpu.id === "h200"));
    this.inputs = new Map();
    this.problems = new Map();
    const form = element("form", { class: "calculator-form" }, element("label", {}, "GPU", this.gpu));
    for (const field of CALCULATOR_FIELDS) {
      const input = element("input", { type: "number", min: "0", max: String(field.most), step: "1", value: String(field.value), inputmode: "numeric", id: `calculator-${field.name}` });
      const problem = element("span", { class: "calculator-problem", id: `calculator-${field.name}-problem`, role: "alert" });
      input.setAttribute("aria-describedby", problem.id);
      this.inputs.set(field.name, input);
      this.problems.set(field.name, problem);
      form.append(element("label", {}, field.label, input, problem));
    }
    form.addEventListener("input", () => this.changed());
    form.addEventListener("submit", (event) => event.preventDefault());
    this.headline = element("p", { class: "calculator-headline", "aria-live": "polite" });
    this.cliffs = element("ul", { class: "calculator-cliffs" });
    this.text = element("pre", { class: "calculator-text", tabindex: "0", "aria-label": "The derivation" });
    this.charts = CALCULATOR_CHARTS.map((chart) => new OccupancyChart(chart, (amount) => this.take(chart.field, amount)));
    this.limits = new OccupancyLimits();
    this.place.replaceChildren(form, this.headline, this.limits.place, element("h3", {}, "The next cliff"), this.cliffs,
      element("h3", {}, "The derivation, as the programs print it"), this.text,
      element("div", { class: "calculator-charts" }, ...this.charts.map((chart) => chart.place)));
  }

  /** An amount that somebody chose in a chart. */
  take(field, amount) {
    this.inputs.get(field).value = String(amount);
    this.changed();
  }

  /** After a reader's change: the address keeps it, so that a link to the page is a link to this kernel. */
  changed() {
    const amounts = Object.fromEntries([...this.inputs].map(([name, input]) => [name, input.value]));
    history.replaceState(null, "", state_address(this.module.gpus[Number(this.gpu.value)].id, amounts));
    this.update();
  }

  /** What the address keeps goes into the fields; what it does not name keeps its first value. */
  from_address() {
    const { gpu, amounts } = state_of_address(location.search, [...this.inputs.keys()]);
    const index = this.module.gpus.findIndex((one) => one.id === gpu);
    this.gpu.value = String(index >= 0 ? index : this.module.gpus.findIndex((one) => one.id === "h200"));
    for (const field of CALCULATOR_FIELDS) this.inputs.get(field.name).value = amounts[field.name] ?? String(field.value);
    this.update();
  }

  kernel() {
    const number = (name) => Number(this.inputs.get(name).value);
    return { gpu: Number(this.gpu.value), registers: number("registers"), threads: number("threads"),
      fixed: number("fixed"), dynamic: number("dynamic"), grid: number("grid") };
  }

  /** Says below each field what is wrong with it. */
  complain(problems) {
    for (const [name, place] of this.problems) {
      place.textContent = problems[name] ?? "";
      this.inputs.get(name).setAttribute("aria-invalid", String(Boolean(problems[name])));
    }
  }

  update() {
    const unread = Object.fromEntries([...this.inputs].map(([name, input]) => [name, text_problem(input)]).filter(([, problem]) => problem));
    const is_read = Object.keys(unread).length === 0;
    this.place.classList.toggle("unread", !is_read);
    if (!is_read) {
      this.complain(unread);
      this.headline.classList.add("wrong");
      this.headline.textContent = "A field holds no number that can be computed with: see below it. What follows is of the kernel before.";
      return;
    }
    const kernel = this.kernel(), gpu = this.module.gpus[kernel.gpu];
    this.answer = this.module.answer(kernel, kernel.grid);
    const answer = this.answer;
    this.complain(kernel_problems(kernel, gpu, answer));
    this.headline.textContent = answer.fits
      ? `${plural(answer.blocks, "block")} per SM, ${answer.warps} of ${answer.of} warps: occupancy ${answer.percent}. Limiter: ${answer.limiters.join(", ")}.`
      : "Not one block fits: the launch fails. The derivation says why.";
    this.headline.classList.toggle("wrong", !answer.fits);
    this.limits.show(answer, gpu.blocks);
    this.cliffs.replaceChildren(...answer.cliffs.map((text) => element("li", {}, text)));
    this.text.textContent = answer.text;
    for (const chart of this.charts) chart.show(this.module.chart(kernel, chart.what.axis), kernel[chart.what.field], answer.of);
  }
}

document.addEventListener("DOMContentLoaded", () => {
  for (const place of document.querySelectorAll(".occupancy-calculator")) place.calculator = new OccupancyCalculator(place);
});

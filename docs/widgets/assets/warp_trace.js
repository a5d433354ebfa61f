// A trace of one warp as steps that can be asked for by number. The traces themselves are scripts
// (trace_CHAPTER.js), because a page from file:// may not fetch anything; each puts its data into
// warp_traces. What the data mean is said in common/simulator/watch/report/trace_json.cpp.
"use strict";

const warp_traces = {};

const WARP = 32;
const lane_numbers = Array.from({ length: WARP }, (_, lane) => lane);

/** True where the lane's bit is set. */
const has_lane = (mask, lane) => ((mask >>> lane) & 1) === 1;
const count_lanes = (mask) => lane_numbers.filter((lane) => has_lane(mask, lane)).length;

/** A list of lanes as the trace has it, one entry for all or 32, as 32 entries. */
const spread = (lanes, mask) =>
  lane_numbers.map((lane) => (has_lane(mask, lane) ? (lanes.length === 1 ? lanes[0] : lanes[lane]) : null));

class WarpTrace {
  constructor(data) {
    this.data = data;
    let live = 0, active = 0;
    this.steps = data.steps.map((step) => {
      live = step.live ?? live;
      active = step.active ?? active;
      return this.complete(step, live >>> 0, active >>> 0);
    });
  }

  complete(step, live, active) {
    const mask = (step.mask ?? active) >>> 0;
    const value = (one) => ({ ...one, lanes: spread(one.lanes, mask) });
    return {
      line: this.data.lines[step.line], at: step.line, live, active, mask, waits: step.waits ?? false,
      from: step.from ? spread(step.from, mask) : null,
      to: (step.to ?? []).map(value), values: (step.values ?? []).map(value),
      accesses: (step.accesses ?? []).map((access) => this.access(access, mask)),
    };
  }

  access(access, step_mask) {
    const mask = (access.mask ?? step_mask) >>> 0;
    return { ...access, array: this.data.arrays[access.array], mask, offsets: spread(access.lanes, mask) };
  }

  get count() { return this.steps.length; }

  /** What registers hold after the first `number` steps: by name, their 32 values and type. */
  registers(number) {
    const held = new Map();
    for (const step of this.steps.slice(0, number)) {
      for (const value of step.to) {
        const before = held.get(value.register)?.lanes ?? lane_numbers.map(() => null);
        held.set(value.register, { ...value, lanes: value.lanes.map((now, lane) => now ?? before[lane]) });
      }
    }
    return held;
  }

  /** Sums after the first `number` steps. */
  totals(number) {
    const totals = { instructions: number, sectors: 0, wavefronts: 0, conflicts: 0 };
    for (const access of this.steps.slice(0, number).flatMap((step) => step.accesses)) {
      totals.sectors += access.sectors ?? 0;
      totals.wavefronts += access.wavefronts ?? 0;
      totals.conflicts += (access.wavefronts ?? 0) - (access.ideal ?? 0);
    }
    return totals;
  }

  /** What a step does, where lanes meet memory, each other, or different ways; null for all others. */
  kind(index) {
    const step = this.steps[index], op = step.line.op;
    if (["mma", "wmma"].includes(op) && !step.accesses.length) return "product";
    if (step.accesses.some((access) => access.array.space === "shared")) return "shared";
    if (step.accesses.length) return step.accesses.some((access) => access.store || access.atomic) ? "store" : "load";
    if (step.from !== null || op === "vote") return "shuffle";
    if (op === "bra" && step.mask !== 0 && step.mask !== step.active) return "split";
    return { bar: "barrier", barrier: "barrier", ret: "end", exit: "end" }[op] ?? null;
  }

  is_key(index) { return this.kind(index) !== null; }

  /** The first step that touches memory; 0 where none does. */
  get first_access() { return Math.max(0, this.steps.findIndex((step) => step.accesses.length > 0)); }

  /** One value as text: floats short, addresses as places in arrays, pairs of halves apart. */
  text(value, type) {
    if (value === null || value === undefined) return "";
    if (type === "pred") return value ? "true" : "false";
    if (type === "f16x2" || type === "bf16x2") {
      const one = type === "f16x2" ? half : bfloat;
      return [value & 0xffff, value >>> 16].map((bits) => number_text(one(bits))).join(" ");
    }
    if (type.startsWith("f")) return typeof value === "string" ? value : number_text(value);
    return this.address_text(value) ?? String(value);
  }

  address_text(value) {
    if (typeof value !== "number" || value < 2 ** 32) return null;
    const array = this.data.arrays.find((one) => one.space === "global" && value >= one.base && value < one.base + one.bytes);
    return array ? `${array.name}+${value - array.base}` : null;
  }
}

const number_text = (value) => (Number.isInteger(value) && Math.abs(value) < 1e6 ? String(value) : String(Number(value.toPrecision(4))));

function half(bits) {
  const exponent = (bits >> 10) & 31, fraction = bits & 1023, sign = bits >> 15 ? -1 : 1;
  if (exponent === 31) return fraction ? NaN : sign * Infinity;
  return sign * (exponent ? 2 ** (exponent - 15) * (1 + fraction / 1024) : (2 ** -14 * fraction) / 1024);
}

function bfloat(bits) {
  const view = new DataView(new ArrayBuffer(4));
  view.setUint16(0, bits);
  return view.getFloat32(0);
}

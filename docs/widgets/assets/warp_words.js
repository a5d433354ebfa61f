// What a step does, in a sentence: the text beside the pictures, and in place of them.
"use strict";

/** "32 lanes", "lanes 0 to 7", "lane 3, 5". */
function lanes_in_words(mask) {
  const lanes = lane_numbers.filter((lane) => has_lane(mask, lane));
  if (lanes.length === 0) return "no lane";
  if (lanes.length === WARP) return "32 lanes";
  const is_run = lanes[lanes.length - 1] - lanes[0] === lanes.length - 1;
  if (lanes.length === 1) return `lane ${lanes[0]}`;
  if (is_run) return `lanes ${lanes[0]} to ${lanes[lanes.length - 1]}`;
  return lanes.length > 8 ? plural(lanes.length, "lane") : `lanes ${lanes.join(", ")}`;
}

function access_in_words(access) {
  const verb = access.atomic ? "update" : access.store ? "store" : "load";
  const bytes = `${plural(access.bytes, "byte")} each`;
  const where = access.store && !access.atomic ? `to ${access.array.name}` : access.atomic ? `of ${access.array.name}` : `from ${access.array.name}`;
  const start = `${lanes_in_words(access.mask)} ${verb} ${bytes} ${where}`;
  if (access.array.space === "global") return `${start}: ${plural(access.sectors, "sector")}`;
  if (access.wavefronts === access.ideal) return `${start}: ${plural(access.wavefronts, "wavefront")}, no bank conflict`;
  return `${start}: ${plural(access.wavefronts, "wavefront")} where ${access.ideal} would do, ${plural(access.wavefronts - access.ideal, "bank conflict")}`;
}

/** All requests of a step, equal ones together. */
function accesses_in_words(accesses) {
  const counts = new Map();
  for (const access of accesses) {
    const words = access_in_words(access);
    counts.set(words, (counts.get(words) ?? 0) + 1);
  }
  return [...counts].map(([words, count]) => (count === 1 ? words : `${count} times, ${words}`)).join("; ");
}

function shuffle_in_words(step) {
  const lanes = lane_numbers.filter((lane) => step.from[lane] !== null);
  const some = lanes.slice(0, 3).map((lane) => `lane ${lane} reads lane ${step.from[lane]}`);
  return `${lanes_in_words(step.mask)} exchange values: ${some.join(", ")}${lanes.length > 3 ? ", and so on" : ""}`;
}

const plain_words = {
  bar: "the warp reaches a barrier of its block",
  barrier: "the warp reaches a barrier of its block",
  ret: "the lanes end here",
  exit: "the lanes end here",
  wmma: "all lanes together work on a matrix tile",
  mma: "all lanes together multiply tiles",
};

function step_in_words(step) {
  const sentences = [];
  if (step.accesses.length) sentences.push(accesses_in_words(step.accesses));
  else if (step.from) sentences.push(shuffle_in_words(step));
  else if (step.line.op === "bra") sentences.push(branch_in_words(step));
  else if (plain_words[step.line.op]) sentences.push(plain_words[step.line.op]);
  else if (step.to.length) sentences.push(`${lanes_in_words(step.mask)} compute ${step.to.map((one) => one.register).join(", ")}`);
  else sentences.push(`${lanes_in_words(step.mask)} execute ${step.line.op}`);
  if (step.waits) sentences.push("it waits for the others");
  const idle = step.active & ~step.mask;
  if (idle && step.line.op !== "bra") sentences.push(`the guard keeps ${lanes_in_words(idle >>> 0)} from it`);
  const elsewhere = (step.live & ~step.active) >>> 0;
  if (elsewhere) sentences.push(`${lanes_in_words(elsewhere)} are at another instruction`);
  return sentences.map((one) => one[0].toUpperCase() + one.slice(1)).join(". ") + ".";
}

function branch_in_words(step) {
  if (step.mask === 0) return "no lane branches";
  if (step.mask === step.active) return `${lanes_in_words(step.mask)} branch together`;
  return `${lanes_in_words(step.mask)} branch, ${lanes_in_words((step.active & ~step.mask) >>> 0)} do not: the warp splits`;
}

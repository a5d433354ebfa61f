// Checks the numbers in the fields of the calculator, and keeps them in the address of the page.
"use strict";

/** The most static shared memory that the compiler accepts, whatever the GPU has. */
const STATIC_LIMIT = 49152;

/** What is wrong with the text of a field by itself; nothing where it is a whole number. */
function text_problem(input) {
  if (input.validity.badInput) return "This is no number.";
  if (input.value.trim() === "") return "A number is missing.";
  const number = Number(input.value);
  if (!Number.isInteger(number)) return `${input.value} is not a whole number.`;
  if (number < 0) return `${input.value} is less than zero.`;
  return number > 2 ** 31 - 1 ? `${input.value} is more than any GPU has.` : "";
}

/** What is wrong with a kernel on a GPU, by the name of the field. @param answer of the calculator. */
function kernel_problems(kernel, gpu, answer) {
  const problems = {}, shared = kernel.fixed + kernel.dynamic;
  if (kernel.registers > gpu.registers_per_thread) {
    problems.registers = `A thread of this GPU has at most ${gpu.registers_per_thread} registers; the compiler puts the rest into local memory.`;
  } else if (answer.misfits.includes("registers_per_block")) {
    problems.registers = `${plural(kernel.threads, "thread")} with ${plural(kernel.registers, "register")} each need more registers than a block may have: use fewer of either.`;
  }
  if (kernel.threads === 0) problems.threads = "A block has at least one thread.";
  if (kernel.threads > gpu.threads_per_block) problems.threads = `A block has at most ${gpu.threads_per_block} threads.`;
  if (kernel.fixed > STATIC_LIMIT) problems.fixed = `The compiler accepts at most ${STATIC_LIMIT} bytes of static shared memory; more has to be dynamic.`;
  if (shared > gpu.shared_per_block) {
    problems[kernel.dynamic > 0 ? "dynamic" : "fixed"] = `Static and dynamic together are ${shared} bytes; a block of this GPU has at most ${gpu.shared_per_block}.`;
  }
  return problems;
}

/** The state as the end of an address: ?gpu=h200&registers=32 ... */
const state_address = (gpu, amounts) => `?${new URLSearchParams({ gpu, ...amounts })}`;

/** The state that an address keeps: {gpu, amounts}, each only where it is there. */
function state_of_address(search, names) {
  const found = new URLSearchParams(search);
  return { gpu: found.get("gpu"), amounts: Object.fromEntries(names.filter((name) => found.has(name)).map((name) => [name, found.get(name)])) };
}

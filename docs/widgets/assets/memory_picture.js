// Pictures of one request: the sectors of global memory or the banks of shared memory that it
// touches. Plain elements, so that they follow the page's colours and width.
"use strict";

const SECTOR = 32, LINE = 128, WORD = 4, BANKS = 32;

/** Words that each lane touches, as [lane, byte address / 4]. */
function words_of(access) {
  const words = [];
  for (const lane of lane_numbers) {
    if (access.offsets[lane] === null) continue;
    const first = access.array.base + access.offsets[lane];
    for (let word = Math.floor(first / WORD); word * WORD < first + access.bytes; ++word) words.push([lane, word]);
  }
  return words;
}

/** Which sectors the request touches: sector number to the set of its words. */
function sectors_of(access) {
  const sectors = new Map();
  for (const [, word] of words_of(access)) {
    const sector = Math.floor((word * WORD) / SECTOR);
    if (!sectors.has(sector)) sectors.set(sector, new Set());
    sectors.get(sector).add(word);
  }
  return sectors;
}

function global_picture(access) {
  const sectors = sectors_of(access);
  const lines = [...new Set([...sectors.keys()].map((sector) => Math.floor((sector * SECTOR) / LINE)))].sort((a, b) => a - b);
  const picture = element("div", { class: "memory-lines" });
  for (const line of lines) {
    const boxes = [0, 1, 2, 3].map((part) => {
      const sector = (line * LINE) / SECTOR + part, used = sectors.get(sector);
      const words = lane_numbers.slice(0, SECTOR / WORD).map((word) =>
        element("i", { class: used?.has((sector * SECTOR) / WORD + word) ? "used" : "" }));
      return element("span", { class: `sector${used ? " touched" : ""}` }, ...words);
    });
    const offset = line * LINE - access.array.base;
    picture.append(element("div", { class: "memory-line" }, element("b", {}, `${access.array.name}${offset < 0 ? "" : "+"}${offset}`), ...boxes));
  }
  return picture;
}

/** Distinct words of each bank that the request asks for. */
function words_by_bank(access) {
  const banks = Array.from({ length: BANKS }, () => new Set());
  for (const [, word] of words_of(access)) banks[word % BANKS].add(word);
  return banks;
}

function shared_picture(access) {
  const banks = words_by_bank(access);
  const most = Math.max(...banks.map((words) => words.size));
  const picture = element("div", { class: "banks", style: `--most: ${most}` });
  banks.forEach((words, bank) => {
    const column = element("div", { class: `bank${words.size ? " touched" : ""}`, title: `bank ${bank}: ${plural(words.size, "word")}` });
    for (let word = 0; word < words.size; ++word) column.append(element("i"));
    picture.append(element("div", { class: "bank-place" }, column, element("b", {}, bank % 4 === 0 ? String(bank) : "")));
  });
  return picture;
}

/** A figure with what the request costs below its picture. */
function memory_picture(access, number, of) {
  const is_shared = access.array.space === "shared";
  const title = `${of > 1 ? `Request ${number} of ${of}: ` : ""}${is_shared ? "Banks of shared memory" : "Sectors of global memory"}`;
  return element("figure", { class: "memory", role: "img", "aria-label": access_in_words(access) },
    element("div", { class: "memory-title" }, title), is_shared ? shared_picture(access) : global_picture(access),
    element("figcaption", {}, access_in_words(access) + "."));
}

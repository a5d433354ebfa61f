// Where a browser keeps nothing (blocked, or a page of its own), settings and guesses last as long as the page.
// First of all scripts: the theme asks for its setting while it loads.
"use strict";

(() => {
  try {
    localStorage.getItem("");
    return;
  } catch {
    // Access itself is refused.
  }
  const kept = new Map();
  const memory = {
    getItem: (key) => kept.get(String(key)) ?? null,
    setItem: (key, value) => void kept.set(String(key), String(value)),
    removeItem: (key) => void kept.delete(String(key)),
  };
  Object.defineProperty(window, "localStorage", { value: memory });
})();

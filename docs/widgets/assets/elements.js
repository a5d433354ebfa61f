// What all interactive pages share.
"use strict";

/** An element with attributes and children, which may be texts. */
function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

const plural = (number, noun) => `${number} ${noun}${number === 1 ? "" : "s"}`;

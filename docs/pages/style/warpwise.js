// Starts what doxygen-awesome offers, and makes its clickable parts reachable by key.
DoxygenAwesomeDarkModeToggle.init();
DoxygenAwesomeFragmentCopyButton.init();
DoxygenAwesomeInteractiveToc.init();

function makePressable(element, name) {
  element.tabIndex = 0;
  element.setAttribute("role", "button");
  element.setAttribute("aria-label", name);
  element.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    element.click();
  });
}

function makeAllPressable() {
  const each = (selector, name) => document.querySelectorAll(`${selector}:not([role])`)
                                       .forEach((element) => makePressable(element, name));
  each("doxygen-awesome-dark-mode-toggle", "Light or dark");
  each("doxygen-awesome-fragment-copy-button", "Copy this code");
  each("label.main-menu-btn", "Menu");
  // On a narrow screen the table of contents is folded behind its heading.
  if (window.matchMedia("(max-width: 999px)").matches) each(".contents > .toc > h3", "Table of contents");
}

// The switch for dark comes some time after the page has loaded, and last.
window.addEventListener("load", () => {
  const arrival = new MutationObserver(() => {
    if (!document.querySelector("doxygen-awesome-dark-mode-toggle")) return;
    arrival.disconnect();
    makeAllPressable();
  });
  arrival.observe(document.body, {childList: true, subtree: true});
  makeAllPressable();
});

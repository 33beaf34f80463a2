// A formula that is wider than the screen scrolls by itself: let the keyboard reach it, too.
function makeWideFormulasReachable() {
  for (const formula of document.querySelectorAll('mjx-container[display="true"]')) {
    if (formula.scrollWidth > formula.clientWidth) formula.tabIndex = 0;
    else formula.removeAttribute("tabindex");
  }
}

addEventListener("load", async () => {
  await window.MathJax?.startup?.promise;
  makeWideFormulasReachable();
  addEventListener("resize", makeWideFormulasReachable);
});

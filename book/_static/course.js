// A formula that is wider than the screen scrolls by itself: its edge fades where there is more, and the keyboard
// can reach it, too.
function markWide(formula) {
  const hidden = formula.scrollWidth - formula.clientWidth;
  formula.classList.toggle("more-left", hidden > 1 && formula.scrollLeft > 1);
  formula.classList.toggle("more-right", hidden > 1 && formula.scrollLeft < hidden - 1);
  if (hidden > 1) formula.tabIndex = 0;
  else formula.removeAttribute("tabindex");
}

function markWideFormulas() {
  document.querySelectorAll('mjx-container[display="true"]').forEach(markWide);
}

addEventListener("load", async () => {
  await window.MathJax?.startup?.promise;
  markWideFormulas();
  addEventListener("resize", markWideFormulas);
  document.addEventListener("toggle", markWideFormulas, true); // what was folded has no width
  document.addEventListener("scroll", event => event.target.matches?.("mjx-container") && markWide(event.target), true);
});

// The lines under a search result are cut from the page as it was written: formulas in TeX. Words are kept.
const SIGNS = {
  top: "ᵀ", times: "×", cdot: "·", le: "≤", ge: "≥", ne: "≠", neq: "≠", in: "∈", to: "→", dots: "…", sum: "∑", infty: "∞", R: "ℝ", perp: "⊥",
  alpha: "α", beta: "β", gamma: "γ", delta: "δ", epsilon: "ε", varepsilon: "ε", zeta: "ζ", eta: "η", theta: "θ", kappa: "κ", lambda: "λ", mu: "μ",
  nu: "ν", xi: "ξ", pi: "π", rho: "ρ", sigma: "σ", tau: "τ", phi: "φ", varphi: "φ", chi: "χ", psi: "ψ", omega: "ω", Gamma: "Γ", Delta: "Δ",
  Theta: "Θ", Lambda: "Λ", Sigma: "Σ", Phi: "Φ", Omega: "Ω",
};
const FUNCTIONS = /^(?:arg|argmax|argmin|cos|det|diag|dim|exp|lim|log|max|min|rank|sin|tr|vspan)$/;

function readable(tex) {
  return tex
    .replace(/\\[()[\]]/g, "")
    .replace(/\\(?:[,;:!> {}|]|\\)/g, " ")
    .replace(/\\([A-Za-z]+)\s*/g, (whole, name) => SIGNS[name] ?? (FUNCTIONS.test(name) ? `${name} ` : ""))
    .replace(/[{}^_&$~]/g, "");
}

addEventListener("DOMContentLoaded", () => {
  if (typeof Search === "undefined" || !Search.htmlToText) return;
  const textOf = Search.htmlToText;
  Search.htmlToText = (html, anchor) => {
    const page = new DOMParser().parseFromString(html, "text/html");
    page.querySelectorAll(".bd-header-article, #jb-print-docs-body, .prev-next-footer, div.cell_input").forEach(part => part.remove());
    page.querySelectorAll("div.math").forEach(formula => formula.replaceWith(" … "));
    page.querySelectorAll("span.math").forEach(formula => formula.replaceWith(readable(formula.textContent)));
    return textOf(page.documentElement.outerHTML, anchor);
  };
});

// What is wider than the screen scrolls by itself: its edge fades where there is more, and the keyboard can reach it,
// too. So do formulas, tables, code and what it prints, and on a phone pictures that are wide and cannot be cut into
// panels: their words would shrink beyond reading.
const SCROLLS = "mjx-container, .panorama, article pre, .pst-scrollable-table-container";
const WIDE = 1.9; // times its height
const HARDLY = 3; // pixels: a bar or a hat may stand out of its letter by so much
const LEGIBLE = 600; // pixels; on a phone, words of a narrower picture keep six tenths of their size

// In a line of a wide screen a formula does not scroll: such an element says nothing of its width.
const canScroll = part => getComputedStyle(part).overflowX === "auto";
const measured = part => [part, canScroll(part) ? part.scrollWidth - part.clientWidth : 0, part.scrollLeft];

function markWide([part, hidden, left]) {
  const isWide = hidden > HARDLY;
  part.classList.toggle("more-left", isWide && left > 1);
  part.classList.toggle("more-right", isWide && left < hidden - 1);
  if (!isWide) return part.removeAttribute("tabindex");
  part.tabIndex = 0;
  part.style.setProperty("--fading", `${2 * hidden}px`); // of what hardly goes on, hardly anything fades
}

function markAllWide() {
  // First measure everything, then change: a page has thousands of formulas and is laid out once.
  [...document.querySelectorAll(SCROLLS)].map(measured).forEach(markWide);
}

// Where a picture is empty at the edge of the screen, nothing fades: a line says that there is more.
function goesOn() {
  const line = document.createElement("p");
  line.className = "goes-on";
  line.ariaHidden = "true"; // who hears the page has the picture's description
  line.textContent = "swipe: the picture goes on →";
  return line;
}

function wrapPanoramas() {
  for (const picture of document.querySelectorAll("article figure > img:not(.in-panels)")) {
    if (picture.naturalWidth < Math.max(LEGIBLE, WIDE * picture.naturalHeight)) continue;
    const frame = document.createElement("div");
    frame.className = "panorama";
    picture.replaceWith(frame);
    frame.append(picture);
    frame.after(goesOn());
  }
}

addEventListener("load", async () => {
  await window.MathJax?.startup?.promise;
  wrapPanoramas();
  markAllWide();
  addEventListener("resize", markAllWide);
  let later; // the sidebar takes its time to come and go, and the text becomes narrower without the window
  new ResizeObserver(() => {
    clearTimeout(later);
    later = setTimeout(markAllWide, 150);
  }).observe(document.querySelector("article") ?? document.body);
  document.fonts.addEventListener("loadingdone", markAllWide); // until then formulas have another font's width
  document.addEventListener("toggle", markAllWide, true); // what was folded has no width
  document.addEventListener("scroll", event => event.target.matches?.(SCROLLS) && markWide(measured(event.target)), true);
});

// In-depth parts: a choice for all pages, and a link to a place inside a folded part opens it.
const DEPTHS = { core: "core only", folded: "core, the rest folded", open: "everything" };
const inDepth = () => document.querySelectorAll("details.depth");

function rememberedDepth() {
  try {
    return localStorage.getItem("depth") ?? "folded"; // refused where pages may store nothing
  } catch {
    return "folded";
  }
}

function showDepth(depth) {
  document.documentElement.dataset.depth = depth;
  for (const part of inDepth()) part.open = depth === "open";
  for (const button of document.querySelectorAll(".depth-choice button")) button.ariaPressed = String(button.value === depth);
}

function chooseDepth({ target }) {
  showDepth(target.value);
  try {
    localStorage.setItem("depth", target.value);
  } catch {} // the choice then holds for this page
}

function offerDepths() {
  const title = document.querySelector("article h1");
  if (!title || !inDepth().length) return;
  const line = document.createElement("div");
  line.className = "depth-choice";
  line.role = "group";
  line.ariaLabel = "How much of the page to show and to print";
  line.append("Show and print:");
  for (const [value, words] of Object.entries(DEPTHS)) {
    const button = document.createElement("button");
    Object.assign(button, { type: "button", value, textContent: words, onclick: chooseDepth });
    line.append(button);
  }
  title.after(line);
  showDepth(rememberedDepth());
}

function openTarget() {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (!target) return;
  if (target.matches(".moved")) return location.replace(target.dataset.href);
  let isHidden = false;
  for (let fold = target.closest("details"); fold; fold = fold.parentElement.closest("details")) {
    isHidden ||= !fold.open;
    fold.open = true;
  }
  if (isHidden) target.scrollIntoView();
}

addEventListener("DOMContentLoaded", () => {
  offerDepths();
  openTarget();
});
addEventListener("hashchange", openTarget);

// Paper cannot be opened. Older browsers do not print what the style sheet opens.
addEventListener("beforeprint", () => {
  const isCore = document.documentElement.dataset.depth === "core";
  const folds = [...document.querySelectorAll("article details:not(.hide, .checked, [open])")];
  const printed = folds.filter(fold => !(isCore && fold.matches(".depth")));
  for (const fold of printed) fold.open = true;
  addEventListener("afterprint", () => printed.forEach(fold => (fold.open = false)), { once: true });
});

// Paper is white, whatever the screen was when it was printed.
addEventListener("beforeprint", () => {
  const { theme } = document.documentElement.dataset;
  document.documentElement.dataset.theme = "light";
  addEventListener("afterprint", () => (document.documentElement.dataset.theme = theme), { once: true });
});

// The lines under a search result are cut from the page as it was written: formulas in TeX. Words are kept.
const SIGNS = {
  top: "ᵀ", times: "×", cdot: "·", le: "≤", ge: "≥", ne: "≠", neq: "≠", in: "∈", to: "→", dots: "…", sum: "∑", infty: "∞", R: "ℝ", perp: "⊥",
  approx: "≈", ll: "≪", gg: "≫", pm: "±", sqrt: "√", succeq: "⪰", mapsto: "↦", propto: "∝", lVert: "‖", rVert: "‖", ldots: "…", cdots: "…",
  alpha: "α", beta: "β", gamma: "γ", delta: "δ", epsilon: "ε", varepsilon: "ε", zeta: "ζ", eta: "η", theta: "θ", kappa: "κ", lambda: "λ", mu: "μ",
  nu: "ν", xi: "ξ", pi: "π", rho: "ρ", sigma: "σ", tau: "τ", phi: "φ", varphi: "φ", chi: "χ", psi: "ψ", omega: "ω", Gamma: "Γ", Delta: "Δ",
  Theta: "Θ", Lambda: "Λ", Sigma: "Σ", Phi: "Φ", Omega: "Ω", Psi: "Ψ", Pi: "Π", ell: "ℓ", partial: "∂", nabla: "∇", int: "∫", circ: "∘",
  lvert: "|", rvert: "|", langle: "⟨", rangle: "⟩", lceil: "⌈", rceil: "⌉", lfloor: "⌊", rfloor: "⌋", subseteq: "⊆", cup: "∪", notin: "∉",
  sim: "∼", mid: "∣", preceq: "⪯", varrho: "ϱ", mp: "∓", Rightarrow: "⇒", Leftrightarrow: "⇔", leftarrow: "←", downarrow: "↓",
};
const ACCENTS = { bar: "\u0304", hat: "\u0302", tilde: "\u0303" }; // they follow their letter
const FUNCTIONS = /^(?:Pr|arg|argmax|argmin|cos|det|diag|dim|exp|lim|log|max|min|rank|sin|tanh|tr|vspan)$/;

// 65536² and λ₁, not 655362 and λ1.
const shifted = digits => (whole, one, more) => [...(one ?? more)].map(digit => digits[digit]).join("");

// A fraction takes two groups in braces, commands or single signs; a sum above and all but one sign below get brackets.
const GROUP = String.raw`\s*(\{(?:[^{}]|\{[^{}]*\})*\}|\\[A-Za-z]+|[^\s{}\\])`;
const PAIR = new RegExp(String.raw`\\binom${GROUP}${GROUP}`, "g");
const FRACTION = new RegExp(String.raw`\\[td]?frac${GROUP}${GROUP}(?=\s*([A-Za-z\\(]?))`, "g");

const bare = group => group.replace(/^\{(.*)\}$/, "$1").trim();

function quotient(whole, above, below, next) {
  const [a, b] = [above, below].map(bare);
  const top = /.[-+]/.test(a) ? `(${a})` : a;
  const bottom = /^(?:\d+|\\[A-Za-z]+|.)$/.test(b) ? b : `(${b})`;
  return `${top}/${bottom}${next ? "\\ " : ""}`;
}

function readable(tex) {
  return tex
    .replace(/\\[()[\]]|\\(?:begin|end)\{\w+\*?\}/g, "")
    .replace(FRACTION, quotient)
    .replace(PAIR, (whole, above, below) => `(${bare(above)}\\ ${bare(below)})`)
    .replace(/\\not\s*(\\[A-Za-z]+)/g, "$1 \u0338")
    .replace(/\\(bar|hat|tilde)\s*(?:\{(\w)\}|(\w|\\[A-Za-z]+))/g, (whole, name, one, other) => `${one ?? other} ${ACCENTS[name]}`)
    .replace(/\\norm\s*(?:\{([^{}]*)\}|(\w))/g, (whole, many, one) => `‖${many ?? one}‖`)
    .replace(/\^(?:\{\\top\}|\\top\s*)/g, "ᵀ")
    .replace(/\^(?:(\d)|\{(\d+)\})/g, shifted("⁰¹²³⁴⁵⁶⁷⁸⁹"))
    .replace(/_(?:(\d)|\{(\d+)\})/g, shifted("₀₁₂₃₄₅₆₇₈₉"))
    .replace(/\\(?:[,;:!> {}|]|\\)/g, " ")
    .replace(/\\([A-Za-z]+)\s*/g, (whole, name) => SIGNS[name] ?? (FUNCTIONS.test(name) ? `${name} ` : ""))
    .replace(/ ([\u0302-\u0304\u0338])/g, "$1")
    .replace(/&/g, " ")
    .replace(/[{}_$~]/g, "");
}

addEventListener("DOMContentLoaded", () => {
  if (typeof Search === "undefined" || !Search.htmlToText) return;
  const textOf = Search.htmlToText;
  Search.htmlToText = (html, anchor) => {
    const page = new DOMParser().parseFromString(html, "text/html");
    page.querySelectorAll(".bd-header-article, #jb-print-docs-body, .prev-next-footer, div.cell_input, details.hide > summary").forEach(part => part.remove());
    page.querySelectorAll("div.math").forEach(formula => formula.replaceWith(" … "));
    page.querySelectorAll("span.math").forEach(formula => formula.replaceWith(readable(formula.dataset.tex ?? formula.textContent)));
    return textOf(page.documentElement.outerHTML, anchor);
  };
});

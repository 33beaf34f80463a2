"""What is asked of a page for those who do not see it or do not hold a mouse.

axe-core (tests/browser/axe-core, MPL-2.0, used by the tests only) knows the rules of WCAG 2.2 AA, as far as a program
can tell. What it does not ask is asked here: one title, levels that do not skip, names for everything.
"""

from pathlib import Path

AXE = Path(__file__).with_name("axe-core") / "axe.min.js"

# What MathJax puts inside a formula is the same on every page, and a chapter has 50,000 elements of it, which axe
# would walk through: but for one page, a letter is put for each formula, or its TeX (`mathematics=False`).
VIOLATIONS = """async skipFormulas => {
  const tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
  const rules = {"color-contrast": {enabled: false}};
  const context = skipFormulas ? {exclude: [["mjx-container > *"], [".math:not(:has(mjx-container))"]]} : document;
  const result = await axe.run(context, {runOnly: {type: "tag", values: tags}, rules});
  return result.violations.map(found => `${found.id}: ${found.nodes.map(node => node.html.slice(0, 90)).join(" · ")}`);
}"""

OUTLINE = """() => [...document.querySelectorAll("main :is(h1, h2, h3, h4, h5, h6)")]
  .filter(heading => heading.checkVisibility()).map(heading => Number(heading.tagName[1]))"""

UNNAMED = """() => {
  const words = element => (element.innerText || "").trim() || element.getAttribute("aria-label")
    || element.title || [...element.querySelectorAll("img")].map(image => image.alt).join("");
  const links = [...document.querySelectorAll("a[href]")].filter(link => link.checkVisibility() && !words(link));
  const inputs = [...document.querySelectorAll("input:not([type=hidden])")]
    .filter(input => input.checkVisibility() && !input.labels.length && !input.getAttribute("aria-label"));
  const tables = [...document.querySelectorAll("article table")].filter(table => !table.querySelector("th"));
  const images = [...document.querySelectorAll("img")].filter(image => !image.hasAttribute("alt"));
  const ids = [...document.querySelectorAll("[id]")].map(element => element.id);
  const twice = ids.filter((id, place) => ids.indexOf(id) !== place);
  return [...[links, inputs, tables, images].flat().map(element => element.outerHTML.slice(0, 90)), ...twice];
}"""

SLIDERS = "article input[type=range]:not(.explorable *)"  # what moves at once is tried by tests of its own


# The colours of code are thousands of elements of a chapter, and none of axe's business here.
PLAIN_CODE = """() => {
  for (const code of document.querySelectorAll(".highlight pre")) code.textContent = code.textContent;
}"""
LETTERS_FOR_FORMULAS = """() => {
  for (const formula of document.querySelectorAll("mjx-container")) formula.textContent = "x";
}"""


def violations(page, *, skip_formulas=True):
    page.evaluate(PLAIN_CODE)
    page.add_script_tag(path=str(AXE))
    return page.evaluate(VIOLATIONS, skip_formulas)

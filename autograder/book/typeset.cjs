// Typeset formulas with MathJax: {mathjax, fonts, settings, formulas: [[tex, isDisplayed], …]} on standard input,
// {style, typeset: [html, …]} on standard output. A formula that TeX refuses has its complaint inside <mjx-merror>.
"use strict";

const { readFileSync, writeFileSync } = require("fs");

// Of lengths in TeX's own units; the page is free to choose another font and size.
const FONT = { em: 16, ex: 8, containerWidth: 1280 };

async function main() {
  const { mathjax, fonts, settings, formulas } = JSON.parse(readFileSync(0, "utf-8"));
  const MathJax = await require(`${mathjax}/node-main.js`).init({
    loader: { load: ["adaptors/liteDOM", "input/tex", "output/chtml", "a11y/assistive-mml"], paths: { mathjax } },
    // A macro that does not exist is a mistake to be told, not one to be shown in red.
    tex: { ...settings.tex, packages: { "[-]": ["noundefined", "noerrors"] } },
    chtml: { ...settings.chtml, fontURL: fonts, adaptiveCSS: false },
    startup: { typeset: false },
  });
  const { adaptor } = MathJax.startup;
  const typeset = [];
  for (const [tex, display] of formulas) {
    typeset.push(adaptor.outerHTML(await MathJax.tex2chtmlPromise(tex, { display, ...FONT })));
  }
  const style = adaptor.textContent(MathJax.chtmlStylesheet());
  writeFileSync(1, JSON.stringify({ style, typeset }));
}

main().catch(error => {
  console.error(error.message);
  process.exit(1);
});

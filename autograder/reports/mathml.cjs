// Convert TeX to MathML with MathJax: {mathjax, seconds, pages: [[[tex, isDisplayed], …], …]} on standard input, a line
// for each page on standard output: a list of MathML, null for a formula that TeX refuses or that comes after the page
// has used up its CPU seconds. MathML is part of HTML: the page needs no script and no font.
"use strict";

const { readFileSync, writeFileSync } = require("fs");

async function main() {
  const { mathjax, seconds, pages } = JSON.parse(readFileSync(0, "utf-8"));
  const MathJax = await require(`${mathjax}/node-main.js`).init({
    loader: { load: ["adaptors/liteDOM", "input/tex"], paths: { mathjax } },
    // Students write these formulas: no links, no classes, no styles, no macros that they define.
    tex: { packages: ["base", "ams"], maxBuffer: 5000, maxMacros: 1000 },
    startup: { typeset: false },
  });
  const known = new Map(); // what is converted costs the pages that follow nothing
  for (const formulas of pages) {
    const start = cpuSeconds();
    for (const [tex, display] of formulas) {
      const name = `${display} ${tex}`;
      if (!known.has(name) && cpuSeconds() - start < seconds) {
        known.set(name, await converted(MathJax, tex, display));
      }
    }
    const results = formulas.map(([tex, display]) => known.get(`${display} ${tex}`) ?? null);
    writeFileSync(1, JSON.stringify(results) + "\n");
  }
}

function cpuSeconds() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}

async function converted(MathJax, tex, display) {
  try {
    const mathml = await MathJax.tex2mmlPromise(tex, { display });
    return mathml.includes("<merror") ? null : mathml;
  } catch (error) {
    return null;
  }
}

main().catch(error => {
  console.error(error.message);
  process.exit(1);
});

// Attack every claim as the page does, and judge examples that were handed in: JSON from stdin, JSON to stdout.
import { readFileSync } from "node:fs";
import { claims, isBroken, searching } from "../../book/_static/explore/claims/claims.mjs";
import { uniform } from "../../book/_static/explore/lib/eigen.mjs";
import { finish } from "../../book/_static/explore/lib/slices.mjs";

const { known, seeds, limit } = JSON.parse(readFileSync(0, "utf8"));
const judged = (claim, example) => ({ example, sides: claim.judge(example), holds: claim.holds(example), isBroken: isBroken(claim.judge(example)) });

const report = Object.fromEntries(Object.entries(claims).map(([name, claim]) => {
  const attacked = (on) => seeds.map((seed) => {
    const { example, tried } = finish(searching(claim, on, uniform(seed), limit));
    return { tried, ...(example ? judged(claim, example) : { example: null }) };
  });
  return [name, {
    all: attacked([true, true, true]),
    without: [0, 1, 2].map((off) => attacked([0, 1, 2].map((i) => i !== off))),
    known: known[name].map((example) => judged(claim, example)),
  }];
}));
process.stdout.write(JSON.stringify(report));

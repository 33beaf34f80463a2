// Problems to practise on: each becomes live, and its numbers are fetched, when it comes near.
import { Problem } from "./problem.mjs";

const near = new IntersectionObserver(seen => {
  for (const { target, isIntersecting } of seen) {
    if (!isIntersecting) continue;
    near.unobserve(target);
    new Problem(target);
  }
}, { rootMargin: "600px" });
document.querySelectorAll(".practice").forEach(root => near.observe(root));

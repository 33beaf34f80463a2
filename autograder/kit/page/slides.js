// Shows one slide at a time: arrows, space, page keys, Home and End, or the two buttons. Without scripts all are shown.
const slides = [...document.querySelectorAll(".slide")];
const count = document.querySelector("nav output");
const KEYS = { ArrowRight: 1, PageDown: 1, " ": 1, ArrowLeft: -1, PageUp: -1, Home: -Infinity, End: Infinity };
const SMALLEST = 0.5; // below that nobody reads it: the slide scrolls instead
let current = 0;

function show(place) {
  current = Math.min(Math.max(place, 0), slides.length - 1);
  slides.forEach((slide, number) => slide.classList.toggle("current", number === current));
  count.textContent = `${current + 1} of ${slides.length}`;
  history.replaceState(null, "", `#${current + 1}`);
  fit(slides[current]);
  scrollTo(0, 0);
}

// A slide that is too tall becomes smaller; a live cell grows while one writes, and is left alone.
function fit(slide) {
  slide.style.zoom = 1;
  const ratio = innerHeight / slide.scrollHeight;
  if (ratio < 1 && !slide.querySelector(".live")) slide.style.zoom = Math.max(ratio, SMALLEST);
}

addEventListener("keydown", event => {
  const isWriting = event.target.closest?.("textarea, input, .cm-editor, button, summary");
  if (event.key in KEYS && !isWriting && !event.ctrlKey && !event.metaKey && !event.altKey) {
    event.preventDefault();
    show(current + KEYS[event.key]);
  }
});
document.querySelectorAll("nav button").forEach(button => button.addEventListener("click", () => show(current + Number(button.dataset.step))));
addEventListener("resize", () => fit(slides[current]));
addEventListener("hashchange", () => show(Number(location.hash.slice(1)) - 1 || 0));
document.body.classList.add("shown");
show(Number(location.hash.slice(1)) - 1 || 0);
addEventListener("load", () => fit(slides[current]));

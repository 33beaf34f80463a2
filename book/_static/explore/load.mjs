// Import each picture when it comes near the screen; if anything fails, its still stays.
const MARGIN = "600px";

async function bring(figure) {
  try {
    const picture = await import(`./${figure.dataset.explorable}.mjs`);
    picture.mount(figure);
  } catch (error) {
    figure.classList.remove("is-live");
    figure.querySelector(".live")?.remove();
    console.warn(`${figure.dataset.explorable}: the still stays, because ${error}`);
  }
}

const watcher = new IntersectionObserver((entries) => {
  for (const { target, isIntersecting } of entries) {
    if (!isIntersecting) continue;
    watcher.unobserve(target);
    bring(target);
  }
}, { rootMargin: MARGIN });

for (const figure of document.querySelectorAll("figure[data-explorable]")) watcher.observe(figure);

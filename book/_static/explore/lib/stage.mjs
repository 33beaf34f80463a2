// What every picture has around it: the live drawing, its controls, its words, and the button that breaks it.
import { arrowStep, draggable, html, perFrame, set, svg } from "./draw.mjs";
import { speaker } from "./words.mjs";

// Read what Python wrote for a picture.
export const dataOf = (figure) => JSON.parse(figure.querySelector("script[type='application/json']").textContent);

// Build the live part before the caption; the still goes when the picture has drawn itself (`ready`).
export function openStage(figure, { hint }) {
  const drawings = html("div", { class: "drawings" });
  const controls = html("div", { class: "controls" });
  const seen = html("p", { class: "words", "aria-hidden": "true" });
  const heard = html("p", { class: "only-heard", role: "status" });
  const live = html("div", { class: "live" }, drawings, controls, seen, heard, html("p", { class: "hint" }, hint));
  figure.querySelector("figcaption").before(live);

  const drawing = ([width, height], label, attributes = {}) => {
    // a screen reader hands arrow keys on to an application only
    const role = "tabindex" in attributes ? "application" : "group";
    const area = svg("svg", { viewBox: `0 0 ${width} ${height}`, role, "aria-label": label, ...attributes });
    area.style.maxWidth = `${width}px`;
    drawings.append(area);
    return area;
  };

  const slider = (label, settings, change, format = String) => {
    const input = html("input", { type: "range", autocomplete: "off", ...settings });
    const shown = html("span", {}, ""); // an output would be what the label names
    const show = () => {
      shown.textContent = format(Number(input.value));
      set(input, { "aria-valuetext": shown.textContent });
    };
    controls.append(html("label", {}, `${label} `, shown, input));
    input.addEventListener("input", () => {
      show();
      change(Number(input.value));
    });
    show();
    const put = (value) => {
      input.value = value;
      show();
    };
    return { input, put };
  };

  const button = (words, press) => {
    const element = html("button", { type: "button" }, words);
    element.addEventListener("click", () => press(element));
    controls.append(element);
    return element;
  };

  // A switch: pressed it shows the mistake, released it brings the old state back.
  let release = () => {};
  const wrong = (cause, { make, undo }) => {
    const element = button(`The wrong thing happens when … ${cause}`, () => {
      const isOn = element.getAttribute("aria-pressed") !== "true";
      set(element, { "aria-pressed": String(isOn) });
      (isOn ? make : undo)();
    });
    release = () => set(element, { "aria-pressed": "false" });
    release();
    set(element, { class: "wrong" });
    return element;
  };

  // The first state, whatever was changed: the mistake is gone, too, and its switch with it.
  const startAgain = (press) => button("Start again", () => {
    release();
    press();
  });

  return {
    live, drawing, slider, button, wrong, startAgain,
    say: speaker(seen, heard),
    ready: () => figure.classList.add("is-live"),
  };
}

// Points that can be moved by mouse, finger and keys; one of them is in the order of Tab, Page Up and Down choose.
export function handles(area, { size, place, move, name, step = 4, kind = "point" }) {
  let chosen = 0;
  const layer = svg("g", { class: "handles" });
  const marks = Array.from({ length: size }, (_, i) =>
    svg("circle", { class: kind, r: 6, tabindex: i === 0 ? 0 : -1, role: "button", "aria-roledescription": "movable point" }));
  layer.append(...marks);
  area.append(layer);
  set(area, { role: "application" });

  const choose = (i, isFocused = true) => {
    set(marks[chosen], { tabindex: -1 });
    chosen = i;
    set(marks[chosen], { tabindex: 0 });
    if (isFocused) marks[chosen].focus({ preventScroll: true });
  };
  const draw = () => marks.forEach((mark, i) => {
    const [x, y] = place(i);
    set(mark, { cx: x.toFixed(1), cy: y.toFixed(1), "aria-label": name(i) });
  });
  let target = null;
  const moveOnce = perFrame(() => move(...target));
  draggable(area, {
    places: () => marks.map((_, i) => place(i)),
    move: (i, x, y) => {
      target = [i, x, y];
      moveOnce();
    },
  });
  area.addEventListener("hold", (event) => choose(event.detail));
  layer.addEventListener("keydown", (event) => {
    const turn = { PageDown: 1, PageUp: -1 }[event.key];
    if (turn) {
      event.preventDefault();
      choose((chosen + turn + size) % size);
      draw();
      return;
    }
    const arrow = arrowStep(event);
    if (!arrow) return;
    const [x, y] = place(chosen);
    move(chosen, x + step * arrow[0], y - step * arrow[1]);
  });
  return { draw, marks };
}

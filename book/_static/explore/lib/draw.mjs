// Drawing and handling: SVG elements, scales, shades, turning, dragging by mouse, finger and keys.
// Only functions that are handed an element touch the page.

const SVG = "http://www.w3.org/2000/svg";

export function svg(tag, attributes = {}, ...children) {
  const element = document.createElementNS(SVG, tag);
  set(element, attributes);
  element.append(...children);
  return element;
}

export function html(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  set(element, attributes);
  element.append(...children);
  return element;
}

export function set(element, attributes) {
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
}

export const clamp = (value, low, high) => Math.min(Math.max(value, low), high);

// A linear map from numbers to places and back.
export function scale([from, to], [low, high]) {
  const slope = (high - low) / (to - from);
  const place = (value) => low + slope * (value - from);
  place.back = (at) => from + (at - low) / slope;
  place.slope = slope;
  return place;
}

// One scale for both axes of a box, so that a circle stays a circle; y grows upwards.
export function frame(left, top, width, height, { centre = [0, 0], reach }) {
  const unit = Math.min(width, height) / (2 * reach);
  return {
    unit,
    x: (value) => left + width / 2 + unit * (value - centre[0]),
    y: (value) => top + height / 2 - unit * (value - centre[1]),
    back: (x, y) => [centre[0] + (x - left - width / 2) / unit, centre[1] - (y - top - height / 2) / unit],
  };
}

const short = (value) => Math.round(value * 10) / 10;

export function path(points, isClosed = false) {
  return points.map(([x, y], at) => `${at ? "L" : "M"}${short(x)} ${short(y)}`).join("") + (isClosed ? "Z" : "");
}

export function segments(pairs, x, y) {
  return pairs.map(([i, j]) => `M${short(x(i))} ${short(y(i))}L${short(x(j))} ${short(y(j))}`).join("");
}

// Many dots as strokes without length and with round ends: one path for each shade, not one element for each dot.
export const SHADES = 8;
export function dots(places, shades) {
  const paths = Array.from({ length: SHADES }, () => []);
  places.forEach(([x, y], i) => paths[shades[i]].push(`M${short(x)} ${short(y)}h0`));
  return paths.map((pieces) => pieces.join(""));
}

export function shadeOf(values) {
  const low = Math.min(...values);
  const span = Math.max(...values) - low || 1;
  return Array.from(values, (value) => Math.min(Math.floor((SHADES * (value - low)) / span), SHADES - 1));
}

export function dotLayer() {
  return svg("g", { class: "dots" }, ...Array.from({ length: SHADES }, (_, shade) => svg("path", { class: `shade-${shade}` })));
}

export function fillDots(layer, places, shades) {
  dots(places, shades).forEach((data, shade) => layer.children[shade].setAttribute("d", data));
}

// The two rows of a rotation that a viewer sees: to the right and upwards.
export function viewAxes(yaw, pitch) {
  const [cy, sy, cp, sp] = [Math.cos(yaw), Math.sin(yaw), Math.cos(pitch), Math.sin(pitch)];
  return [[cy, sy, 0], [-sp * sy, sp * cy, cp]];
}

// However often it is asked, draw once before the next frame.
export function perFrame(draw) {
  let handle = 0;
  return () => {
    handle ||= requestAnimationFrame(() => {
      handle = 0;
      draw();
    });
  };
}

// Where a pointer is, in the units of the drawing.
export function placeIn(area, event) {
  const { x, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform(area.getScreenCTM().inverse());
  return [x, y];
}

// Drag the nearest of some places. A finger that picked none scrolls the page as usual.
export function draggable(area, { places, move, radius = 24, drop = () => {} }) {
  let held = -1;
  const pick = (event) => {
    const [x, y] = placeIn(area, event);
    const lengths = places().map(([px, py]) => Math.hypot(px - x, py - y));
    const nearest = lengths.indexOf(Math.min(...lengths));
    return lengths[nearest] <= radius ? nearest : -1;
  };
  const keep = (event) => event.touches.length === 1 && pick(event.touches[0]) >= 0 && event.preventDefault();
  area.addEventListener("touchstart", keep, { passive: false });
  area.addEventListener("pointerdown", (event) => {
    if (event.button !== 0 || !event.isPrimary) return;
    held = pick(event);
    if (held < 0) return;
    area.setPointerCapture(event.pointerId);
    area.dispatchEvent(new CustomEvent("hold", { detail: held }));
    event.preventDefault();
  });
  area.addEventListener("pointermove", (event) => held >= 0 && event.isPrimary && move(held, ...placeIn(area, event)));
  for (const end of ["pointerup", "pointercancel"]) {
    area.addEventListener(end, () => {
      if (held >= 0) drop(held);
      held = -1;
    });
  }
}

const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };

// The step of an arrow key, five times as long with Shift; null for other keys.
export function arrowStep(event) {
  const step = STEPS[event.key];
  if (!step || event.ctrlKey || event.altKey || event.metaKey) return null;
  event.preventDefault();
  return step.map((part) => part * (event.shiftKey ? 5 : 1));
}

// Turn by dragging and by arrow keys. A finger turns sideways only: up and down scrolls the page.
export function turnable(area, turn) {
  let last = null;
  set(area, { tabindex: 0, role: "application", style: "touch-action: pan-y" });
  area.addEventListener("pointerdown", (event) => {
    if (event.button !== 0 || !event.isPrimary) return;
    last = [event.clientX, event.clientY];
    area.setPointerCapture(event.pointerId);
  });
  area.addEventListener("pointermove", (event) => {
    if (!last) return;
    const isFinger = event.pointerType === "touch";
    turn((event.clientX - last[0]) / 120, isFinger ? 0 : (event.clientY - last[1]) / 120);
    last = [event.clientX, event.clientY];
  });
  for (const end of ["pointerup", "pointercancel"]) area.addEventListener(end, () => (last = null));
  area.addEventListener("keydown", (event) => {
    const step = arrowStep(event);
    if (step) turn(step[0] * 0.08, -step[1] * 0.08);
  });
}

"""Pictures that the reader moves: one drawing, a slider, and a sentence for each of its positions.

Every frame is drawn when the book is built and stands in the page as SVG, all but one hidden; the script
only chooses. So paper and a browser without scripts show the first frame, and the keyboard works as on any
slider. Drawings take their colours from var(--ink), var(--pale), var(--blue) and var(--orange), which follow
the theme of the page.
"""

import base64
import html
import io
from collections.abc import Sequence
from dataclasses import dataclass

import matplotlib.pyplot as plt
from IPython.display import HTML

from _figures.style import Array


@dataclass(frozen=True)
class Frame:
    """What one position of the slider adds to the scene."""

    drawing: str  # SVG elements
    words: str  # the same for those who hear it: shown below, and the spoken value of the slider


@dataclass(frozen=True)
class Scene:
    """What stays when the slider moves."""

    box: tuple[int, int, int, int]  # left, top, width and height; a unit is at most a pixel
    alt: str  # what is drawn, for those who cannot see it
    drawing: str  # SVG elements, below those of the frames


def slider(frames: Sequence[Frame], scene: Scene, *, label: str, caption: str, first: int = 0) -> HTML:
    """Return a figure whose frame the reader chooses; the caption may hold HTML, all else is plain words."""
    if not 0 <= first < len(frames):
        raise ValueError(f"first must be between 0 and {len(frames) - 1}, got {first}")
    words = html.escape(frames[first].words)
    return HTML(f"""<figure class="slider-figure">
{STYLE}
<svg viewBox="{" ".join(map(str, scene.box))}" role="img" aria-label="{html.escape(scene.alt)}"
 style="max-width: {scene.box[2]}px; --phone-text: {_phone_text(scene.box[2])}px">
{scene.drawing}
{"".join(_group(frame, is_shown=place == first) for place, frame in enumerate(frames))}</svg>
<label>{html.escape(label)}
<input type="range" min="0" max="{len(frames) - 1}" value="{first}" autocomplete="off" aria-valuetext="{words}"></label>
<p class="words">{words}</p>
<figcaption>{caption}</figcaption>
{SCRIPT}
</figure>""")


def _phone_text(width: int) -> int:
    """The size of words in a drawing on a phone, where a wide drawing shrinks and its words with it."""
    return max(15, round(0.033 * width))


def _group(frame: Frame, *, is_shown: bool) -> str:
    display = "inline" if is_shown else "none"
    words = html.escape(frame.words)
    return f'<g class="frame" display="{display}" data-words="{words}">{frame.drawing}</g>\n'


def path(points: Array) -> str:
    """The data of an SVG path through points, one per row."""
    return "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in points)


def pixels(ink: Array, box: tuple[float, float, float, float]) -> str:
    """An SVG image of a matrix of ink, from 0 (paper) to 1, that fills a box: left, top, width, height."""
    file = io.BytesIO()
    plt.imsave(file, ink, cmap="gray_r", vmin=0, vmax=1, format="png", metadata={"Software": None})
    data = base64.b64encode(file.getvalue()).decode()
    place = 'x="{:g}" y="{:g}" width="{:g}" height="{:g}"'.format(*box)
    return f'<image {place} preserveAspectRatio="none" href="data:image/png;base64,{data}"/>'


# The theme puts HTML that it does not know on a light ground, also where the page is dark.
STYLE = """<style>
.slider-figure {
  --ink: #222222; --pale: #8c8c8c; --blue: #0a5c96; --orange: #c14e00;
  margin: 1rem auto; text-align: center;
}
.slider-figure svg { display: block; width: 100%; height: auto; margin: 0 auto 0.5rem; }
.slider-figure svg text { fill: var(--ink); font-size: 15px; }
.slider-figure svg image { image-rendering: pixelated; }
.slider-figure label { display: block; }
.slider-figure input { display: block; width: min(24rem, 100%); margin: 0.3rem auto; accent-color: var(--blue); }
.slider-figure .words { margin: 0 0 0.5rem; font-variant-numeric: tabular-nums; }
html[data-theme="dark"] .slider-figure { --ink: #dddddd; --pale: #8a8a8a; --blue: #6db7ee; --orange: #ff9b57; }
html[data-theme="dark"] .slider-figure svg image { filter: invert(0.92); }
.bd-content div.cell_output .text_html:has(.slider-figure) {
  background: none !important; color: inherit !important; padding: 0;
}
@media screen and (max-width: 576px) {
  .slider-figure .words { min-height: 4.5em; }
  .slider-figure svg text { font-size: var(--phone-text, 15px); }
}
@media print { .slider-figure label { display: none !important; } }
</style>"""

SCRIPT = """<script>
for (const figure of document.querySelectorAll(".slider-figure:not([data-ready])")) {
  figure.dataset.ready = "yes";
  const input = figure.querySelector("input"), frames = figure.querySelectorAll(".frame");
  const show = () => {
    frames.forEach((frame, place) => frame.setAttribute("display", place == input.value ? "inline" : "none"));
    const words = frames[input.value].dataset.words;
    figure.querySelector(".words").textContent = words;
    input.setAttribute("aria-valuetext", words);
  };
  input.addEventListener("input", show);
  show();
}
</script>"""

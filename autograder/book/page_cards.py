"""Draw preview pictures that other sites show beside links.

A picture has the title of a page and one sentence, 1200 by 630 pixels.
"""

import hashlib
import textwrap
from pathlib import Path
from typing import Any

from autograder.course.files import make_folder

CARD_WIDTH, CARD_HEIGHT, CARD_DPI = 12.0, 6.3, 100
CARDS_FOLDER = "_static/cards"
CARD_INK, CARD_PAPER, CARD_ACCENT = "#1b2733", "#fbfaf7", "#1f6feb"
VERSION = "1"  # of the drawing


def card_name(book: str, title: str, description: str) -> str:
    """Return the file name of a picture, a hash of its content."""
    words = "\0".join([VERSION, book, title, description])
    return f"{hashlib.sha256(words.encode()).hexdigest()[:16]}.png"


def write_card(folder: Path, book: str, title: str, description: str) -> Path:
    """Draw the picture of a page if missing; return its path."""
    path = make_folder(folder) / card_name(book, title, description)
    if not path.is_file():
        _draw(path, book, title, description)
    return path


def _draw(path: Path, book: str, title: str, description: str) -> None:
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure
    from matplotlib.patches import Rectangle

    figure = Figure(figsize=(CARD_WIDTH, CARD_HEIGHT), dpi=CARD_DPI, facecolor=CARD_PAPER)
    FigureCanvasAgg(figure)
    figure.add_artist(Rectangle((0, 0), 0.02, 1, transform=figure.transFigure, color=CARD_ACCENT))
    style: dict[str, Any] = {"family": "DejaVu Sans", "color": CARD_INK, "parse_math": False}
    figure.text(0.07, 0.86, textwrap.fill(title, 30), fontsize=40, weight="bold", va="top", **style)
    figure.text(0.07, 0.42, textwrap.fill(description, 64), fontsize=20, va="top", linespacing=1.4, **style)
    figure.text(0.07, 0.07, book, fontsize=17, va="bottom", **(style | {"color": CARD_ACCENT}))
    figure.savefig(path, format="png", metadata={"Software": None})

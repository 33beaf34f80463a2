"""Convert a formula to plain characters, for search and bookmarks: `ν=0`."""

import re
import unicodedata

_SYMBOLS = {
    **{"top": "ᵀ", "times": "×", "cdot": "·", "pm": "±", "sum": "∑", "prod": "∏", "int": "∫", "sqrt": "√"},
    **{
        "le": "≤",
        "leq": "≤",
        "ge": "≥",
        "geq": "≥",
        "ne": "≠",
        "neq": "≠",
        "approx": "≈",
        "sim": "∼",
        "to": "→",
    },
    **{
        "in": "∈",
        "subset": "⊂",
        "cap": "∩",
        "cup": "∪",
        "perp": "⊥",
        "infty": "∞",
        "partial": "∂",
        "nabla": "∇",
    },
    **{
        "dots": "…",
        "ldots": "…",
        "cdots": "…",
        "lVert": "‖",
        "rVert": "‖",
        "R": "ℝ",
        "ell": "ℓ",
        "mapsto": "↦",
    },
}
_SUPERSCRIPTS = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
_VARIANTS = {"varepsilon": "ε", "varphi": "φ", "vartheta": "ϑ"}
# Names of functions become words; all other commands only affect layout.
_WORDS = {
    *(
        "arg",
        "argmax",
        "argmin",
        "cos",
        "cosh",
        "cov",
        "det",
        "diag",
        "dim",
        "exp",
        "inf",
        "ker",
        "lim",
        "log",
        "ln",
    ),
    *("max", "min", "rank", "sin", "sinh", "span", "sup", "tan", "tanh", "tr", "var", "vspan"),
}


def readable(tex: str) -> str:
    """Return a formula in plain characters, on one line."""
    tex = re.sub(r"\\(?:begin|end)\{\w+\*?\}|\\(?:[,;:!> ]|\\|[{}|])", " ", tex)
    tex = re.sub(r"\\([A-Za-z]+)\s*", _character, tex)
    tex = re.sub(
        r"\^(?:(\d)|\{(\d+)\})", lambda exponent: (exponent[1] or exponent[2]).translate(_SUPERSCRIPTS), tex
    )
    return " ".join(re.sub(r"[{}^_&$~]", "", tex).split())


def _character(command: re.Match[str]) -> str:
    name = command[1]
    if name in _SYMBOLS or name in _VARIANTS:
        return _SYMBOLS.get(name) or _VARIANTS[name]
    case = "CAPITAL" if name[0].isupper() else "SMALL"
    try:
        return unicodedata.lookup(f"GREEK {case} LETTER {name.upper()}")
    except KeyError:
        return f"{name} " if name in _WORDS else ""

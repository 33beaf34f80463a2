"""A formula as far as plain characters go, for search and bookmarks, which show no mathematics: `ν=0`."""

import re
import unicodedata

_SIGNS = {
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
_VARIANTS = {"varepsilon": "ε", "varphi": "φ", "vartheta": "ϑ"}
# Names of functions are words; every other command only arranges what stands around it.
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
    return " ".join(re.sub(r"[{}^_&$~]", "", tex).split())


def _character(command: re.Match[str]) -> str:
    name = command[1]
    if name in _SIGNS or name in _VARIANTS:
        return _SIGNS.get(name) or _VARIANTS[name]
    case = "CAPITAL" if name[0].isupper() else "SMALL"
    try:
        return unicodedata.lookup(f"GREEK {case} LETTER {name.upper()}")
    except KeyError:
        return f"{name} " if name in _WORDS else ""

"""Trim fonts and style sheets of a built site to the characters and icons that its pages use.

A font of icons has 1,400 glyphs, of which the pages show 20; the fonts and the style sheet of formulas are made for all
of TeX. MathJax itself, where a reader asks for it, brings its own style with the whole fonts.
"""

import hashlib
import io
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from autograder.course.files import write_text

FORMULA_STYLE = "_static/mathjax/formulas.css"
THEME_STYLE, SMALL_THEME_STYLE = "_static/styles/pydata-sphinx-theme.css", "_static/styles/theme-small.css"
FONT_FOLDER = "_static/fonts"
SMALL_FONTS = "../fonts/"  # as both style sheets see that folder
_RULE = re.compile(r"(?P<selector>[^{}]+)\{(?P<body>[^{}]*)\}\s*")
_CHARACTER_CLASS = re.compile(r"mjx-c[0-9A-F]+\b")
_CONTENT = re.compile(r'content: ?"((?:[^"\\]|\\.)*)"')
_ESCAPED = re.compile(r"\\([0-9A-Fa-f]{1,6}) ?|\\?(.)", re.DOTALL)
_FONT_FACE = re.compile(r"@font-face[^{]*\{[^}]*\}")
_ADDRESS = re.compile(r'url\("?(?P<address>[^")]+)"?\)')
_ICON = re.compile(r"\bfa-[a-z0-9-]+")
_ICON_RULE = re.compile(r'(?P<names>(?:\.fa-[a-z0-9-]+:before,?)+)\{content:"\\(?P<code>[0-9a-f]+)"\}')
_ICON_CODE = re.compile(r'content:"\\([ef][0-9a-f]{3})"')


def characters_of(css: str) -> set[int]:
    """Return the code points in the `content` of rules."""
    return {
        int(escape[1], 16) if escape[1] else ord(escape[2])
        for content in _CONTENT.findall(css)
        for escape in _ESCAPED.finditer(content)
    }


def trim_formula_style(site: Path, markup: Iterable[str]) -> None:
    """Drop from the style of formulas the rules and glyphs of characters that the pages do not have."""
    style = site / FORMULA_STYLE
    css = style.read_text("utf-8") if style.is_file() else ""
    if not css or SMALL_FONTS in css:
        return  # nothing was typeset since the style was trimmed
    used = {name for text in markup for name in _CHARACTER_CLASS.findall(text)}

    def filter_rule(rule: re.Match[str]) -> str:
        names = _CHARACTER_CLASS.findall(rule["selector"])
        return rule[0] if not names or used.intersection(names) else ""

    css = _RULE.sub(filter_rule, css)
    characters = characters_of(css)
    write_text(style, _FONT_FACE.sub(lambda face: _small_face(face[0], style, site, characters), css))


def _small_face(face: str, style: Path, site: Path, characters: set[int]) -> str:
    address = _ADDRESS.search(face)
    if address is None:
        return face
    small = small_font((style.parent / address["address"]).resolve(), site / FONT_FOLDER, characters)
    return _ADDRESS.sub(f'url("{SMALL_FONTS}{small.name}")', face) if small else face


def trim_icons(site: Path, texts: Iterable[str]) -> bool:
    """Write a theme style with the icons that the texts name, and their font; return whether there is one."""
    style = site / THEME_STYLE
    if not style.is_file():
        return False
    css = style.read_text("utf-8")
    named = {name for text in texts for name in _ICON.findall(text)}

    def filter_rule(rule: re.Match[str]) -> str:
        return rule[0] if named.intersection(_ICON.findall(rule["names"])) else ""

    css = _ICON_RULE.sub(filter_rule, css)
    other_styles = (
        path.read_text("utf-8") for path in sorted(site.glob("_static/**/*.css")) if path != style
    )
    codes = {int(code, 16) for text in (css, *other_styles) for code in _ICON_CODE.findall(text)}

    def small(face: re.Match[str]) -> str:
        address = next((file for file in _ADDRESS.findall(face[0]) if file.endswith(".ttf")), None)
        if address is None:
            return face[0]
        font = small_font((style.parent / address).resolve(), site / FONT_FOLDER, codes)
        if font is None:
            return face[0]
        return re.sub(r"src:[^;}]*", f'src:url({SMALL_FONTS}{font.name}) format("woff")', face[0])

    write_text(site / SMALL_THEME_STYLE, _FONT_FACE.sub(small, css))
    return True


def small_font(source: Path, folder: Path, characters: set[int]) -> Path | None:
    """Write a font with the glyphs of some characters only; its name has the hash of both.

    Return None for a font that has none of the characters: browsers refuse an empty one.
    """
    from fontTools import subset  # of matplotlib; takes a second to import

    content = source.read_bytes()
    digest = hashlib.sha256(repr(sorted(characters)).encode() + content).hexdigest()[:12]
    target = folder / f"{source.stem}-{digest}.woff"
    if not target.is_file():
        options = subset.Options(flavor="woff", layout_features=["*"], notdef_outline=True, hinting=False)
        options.drop_tables += ["FFTM"]  # when FontForge made it
        font = subset.load_font(io.BytesIO(content), options)
        if not characters.intersection(font.getBestCmap() or ()):
            return None
        subsetter = subset.Subsetter(options)
        subsetter.populate(unicodes=characters)
        subsetter.subset(font)
        output = io.BytesIO()
        subset.save_font(font, output, options)
        folder.mkdir(parents=True, exist_ok=True)
        target.write_bytes(output.getvalue())
    return target


def site_texts(site: Path, pattern: str) -> Iterator[str]:
    """Return the texts of files of a site, without those of the notebooks in the browser."""
    for path in sorted(site.glob(pattern)):
        if path.relative_to(site).parts[0] not in ("lite", "go"):
            yield path.read_text("utf-8")

"""Trimmed styles and fonts have what the pages show, and no more."""

from pathlib import Path

import pydata_sphinx_theme
from fontTools.ttLib import TTFont

from autograder.book.fonts import (
    FORMULA_STYLE,
    SMALL_THEME_STYLE,
    THEME_STYLE,
    characters_of,
    small_font,
    trim_formula_style,
    trim_icons,
)
from autograder.book.formulas import FONTS
from autograder.course.mathjax import mathjax_folder

FORMULA_RULES = """@font-face /* 1 */ {
  font-family: MJXTEX;
  src: url("output/chtml/fonts/woff-v2/MathJax_Main-Regular.woff") format("woff");
}
mjx-mi { color: inherit; }
mjx-c.mjx-c3D::before { padding: 0; content: "="; }
mjx-c.mjx-c2211::before { content: "\\2211"; }
mjx-stretchy-v.mjx-c221A mjx-ext mjx-c::before { content: "\\E000"; }
"""
FONT_NAME = "MathJax_Main-Regular.woff"
ICONS = (
    '@font-face{font-family:Icons;src:url(../fa/fa-solid-900.woff2) format("woff2"),'
    'url(../fa/fa-solid-900.ttf) format("truetype")}'
    '.fa-moon:before{content:"\\f186"}.fa-sun:before,.fa-day:before{content:"\\f185"}.b{color:red}'
)


def codes_in(folder, stem):
    [font] = folder.glob(f"{stem}-*.woff")
    return font, set(TTFont(font).getBestCmap())


def test_escapes_in_content_are_characters():
    assert characters_of('a{content:"=\\2211"} b{content: "\\E000 x"}') == {0x3D, 0x2211, 0xE000, 0x78}


def test_formulas_keep_the_rules_and_glyphs_that_pages_use(tmp_path):
    style = tmp_path / FORMULA_STYLE
    source = style.parent / FONTS / FONT_NAME
    source.parent.mkdir(parents=True)
    source.write_bytes((mathjax_folder() / FONTS / FONT_NAME).read_bytes())
    style.write_text(FORMULA_RULES, "utf-8")
    trim_formula_style(tmp_path, ['<mjx-c class="mjx-c3D">', "mjx-math"])
    css = style.read_text("utf-8")
    assert "mjx-c3D" in css
    assert "mjx-mi" in css
    assert "mjx-c2211" not in css
    assert "mjx-c221A" not in css
    font, codes = codes_in(tmp_path / "_static/fonts", "MathJax_Main-Regular")
    assert codes == {0x3D}
    assert (style.parent / css.partition('url("')[2].partition('"')[0]).resolve() == font
    assert font.stat().st_size < source.stat().st_size / 4
    trim_formula_style(tmp_path, [])  # of a build that typeset nothing
    assert style.read_text("utf-8") == css


def test_a_font_without_any_of_the_characters_is_left_alone(tmp_path):
    source = mathjax_folder() / FONTS / "MathJax_Zero.woff"
    assert small_font(source, tmp_path, {0x3D}) is None
    assert not any(tmp_path.iterdir())


def test_a_theme_keeps_the_icons_that_pages_name(tmp_path):
    style = tmp_path / THEME_STYLE
    style.parent.mkdir(parents=True)
    style.write_text(ICONS, "utf-8")
    (tmp_path / "_static/other.css").write_text('.toggle:after{content:"\\f078"}', "utf-8")
    [source] = Path(pydata_sphinx_theme.__file__).parent.rglob("fa-solid-900.ttf")
    target = tmp_path / "_static/fa/fa-solid-900.ttf"
    target.parent.mkdir()
    target.write_bytes(source.read_bytes())
    assert trim_icons(tmp_path, ['<i class="fa-solid fa-day">'])
    css = (tmp_path / SMALL_THEME_STYLE).read_text("utf-8")
    assert "fa-sun" in css
    assert "fa-moon" not in css
    assert ".b{color:red}" in css
    font, codes = codes_in(tmp_path / "_static/fonts", "fa-solid-900")
    assert codes == {0xF185, 0xF078}
    assert f"src:url(../fonts/{font.name})" in css
    assert style.read_text("utf-8") == ICONS


def test_a_site_without_the_theme_stays_as_it_is(tmp_path):
    assert not trim_icons(tmp_path, ["fa-sun"])
    trim_formula_style(tmp_path, ["mjx-c3D"])
    assert not any(tmp_path.iterdir())

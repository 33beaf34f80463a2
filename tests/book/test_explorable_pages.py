"""The loader of explorables in a built book: on pages that have one, and as readers fetch it."""

import re

FIGURE = '<figure class=\\"explorable\\" data-explorable=\\"cloud\\"><svg class=\\"still\\"></svg></figure>'
CELL = f'```{{code-cell}} python\nfrom IPython.display import HTML\nHTML("{FIGURE}")\n```\n'


def test_only_a_page_with_an_explorable_loads_the_scripts(tiny):
    tiny.write_pages(first=f"# First\n\n{CELL}", second="# Second\n\nSee {doc}`first`.\n")
    site = tiny.build()
    with_picture, without = tiny.html("first"), tiny.html("second")
    assert 'data-explorable="cloud"' in with_picture
    [script] = re.findall(r"<script\b[^>]*explore/load\.mjs[^>]*>", with_picture)
    assert 'type="module"' in script
    assert re.search(r"\.\./_static/explore/load\.mjs\?v=\w+", script)  # the version changes with the file
    assert re.search(r'<link\b[^>]*"\.\./_static/explore/explore\.css', with_picture)
    assert "explore/" not in without
    script = (site.parent / "_static/explore/load.mjs").read_text("utf-8")
    assert "IntersectionObserver" in script
    assert "//" not in script

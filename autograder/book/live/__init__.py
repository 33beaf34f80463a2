"""Live pages: what a browser needs to run and check the cells of the book, fetched, verified and put beside the pages.

`assets` is the way in. Everything third-party comes from npm and PyPI by their own tools, is verified, and lies in a
cache outside the repository, in folders named by their hash. Without it the book builds as well; its cells are then
text.
"""

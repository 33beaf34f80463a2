"""The drawings of the book, one module per page: pages say what to see, these modules say how it looks.

`style` has the ink, the colours and the common strokes, `sliders` the pictures that a reader moves. A page takes
its own module, always in the same way: `from _figures import pca as figures`.
"""

"""The reference implementation behind the book: one module per topic, numpy and scipy only.

Nothing is re-exported, so that `dimred_ref.pca` is always the module: write
`from dimred_ref.pca import pca`.
"""

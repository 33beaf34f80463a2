"""The exercises on Laplacian eigenmaps: one module per task, and the notebook that asks them."""

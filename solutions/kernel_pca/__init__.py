"""The exercises on kernel PCA: one module per task, and the notebook that asks them."""

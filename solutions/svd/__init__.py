"""The exercises on the singular value decomposition: one module per task, and the notebook that asks them."""

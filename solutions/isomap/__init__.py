"""The exercises on Isomap: one module per task, and the notebook that asks them."""

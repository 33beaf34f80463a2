"""The exercises on high-dimensional geometry: one module per task, and the notebook that asks them."""

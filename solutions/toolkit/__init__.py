"""The exercises on the linear-algebra toolkit: one module per task, and the notebook that asks them."""

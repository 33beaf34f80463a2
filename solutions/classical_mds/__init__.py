"""The exercises on classical scaling: one module per task, and the notebook that asks them."""

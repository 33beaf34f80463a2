"""The exercises on duality: one module per task, and the notebook that asks them."""

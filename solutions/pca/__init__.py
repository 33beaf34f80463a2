"""The exercises on principal component analysis: one module per task, and the notebook that asks them."""

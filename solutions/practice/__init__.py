"""The exercises on PCA in practice: one module per task, and the notebook that asks them."""

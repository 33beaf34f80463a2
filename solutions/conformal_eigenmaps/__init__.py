"""The exercises on conformal eigenmaps: one module per task, and the notebook."""

"""The exercises on least squares, the pseudo-inverse and ridge: one module per task, and the notebook."""

"""The exercises on maximum variance unfolding: one module per task, and the notebook."""

"""The exercises on locally linear embedding: one module per task, and the notebook that asks them."""

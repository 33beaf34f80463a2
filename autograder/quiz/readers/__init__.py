"""Readers of the exported formats: what a platform does with typed numbers, computed from the file alone."""

"""Exercises on covariance matrices: spread, ellipses, rank."""

"""Quizzes for learning platforms."""

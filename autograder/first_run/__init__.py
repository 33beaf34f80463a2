"""The first run: `dimred course` builds the book, grades a made-up class and serves both while they are made.

It may import all rooms above it.
"""

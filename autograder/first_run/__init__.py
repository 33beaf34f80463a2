"""The first run (`dimred course`): book, made-up class and local server.

Everything is served while it is being made. May import all rooms above it.
"""

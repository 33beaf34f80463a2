"""The verbs of the command line: options, calls of the library, output.

May import all rooms above it.
"""

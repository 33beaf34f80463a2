"""Course files: settings, table of contents, roster, classroom paths, atomic writes.

This room imports no other room.
"""

"""What a course is: its folder and settings, its table of contents, the roster, the classroom's places, atomic writes.

Imports nothing of the other rooms.
"""

"""What a student's code gave, as plain data: the only things that cross the wall between student and key.

Used on both sides of the wall, so it imports nothing of the other rooms.
"""

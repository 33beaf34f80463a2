"""Results of students' code as plain data, the only data that crosses the trust boundary.

Both the student's process and the grader use this room, so it imports no other room.
"""

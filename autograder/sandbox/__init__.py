"""Sandbox for students' programs.

A fork server starts one confined process per run, and the grader talks to it in bounded JSON messages.
This room may import `answers`. It must not import keys or judging, because students' code runs here.
"""

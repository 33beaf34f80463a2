"""The book: labels, build, what is outdated, notebooks and PDF of its pages, the account of its sources, the server.

May import `course`.
"""

"""The book, from pages to the site: labels with their numbers, the build, what is outdated, notebooks, PDF, server.

May import `course`.
"""

"""The book, from pages to the site.

Labels with their numbers, the build, outdated pages, notebooks, PDF and server. May import `course`.
"""

"""Answers that are no arrays of numbers: texts, truth values, lists, mappings, tables, sets and graphs.

A kind reads such an answer as leaves, each at a place that words can name (row 2, column 'age'). Two answers are the
same if they have the same places and their leaves agree. For keys an answer becomes a digest: eight numbers.
"""

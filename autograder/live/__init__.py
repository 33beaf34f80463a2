"""Run cells of Python in the reader's browser (Pyodide).

This room may import `judging`. It is shipped to the browser, so it needs only numpy and the standard library.
"""

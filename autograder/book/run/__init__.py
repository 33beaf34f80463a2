"""Run the cells of pages in parallel, before Sphinx starts.

`pages` is the entry point. It starts `server`, which forks a worker for each page; a worker runs its page in a Jupyter
kernel (`kernel`). Outputs go into jupyter-cache (`cache`), where Jupyter Book looks for them.
"""

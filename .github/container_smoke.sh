#!/usr/bin/env bash
# What a container of the course must be able to do; run in its working directory, as its user.
set -euo pipefail
test "$(id -u)" != 0
export PATH="$PWD/.venv/bin:$PATH"
dimred --version
python -c 'import autograder, dimred_ref, nbgrader, jupyter_book, sphinx_proof, jupyterlite_core'
python tests/installed/smoke.py exercises/geometry
dimred doctor || test $? = 1  # warnings are allowed; a crash is not
echo "the container can do its work"

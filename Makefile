# One menu for everything; `make help` lists it. Each target is one command that also works without make.

VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/ready
PYTHON ?= $(firstword $(foreach name,python3.13 python3.12 python3.11 python3,$(shell command -v $(name) >/dev/null 2>&1 && $(name) -c 'import sys; sys.exit(not (3,11) <= sys.version_info[:2] < (3,14))' 2>/dev/null && echo $(name))))
SERVE ?= yes
PORT ?= 8000
ONE_THREAD := OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1

.PHONY: help setup course test quick lint book exercises bench clean
.DEFAULT_GOAL := help

help:  ## list the targets
	@grep -hE '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z]+):[^#]*## (.*)/  make \1\t\2/' | expand -t 22

setup: $(READY)  ## make the environment only

course: $(READY)  ## build the book, make the exercises, grade a demo class, serve it all (SERVE=no: do not serve)
	@$(BIN)/dimred course --port $(PORT) $(if $(filter no,$(SERVE)),--no-serve)

test: $(READY) .browser lint  ## everything that must hold: linters, types, all tests
	@$(ONE_THREAD) $(BIN)/python -m pytest -n 3 --dist loadfile --no-loadscope-reorder

quick: $(READY) lint  ## an answer in two minutes while developing: linters, types, layout, judging, answers, claims
	@$(ONE_THREAD) $(BIN)/python -m pytest -q -n 2 --dist loadfile tests/test_layout.py tests/answers tests/judging \
	  tests/course tests/book/test_ledger.py tests/topics/test_pca.py tests/topics/test_isomap.py --durations=10

lint: $(READY)  ## ruff and mypy
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy

book: $(READY)  ## build the book only (LIVE=yes: with cells that run in the page)
	@$(BIN)/dimred book $(if $(filter yes,$(LIVE)),--live)

exercises: $(READY)  ## regenerate exercises/ and the practice problems of the book from solutions/
	@$(BIN)/dimred regenerate
	@$(BIN)/dimred practice

bench: $(READY)  ## the comparisons that the README quotes
	@$(ONE_THREAD) $(BIN)/python -m benchmarks.reference

clean:  ## remove what was built (the environment and the classroom stay)
	@rm -rf _build .pytest_cache .hypothesis .mypy_cache .ruff_cache

# The environment: made once from the lock file, made again when the lock changes.
$(READY): requirements.lock pyproject.toml
	@test -n "$(PYTHON)" || { echo "Python 3.11, 3.12 or 3.13 is needed, and none was found: install one, or say make PYTHON=/path/to/python"; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(not (3,11) <= sys.version_info[:2] < (3,14))' 2>/dev/null || { echo "$(PYTHON) is not Python 3.11, 3.12 or 3.13: say make PYTHON=/path/to/python"; exit 1; }
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV) 2>/dev/null || { echo "$(PYTHON) cannot make environments: on Debian, apt-get install python3-venv"; exit 1; }
	@echo "making the environment with $$($(BIN)/python --version): once, and again when the lock file changes."
	@echo "$$(grep -c == requirements.lock) packages are fetched and compiled, which takes from one minute to ten; each step is shown."
	@test -x $(BIN)/uv || $(BIN)/python -m pip install --disable-pip-version-check "$$(grep -E '^uv==' requirements.lock)"
	@$(BIN)/uv pip sync --python $(BIN)/python --compile-bytecode requirements.lock
	@$(BIN)/uv pip install --python $(BIN)/python --no-build-isolation --no-deps --editable .
	@touch $@

# The tests look at pages in headless Chromium, as Debian packages it. Live pages are made with node and npm; where
# these cannot be had, the tests of live pages are skipped and say why; so is the one that looks at them in Firefox.
APT := [ "$$(id -u)" = 0 ] && apt-get update -qq -o Acquire::http::Timeout=20 && apt-get install -y -qq --no-install-recommends
.PHONY: .browser
.browser:
	@command -v chromium-headless-shell >/dev/null 2>&1 || { echo "installing Chromium's headless shell for the browser tests, where that is possible"; $(APT) chromium-headless-shell fonts-dejavu-core >/dev/null; } \
	  || command -v chromium >/dev/null 2>&1 || { $(APT) chromium fonts-dejavu-core >/dev/null; } \
	  || { echo "the browser tests need Chromium: sudo apt-get install chromium-headless-shell"; exit 1; }
	@{ command -v node && command -v npm; } >/dev/null 2>&1 || { echo "installing node and npm for live pages"; $(APT) nodejs npm >/dev/null; } \
	  || echo "node and npm cannot be installed here, so the tests of live pages are skipped: sudo apt-get install nodejs npm"
	@{ command -v firefox-esr || command -v firefox; } >/dev/null 2>&1 || { echo "installing Firefox for one of the browser tests"; $(APT) firefox-esr >/dev/null; } \
	  || echo "Firefox cannot be installed here, so its test is skipped: sudo apt-get install firefox-esr"

# One menu for everything; `make help` lists it. Each target is one command that also works without make.

VENV := .venv
BIN := $(VENV)/bin
# Two environments in one folder: what the course needs, and what the tests add.
COURSE := $(VENV)/ready-course
TESTS := $(VENV)/ready
NEW_ENOUGH := -c 'import sys; sys.exit(sys.version_info[:2] < (3,11))'
PYTHON ?= $(firstword $(foreach name,python3.13 python3.12 python3.11 python3.14 python3,$(shell command -v $(name) >/dev/null 2>&1 && $(name) $(NEW_ENOUGH) 2>/dev/null && echo $(name))))
SERVE ?= yes
PORT ?= 8000
ONE_THREAD := OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1

.PHONY: help setup develop course test quick lint book exercises bench coverage locks clean
.DEFAULT_GOAL := help

help:  ## list the targets
	@grep -hE '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z]+):[^#]*## (.*)/  make \1\t\2/' | expand -t 22

setup: $(COURSE)  ## make the environment only, with what the course needs
	@:

develop: $(TESTS)  ## make the environment with what the tests add
	@:

course: $(COURSE)  ## build the book, make the exercises, grade a demo class, serve it all (SERVE=no: do not serve)
	@$(BIN)/dimred course --port $(PORT) $(if $(filter no,$(SERVE)),--no-serve)

test: $(TESTS) .browser lint  ## everything that must hold: linters, types, all tests
	@$(ONE_THREAD) $(BIN)/python -m pytest -n 3 --dist loadfile --no-loadscope-reorder

quick: $(TESTS) lint  ## an answer in two minutes while developing: linters, types, layout, judging, answers, claims
	@$(ONE_THREAD) $(BIN)/python -m pytest -q -n 2 --dist loadfile tests/test_layout.py tests/answers tests/judging \
	  tests/course tests/book/test_ledger.py tests/topics/test_pca.py tests/topics/test_isomap.py --durations=10

lint: $(TESTS)  ## ruff and mypy
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy

book: $(COURSE)  ## build the book only (LIVE=yes: with cells that run in the page; PUBLISH=yes: for its address)
	@$(BIN)/dimred book $(if $(filter yes,$(LIVE)),--live) $(if $(filter yes,$(PUBLISH)),--publish)

exercises: $(COURSE)  ## regenerate exercises/ and the practice problems of the book from solutions/
	@$(BIN)/dimred regenerate
	@$(BIN)/dimred practice

bench: $(TESTS)  ## the comparisons that the README quotes
	@$(ONE_THREAD) $(BIN)/python -m benchmarks.reference

FILES ?= tests
coverage: $(TESTS)  ## lines and branches of the engine that tests reach (FILES="tests/judging ...": by these alone)
	@rm -rf _build/coverage && mkdir -p _build/coverage
	@$(ONE_THREAD) $(BIN)/coverage run -m pytest -q -n 2 --dist loadfile $(FILES)
	@$(BIN)/coverage combine -q && $(BIN)/coverage report

clean:  ## remove what was built (the environment and the classroom stay)
	@rm -rf _build .pytest_cache .hypothesis .mypy_cache .ruff_cache

# The environment: made from a lock with hashes, brought up to date when that lock changes. Where the tests' packages
# are installed, the course keeps them.
$(COURSE): requirements/course.lock requirements/installer.lock pyproject.toml
	$(call install,$(if $(wildcard $(TESTS)),test,course))
	@touch $@

$(TESTS): requirements/test.lock requirements/installer.lock pyproject.toml
	$(call install,test)
	@touch $@ $(COURSE)

define install
@test -n "$(PYTHON)" || { echo "Python 3.11 or newer is needed, and none was found: install one, or say make PYTHON=/path/to/python"; exit 1; }
@$(PYTHON) $(NEW_ENOUGH) 2>/dev/null || { echo "$(PYTHON) is not Python 3.11 or newer: say make PYTHON=/path/to/python"; exit 1; }
@$(BIN)/python -m pip --version >/dev/null 2>&1 || $(PYTHON) -m venv --clear $(VENV) 2>/dev/null || { echo "$(PYTHON) cannot make environments: on Debian, apt-get install python3-venv"; exit 1; }
@echo "installing $$(grep -c == requirements/$(1).lock) packages for $$($(BIN)/python --version), now and when requirements/$(1).lock changes: about a minute where the network is fast"
@$(BIN)/python -m pip install -qq --disable-pip-version-check --require-hashes --only-binary :all: -r requirements/installer.lock || { echo "the installer could not be fetched, for the reason above: a network is needed the first time; check it and run make again"; exit 1; }
@$(BIN)/uv pip sync --quiet --python $(BIN)/python --require-hashes requirements/$(1).lock || { echo "the packages could not be installed for $$($(BIN)/python --version), for the reason above; where it is the version of Python, the locks are tried with 3.11 to 3.14: rm -r $(VENV), then make PYTHON=python3.13"; exit 1; }
@$(BIN)/uv pip install --quiet --python $(BIN)/python --no-build-isolation --no-deps --editable .
@$(BIN)/python -m compileall -q -j 0 -x '/tests/' $(VENV)/lib  # once here, not in every process that imports
endef

# One lock for each purpose, each a subset of the next; test.lock holds whatever an extra of pyproject.toml names.
LOCK := $(BIN)/uv pip compile --quiet --universal --python-version 3.11 --fork-strategy fewest --generate-hashes \
	--annotation-style line --no-emit-package dimred-course --no-emit-package coursewright --no-emit-package dimred-ref --custom-compile-command "make locks"
locks:  ## write requirements/*.lock from pyproject.toml and packaging/ (UPGRADE=--upgrade: with the newest versions)
	@$(LOCK) $(UPGRADE) --group pyproject.toml:installer -o requirements/installer.lock
	@$(LOCK) $(UPGRADE) pyproject.toml --extra grading -o requirements/grading.lock
	@$(LOCK) $(UPGRADE) pyproject.toml --extra course -c requirements/installer.lock -c requirements/grading.lock -o requirements/course.lock
	@$(LOCK) $(UPGRADE) pyproject.toml --extra dev -c requirements/course.lock -o requirements/test.lock

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

# Three commands: `make run` opens the window, `make test` runs every test, `make setup` only installs.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready

.PHONY: run setup test lint bench screenshot clean

run: setup
	@$(BIN)/python -m gui --example two-machines-loaded

setup: $(READY)

# The kernels are compiled here, once, so that nobody waits for a compiler later.
$(READY): pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Placewise needs Python 3.11 or newer")'
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[dev]'
	$(BIN)/python -m advisor.kernels
	@touch $@

test: setup
	QT_QPA_PLATFORM=offscreen $(BIN)/python -m pytest -n 2

lint: setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

bench: setup
	QT_QPA_PLATFORM=offscreen $(BIN)/python -m tests.benchmarks

screenshot: setup
	QT_QPA_PLATFORM=offscreen $(BIN)/python -m gui.shell.screenshot docs/images

clean:
	rm -rf $(VENV) build *.egg-info .coverage .mypy_cache .ruff_cache .pytest_cache .hypothesis

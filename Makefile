# Three commands: `make run` opens the window, `make test` runs every test, `make setup` only installs.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
INSTALLED := $(VENV)/.installed

.PHONY: run setup test engines cover lint wheel bench screenshot clean

# The window opens at once; it compiles its kernels in the background if `setup` has not.
run: $(INSTALLED)
	@$(BIN)/python -m gui --example two-machines-loaded

setup: $(INSTALLED)
	@$(BIN)/python -m advisor.kernels

$(INSTALLED): pyproject.toml constraints.txt
	@test -w . || { echo "$(CURDIR) can't be written: copy it to a folder of your own"; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Placewise needs Python 3.11 or newer")'
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[dev]'
	@touch $@

# PYTEST: more options, e.g. PYTEST='-k trees'
test: setup
	QT_QPA_PLATFORM=offscreen $(BIN)/python -m pytest -n 2 --dist worksteal $(PYTEST)

# Plans carried out, simulated and shown by real programs; one that is not here is skipped, with the reason.
engines: setup
	QT_QPA_PLATFORM=offscreen $(BIN)/python -m pytest -m engines -n 2 $(PYTEST)

# The same, and no less of the sources may run than the floors say.
cover:
	$(MAKE) test PYTEST='--cov --cov-report='
	$(BIN)/coverage report --include='machines/*,advisor/*' --fail-under=95 --skip-covered
	$(BIN)/coverage report --include='gui/*' --fail-under=85 --skip-covered

wheel: $(INSTALLED)
	.ci/try-wheel

lint: $(INSTALLED)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

bench: setup
	QT_QPA_PLATFORM=offscreen $(BIN)/python -m tests.benchmarks

screenshot: setup
	QT_QPA_PLATFORM=offscreen $(BIN)/python -m gui.shell.screenshot docs/images

clean:
	rm -rf $(VENV) .engines build *.egg-info .coverage .mypy_cache .ruff_cache .pytest_cache .hypothesis

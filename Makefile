PYTHON ?= python3
BIN := .venv/bin

.PHONY: compare test bench clean

# Compare six memories at $0: the core install and the quickstart, nothing compiled.
compare: .venv/core
	rm -rf memtrial-out/quickstart
	$(BIN)/memtrial run quickstart
	$(BIN)/memtrial compare memtrial-out/quickstart
	$(BIN)/memtrial report memtrial-out/quickstart

# Everything that CI checks.
test: .venv/all
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python -m pytest

# Speeds, as ratios measured in one run.
bench: .venv/core
	$(BIN)/python -m benchmarks

.venv/core: pyproject.toml
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e .
	touch $@

.venv/all: pyproject.toml .venv/core
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[local,openai,dev]'
	touch $@

clean:
	rm -rf .venv memtrial-out

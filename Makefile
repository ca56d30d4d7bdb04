# Two commands matter to a newcomer: `make demo` and `make test`. Both make .venv themselves.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check install --quiet --constraint constraints.txt

.PHONY: demo test test-all lint bench hearing clean

demo: $(VENV)/.ready-speech
	$(BIN)/offhook demo

test: $(VENV)/.ready-dev lint
	$(BIN)/python -m pytest -m "not slow"

test-all: $(VENV)/.ready-dev lint
	$(BIN)/python -m pytest

lint: $(VENV)/.ready-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

bench: $(VENV)/.ready-dev
	$(BIN)/python -m benchmarks

hearing: $(VENV)/.ready-speech
	$(BIN)/python -m benchmarks.hearing

clean:
	rm -rf $(VENV) build dist

$(VENV)/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "offhook needs Python 3.11 or newer; name one with: make $(MAKECMDGOALS) PYTHON=python3.12"; exit 1; }
	@$(PYTHON) -m venv $(VENV) || \
	  { rm -rf $(VENV); echo "$(PYTHON) cannot make a virtual environment; name a Python that can: make $(MAKECMDGOALS) PYTHON=..."; exit 1; }

$(VENV)/.ready-speech: pyproject.toml constraints.txt | $(VENV)/bin/python
	@echo "installing offhook and its speech engines into $(VENV) ..."
	@$(PIP) --editable '.[speech]'
	@touch $@

$(VENV)/.ready-dev: pyproject.toml constraints.txt | $(VENV)/bin/python
	@echo "installing offhook, its speech engines and the test tools into $(VENV) ..."
	@$(PIP) --editable '.[speech,platforms,parquet,docs,dev]'
	@touch $@ $(VENV)/.ready-speech

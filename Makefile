# Every target does its own set-up. `make` lists them.
.DEFAULT_GOAL := help
.PHONY: help setup demo test check clean
export OMP_NUM_THREADS := 1
BIN := .venv/bin

help:    ## list the targets
	@sed -n 's|^\([a-z]*\):.*## \(.*\)|  make \1\t\2|p' $(MAKEFILE_LIST)

setup:   ## install everything into .venv (about 3 minutes, once)
	@scripts/setup.sh

demo: setup ## the whole journey on one task: demonstrations, four policies, one table
	@scripts/demo.sh

test: setup ## all tests: without the simulator, then with it
	$(BIN)/pytest -n 2
	$(BIN)/pytest -n 2 --dist loadfile -m sim

check: setup ## format, lint, types, import contracts
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

clean:   ## remove what can be made again; keeps .venv and out/
	rm -rf build dist *.egg-info .pytest_cache .mypy_cache .ruff_cache .import_linter_cache
	find . -name __pycache__ -not -path './.venv/*' -prune -exec rm -rf {} +

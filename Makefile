# Every target does its own set-up. `make` lists them.
.DEFAULT_GOAL := help
.PHONY: help setup demo test parity soak bench check clean
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

parity: setup ## compare the simulation with LIBERO's, bit for bit, in all scenes (WORKERS=1)
	$(BIN)/python -m tests.sim.complete_parity --workers $(or $(WORKERS),1)

soak: setup ## 500 episodes in one process: memory, and 20 of them again in fresh processes
	$(BIN)/python -m tests.sim.soak

bench: setup ## what simulation costs beside LIBERO (only=stepping: that alone)
	$(BIN)/python -m benchmarks $(only)

check: setup ## format, lint, types, import contracts
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

clean:   ## remove what can be made again; keeps .venv and out/
	rm -rf build dist *.egg-info .pytest_cache .hypothesis .mypy_cache .ruff_cache .import_linter_cache
	find . -name __pycache__ -not -path './.venv/*' -prune -exec rm -rf {} +

# `make play` and `make test` are all a newcomer needs; both set up `.venv` once.
PYTHON ?= python3
GAME ?= tic-tac-toe
BENCH_SECONDS ?= 3
N ?= 20
SEED ?= 1
BIN := .venv/bin
READY := .venv/.ready

.PHONY: setup play test test-long mutants bench bench-peers bench-growth lint format clean

setup: $(READY)

$(READY): pyproject.toml
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	@touch $@

play: setup
	@$(BIN)/ludwright play $(GAME)

lint: setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/basedpyright

# pytest comes last, so that its counts are the last line.
test: lint
	$(BIN)/pytest -n 2

# The same tests with the full counts: mutated rulebooks, completions, walks, lockstep games,
# decisions and generated rulebooks on both engines, and ten minutes of the fuzzer.
test-long: setup
	LUDWRIGHT_MUTANTS=10000 LUDWRIGHT_TRIES=10000 LUDWRIGHT_WALKS=50 LUDWRIGHT_LOCKSTEP=100 \
	LUDWRIGHT_DECISIONS=1000000 LUDWRIGHT_RULEBOOKS=2000 LUDWRIGHT_MOVE_BOOKS=10000 \
	LUDWRIGHT_FUZZ_MINUTES=10 \
	$(BIN)/pytest -n 2 -m "long or not long" --timeout 7200

# Mistakes put into the engines on purpose, one at a time: how many do the tests notice? Times the
# tests first, so that quick ones run first; goes on where it stopped.
mutants: setup
	$(BIN)/python -m tests.mutation -n $(N) --seed $(SEED)

bench: setup
	@$(BIN)/ludwright bench $(GAME) --seconds $(BENCH_SECONDS)

# Against other programs, where they are installed, and with growing work; minutes each.
bench-peers: setup
	@$(BIN)/python benchmarks/native_peers.py

bench-growth: setup
	@$(BIN)/python benchmarks/growth.py

format: setup
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

clean:
	rm -rf .venv dist build .mypy_cache .ruff_cache .pytest_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# `make play` and `make test` are all a newcomer needs; both set up `.venv` once.
PYTHON ?= python3
GAME ?= tic-tac-toe
BENCH_SECONDS ?= 3
N ?= 20
SEED ?= 1
BIN := .venv/bin
PIP := $(BIN)/python -m pip install --disable-pip-version-check --progress-bar on
PLAYER := .venv/.player
DEVELOPER := .venv/.developer
TABLE := .venv/.table
DOCS := .venv/.docs
BROWSER := tests/table/browser
PAGE := ludwright/table/static/index.html

.PHONY: setup play table page docs browse-docs browser test test-long mutants bench bench-peers bench-growth lint format clean

# What a player needs: the package and the native engine.
$(PLAYER): pyproject.toml
	@echo "Setting up .venv with Ludwright and its native engine (about 60 MB to download)."
	$(PYTHON) -m venv .venv
	$(PIP) --editable '.[native]'
	@touch $@

# What a developer needs besides: checkers, test tools and the programs that games are compared with.
$(DEVELOPER): $(PLAYER)
	@echo "Adding the tools for developers to .venv (about 200 MB to download)."
	$(PIP) --editable '.[dev]'
	@touch $@

setup: $(DEVELOPER)

play: $(PLAYER)
	@$(BIN)/ludwright play $(GAME)

# What `make table` needs besides: the server, and Node to build the page once.
$(TABLE): $(PLAYER)
	@echo "Adding the server of the table to .venv (about 60 MB to download)."
	$(PIP) --editable '.[native,table,page]'
	@touch $@

table: $(TABLE) $(PAGE)
	@$(BIN)/ludwright serve --browse

page: $(PAGE)

$(PAGE): $(TABLE) $(wildcard page/src/*) page/build.mjs page/package-lock.json
	$(BIN)/python page/build.py

# The docs site, in the folder `site`; a warning is an error. `make browse-docs` shows it on this machine.
$(DOCS): $(PLAYER)
	@echo "Adding the tools for the docs site to .venv (about 30 MB to download)."
	$(PIP) --editable '.[native,docs]'
	@touch $@

docs: $(DOCS)
	NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build --strict --quiet
	@echo "The site is in the folder site; make browse-docs shows it."

browse-docs: docs
	@echo "http://127.0.0.1:8766 (end with Ctrl-C)"
	@$(BIN)/python -m http.server 8766 --bind 127.0.0.1 --directory site

# A Chromium for the tests; where it cannot be had, they say so and are skipped.
browser: setup
	-@$(BIN)/python $(BROWSER)/install.py

lint: setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	MYPYPATH=benchmarks $(BIN)/mypy benchmarks/*.py
	$(BIN)/basedpyright
	$(BIN)/python page/build.py --check

# pytest comes last, so that its counts are the last line.
test: lint page browser
	$(BIN)/pytest -n 2

# The same tests with the full counts: mutated rulebooks, completions, walks, lockstep games,
# decisions and generated rulebooks on both engines, crashes, frames and twin worlds of the table, and
# ten minutes of the fuzzer.
test-long: setup page browser
	LUDWRIGHT_MUTANTS=10000 LUDWRIGHT_TRIES=10000 LUDWRIGHT_WALKS=50 LUDWRIGHT_LOCKSTEP=100 \
	LUDWRIGHT_DECISIONS=1000000 LUDWRIGHT_RULEBOOKS=2000 LUDWRIGHT_MOVE_BOOKS=10000 \
	LUDWRIGHT_KILLS=500 LUDWRIGHT_FRAMES=100000 LUDWRIGHT_TWINS=100000 \
	LUDWRIGHT_MATES=40 LUDWRIGHT_FUZZ_MINUTES=10 LUDWRIGHT_GAMES=1000 LUDWRIGHT_PLAYOUTS=10000 \
	$(BIN)/pytest -n 2 -m "long or not long" --timeout 7200

# Mistakes put into the engines on purpose, one at a time: how many do the tests notice? First runs
# the tests once to learn which of them enter which code. Goes on where it stopped.
mutants: setup
	$(BIN)/python -m tests.mutation -n $(N) --seed $(SEED) --jobs 2

bench: $(PLAYER)
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
	rm -rf .venv dist build site ludwright/table/static page/node_modules $(BROWSER)/node_modules .mypy_cache .ruff_cache .pytest_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

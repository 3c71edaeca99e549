"""The limits of play, in one place: both engines, and what is built on them, keep to the same.

Work is counted by `kernel.interpreter.run` (`spend`) and `native.codegen.state.ticks`; what an
instruction costs is decided by `language.compiling.linking.tick_charges`.
"""

from __future__ import annotations

TICK_LIMIT = 5_000_000  # units of work in one run; past it is the fault "ticks"
SEARCH_BUDGET = 10_000  # nodes of one search for a completion; past it an option is `unknown`
LONG_RANGE = 1_000  # numbers in a range; a longer one is offered untested
OPTION_LIMIT = 65_536  # options or outcomes, but for ranges; more is the fault "option-limit"
MOVE_LIMIT = 10_000  # decisions in one move; a rulebook that needs more asks without end
GAME_LIMIT = 100_000  # decisions in one random game, unless the caller says otherwise
RETRIES = 100  # fresh starts of a part of a random game that ran into a dead end

# Before a search, a glance at the first ways to finish: behind GLANCES alternatives of the decision
# that an answer leads to, GLANCE_DEPTH answers deep. It costs no nodes; a search whose budget is
# below GLANCE_BUDGET has none.
GLANCES, GLANCE_DEPTH, GLANCE_BUDGET = 8, 32, 64

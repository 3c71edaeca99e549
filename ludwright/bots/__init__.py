"""Opponents: bots by name, solvers, tournaments.

What stands here is for callers; everything is imported when it is first used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ludwright.lazy_names import names_from

if TYPE_CHECKING:
    from ludwright.bots.naming import AgentMaker, UnknownBot, bot_maker
    from ludwright.bots.policy import Policy, PolicyError, read_policy
    from ludwright.bots.solving.exact import Unsolved
    from ludwright.bots.solving.game_tree import TooLarge
    from ludwright.bots.solving.solution import CannotSolve, Solution, solve
    from ludwright.bots.tournaments.entering import tournament
    from ludwright.bots.tournaments.evidence import Question
    from ludwright.bots.tournaments.playing import Outcome
    from ludwright.bots.tournaments.standings import Standing
    from ludwright.bots.tournaments.tournament import Table

_HOMES = {
    "AgentMaker": "naming",
    "CannotSolve": "solving.solution",
    "Outcome": "tournaments.playing",
    "Policy": "policy",
    "PolicyError": "policy",
    "Question": "tournaments.evidence",
    "Solution": "solving.solution",
    "Standing": "tournaments.standings",
    "Table": "tournaments.tournament",
    "TooLarge": "solving.game_tree",
    "UnknownBot": "naming",
    "Unsolved": "solving.exact",
    "bot_maker": "naming",
    "read_policy": "policy",
    "solve": "solving.solution",
    "tournament": "tournaments.entering",
}

__all__ = [
    "AgentMaker",
    "CannotSolve",
    "Outcome",
    "Policy",
    "PolicyError",
    "Question",
    "Solution",
    "Standing",
    "Table",
    "TooLarge",
    "UnknownBot",
    "Unsolved",
    "bot_maker",
    "read_policy",
    "solve",
    "tournament",
]

if not TYPE_CHECKING:  # a checker would believe that the package has every name
    __getattr__ = names_from(__name__, _HOMES)

    def __dir__():
        return sorted({*globals(), *__all__})

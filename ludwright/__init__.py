"""Ludwright: a rulebook that runs.

`load` gives a game to play; what it can do is in `ludwright.kernel.game.Game`. Everything here is
imported when it is first used, so that `import ludwright` costs nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ludwright.errors import IllegalMove, LudwrightError, RulebookError, RulebookFault
    from ludwright.kernel.choosing import STOP
    from ludwright.kernel.decisions import Decision
    from ludwright.kernel.game import Game
    from ludwright.kernel.moves import ChoiceRequest, Event, Move, Result, Step
    from ludwright.kernel.state import State
    from ludwright.loading import compile_files, compile_text, load, load_text, shipped_games

__version__ = "0.1.0"

_HOMES = {
    "STOP": "kernel.choosing",
    "ChoiceRequest": "kernel.moves",
    "Decision": "kernel.decisions",
    "Event": "kernel.moves",
    "Game": "kernel.game",
    "IllegalMove": "errors",
    "LudwrightError": "errors",
    "Move": "kernel.moves",
    "Result": "kernel.moves",
    "RulebookError": "errors",
    "RulebookFault": "errors",
    "State": "kernel.state",
    "Step": "kernel.moves",
    "compile_files": "loading",
    "compile_text": "loading",
    "load": "loading",
    "load_text": "loading",
    "shipped_games": "loading",
}

__all__ = [
    "STOP",
    "ChoiceRequest",
    "Decision",
    "Event",
    "Game",
    "IllegalMove",
    "LudwrightError",
    "Move",
    "Result",
    "RulebookError",
    "RulebookFault",
    "State",
    "Step",
    "compile_files",
    "compile_text",
    "load",
    "load_text",
    "shipped_games",
]


if not TYPE_CHECKING:  # a checker would believe that the package has every name

    def __getattr__(name):
        home = _HOMES.get(name)
        if home is None:
            raise AttributeError(f"module 'ludwright' has no attribute {name!r}")
        return getattr(import_module(f"ludwright.{home}"), name)

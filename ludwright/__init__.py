"""Ludwright: a rulebook that runs.

`load` gives a game to play; what it can do is in `ludwright.kernel.game.Game`. Everything here is
imported when it is first used, so that `import ludwright` costs nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ludwright.errors import IllegalMove, LudwrightError, RulebookError, RulebookFault
    from ludwright.kernel.choosing import STOP
    from ludwright.kernel.game import Game
    from ludwright.kernel.moves import ChoiceRequest, Move
    from ludwright.kernel.state import State
    from ludwright.loading import compile_files, compile_text, load, load_text, shipped_games

__version__ = "0.1.0"

_HOMES = {
    "STOP": "kernel.choosing",
    "ChoiceRequest": "kernel.moves",
    "Game": "kernel.game",
    "IllegalMove": "errors",
    "LudwrightError": "errors",
    "Move": "kernel.moves",
    "RulebookError": "errors",
    "RulebookFault": "errors",
    "State": "kernel.state",
    "compile_files": "loading",
    "compile_text": "loading",
    "load": "loading",
    "load_text": "loading",
    "shipped_games": "loading",
}

__all__ = [
    "STOP",
    "ChoiceRequest",
    "Game",
    "IllegalMove",
    "LudwrightError",
    "Move",
    "RulebookError",
    "RulebookFault",
    "State",
    "compile_files",
    "compile_text",
    "load",
    "load_text",
    "shipped_games",
]


def __getattr__(name: str) -> Any:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module 'ludwright' has no attribute {name!r}")
    return getattr(import_module(f"ludwright.{home}"), name)

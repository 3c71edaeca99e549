"""Ludwright: a rulebook that runs."""

from ludwright.errors import IllegalMove, LudwrightError, RulebookError, RulebookFault
from ludwright.kernel.choosing import STOP
from ludwright.kernel.game import Game
from ludwright.kernel.moves import ChoiceRequest, Move
from ludwright.kernel.state import State
from ludwright.loading import compile_files, compile_text, load, load_text, shipped_games

__version__ = "0.1.0"

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

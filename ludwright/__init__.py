"""Ludwright: a rulebook that runs.

`load` gives a game to play; what it can do is in `ludwright.kernel.play.game.Game`. Everything here
is imported when it is first used, so that `import ludwright` costs next to nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ludwright.lazy_names import names_from

if TYPE_CHECKING:
    from ludwright.diagnostics import Diagnostic, Diagnostics, Span
    from ludwright.errors import (
        DeadEnd,
        EndlessChoices,
        IllegalMove,
        LudwrightError,
        RulebookError,
        RulebookFault,
    )
    from ludwright.kernel.interpreter.stop import STOP
    from ludwright.kernel.play.batch import Batch
    from ludwright.kernel.play.game import Game
    from ludwright.kernel.play.playouts import Playouts
    from ludwright.kernel.play.session import Session
    from ludwright.kernel.play.trees.analysis import Analysis
    from ludwright.kernel.play.trees.worlds import Past
    from ludwright.kernel.protocol.decision import Decision, Range
    from ludwright.kernel.protocol.definition import Definition
    from ludwright.kernel.protocol.move import ChoiceRequest, Move, Why
    from ludwright.kernel.protocol.result import Result
    from ludwright.kernel.protocol.state import State
    from ludwright.kernel.protocol.step import Event, Step
    from ludwright.kernel.views.observation import SPECTATOR
    from ludwright.loading import (
        Compilation,
        compile_files,
        compile_text,
        load,
        load_text,
        shipped_games,
    )
    from ludwright.native.errors import NativeMissing, NativeUnsupported, ProcessCopied
    from ludwright.program import Program
    from ludwright.version import __version__

_HOMES = {
    "SPECTATOR": "kernel.views.observation",
    "STOP": "kernel.interpreter.stop",
    "Analysis": "kernel.play.trees.analysis",
    "Batch": "kernel.play.batch",
    "ChoiceRequest": "kernel.protocol.move",
    "Compilation": "loading",
    "DeadEnd": "errors",
    "Decision": "kernel.protocol.decision",
    "Definition": "kernel.protocol.definition",
    "Diagnostic": "diagnostics",
    "Diagnostics": "diagnostics",
    "EndlessChoices": "errors",
    "Event": "kernel.protocol.step",
    "Game": "kernel.play.game",
    "IllegalMove": "errors",
    "LudwrightError": "errors",
    "Move": "kernel.protocol.move",
    "NativeMissing": "native.errors",
    "NativeUnsupported": "native.errors",
    "Past": "kernel.play.trees.worlds",
    "Playouts": "kernel.play.playouts",
    "ProcessCopied": "native.errors",
    "Program": "program",
    "Range": "kernel.protocol.decision",
    "Result": "kernel.protocol.result",
    "RulebookError": "errors",
    "RulebookFault": "errors",
    "Session": "kernel.play.session",
    "Span": "diagnostics",
    "State": "kernel.protocol.state",
    "Step": "kernel.protocol.step",
    "Why": "kernel.protocol.move",
    "__version__": "version",
    "compile_files": "loading",
    "compile_text": "loading",
    "load": "loading",
    "load_text": "loading",
    "shipped_games": "loading",
}

__all__ = [
    "SPECTATOR",
    "STOP",
    "Analysis",
    "Batch",
    "ChoiceRequest",
    "Compilation",
    "DeadEnd",
    "Decision",
    "Definition",
    "Diagnostic",
    "Diagnostics",
    "EndlessChoices",
    "Event",
    "Game",
    "IllegalMove",
    "LudwrightError",
    "Move",
    "NativeMissing",
    "NativeUnsupported",
    "Past",
    "Playouts",
    "ProcessCopied",
    "Program",
    "Range",
    "Result",
    "RulebookError",
    "RulebookFault",
    "Session",
    "Span",
    "State",
    "Step",
    "Why",
    "__version__",
    "compile_files",
    "compile_text",
    "load",
    "load_text",
    "shipped_games",
]


if not TYPE_CHECKING:  # a checker would believe that the package has every name
    __getattr__ = names_from(__name__, _HOMES)

    def __dir__():
        return sorted({*globals(), *__all__})

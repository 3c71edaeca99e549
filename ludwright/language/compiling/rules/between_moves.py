"""Between two moves: what has been set off runs, and the end of the game is checked."""

from __future__ import annotations

from ludwright import program as ir
from ludwright.language.compiling.code import Code
from ludwright.language.compiling.layout import MOVED
from ludwright.language.compiling.lowering import Lowering
from ludwright.language.compiling.rules import endings, triggers
from ludwright.language.compiling.unit import Scope
from ludwright.language.compiling.values import BOOL


def end_of_move(
    lowering: Lowering, code: Code, scope: Scope, with_actor: bool, at: tuple[str, ...] = ()
) -> None:
    """What waits runs, and the end is checked."""
    _run_waiting(lowering, code)
    endings.end_check(lowering, code, scope, "known" if with_actor else "none", at)


def start_of_move(lowering: Lowering, code: Code, at: tuple[str, ...] = ()) -> None:
    """Before a move of the flow: all that followed from the one before has happened, so what
    waits runs, and the end is checked. Set-up has its check when it is over."""
    if lowering.setting_up and not lowering.procedure_stack:
        return
    if lowering.queue < 0 and not endings.can_end(lowering):
        return
    later = code.label()  # a procedure may be called in set-up as well
    code.branch(ir.Compare(">", ir.Load(ir.TURN), ir.Const(0)), later)
    _run_waiting(lowering, code)
    endings.end_check(lowering, code, code.scope(), "perhaps", at)
    if endings.asks_about_actor(lowering):
        code.store(lowering.unit.layout.flag(MOVED), ir.Const(1), BOOL)
    code.mark(later)


def _run_waiting(lowering: Lowering, code: Code) -> None:
    """What waits may ask. It belongs to the move that set it off, if that is still under way, and
    is a move of its own otherwise: behind set-up, a turn or a phase."""
    if code.in_move or lowering.queue < 0:
        triggers.dispatch(lowering, code)
        return
    head = lowering.head("triggers", "choice")
    code.emit(ir.HeadEnter(head))
    triggers.dispatch(lowering, code)
    code.emit(ir.HeadExit(head))

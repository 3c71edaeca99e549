"""Who decides, and the moves that decisions at the level of the flow open."""

from __future__ import annotations

from ludwright import program as ir
from ludwright.language import tree
from ludwright.language.compiling.code import Code
from ludwright.language.compiling.expressions.dispatch import expression
from ludwright.language.compiling.expressions.type_check import typed
from ludwright.language.compiling.lowering import Lowering
from ludwright.language.compiling.rules.between_moves import start_of_move
from ludwright.language.compiling.unit import Local, Scope, Unit
from ludwright.language.compiling.values import (
    Broken,
    Seq,
    Val,
    seat_type,
)


def decider(lowering: Lowering, code: Code, by: tree.Expr | None, scope: Scope) -> ir.Expr | None:
    if by is None:
        return code.decider
    seat = expression(lowering.unit, by, scope, seat_type(lowering.unit.world))
    if isinstance(seat, Seq) or (isinstance(seat, Val) and seat.type.kind in ("list", "set")):
        lowering.unit.error(
            "wrong-type",
            by.span,
            "one seat decides here, and these are several",
            "name one of them; if all of them choose at the same time, write `together: true`",
        )
        return None
    seat = typed(lowering.unit, by, scope, seat_type(lowering.unit.world))
    return None if isinstance(seat, Broken) else seat.expr


def choosing(unit: Unit, scope: Scope, by: ir.Expr | None) -> Scope:
    """The scope of options, in which the seat that is asked is called `chooser`."""
    inner = scope.inner()
    if by is not None:
        inner.names["chooser"] = Local(Val(by, seat_type(unit.world)))
    return inner


class HeadScope:
    """Opens a move around a decision at the level of the flow; inside a move it does nothing.

    What the answer leads to stands behind the decision in the flow, so the end is not checked when
    this move closes but before the next one opens.
    """

    def __init__(
        self, lowering: Lowering, code: Code, name: str, kind: ir.HeadKind, by: ir.Expr | None
    ) -> None:
        self.lowering, self.code = lowering, code
        self.head = -1
        self.outer_depth = 0
        if not code.in_move:
            start_of_move(lowering, code)
            self.head = lowering.head(name, kind)
            self.outer_depth, code.head_depth = code.head_depth, len(code.loops)
            code.emit(ir.HeadEnter(self.head))
            if by is not None:
                code.store(ir.ACTOR, by, seat_type(lowering.unit.world))

    def close(self) -> None:
        if self.head >= 0:
            self.code.emit(ir.HeadExit(self.head))
            self.code.head_depth = self.outer_depth

"""Phases that are pushed on top of another one and come back to where it was.

`push phase P` leaves a request, as `goto` does. When the move is over the request is served: the
interrupt phase runs like any other, with defaults of its own, and then the phase below goes on
with the turn, the limits and the requests that it had. Procedures do not recurse, so the stack is
bounded by the text: an interrupt phase may be interrupted by those that are declared after it; a
request for itself or an earlier one waits until it is over.
"""

from __future__ import annotations

from ludwright import program as ir
from ludwright.language import tree
from ludwright.language.compiling.code import Code
from ludwright.language.compiling.lowering import Lowering
from ludwright.language.compiling.values import BOOL, int_type
from ludwright.language.gamedef import PhaseDecl
from ludwright.program.types import Type

NOWHERE = -1  # the level of the phases that are no interrupts


def declare(lowering: Lowering) -> None:
    """One cell per interrupt phase: whether it has been asked for."""
    for index, phase in enumerate(lowering.unit.gamedef.phases):
        if phase.interrupt:
            lowering.interrupts[index] = lowering.unit.layout.take(1)


def back(lowering: Lowering) -> int:
    """The request that ends an interrupt phase: back to the phase below."""
    return len(lowering.unit.gamedef.phases) + 1


def pending_type(lowering: Lowering) -> Type:
    return int_type(0, back(lowering) if lowering.interrupts else len(lowering.unit.gamedef.phases))


def push(lowering: Lowering, code: Code, node: tree.PushPhase, index: int) -> None:
    if index not in lowering.interrupts:
        lowering.unit.error(
            "interrupt-phase",
            node.span,
            f"`{node.phase}` is no interrupt: it has its place among the other phases",
            f"write `goto {node.phase}`, or declare it with `interrupt: true`",
        )
        return
    code.store(lowering.interrupts[index], ir.Const(1), BOOL)


def allowed(lowering: Lowering, phase: PhaseDecl, node: tree.Node) -> bool:
    """Whether a phase can be gone to; an interrupt has no place of its own to go on from."""
    if phase.interrupt:
        lowering.unit.error(
            "interrupt-phase",
            node.span,
            f"`{phase.id}` is an interrupt: it comes on top of a phase, not after one",
            f"write `push phase {phase.id}`",
        )
    return not phase.interrupt

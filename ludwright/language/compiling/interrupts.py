"""Phases that are pushed on top of another one and come back to where it was.

`push phase P` leaves a request, as `goto` does. When the move is over the request is served: the
interrupt phase runs like any other, with defaults of its own, and then the phase below goes on
with the turn, the limits and the requests that it had. Procedures do not recurse, so the stack is
bounded by the text: an interrupt phase may be interrupted by those that are declared after it; a
request for itself or an earlier one waits until it is over.
"""

from __future__ import annotations

from collections.abc import Sequence

from ludwright.kernel import program as ir
from ludwright.kernel.types import Type
from ludwright.language import tree
from ludwright.language.compiling.code import Code
from ludwright.language.compiling.lowering import Lowering
from ludwright.language.compiling.unit import Scope
from ludwright.language.compiling.values import BOOL, INT, int_type, seat_type
from ludwright.language.gamedef import PhaseDecl

NOWHERE = -1  # the level of the phases that are no interrupts


def declare(game: Lowering) -> None:
    """One cell per interrupt phase: whether it has been asked for."""
    for index, phase in enumerate(game.unit.gamedef.phases):
        if phase.interrupt:
            game.interrupts[index] = game.unit.layout.take(1)


def back(game: Lowering) -> int:
    """The request that ends an interrupt phase: back to the phase below."""
    return len(game.unit.gamedef.phases) + 1


def pending_type(game: Lowering) -> Type:
    return int_type(0, back(game) if game.interrupts else len(game.unit.gamedef.phases))


def push(game: Lowering, code: Code, node: tree.PushPhase, index: int) -> None:
    if index not in game.interrupts:
        game.unit.error(
            "interrupt-phase",
            node.span,
            f"`{node.phase}` is no interrupt: it has its place among the other phases",
            f"write `goto {node.phase}`, or declare it with `interrupt: true`",
        )
        return
    code.store(game.interrupts[index], ir.Const(1), BOOL)


def allowed(game: Lowering, phase: PhaseDecl, node: tree.Node) -> bool:
    """Whether a phase can be gone to; an interrupt has no place of its own to go on from."""
    if phase.interrupt:
        game.unit.error(
            "interrupt-phase",
            node.span,
            f"`{phase.id}` is an interrupt: it comes on top of a phase, not after one",
            f"write `push phase {phase.id}`",
        )
    return not phase.interrupt


def serve_in_flow(game: Lowering, code: Code, node: tree.Effect) -> None:
    """In a flow, interrupts follow the statement that asked for them."""
    asking = (tree.Offer, tree.CallProc, tree.PushPhase, tree.Menu, tree.Resolve)
    if code is game.flow_code and not code.in_move and isinstance(node, asking):
        serve(game, code, NOWHERE)


def serve(game: Lowering, code: Code, level: int) -> None:
    """Run the interrupts that have been asked for and may interrupt a phase of this level."""
    if any(index > level for index in game.interrupts):
        code.call(_serving(game, level))


def _serving(game: Lowering, level: int) -> Code:
    from ludwright.language.compiling.phases import phase_code

    name = f"interrupts above {level}" if level != NOWHERE else "interrupts"
    if name in game.shared:
        return game.shared[name]
    unit = game.unit
    code = game.new_code(name, False, ir.Load(ir.ACTIVE), decider_is_actor=False)
    game.shared[name] = code
    top = code.label()
    code.mark(top)
    for index, cell in game.interrupts.items():
        if index <= level:
            continue
        skip, left = code.label(), code.label()
        code.branch(ir.Load(cell), skip)
        code.emit(ir.Zero(((cell, 1),)))
        kept = [(addr, code.slot(type_, "kept"), type_) for addr, type_ in _kept(game)]
        asked = code.slot(pending_type(game), "asked")
        for addr, slot, type_ in kept:
            code.store(slot, ir.Load(addr), type_)
        code.store(asked, ir.Load(ir.PENDING_PHASE), pending_type(game))
        code.emit(ir.Zero(((ir.PENDING_TURN, 1),)))
        code.call(phase_code(game, index))
        for addr, slot, type_ in kept:
            code.store(addr, ir.Load(slot), type_)
        # `goto` leaves the phases below as well; anything else comes back to them
        wanted = ir.Load(ir.PENDING_PHASE)
        nowhere = ir.Compare("==", wanted, ir.Const(0))
        code.branch(ir.Or(nowhere, ir.Compare("==", wanted, ir.Const(back(game)))), left)
        code.store(ir.PENDING_PHASE, ir.Load(asked), pending_type(game))
        code.mark(left)
        game.end_check(code, Scope(), with_actor=False)
        code.emit(ir.Tick(unit.site(unit.gamedef.phases[index].span, "interrupts")))
        code.jump(top)
        code.mark(skip)
    code.finish()
    return code


def _kept(game: Lowering) -> Sequence[tuple[int, Type]]:
    """What an interrupt leaves as it was: phase and turn, and how often actions were used."""
    phases, seats = game.unit.gamedef.phases, len(game.unit.world.seats)
    kept = [
        (ir.ACTIVE, seat_type(game.unit.world)),
        (ir.TURN, INT),
        (ir.PHASE, int_type(-1, len(phases) - 1)),
        (ir.PENDING_TURN, BOOL),
    ]
    for (_, scope), cells in game.usage.items():
        if scope != "game":
            kept += [(cells + seat, INT) for seat in range(seats)]
    return kept

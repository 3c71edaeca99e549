"""Events: each card's text is a procedure; `resolve` is a switch over the cards."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Literal

from ludwright import program as ir
from ludwright.language import tree
from ludwright.language.compiling.code import Code
from ludwright.language.compiling.effects import alternatives
from ludwright.language.compiling.effects.dispatch import block
from ludwright.language.compiling.effects.guards import Guard
from ludwright.language.compiling.effects.heads import HeadScope
from ludwright.language.compiling.expressions import attributes
from ludwright.language.compiling.expressions.type_check import condition, value_of
from ludwright.language.compiling.lowering import Lowering
from ludwright.language.compiling.unit import Scope
from ludwright.language.compiling.values import Broken, Val, noun, seat_type
from ludwright.language.gamedef import EventDecl, EventSide
from ludwright.language.world.encoding import choices as one_of
from ludwright.program.types import Type
from ludwright.spelling import did_you_mean


def resolve(lowering: Lowering, code: Code, node: tree.Resolve, scope: Scope) -> None:
    unit = lowering.unit
    events = {event.id: event for event in unit.gamedef.events}
    side = node.side.id if isinstance(node.side, tree.Name) else None
    if (
        isinstance(node.card, tree.Name)
        and node.card.id in events
        and (scope.find(node.card.id) is None)
    ):
        _call(lowering, code, events[node.card.id], side, node)
        return
    card = value_of(unit, node.card, scope)
    if isinstance(card, Broken):
        return
    if card.type.kind == "piece":
        row = next(
            (p for k in unit.world.kinds for p in k.properties if p.type.kind == "row"), None
        )
        inner = attributes.attribute(unit, card, row.name if row else "row", node.span)
        if not isinstance(inner, Val):
            return
        card = inner
    if card.type.kind != "row":
        unit.error(
            "not-a-card",
            node.card.span,
            f"`resolve` needs a card, this is {noun(card.type)}",
            "cards are rows of a table (or pieces made from one) whose `id` an event has",
        )
        return
    rows = unit.world.tables[card.type.name].rows
    _check_ids(lowering, rows)
    row_slot = code.slot(card.type, "card")
    code.store(row_slot, card.expr, Type("row", card.type.name, 0, max(0, len(rows) - 1)))
    labels = [code.label() for _ in rows]
    done = code.label()
    code.emit(ir.Switch(ir.Load(row_slot), tuple(labels), done))
    for name, label in zip(rows, labels, strict=True):
        code.mark(label)
        event = events.get(name)
        if event is not None:
            _call(lowering, code, event, side, node)
        code.jump(done)
    code.mark(done)


def _check_ids(lowering: Lowering, rows: tuple[str, ...]) -> None:
    for event in lowering.unit.gamedef.events:
        everywhere = {row for table in lowering.unit.world.tables.values() for row in table.rows}
        if event.id not in everywhere:
            lowering.unit.error(
                "unknown-card",
                event.span,
                f"no card is called `{event.id}`",
                did_you_mean(event.id, rows) or "add a row of that name to the table of cards",
            )


def _call(
    lowering: Lowering, code: Code, event: EventDecl, side: str | None, node: tree.Resolve
) -> None:
    unit = lowering.unit
    sides = [s for s in event.sides if side is None or s.name == side]
    if not event.sides:
        return  # that it has no text has been told
    if not sides:
        unit.error(
            "unknown-side",
            node.span,
            f"card `{event.id}` has no side `{side}`",
            did_you_mean(side or "", [s.name for s in event.sides])
            or one_of(s.name for s in event.sides),
        )
        return
    if len(sides) > 1 and not code.in_move:
        _call_as_move(lowering, code, event, tuple(sides), side)
        return
    made = event_code(lowering, event, tuple(sides), side, code.in_move, code.decider_is_actor)
    by = lowering.event_by.get(id(made))
    if by is not None:
        code.store(by, code.decider, seat_type(unit.world))
    code.call(made)


def _call_as_move(
    lowering: Lowering, code: Code, event: EventDecl, sides: tuple[EventSide, ...], side: str | None
) -> None:
    """At the level of the flow the choice of a side opens a move that holds all of the event.

    The move is opened here, and not in the event, so that the same code serves actions.
    """
    head = HeadScope(lowering, code, event.id, "choice", code.decider)
    code.call(event_code(lowering, event, sides, side, in_move=True, by_actor=True))
    head.close()


def event_code(
    lowering: Lowering,
    event: EventDecl,
    sides: tuple[EventSide, ...],
    side: str | None,
    in_move: bool,
    by_actor: bool,
) -> Code:
    key = (event.id, side, in_move, by_actor, lowering.dispatching)
    known = lowering.event_codes.get(key)
    unit = lowering.unit
    if f"card {event.id}" in lowering.procedure_stack:
        unit.error(
            "recursion",
            event.span,
            f"card `{event.id}` resolves itself",
            "keep a list of cards still to resolve instead",
        )
    if known is not None:
        return known
    rule, unit.rule = unit.rule, f"card {event.id}"
    code = lowering.new_code(
        f"card {event.id}", in_move, ir.Load(ir.ACTOR), decider_is_actor=by_actor
    )
    if not by_actor:
        slot = code.slot(seat_type(unit.world), "by")
        code.decider = ir.Load(slot)
        lowering.event_by[id(code)] = slot
    lowering.event_codes[key] = code
    lowering.procedure_stack.append(f"card {event.id}")
    if len(sides) == 1:
        if sides[0].when is not None:
            code.branch(condition(unit, sides[0].when, code.scope()), code.exit)
        _side(lowering, code, event, sides[0])
    else:
        labels = [_label(lowering, s.name, s.when, code.scope()) for s in sides]
        _switch(
            lowering,
            code,
            "side",
            labels,
            event,
            [partial(_side, lowering, code, event, s) for s in sides],
        )
    lowering.procedure_stack.pop()
    code.finish()
    unit.rule = rule
    return code


def _side(lowering: Lowering, code: Code, event: EventDecl, side: EventSide) -> None:
    lowering.unit.rule = f"card {event.id}, {side.name}"
    scope = code.scope()
    block(lowering, code, side.effects, scope)
    if not side.branches:
        return
    labels = [_label(lowering, b.id, b.when, scope) for b in side.branches]
    _switch(
        lowering,
        code,
        "branch",
        labels,
        event,
        [partial(block, lowering, code, b.effects, scope) for b in side.branches],
    )


def _label(lowering: Lowering, name: str, when: tree.Expr | None, scope: Scope) -> ir.Label:
    guard = Guard(lowering.unit)
    guard.condition(when, scope, f"{lowering.unit.rule}, {name}: if")
    return guard.label(name)


def _switch(
    lowering: Lowering,
    code: Code,
    name: Literal["side", "branch"],
    labels: list[ir.Label],
    event: EventDecl,
    bodies: Sequence[Callable[[], None]],
) -> None:
    head = HeadScope(lowering, code, event.id, "choice", code.decider)
    site = lowering.unit.site(event.span, f"card {event.id}: {name}")
    addr, _ = alternatives.ask(lowering, code, name, "param", labels, code.decider, site)
    was_in_move, code.in_move = code.in_move, True
    alternatives.switch(code, addr, bodies)
    code.in_move = was_in_move
    head.close()

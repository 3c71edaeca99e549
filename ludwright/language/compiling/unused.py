"""What the game never comes to is compiled all the same, and thrown away: mistakes are mistakes."""

from __future__ import annotations

from ludwright.language.compiling.effects.places import compile_limits
from ludwright.language.compiling.lowering import Lowering
from ludwright.language.compiling.rules import actions, events, triggers
from ludwright.language.compiling.rules.actions import OfferContext


def compile_unreached(lowering: Lowering) -> None:
    """Actions nobody is offered, cards nothing resolves, triggers nothing sets off, limits of
    places nothing is moved to. That they are unused is told only when all else is well."""
    unit = lowering.unit
    well = unit.diagnostics.ok
    kept = [len(part) for part in _growing(lowering)]
    for index, action in enumerate(unit.gamedef.actions):
        if f"action {action.id}" in unit.used_names:
            continue
        if well:
            unit.diagnostics.warning(
                "unused",
                action.span,
                f"the action `{action.id}` is never offered",
                "name it in a phase or an `offer`, or remove it",
            )
        label = actions.guard(lowering, action, None).label(action.id, index)
        actions.action_code(lowering, action, index, OfferContext(None, 0), label.guard)
    for event in unit.gamedef.events:
        if event.sides and all(key[0] != event.id for key in lowering.event_codes):
            events.event_code(lowering, event, event.sides, None, in_move=True, by_actor=True)
    unknown = {d.span for d in unit.diagnostics.errors if d.code == "unknown-trigger-subject"}
    for trigger in unit.gamedef.triggers:
        if trigger.span not in unknown:
            triggers.procedure(lowering, trigger)
    compile_limits(lowering)
    for part, length in zip(_growing(lowering), kept, strict=True):
        del part[length:]


def _growing(lowering: Lowering) -> tuple[list[object], ...]:
    """What compiling adds to; the calls between discarded parts are discarded with them."""
    parts = (
        lowering.codes,
        lowering.choices,
        lowering.heads,
        lowering.ends,
        lowering.unbounded_loops,
    )
    return tuple(parts)  # type: ignore[arg-type]

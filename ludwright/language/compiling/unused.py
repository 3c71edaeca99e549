"""What the game never comes to is compiled all the same, and thrown away: mistakes are mistakes."""

from __future__ import annotations

from ludwright.language.compiling import actions, events, triggers
from ludwright.language.compiling.lowering import Lowering, OfferContext


def compile_unreached(game: Lowering) -> None:
    """Actions nobody is offered, cards nothing resolves, triggers nothing sets off, limits of
    places nothing is moved to. That they are unused is told only when all else is well."""
    unit = game.unit
    well = unit.diagnostics.ok
    kept = [len(part) for part in _growing(game)]
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
        label = actions.guard(game, action, None).label(action.id, index)
        actions.action_code(game, action, index, OfferContext(None, 0), label.guard)
    for event in unit.gamedef.events:
        if event.sides and all(key[0] != event.id for key in game.event_codes):
            events.event_code(game, event, event.sides, None, in_move=True, by_actor=True)
    unknown = {d.span for d in unit.diagnostics.errors if d.code == "unknown-trigger-subject"}
    for trigger in unit.gamedef.triggers:
        if trigger.span not in unknown:
            triggers.procedure(game, trigger)
    game.compile_limits()
    for part, length in zip(_growing(game), kept, strict=True):
        del part[length:]


def _growing(game: Lowering) -> tuple[list[object], ...]:
    """What compiling adds to; the calls between discarded parts are discarded with them."""
    parts = (game.codes, game.choices, game.heads, game.ends, game.unbounded_loops)
    return tuple(parts)  # type: ignore[arg-type]

"""Effects in the long form that have a one-line short form."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, cast

from ludwright.language.parsing.fields import Fields, runtime_name
from ludwright.language.parsing.longform import (
    TOKEN,
    attribute,
    filtered,
    needed_value,
    needed_zone,
    optional_player,
    optional_value,
    player,
    token_filter,
    value,
    variable,
    zone,
)
from ludwright.language.parsing.statements import everyone_is_default
from ludwright.language.reading.nodes import YScalar
from ludwright.language.tree import (
    AddVar,
    AdvancePhase,
    Comp,
    Conceal,
    CreateToken,
    DestroyToken,
    Draw,
    Effect,
    Expr,
    ForEach,
    GotoPhase,
    IntLit,
    MoveToken,
    MoveTokenAdjacent,
    Name,
    PushPhase,
    Reveal,
    SetVar,
    ShiftMarker,
    Shuffle,
)

_SCOPES = ("global", "pvar", "zone", "zoneVar")
_EACH_SEAT = "$seat"


def _change(fields: Fields, make: Callable[[Expr], Effect]) -> Effect:
    """Assign to a variable in its scope; `player: all` means each seat in turn."""
    scope = fields.choice("scope", _SCOPES, "global")
    name = variable(fields, "var")
    span = fields.span
    if scope == "global":
        return make(name)
    if scope in ("zone", "zoneVar"):
        return make(attribute(needed_zone(fields, "zone"), name, span))
    who = player(fields, "player")
    if isinstance(who, Name) and who.id == "all":
        return _for_each_seat(Name("seats"), name, make, fields)
    if isinstance(who, Comp):
        return _for_each_seat(who, name, make, fields)
    return make(attribute(who, name, span))


def _for_each_seat(
    seats: Expr, name: Expr, make: Callable[[Expr], Effect], fields: Fields
) -> Effect:
    change = make(attribute(Name(_EACH_SEAT), name, fields.span))
    return ForEach((_EACH_SEAT,), seats, (change,), span=fields.span)


def _set_var(fields: Fields) -> Effect:
    new = needed_value(fields, "value")
    return _change(fields, lambda target: SetVar(target, new, span=fields.span))


def _add_var(fields: Fields) -> Effect:
    delta = needed_value(fields, "delta")
    return _change(fields, lambda target: AddVar(target, delta, span=fields.span))


def _set_active_player(fields: Fields) -> Effect:
    return SetVar(Name("active"), player(fields, "player"), span=fields.span)


def _move_token(fields: Fields) -> Effect:
    what = needed_value(fields, "token")
    origin = fields.get("from")
    position = fields.choice("position", ("top", "bottom", "random"), "")
    return MoveToken(
        what,
        needed_zone(fields, "to"),
        position=cast(Literal["top", "bottom", "random"], position) if position else None,
        origin=None if origin is None else zone(origin, fields.diagnostics),
        span=fields.span,
    )


def _tokens_of(fields: Fields, key: str) -> Expr:
    place = needed_zone(fields, key)
    condition = token_filter(fields.get("filter"), fields.diagnostics)
    return filtered(TOKEN, place, condition, fields.span)


def _move_all(fields: Fields) -> Effect:
    what = _tokens_of(fields, "from")
    return MoveToken(what, needed_zone(fields, "to"), all=True, span=fields.span)


def _move_token_adjacent(fields: Fields) -> Effect:
    token = needed_value(fields, "token")
    origin = fields.get("from")
    return MoveTokenAdjacent(
        token,
        optional_value(fields, "direction"),
        None if origin is None else zone(origin, fields.diagnostics),
        span=fields.span,
    )


def _draw(fields: Fields) -> Effect:
    count = optional_value(fields, "count") or IntLit(1)
    origin, to = needed_zone(fields, "from"), needed_zone(fields, "to")
    return Draw(count, origin, to, span=fields.span)


def _shuffle(fields: Fields) -> Effect:
    return Shuffle(needed_zone(fields, "zone"), span=fields.span)


def _create_token(fields: Fields) -> Effect:
    kind = variable(fields, "type")
    to = needed_zone(fields, "zone")
    given = fields.mapping("props")
    props: list[tuple[str, Expr]] = []
    owner: Expr | None = None
    for key, node in given.entries if given is not None else ():
        if key.text == "owner":
            owner = value(node, fields.diagnostics)
        else:
            props.append((key.text, value(node, fields.diagnostics)))
    return CreateToken(kind, to, None, owner, tuple(props), span=fields.span)


def _destroy_token(fields: Fields) -> Effect:
    return DestroyToken(needed_value(fields, "token"), span=fields.span)


def _set_token_prop(fields: Fields) -> Effect:
    target = attribute(needed_value(fields, "token"), variable(fields, "prop"), fields.span)
    return SetVar(target, needed_value(fields, "value"), span=fields.span)


def _reveal(fields: Fields) -> Effect:
    to = optional_player(fields, "to")
    return Reveal(_tokens_of(fields, "zone"), everyone_is_default(to), span=fields.span)


def _conceal(fields: Fields) -> Effect:
    origin = optional_player(fields, "from")
    return Conceal(_tokens_of(fields, "zone"), everyone_is_default(origin), span=fields.span)


def _marker(fields: Fields) -> Expr:
    return attribute(needed_zone(fields, "space"), variable(fields, "marker"), fields.span)


def _set_marker(fields: Fields) -> Effect:
    return SetVar(_marker(fields), needed_value(fields, "state"), span=fields.span)


def _shift_marker(fields: Fields) -> Effect:
    return ShiftMarker(_marker(fields), needed_value(fields, "delta"), span=fields.span)


def _set_global_marker(fields: Fields) -> Effect:
    marker = variable(fields, "marker")
    return SetVar(marker, needed_value(fields, "state"), span=fields.span)


def _shift_global_marker(fields: Fields) -> Effect:
    marker = variable(fields, "marker")
    return ShiftMarker(marker, needed_value(fields, "delta"), span=fields.span)


def _phase_name(fields: Fields) -> str:
    phase = fields.need("phase")
    if phase is not None and not isinstance(phase, YScalar):
        runtime_name(phase.span, fields.diagnostics)
    return phase.text if isinstance(phase, YScalar) else ""


def _goto_phase(fields: Fields) -> Effect:
    return GotoPhase(_phase_name(fields), span=fields.span)


def _push_phase(fields: Fields) -> Effect:
    return PushPhase(_phase_name(fields), span=fields.span)


def _advance_phase(fields: Fields) -> Effect:
    return AdvancePhase(span=fields.span)


LONG_EFFECTS: dict[str, Callable[[Fields], Effect]] = {
    "setVar": _set_var,
    "addVar": _add_var,
    "setActivePlayer": _set_active_player,
    "moveToken": _move_token,
    "moveAll": _move_all,
    "moveTokenAdjacent": _move_token_adjacent,
    "draw": _draw,
    "shuffle": _shuffle,
    "createToken": _create_token,
    "destroyToken": _destroy_token,
    "setTokenProp": _set_token_prop,
    "reveal": _reveal,
    "conceal": _conceal,
    "setMarker": _set_marker,
    "shiftMarker": _shift_marker,
    "setGlobalMarker": _set_global_marker,
    "shiftGlobalMarker": _shift_global_marker,
    "gotoPhaseExact": _goto_phase,
    "advancePhase": _advance_phase,
    "pushPhase": _push_phase,
}

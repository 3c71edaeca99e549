"""What a bare name means: declared things, found by name and, where it matters, by type."""

from __future__ import annotations

import re
from dataclasses import replace

from ludwright import program as ir
from ludwright.diagnostics import Span
from ludwright.language import tree
from ludwright.language.compiling.expressions.dispatch import expression
from ludwright.language.compiling.layout import FREE, Slot
from ludwright.language.compiling.unit import Scope, Unit
from ludwright.language.compiling.values import (
    BOOL,
    BROKEN,
    Compiled,
    Seq,
    TableRef,
    Val,
    const,
    direction_type,
    int_type,
    kind_type,
    place_type,
    seat_type,
    space_type,
    unnamed,
)
from ludwright.language.parsing.source import BROKEN as UNREADABLE
from ludwright.language.world.clashes import KERNEL_NAMES
from ludwright.program.types import Type
from ludwright.spelling import did_you_mean, nearest

DIRECTION_SETS = {
    "orthogonal": ("north", "east", "south", "west"),
    "diagonal": ("northeast", "southeast", "southwest", "northwest"),
}


# What people call it who have not met its name.
_OTHER_NAMES = {
    **dict.fromkeys(
        ("me", "self", "player", "mover", "I", "currentPlayer", "current_player", "current"),
        "did you mean `actor` (who makes the move), or `active` (whose turn it is)?",
    ),
    "chooser": "the seat that is asked is called `chooser` only in the options of a choice",
    "players": "did you mean `seats`?",
    **dict.fromkeys(("True", "yes", "on"), "did you mean `true`?"),
    **dict.fromkeys(("False", "no", "off"), "did you mean `false`?"),
    "None": "did you mean `none`?",
    "null": "did you mean `none`?",
    "nil": "did you mean `none`?",
    "nobody": "did you mean `none`?",
    "nothing": "did you mean `none`?",
    "opponent": "say whose opponent: `opponent(actor)`",
    **{word: f"leave `{word}` out" for word in ("a", "an", "the")},
    **{
        word: f"write the number: `{number}`"
        for number, word in enumerate(
            ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"), 1
        )
    },
}
_NUMBERED_PLAYER = re.compile(r"(?:player|seat)_?([1-9])", re.IGNORECASE)


def _dice(name: str) -> str | None:
    """`d6` is a roll, and that is a statement."""
    sides = name[1:] if name[:1] in ("d", "D") else ""
    return f"chance is a statement: `roll x in 1..{sides}`" if sides.isdecimal() else None


def _a_place(unit: Unit, name: str, expect: Type | None, scope: Scope) -> str | None:
    """Where only a space or zone can stand, only those are meant, or one that is missing."""
    if expect is None or expect.kind != "place":
        return None
    world = unit.world
    zones = {place.zone for place in world.places if place.zone is not None}
    places = {*zones, *world.groups, *(place.name for place in world.places), *scope.visible()}
    return did_you_mean(name, places) or (
        "declare it under `zones:` or `spaces:`; if the player chooses the place, write "
        f"`params: {{ {name}: SPACES }}` in the action"
    )


def _a_direction(unit: Unit, name: str, expect: Type | None) -> str | None:
    if expect is None or expect.kind != "direction" or not unit.world.directions:
        return None
    known = unit.world.directions
    listed = "the directions are " + ", ".join(f"`{each}`" for each in known)
    return did_you_mean(name, known) or listed


def load_slot(slot: Slot) -> Val:
    variable = slot.variable
    if variable.type.is_scalar:
        return Val(ir.Load(variable.addr), unnamed(variable.type))
    return Val(ir.LoadWide(variable.addr, variable.type), unnamed(variable.type))


def group_seq(unit: Unit, name: str) -> Seq:
    members = unit.world.groups[name]
    type_ = Type("place", name, 0, max(0, unit.world.space_count - 1))
    return Seq(ir.ConstSource(members), type_, len(members), ascending=True)


def kind_seq(unit: Unit, name: str) -> Seq:
    kind = next(kind for kind in unit.world.kinds if kind.name == name)
    return Seq(ir.ConstSource(tuple(kind.pieces)), kind_type(kind), kind.count, ascending=True)


def directions(unit: Unit, names: tuple[str, ...]) -> Seq:
    world = unit.world
    members = tuple(world.directions.index(name) for name in names if name in world.directions)
    return Seq(ir.ConstSource(members), direction_type(world), len(members))


def free_operation(unit: Unit) -> ir.Expr:
    """Whether what is offered or carried out costs nothing; never, where no offer is free."""
    slot = unit.layout.globals.get(FREE)
    return ir.Const(0) if slot is None else ir.Load(slot.variable.addr)


def kernel_name(unit: Unit, name: str, expect: Type | None) -> Compiled | None:
    world = unit.world
    match name:
        case "actor":
            return Val(ir.Load(ir.ACTOR), seat_type(world))
        case "active":
            return Val(ir.Load(ir.ACTIVE), seat_type(world))
        case "turn":
            return Val(ir.Load(ir.TURN), int_type(0, 2**31 - 1))
        case "__freeOperation":
            return Val(free_operation(unit), BOOL)
        case "seats":
            return Seq(ir.SeatsSource(), seat_type(world), len(world.seats), ascending=True)
        case "spaces":
            count = world.space_count
            return Seq(
                ir.ConstSource(tuple(range(count))), space_type(world), count, ascending=True
            )
        case "zones":  # every place: the spaces, then the zones beside the board
            count = len(world.places)
            return Seq(
                ir.ConstSource(tuple(range(count))), place_type(world), count, ascending=True
            )
        case "all" if expect is not None and expect.kind == "set":
            item = expect.items[0]
            return Val(ir.Const((1 << (item.hi - item.lo + 1)) - 1), expect)
        case "all" if world.directions:
            return directions(unit, world.directions)
        case _ if name in DIRECTION_SETS and "north" in world.directions:
            return directions(unit, DIRECTION_SETS[name])
        case _:
            return None


def candidates(unit: Unit, name: str) -> list[Compiled]:
    """Every constant thing of this name; more than one is decided by the expected type."""
    world = unit.world
    found: list[Compiled] = []
    if name in world.seats:
        found.append(const(world.seats.index(name), seat_type(world)))
    if name in world.groups:
        found.append(group_seq(unit, name))
    if name in world.zones and not world.zone_each[name] and name not in world.zone_index:
        found.append(const(world.zones[name][0], place_type(world)))
    for index in range(world.space_count):
        if world.places[index].name == name:
            found.append(const(index, space_type(world)))
            break
    if any(kind.name == name for kind in world.kinds):
        found.append(kind_seq(unit, name))
    if name in world.tables:
        found.append(TableRef(name))
    for table in world.tables.values():
        if not table.keyed and name in table.rows:
            type_ = Type("row", table.name, 0, len(table.rows) - 1)
            found.append(const(table.rows.index(name), type_))
    if name in world.enums:
        count = len(world.enums[name])
        members = ir.ConstSource(tuple(range(count)))
        found.append(Seq(members, Type("enum", name, 0, count - 1), count, ascending=True))
    for enum, values in world.enums.items():
        if name in values:
            found.append(const(values.index(name), Type("enum", enum, 0, len(values) - 1)))
    if name in world.directions:
        found.append(const(world.directions.index(name), direction_type(world)))
    return found


def fits(value: Compiled, expect: Type) -> bool:
    if isinstance(value, Val):
        if value.type.kind != expect.kind:
            return False
        return value.type.kind not in ("enum", "row") or value.type.name == expect.name
    return False


def resolve_global(
    unit: Unit, name: str, span: Span | None, scope: Scope, expect: Type | None
) -> Compiled:
    """A name that is no local: kernel names, parameters, variables, then declared constants."""
    world = unit.world
    known = kernel_name(unit, name, expect)
    if known is not None:
        return known
    if expect is not None and expect.kind == "label":
        labels = unit.label_sets[expect.name]
        if name in labels:
            return const(labels.index(name), replace(expect, optional=False))
    if name in world.parameters:
        value = world.parameters[name]
        if isinstance(value, bool):
            return const(int(value), BOOL)
        return const(value, int_type(value, value))
    if name in unit.layout.globals:
        slot = unit.layout.globals[name]
        if slot.each is None:
            return load_slot(slot)
        first = slot.variable.name
        unit.error(
            "needs-index",
            span,
            f"`{name}` is kept several times; which one is not said",
            f"add an index, for example `{first}`",
        )
        return BROKEN
    found = candidates(unit, name)
    if len(found) > 1 and expect is not None:
        matching = [value for value in found if fits(value, expect)]
        if len(matching) == 1:
            return matching[0]
    if len(found) == 1:
        return found[0]
    if found:
        unit.error(
            "ambiguous-name",
            span,
            f"`{name}` means several things here",
            "rename one of them, or compare it with something whose type is known",
        )
        return BROKEN
    hidden = scope.why_hidden(name)
    if hidden is not None:
        unit.error(
            "name-out-of-scope",
            span,
            f"`{name}` is not visible here: {hidden}",
            "use the name it has here",
        )
        return BROKEN
    if spoilt(unit, name):
        return BROKEN
    unit.error(
        "unknown-name",
        span,
        f"nothing is called `{name}`",
        _OTHER_NAMES.get(name)
        or _dice(name)
        or _whose(unit, name, scope)
        or (f"did you mean `${name}`?" if scope.find(f"${name}") is not None else None)
        or _a_place(unit, name, expect, scope)
        or _a_direction(unit, name, expect)
        or did_you_mean(name, known_names(unit, scope))
        or misspelt_variable(unit, name, scope)
        or _declared_where(name),
    )
    return BROKEN


def misspelt_variable(unit: Unit, name: str, scope: Scope) -> str | None:
    """A variable that every seat has, misspelt and without its seat; or a seat by its number."""
    if (numbered := _NUMBERED_PLAYER.fullmatch(name)) is not None:
        at = int(numbered[1]) - 1
        return f"did you mean `{unit.world.seats[at]}`?" if at < len(unit.world.seats) else None
    meant = nearest(name, unit.layout.seat_vars)
    return f"did you mean `{somebody(scope)}.{meant}`?" if meant is not None else None


def _declared_where(name: str) -> str:
    if len(name) == 1:
        return f"if it stands for each of several, add where it comes from: `… for {name} in …`"
    return (
        "declare it, for example under `vars:`, `spaces:`, `zones:`, `pieces:` or in `params:`; "
        "or check the spelling"
    )


def _whose(unit: Unit, name: str, scope: Scope) -> str | None:
    """What is meant by a variable that every seat or space has."""
    if name in ("Seat", "Space"):
        return f"`{name}.x` only declares; say whose, for example `actor.x`"
    if name in unit.layout.seat_vars:
        seat = "it" if scope.find("it") is not None else somebody(scope)
        return (
            f"every seat has one: say whose, for example `{seat}.{name}`, or "
            f"`p.{name} for p in seats` for all of them"
        )
    return (
        f"every space has one: say of which, `s.{name}`" if name in unit.layout.space_vars else None
    )


def somebody(scope: Scope) -> str:
    """The seat that is most likely meant: that of a loop, or among options the one who chooses."""
    if (looped := scope.looped("seat")) is not None:
        return looped
    chooser = scope.find("chooser")
    if chooser is None or not isinstance(chooser.value, Val):
        return "actor"
    return "actor" if chooser.value.expr == ir.Load(ir.ACTOR) else "chooser"


def spoilt(unit: Unit, name: str, scope: str = "global") -> bool:
    """Whether a name that means nothing is declared, with a mistake that has been told: using it
    is no second mistake."""
    declared = unit.gamedef
    if scope == "global" and name in unit.diagnostics.spoilt:
        return True
    if any(decl.name == name and decl.scope == scope for decl in declared.vars):
        return True
    things = (declared.spaces, declared.zones, declared.pieces, declared.tables)
    return scope == "global" and any(decl.name == name for part in things for decl in part)


def known_names(unit: Unit, scope: Scope) -> set[str]:
    world = unit.world
    names: set[str] = {"actor", "active", "seats", "spaces", "zones", "turn"} | scope.visible()
    names |= set(world.seats) | set(world.groups) | set(world.zones) | set(world.tables)
    names |= set(world.parameters) | set(unit.layout.globals) | set(unit.declared_functions)
    names |= {kind.name for kind in world.kinds}
    names |= {place.name for place in world.places[: world.space_count]}
    names |= {row for table in world.tables.values() for row in table.rows if row}
    names |= {value for values in world.enums.values() for value in values}
    names |= set(world.directions)
    return {name for name in names if not name.startswith("__")}


def is_declared(unit: Unit, name: str) -> str | None:
    """What a global name already stands for, in words: used to refuse shadowing."""
    world = unit.world
    if name in KERNEL_NAMES:
        return "a name of the kernel"
    if name in world.parameters:
        return "a parameter"
    if name in unit.layout.globals:
        return "a variable"
    if name in unit.declared_functions:
        return "a function"
    if name in unit.declared_procs:
        return "a procedure"
    if name in world.seats:
        return "a seat"
    if name in world.groups or name in world.zones:
        return "a place"
    if any(kind.name == name for kind in world.kinds):
        return "a kind of piece"
    if name in world.tables:
        return "a table"
    if any(place.name == name for place in world.places[: world.space_count]):
        return "a space"
    if any(name in values for values in world.enums.values()):
        return "an enum value"
    return None


def is_known(unit: Unit, name: str) -> bool:
    """Whether a bare name means anything at all outside of local scopes."""
    return is_declared(unit, name) is not None or bool(candidates(unit, name))


# ---------------------------------------------------------------------- expressions


def name(unit: Unit, node: tree.Name, scope: Scope, expect: Type | None) -> Compiled:
    return named(unit, node, node.id, scope, expect)


def named(unit: Unit, node: tree.Expr, name: str, scope: Scope, expect: Type | None) -> Compiled:
    if name == UNREADABLE:
        return BROKEN
    local = scope.find(name)
    if local is not None and local.origin == "sealed":
        unit.error(
            "needs-index",
            node.span,
            f"`{name}` holds an answer of each seat; whose is not said",
            f"say whose: `{name}[{somebody(scope)}]`",
        )
        return BROKEN
    if local is not None:
        return BROKEN if local.origin == "broken" else local.value
    if name in unit.declared_functions:
        return expression(unit, tree.Call(name, span=node.span), scope, expect)
    if unit.world.zone_each.get(name):
        unit.error(
            "zone-needs-seat",
            node.span,
            f"every seat has its own `{name}`",
            f"say whose: `{name}({somebody(scope)})`",
        )
        return BROKEN
    if name in unit.world.zone_index:
        member = unit.world.places[unit.world.zones[name][0]].name.partition(":")[2]
        unit.error(
            "zone-needs-seat",
            node.span,
            f"there are several zones `{name}`; which one is not said",
            f"say which: `{name}({member})`",
        )
        return BROKEN
    return resolve_global(unit, name, node.span, scope, expect)

"""Triggers: queued ones wait for the end of the action, immediate ones run at once."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ludwright import program as ir
from ludwright.language import tree
from ludwright.language.compiling.code import Code, Procedure
from ludwright.language.compiling.effects.dispatch import block
from ludwright.language.compiling.expressions import attributes
from ludwright.language.compiling.expressions.targets import Target
from ludwright.language.compiling.expressions.type_check import condition
from ludwright.language.compiling.layout import Slot
from ludwright.language.compiling.lowering import Lowering
from ludwright.language.compiling.tree_walk import nodes_in
from ludwright.language.compiling.unit import Local, Scope
from ludwright.language.compiling.values import (
    INT,
    Val,
    piece_type,
    place_type,
    seat_type,
    space_type,
)
from ludwright.language.gamedef import TriggerDecl
from ludwright.language.world.encoding import choices as one_of
from ludwright.program.types import Type
from ludwright.spelling import did_you_mean

DEPTH = 8  # how many triggers may set each other off in a chain
_INDEX = "index of the value"  # a local that rules cannot name
LENGTH = 32  # how many may wait at once
DATA = 3
# The queue: how many wait, the depth of the one running, then (trigger, depth, data…) each.
ENTRY = 2 + DATA


def queued(lowering: Lowering) -> list[TriggerDecl]:
    return [
        t
        for t in lowering.unit.gamedef.triggers
        if not t.immediate and t.event in ("changed", "entered", "left", "stage")
    ]


def allocate_queue(lowering: Lowering) -> None:
    if queued(lowering):
        lowering.queue = lowering.unit.layout.take(2 + LENGTH * ENTRY)


def check_subjects(lowering: Lowering, stages: set[str]) -> None:
    """Every trigger must wait for something that exists."""
    unit, world, layout = lowering.unit, lowering.unit.world, lowering.unit.layout
    known: dict[str, set[str]] = {
        "changed": set(layout.globals)
        | {f"Seat.{n}" for n in layout.seat_vars}
        | set(layout.seat_vars)
        | {f"Space.{n}" for n in layout.space_vars}
        | set(layout.space_vars)
        | {f"Piece.{n}" for n in layout.piece_props}
        | set(layout.piece_props),
        "entered": set(world.groups)
        | set(world.zones)
        | {p.name for p in world.places[: world.space_count]}
        | {"spaces"},
        "resolved": {action.id for action in unit.gamedef.actions},
        "phase": {phase.id for phase in unit.gamedef.phases},
        "stage": stages,
        "turn": {""},
    }
    known["left"] = known["entered"]
    for trigger in unit.gamedef.triggers:
        if trigger.subject not in known[trigger.event]:
            unit.error(
                "unknown-trigger-subject",
                trigger.span,
                f"nothing called `{trigger.subject}` can be {trigger.event}",
                did_you_mean(trigger.subject, known[trigger.event])
                or one_of(sorted(known[trigger.event] - {""}))
                or "declare it first",
            )
        elif trigger.event == "changed":
            _check_one_subject(lowering, trigger)


def _check_one_subject(lowering: Lowering, trigger: TriggerDecl) -> None:
    """A name that seats, spaces or pieces share must say whose it is."""
    meant = [where.capitalize() for _, where, _ in _candidates(lowering, trigger.subject)]
    if len(meant) > 1:
        names = " or ".join(f"`{owner}.{trigger.subject}`" for owner in meant)
        lowering.unit.error(
            "ambiguous-name",
            trigger.span,
            f"`{trigger.subject}` could be {names}",
            f"write which one is meant: `changed: {meant[0]}.{trigger.subject}`",
        )


def data_names(lowering: Lowering, trigger: TriggerDecl) -> list[tuple[str, Type]]:
    """What a trigger's effects can name."""
    world = lowering.unit.world
    if trigger.event in ("entered", "left"):
        return [
            ("piece", piece_type(world)),
            ("origin", replace(place_type(world), optional=True)),
            ("place", replace(place_type(world), optional=True)),
        ]
    if trigger.event == "changed" and (found := _watched(lowering, trigger)) is not None:
        slot, where, type_ = found
        value = slot.variable.type
        named = [("old", value), ("new", value)]
        if slot.each is not None or slot.variable.first:
            return [*named, (_INDEX, INT)]
        return [*named, (where, type_)] if where else named
    return []


def _watched(lowering: Lowering, trigger: TriggerDecl) -> tuple[Slot, str, Type] | None:
    """The variable that a trigger waits for, and what the owner of its values is called. A name
    alone is a variable of the whole game, if there is one."""
    found = _candidates(lowering, trigger.subject)
    return found[0] if found else None


def _candidates(lowering: Lowering, subject: str) -> list[tuple[Slot, str, Type]]:
    """All variables that a trigger may mean."""
    world, layout = lowering.unit.world, lowering.unit.layout
    if subject in layout.globals:
        return [(layout.globals[subject], "", INT)]
    return [
        (slots[name], where, type_)
        for prefix, slots, where, type_ in (
            ("Seat.", layout.seat_vars, "seat", seat_type(world)),
            ("Space.", layout.space_vars, "space", space_type(world)),
            ("Piece.", layout.piece_props, "piece", piece_type(world)),
        )
        for name in {subject, subject.removeprefix(prefix)}
        if name in slots
    ]


def _owner_and_key(
    lowering: Lowering, trigger: TriggerDecl, index: ir.Expr
) -> Iterator[tuple[str, Val]]:
    """Whose value has changed, and of a variable with an index which, from its number."""
    found = _watched(lowering, trigger)
    assert found is not None
    slot, where, type_ = found
    owners = ir.Const(slot.variable.count)
    owner = index if slot.each is None else ir.Arith("%", index, owners)
    if where:
        yield where, Val(ir.Arith("+", owner, ir.Const(slot.variable.first)), type_)
    if slot.each is not None:
        member = ir.Arith("//", index, owners)
        yield "key", Val(ir.Arith("+", member, ir.Const(slot.each.lo)), slot.each)


def procedure(lowering: Lowering, trigger: TriggerDecl) -> Procedure:
    """The compiled effects of a trigger; its condition is tested when it runs."""
    key = (trigger.id, lowering.dispatching)
    known = lowering.trigger_codes.get(key)
    unit = lowering.unit
    if trigger.id in lowering.procedure_stack:
        unit.error(
            "recursion",
            trigger.span,
            f"trigger `{trigger.id}` sets itself off",
            "only queued triggers (without `immediate`) may do that, up to a depth of 8",
        )
    if known is not None:
        return known
    rule, unit.rule = unit.rule, f"trigger {trigger.id}"
    code = lowering.new_code(f"trigger {trigger.id}", True, ir.Load(ir.ACTOR))
    scope = code.scope()
    params: list[tuple[str, int, Type]] = []
    for name, type_ in data_names(lowering, trigger):
        addr = code.slot(type_, name)
        params.append((name, addr, type_))
        if name == _INDEX:
            parts = _owner_and_key(lowering, trigger, ir.Load(addr))
            scope.names.update((part, Local(found)) for part, found in parts)
        else:
            scope.names[name] = Local(Val(ir.Load(addr), type_))
    _learn_owner(lowering, code, trigger, scope)
    made = Procedure(code, params, None)
    lowering.trigger_codes[key] = made
    lowering.procedure_stack.append(trigger.id)
    if trigger.when is not None:
        code.branch(condition(unit, trigger.when, scope), code.exit)
    lowering.emit_named(code, "triggered", trigger.id)
    block(lowering, code, trigger.effects, scope)
    lowering.procedure_stack.pop()
    code.finish()
    unit.rule = rule
    return made


def _learn_owner(lowering: Lowering, code: Code, trigger: TriggerDecl, scope: Scope) -> None:
    """Whose property has changed is of a kind that has it, so it has what these kinds have."""
    unit, piece = lowering.unit, scope.find("piece")
    found = _watched(lowering, trigger) if trigger.event == "changed" else None
    if found is None or piece is None or not isinstance(piece.value, Val):
        return
    name = found[0].name
    having = [
        number
        for number, kind in enumerate(unit.world.kinds)
        if any(prop.name == name for prop in kind.properties)
    ]
    kind = attributes.attribute(unit, piece.value, "kind", trigger.span)
    if isinstance(kind, Val) and attributes.is_kind_of_piece(kind):
        known = attributes.properties_of_kinds(unit, kind, having)
        code.flow.learn(unit.narrowing.there(*known))


def fire(lowering: Lowering, code: Code, trigger: TriggerDecl, data: list[ir.Expr]) -> None:
    if trigger.immediate:
        made = procedure(lowering, trigger)
        for (_, addr, type_), value in zip(made.params, data, strict=False):
            code.store(addr, value, type_)
        _call(lowering, code, trigger, inside=code.in_move)
        return
    waiting, depth = ir.Load(lowering.queue), ir.Load(lowering.queue + 1)
    unit = lowering.unit
    site = unit.site(trigger.span, f"trigger {trigger.id}: triggers set each other off too often")
    fits = ir.And(
        ir.Compare("<", waiting, ir.Const(LENGTH)), ir.Compare("<", depth, ir.Const(DEPTH))
    )
    code.emit(ir.Require(fits, site, fault=True))
    number = queued(lowering).index(trigger)
    entry = [ir.Const(number), ir.Arith("+", depth, ir.Const(1)), *data]
    for offset, value in enumerate(entry):
        addr = lowering.queue + 2 + offset
        code.emit(ir.Store(addr, value, INT, waiting, ENTRY, LENGTH, site=site))
    code.store(lowering.queue, ir.Arith("+", waiting, ir.Const(1)), INT)


def _call(lowering: Lowering, code: Code, trigger: TriggerDecl, inside: bool) -> None:
    """Between moves, what a trigger asks is a move of its own."""
    made = procedure(lowering, trigger)
    head = -1 if inside or not lowering.asks(made.code) else lowering.head(trigger.id, "choice")
    if head >= 0:
        code.emit(ir.HeadEnter(head))
    code.call(made.code)
    if head >= 0:
        code.emit(ir.HeadExit(head))


def _ordered(watched: list[TriggerDecl]) -> list[TriggerDecl]:
    return sorted(watched, key=lambda trigger: -trigger.priority)


def watching_variable(lowering: Lowering, slot: Slot) -> list[TriggerDecl]:
    return [
        trigger
        for trigger in lowering.unit.gamedef.triggers
        if trigger.event == "changed"
        and (found := _watched(lowering, trigger)) is not None
        and found[0].index == slot.index
    ]


def watching_places(lowering: Lowering) -> list[TriggerDecl]:
    return [t for t in lowering.unit.gamedef.triggers if t.event in ("entered", "left")]


def changed(
    lowering: Lowering,
    code: Code,
    goal: Target,
    old: int,
    watched: list[TriggerDecl],
    node: tree.Node,
) -> None:
    """Only a value that differs after clamping counts as a change."""
    if not goal.type.is_scalar:
        lowering.unit.error(
            "wrong-type",
            node.span,
            "a trigger cannot watch a list or set",
            "watch a single value, for example a count",
        )
        return
    site = lowering.unit.site(node.span)
    same = code.label()
    new = goal.load(site)
    code.branch(ir.Compare("!=", new, ir.Load(old)), same)
    assert goal.slot is not None
    index = goal.index
    if index is None:
        index = ir.Const((goal.addr - goal.slot.variable.addr) // goal.type.width)
    data = [ir.Load(old), goal.load(site), index]
    for trigger in _ordered(watched):
        fire(lowering, code, trigger, data)
    code.mark(same)


def moved(
    lowering: Lowering,
    code: Code,
    piece: ir.Expr,
    old: int,
    place: ir.Expr,
    watched: list[TriggerDecl],
) -> None:
    world = lowering.unit.world
    for trigger in _ordered(watched):
        if trigger.subject == "spaces":
            members: set[int] = set(range(world.space_count))
        elif trigger.subject in world.groups:
            members = set(world.groups[trigger.subject])
        elif trigger.subject in world.zones:
            members = set(world.zones[trigger.subject])
        else:
            members = {i for i, p in enumerate(world.places) if p.name == trigger.subject}
        table = lowering.unit.table(int(i in members) for i in range(len(world.places)))
        skip = code.label()
        code.branch(ir.Compare("!=", ir.Load(old), place), skip)
        watched_place = place if trigger.event == "entered" else ir.Load(old)
        code.branch(ir.Lookup(table, watched_place, 0), skip)
        fire(lowering, code, trigger, [piece, ir.Load(old), place])
        code.mark(skip)


def stage(lowering: Lowering, code: Code, name: str) -> None:
    for trigger in _ordered(
        [t for t in lowering.unit.gamedef.triggers if t.event == "stage" and t.subject == name]
    ):
        fire(lowering, code, trigger, [])


def run_now(lowering: Lowering, code: Code, event: str, subject: str) -> None:
    """resolved, phase and turn triggers: their moment has come, so they run here."""
    for trigger in _ordered(
        [t for t in lowering.unit.gamedef.triggers if t.event == event and t.subject == subject]
    ):
        _call(lowering, code, trigger, inside=event == "resolved")


def dispatch(lowering: Lowering, code: Code) -> None:
    """Run what waits, first in, first out; what those effects set off waits behind."""
    if lowering.queue < 0 or lowering.dispatching:
        return
    if "dispatch" not in lowering.shared:
        lowering.shared["dispatch"] = lowering.new_code("triggers", True, ir.Load(ir.ACTOR))
    code.call(lowering.shared["dispatch"])


def build_dispatch(lowering: Lowering) -> None:
    """Compiled last, when all triggers that can be queued are known."""
    code = lowering.shared.get("dispatch")
    if code is None:
        return
    unit = lowering.unit
    lowering.dispatching = _may_offer(lowering)
    at = code.slot(INT, "at")
    code.store(at, ir.Const(0), INT)
    top, done = code.label(), code.label()
    code.mark(top)
    code.branch(ir.Compare("<", ir.Load(at), ir.Load(lowering.queue)), done)

    def cell(offset: int) -> ir.Expr:
        return ir.LoadAt(lowering.queue + 2 + offset, ir.Load(at), LENGTH, 0, stride=ENTRY)

    code.store(lowering.queue + 1, cell(1), INT)
    triggers = queued(lowering)
    labels = [code.label() for _ in triggers]
    after = code.label()
    code.emit(ir.Switch(cell(0), tuple(labels), after))
    for trigger, label in zip(triggers, labels, strict=True):
        code.mark(label)
        made = procedure(lowering, trigger)
        for offset, (_, addr, type_) in enumerate(made.params):
            code.store(addr, cell(2 + offset), replace(type_, optional=True))
        with code.loop(at, done):
            code.call(made.code)
        code.jump(after)
    code.mark(after)
    code.store(at, ir.Arith("+", ir.Load(at), ir.Const(1)), INT)
    code.emit(ir.Tick(unit.site(None, "triggers")))
    code.jump(top)
    code.mark(done)
    code.emit(ir.Zero(((lowering.queue, 2 + LENGTH * ENTRY),)))
    code.finish()
    lowering.dispatching = False


def _may_offer(lowering: Lowering) -> bool:
    """Whether a queued trigger may offer actions, itself or by what it calls."""
    gamedef = lowering.unit.gamedef
    reached = (gamedef.triggers, gamedef.procs, gamedef.events)
    return any(isinstance(node, tree.Offer) for node in nodes_in(reached))

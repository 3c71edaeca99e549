"""Offers and actions: an action is a procedure whose parameters are its first decisions."""

from __future__ import annotations

from dataclasses import dataclass, replace

from ludwright.diagnostics import did_you_mean
from ludwright.kernel import program as ir
from ludwright.kernel.types import Type
from ludwright.language import tree
from ludwright.language.compiling import (
    choices,
    effects,
    endings,
    narrowing,
    operations,
    presence,
    triggers,
)
from ludwright.language.compiling.code import Code
from ludwright.language.compiling.expressions import (
    condition,
    expression,
    number,
    stream,
    to_stream,
    value_of,
)
from ludwright.language.compiling.guarding import Guard
from ludwright.language.compiling.lowering import ACTIONS, Lowering, OfferContext
from ludwright.language.compiling.procedures import begin_best, end_best
from ludwright.language.compiling.unit import Scope
from ludwright.language.compiling.values import BOOL, INT, Broken, Seq, Val, seat_type
from ludwright.language.gamedef import ActionDecl, OperationDecl, PhaseDecl
from ludwright.language.world.encoding import choices as one_of


def find(game: Lowering, name: str) -> ActionDecl | None:
    return next((a for a in game.unit.gamedef.actions if a.id == name), None)


def operation_of(game: Lowering, action: ActionDecl) -> OperationDecl | None:
    return next((o for o in game.unit.gamedef.operations if o.action == action.id), None)


def declare_usage(game: Lowering) -> None:
    """Counters for limits, one per action, scope and seat."""
    for action in game.unit.gamedef.actions:
        for limit in action.limits:
            cells = game.unit.layout.take(len(game.unit.world.seats))
            game.usage[(action.id, limit.scope)] = cells


def reset_usage(game: Lowering, code: Code, scope: str) -> None:
    seats = len(game.unit.world.seats)
    ranges = tuple((addr, seats) for (_, s), addr in game.usage.items() if s == scope)
    if ranges:
        code.emit(ir.Zero(ranges))


# ---------------------------------------------------------------------------- offer


@dataclass
class _Entry:
    action: ActionDecl
    index: int
    label: ir.Label


def offer(
    game: Lowering,
    code: Code,
    node: tree.Offer,
    scope: Scope,
    phase: PhaseDecl | None,
) -> None:
    """The seat takes one of the actions that it can complete."""
    unit = game.unit
    by = choices.decider(game, code, node.by, scope)
    decls = _offered(game, node, phase)
    if by is None or not decls:
        return
    entries = [_entry(game, decl, phase, scope, node) for decl in decls]
    nested = code.in_move
    head = -1
    if not nested:
        head = game.head("offer", "offer")
        code.head_depth = len(code.loops)
        code.emit(ir.HeadEnter(head))
    saved = [(addr, code.slot(INT, "outer")) for addr in (ir.ACTION, ir.ACTOR)] if nested else []
    for addr, slot in saved:
        code.store(slot, ir.Load(addr), INT)
    code.store(ir.ACTOR, by, seat_type(unit.world))
    context = OfferContext(phase, 0, free=node.free)
    if node.ensure is not None or node.best is not None:
        begun = begin_best(game, code, node.best, scope)
        number_, addr, type_ = begun if begun is not None else (-1, -1, None)
        context = replace(
            context,
            key=len(game.choices) + 1,
            ensure=node.ensure,
            best=node.best if begun else None,
            best_number=number_,
            best_addr=addr,
            best_type=type_,
        )
    if node.free:
        code.store(ir.GRANT, ir.Const(1), BOOL)
    none, done = code.label(), code.label()
    chosen = _ask(game, code, by, entries, none, node)
    targets = [code.label() for _ in entries]
    code.emit(ir.Switch(ir.Load(chosen), tuple(targets), done))
    for entry, label in zip(entries, targets, strict=True):
        code.mark(label)
        code.store(ir.ACTION, ir.Const(entry.index + 1), INT)
        if node.free:
            code.store(ir.FREE, ir.Load(ir.GRANT), BOOL)  # a move may decline the grant and pay
        game.offered_at[(code.entry, len(code.instrs))] = node.span
        code.call(action_code(game, entry.action, entry.index, context, entry.label.guard))
        if node.free:
            code.emit(ir.Zero(((ir.FREE, 1),)))
        code.jump(done)
    code.mark(none)
    _nothing_possible(game, code, node, scope, head, done)
    code.mark(done)
    if node.free:
        code.emit(ir.Zero(((ir.GRANT, 1),)))
    for addr, slot in saved:
        code.store(addr, ir.Load(slot), INT)
    if head >= 0:
        code.emit(ir.HeadExit(head))
        code.head_depth = 0


def _offered(game: Lowering, node: tree.Offer, phase: PhaseDecl | None) -> list[ActionDecl]:
    gamedef = game.unit.gamedef
    if node.actions is None:
        if phase is not None and phase.actions is not None:
            names: tuple[str, ...] = phase.actions
        else:
            return [
                a
                for a in gamedef.actions
                if not a.phases or (phase is not None and phase.id in a.phases)
            ]
    else:
        names = node.actions
    found: list[ActionDecl] = []
    for name in names:
        decl = find(game, name)
        if decl is None:
            game.unit.error(
                "unknown-action",
                node.span or (phase.span if phase else None),
                f"there is no action `{name}`",
                did_you_mean(name, [a.id for a in gamedef.actions])
                or one_of(a.id for a in gamedef.actions)
                or "declare it under `actions:`",
            )
        else:
            found.append(decl)
    return found


def _entry(
    game: Lowering,
    action: ActionDecl,
    phase: PhaseDecl | None,
    scope: Scope,
    node: tree.Offer,
) -> _Entry:
    index = game.unit.action_numbers[action.id]
    game.unit.used_names.add(f"action {action.id}")
    rule, game.unit.rule = game.unit.rule, f"action {action.id}"
    label = guard(game, action, phase).label(action.id, index)
    game.unit.rule = rule
    return _Entry(action, index, label)


def guard(game: Lowering, action: ActionDecl, phase: PhaseDecl | None) -> Guard:
    """What can be tested before anything is chosen, in the order of the rules: the phase's
    condition, the actor, the action's own, its limits, legality and cost of an operation."""
    unit = game.unit
    made, scope, name = Guard(unit), Scope(), f"action {action.id}"
    if phase is not None:
        made.condition(phase.default_pre, scope, f"phase {phase.id}: actionDefaults.pre")
    if action.actor is not None:
        test = is_actor(game, action.actor, made.behind(scope))
        made.add(test, action.actor.span, f"{name}: actor")
    if action.pre is not None and not uses_params(action, action.pre):
        made.condition(action.pre, scope, f"{name}: pre")
    for limit in action.limits:
        most = number(unit, limit.max, made.behind(scope))
        if not isinstance(most, Broken):
            cells = game.usage[(action.id, limit.scope)]
            used = ir.LoadAt(cells, ir.Load(ir.ACTOR), len(unit.world.seats), 0)
            fits = ir.Compare("<", used, most.expr)
            made.add(fits, limit.span, f"{name}: limit of each {limit.scope}")
    operation = operation_of(game, action)
    if operation is not None:
        operations.add_guards(game, operation, made)
    first = action.params[0] if action.params else None
    if first is not None and first.when is None and operation is None:
        options = stream(unit, first.options, made.behind(scope))
        if isinstance(options, Seq):
            some = ir.Aggregate("exists", options.source)
            made.add(some, first.span, f"{name}: nothing to choose for {first.name}")
    return made


def uses_params(action: ActionDecl, node: tree.Expr) -> bool:
    params = {param.name for param in action.params}
    return bool(params & set(endings.free_names(node)))


def is_actor(game: Lowering, node: tree.Expr, scope: Scope) -> ir.Expr:
    unit = game.unit
    compiled = expression(unit, node, scope, seat_type(unit.world))
    if isinstance(compiled, Val) and compiled.type.kind == "seat":
        return ir.Compare("==", ir.Load(ir.ACTOR), compiled.expr)
    if isinstance(compiled, Val) and compiled.type.kind == "bool":
        return presence.truth(unit, compiled)
    seats = to_stream(unit, compiled, node.span)
    if isinstance(seats, Broken):
        return ir.Const(1)
    return ir.InStream(ir.Load(ir.ACTOR), seats.source)


def _ask(
    game: Lowering,
    code: Code,
    by: ir.Expr,
    entries: list[_Entry],
    none: int,
    node: tree.Offer,
) -> int:
    unit = game.unit
    labels = tuple(entry.label for entry in entries)
    type_ = game.label_type(tuple(label.name for label in labels))
    addr = code.slot(type_, "action")
    code.flow.jump(none)
    index = game.add_choice(
        code,
        ir.Choice(
            "action",
            "action",
            "labels",
            type_,
            addr,
            type_,
            ir.Load(ir.ACTOR),
            labels=labels,
            silent=_goes_without_saying(entries),
            empty=none,
            loops=code.move_loops(),
            site=unit.site(node.span, f"{unit.rule}: choose an action"),
        ),
    )
    code.emit(ir.Choose(index))
    return addr


def _goes_without_saying(entries: list[_Entry]) -> bool:
    """Of a single action only the parameters are asked; one without any must still be taken."""
    params = entries[0].action.params
    return len(entries) == 1 and bool(params) and params[0].when is None


def _nothing_possible(
    game: Lowering, code: Code, node: tree.Offer, scope: Scope, head: int, done: int
) -> None:
    was_in_move, code.in_move = code.in_move, True
    if node.none is not None:
        effects.block(game, code, node.none, scope)
    elif was_in_move:
        # inside a move: whatever led here must not be offered
        site = game.unit.site(node.span, f"{game.unit.rule}: no action is possible")
        code.emit(ir.Require(ir.Const(0), site))
        code.in_move = was_in_move
        return
    else:
        endings.no_moves(game, code, scope, node)
    game.end_check(code, scope, with_actor=True)
    code.in_move = was_in_move


# --------------------------------------------------------------------------- action


def action_code(
    game: Lowering,
    action: ActionDecl,
    index: int,
    context: OfferContext,
    guard: ir.Expr | None,
) -> Code:
    """The action's procedure, as offered in one phase (whose defaults belong to it)."""
    phase = context.phase
    key = (action.id, phase.id if phase is not None else None, context.key, game.dispatching)
    known = game.action_codes.get(key)
    if known is not None:
        return known
    unit = game.unit
    rule, unit.rule = unit.rule, f"action {action.id}"
    code = game.new_code(action.id, True, ir.Load(ir.ACTOR), action=index)
    game.action_codes[key] = code
    if guard is not None:  # tested when the action was chosen, and nothing has changed since
        code.flow.learn(narrowing.implied(unit, guard, True))
    scope = code.scope()
    operation = operation_of(game, action)
    labels = Type("label", ACTIONS, 0, max(0, len(unit.gamedef.actions) - 1))
    code.emit(
        ir.Emit(
            "action",
            (
                ("action", ir.Const(index), labels),
                ("actor", ir.Load(ir.ACTOR), seat_type(unit.world)),
            ),
        )
    )
    best = begin_best(game, code, action.best, scope)
    for position, param in enumerate(action.params):
        ask = tree.ChooseOne(param.name, param.options, when=param.when, span=param.span)
        made = choices.choose_one(game, code, ask, scope, role="param")
        if made is not None and position == 0 and param.when is None and operation is None:
            game.proven.add(made)  # by the guard of the offer
    if action.pre is not None and uses_params(action, action.pre):
        site = unit.site(action.pre.span, f"action {action.id}: pre")
        code.emit(ir.Require(condition(unit, action.pre, scope), site))
    inner = scope.inner()
    # `return` in an action's effects leaves the effects, not the rest of its order
    leave, code.exit = code.exit, code.label()
    for item in action.cost:
        effects.effect(game, code, item, inner)
    if operation is not None:
        operations.body(game, code, action, operation, inner)
    for item in action.effects:
        effects.effect(game, code, item, inner)
    code.mark(code.exit)
    code.exit = leave
    if action.ensure is not None:
        site = unit.site(action.ensure.span, f"action {action.id}: ensure")
        code.demands.append(len(code.instrs))
        code.emit(ir.Require(condition(unit, action.ensure, inner), site))
    end_best(game, code, action.best, best, inner)
    _offer_conditions(game, code, context, inner)
    if phase is not None and phase.default_after:
        unit.rule = f"phase {phase.id}: afterEffects"
        effects.block(game, code, phase.default_after, inner)
    unit.rule = f"action {action.id}"
    for limit in action.limits:
        addr = game.usage[(action.id, limit.scope)]
        seats = len(unit.world.seats)
        used = ir.LoadAt(addr, ir.Load(ir.ACTOR), seats, 0)
        more = ir.Arith("+", used, ir.Const(1))
        code.emit(ir.Store(addr, more, INT, ir.Load(ir.ACTOR), 1, seats))
    triggers.dispatch(game, code)
    triggers.run_now(game, code, "resolved", action.id)
    phases = (phase.id,) if phase is not None else ()
    game.end_check(code, inner, with_actor=True, at=(action.id, *phases))
    code.finish()
    unit.rule = rule
    return code


def _offer_conditions(game: Lowering, code: Code, context: OfferContext, scope: Scope) -> None:
    unit = game.unit
    if context.ensure is not None:
        site = unit.site(context.ensure.span, f"{unit.rule}: ensure of the offer")
        code.emit(ir.Require(condition(unit, context.ensure, scope), site))
    if context.best is not None and context.best_type is not None:
        value = value_of(unit, context.best, scope)
        if isinstance(value, Val):
            site = unit.site(context.best.span, f"{unit.rule}: best of the offer")
            code.emit(
                ir.BestEnd(
                    context.best_number, context.best_addr, context.best_type, value.expr, site
                )
            )

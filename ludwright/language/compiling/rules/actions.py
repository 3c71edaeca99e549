"""Offers and actions: an action is a procedure whose parameters are its first decisions."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import reduce

from ludwright import program as ir
from ludwright.language import tree
from ludwright.language.compiling.code import Code
from ludwright.language.compiling.effects import choices
from ludwright.language.compiling.effects.dispatch import block, effect
from ludwright.language.compiling.effects.guards import Guard
from ludwright.language.compiling.effects.heads import decider
from ludwright.language.compiling.effects.options import within
from ludwright.language.compiling.effects.procedures import begin_best, end_best
from ludwright.language.compiling.effects.sentences import question
from ludwright.language.compiling.explanations import explain, explain_options
from ludwright.language.compiling.expressions.dispatch import expression
from ludwright.language.compiling.expressions.type_check import (
    condition,
    number,
    stream,
    to_stream,
    value_of,
)
from ludwright.language.compiling.layout import FREE, WITHIN
from ludwright.language.compiling.lowering import ACTIONS, Lowering
from ludwright.language.compiling.rules import endings, operations, triggers
from ludwright.language.compiling.rules.between_moves import end_of_move, start_of_move
from ludwright.language.compiling.tree_walk import free_names
from ludwright.language.compiling.unit import Scope
from ludwright.language.compiling.values import (
    BOOL,
    BROKEN,
    INT,
    Broken,
    Seq,
    Val,
    noun,
    place_type,
    seat_type,
)
from ludwright.language.gamedef import ActionDecl, ActionParam, OperationDecl, PhaseDecl
from ludwright.language.unparsing import text_of
from ludwright.language.world.encoding import choices as one_of
from ludwright.program.types import Type
from ludwright.spelling import did_you_mean


def find(lowering: Lowering, name: str) -> ActionDecl | None:
    number = lowering.unit.action_numbers.get(name)
    return None if number is None else lowering.unit.gamedef.actions[number]


def operation_of(lowering: Lowering, action: ActionDecl) -> OperationDecl | None:
    return lowering.operations.get(action.id)


def declare_usage(lowering: Lowering) -> None:
    """Counters for limits, one per action, scope and seat."""
    for action in lowering.unit.gamedef.actions:
        for limit in action.limits:
            cells = lowering.unit.layout.take(len(lowering.unit.world.seats))
            lowering.usage[(action.id, limit.scope)] = cells


def reset_usage(lowering: Lowering, code: Code, scope: str) -> None:
    seats = len(lowering.unit.world.seats)
    ranges = tuple((addr, seats) for (_, s), addr in lowering.usage.items() if s == scope)
    if ranges:
        code.emit(ir.Zero(ranges))


# ---------------------------------------------------------------------------- offer


@dataclass(frozen=True)
class OfferContext:
    """What an action needs to know of where it is offered."""

    phase: PhaseDecl | None
    key: int  # tells offers with their own `ensure` or `best` apart; 0 for all others
    ensure: tree.Expr | None = None
    best: tree.Expr | None = None
    best_number: int = -1
    best_addr: int = -1
    best_type: Type | None = None
    decided: bool = False  # by another seat than the one that acts


@dataclass
class _Entry:
    action: ActionDecl
    index: int
    label: ir.Label


def offer_effect(lowering: Lowering, code: Code, node: tree.Offer, scope: Scope) -> None:
    if not code.in_move:
        start_of_move(lowering, code)
    offer(lowering, code, node, scope, None)


def offer(
    lowering: Lowering,
    code: Code,
    node: tree.Offer,
    scope: Scope,
    phase: PhaseDecl | None,
) -> None:
    """The seat takes one of the actions that it can complete."""
    unit = lowering.unit
    by = decider(lowering, code, node.by, scope)
    actor = by if node.acts_as is None else decider(lowering, code, node.acts_as, scope)
    decls = _offered(lowering, node, phase)
    _each_once(lowering, node, decls)
    allowed = _allowed(lowering, node, scope)
    if by is None or actor is None or not decls or isinstance(allowed, Broken):
        return
    entries = [_entry(lowering, decl, phase) for decl in decls]
    entries += _declining(lowering, node, entries, phase)
    if node.acts_as is not None:
        deciding = code.slot(seat_type(unit.world), "by")
        code.store(deciding, by, seat_type(unit.world))
        by = ir.Load(deciding)
    taken = code.slot(BOOL, "taken") if node.then else -1
    if node.then:
        code.store(taken, ir.Const(0), BOOL)
    head = -1
    nested = code.in_move
    if not nested:
        head = lowering.head("offer", "offer")
        code.head_depth = len(code.loops)
        code.emit(ir.HeadEnter(head))
    saved = _save(lowering, code, node, nested)
    outside = _confine(lowering, code, allowed)
    code.store(ir.ACTOR, actor, seat_type(unit.world))
    context = _demands(lowering, code, node, scope, phase)
    none, done = code.label(), code.label()
    decides = by if context.decided else ir.Load(ir.ACTOR)
    words = question(lowering, node.ask, scope)
    chosen = _ask(lowering, code, decides, entries, none, node, words)
    targets = [code.label() for _ in entries]
    code.emit(ir.Switch(ir.Load(chosen), tuple(targets), done))
    for entry, label in zip(entries, targets, strict=True):
        code.mark(label)
        said = words if _goes_without_saying(entries) else None
        _take(lowering, code, entry, context, by, node, said)
        if node.then and entry.action.id not in node.decline:
            code.store(taken, ir.Const(1), BOOL)
        code.jump(done)
    code.mark(none)
    _nothing_possible(lowering, code, node, scope)
    code.mark(done)
    _restore(lowering, code, saved, outside)
    if head >= 0:
        code.emit(ir.HeadExit(head))
        code.head_depth = 0
    if node.then:
        after = code.label()
        code.branch(ir.Compare("==", ir.Load(taken), ir.Const(1)), after)
        block(lowering, code, node.then, scope)
        code.mark(after)


def _save(
    lowering: Lowering, code: Code, node: tree.Offer, nested: bool
) -> list[tuple[int, int, Type]]:
    """Keep what the action changes for as long as it lasts: cell, where it is kept, type."""
    unit = lowering.unit
    restored: list[tuple[int, Type]] = []
    if nested:
        restored.append((ir.ACTION, Type("int", lo=0, hi=len(unit.action_numbers))))
        restored.append((ir.ACTOR, seat_type(unit.world)))
    if node.free:
        restored.append((unit.layout.globals[FREE].variable.addr, BOOL))
    saved: list[tuple[int, int, Type]] = [
        (addr, code.slot(held, "outer"), held) for addr, held in restored
    ]
    for addr, slot, held in saved:
        code.store(slot, ir.Load(addr), held)
    if node.free:
        code.store(restored[-1][0], ir.Const(1), BOOL)
    return saved


def _restore(
    lowering: Lowering, code: Code, saved: list[tuple[int, int, Type]], outside: int | None
) -> None:
    """Undo `_confine` and `_save`."""
    if outside is not None:
        within = lowering.unit.layout.globals[WITHIN].variable
        code.store(within.addr, ir.LoadWide(outside, within.type), within.type)
    for addr, slot, held in saved:
        code.store(addr, ir.Load(slot), held)


def _demands(
    lowering: Lowering, code: Code, node: tree.Offer, scope: Scope, phase: PhaseDecl | None
) -> OfferContext:
    """What an offer asks of the action that is taken; its `best` block begins here."""
    context = OfferContext(phase, 0, decided=node.acts_as is not None)
    if node.ensure is None and node.best is None:
        return context
    begun = begin_best(lowering, code, node.best, scope)
    number, addr, type_ = begun if begun is not None else (-1, -1, None)
    return replace(
        context,
        key=len(lowering.choices) + 1,
        ensure=node.ensure,
        best=node.best if begun else None,
        best_number=number,
        best_addr=addr,
        best_type=type_,
    )


def _take(
    lowering: Lowering,
    code: Code,
    entry: _Entry,
    context: OfferContext,
    by: ir.Expr,
    node: tree.Offer,
    words: ir.Sentence | None,
) -> None:
    """Carry out the action that was chosen; `words` is the question that it asks first."""
    code.store(ir.ACTION, ir.Const(entry.index + 1), INT)
    made = action_code(lowering, entry.action, entry.index, context, entry.label.guard)
    if context.decided:
        code.store(lowering.action_by[id(made)], by, seat_type(lowering.unit.world))
    lowering.offered_at[(code.entry, len(code.instrs))] = node.span
    code.call(made, words)


def _allowed(lowering: Lowering, node: tree.Offer, scope: Scope) -> ir.Expr | Broken | None:
    """The places of `within`, with all zones; None where it says nothing."""
    if node.within is None:
        return None
    unit = lowering.unit
    compiled = expression(unit, node.within, scope, place_type(unit.world))
    if isinstance(compiled, Val) and compiled.type.kind == "place":
        compiled = Seq(ir.ItemsSource((compiled.expr,)), compiled.type, 1)
    places = to_stream(unit, compiled, node.within.span)
    if isinstance(places, Broken):
        return places
    if places.elem.kind != "place" and places.cap:
        unit.error(
            "wrong-type",
            node.within.span,
            f"spaces are needed here, these are {noun(places.elem)}",
            "name a space, a group of spaces, or a list of them",
        )
        return BROKEN
    count = len(unit.world.places)
    zones = ir.ConstSource(tuple(range(unit.world.space_count, count)))
    both = ir.ConcatSource((places.source, zones))
    return ir.MakeSet(both, 0, max(0, count - 1), unit.site(node.within.span))


def _confine(lowering: Lowering, code: Code, allowed: ir.Expr | None) -> int | None:
    """Let only these places be chosen; gives where the former ones are kept."""
    if allowed is None:
        return None
    within = lowering.unit.layout.globals[WITHIN].variable
    outside = code.slot(within.type, "outside")
    code.store(outside, ir.LoadWide(within.addr, within.type), within.type)
    code.store(within.addr, allowed, within.type)
    return outside


def _declining(
    lowering: Lowering, node: tree.Offer, others: list[_Entry], phase: PhaseDecl | None
) -> list[_Entry]:
    """The actions of `pass`: possible only where another one is, unless `always`."""
    if not node.decline:
        return []
    found = _offered(lowering, replace(node, actions=node.decline, actions_span=()), phase)
    entries = [_entry(lowering, decl, phase) for decl in found]
    tests = [entry.label.guard for entry in others]
    if node.always or any(test is None for test in tests):
        return entries
    some = reduce(ir.Or, (test for test in tests if test is not None))
    site = lowering.unit.site(node.span, f"{lowering.unit.rule}: there is nothing to pass")
    for entry in entries:
        own = entry.label
        guard = some if own.guard is None else ir.And(own.guard, some)
        entry.label = replace(own, guard=guard, sites=(*own.sites, site))
    return entries


def _offered(lowering: Lowering, node: tree.Offer, phase: PhaseDecl | None) -> list[ActionDecl]:
    gamedef = lowering.unit.gamedef
    if node.actions is None:
        if phase is not None and phase.actions is not None:
            names: tuple[str, ...] = phase.actions
            spans = phase.actions_span
        else:
            return [
                a
                for a in gamedef.actions
                if (not a.phases or (phase is not None and phase.id in a.phases))
                and a.id not in node.decline
            ]
    else:
        names, spans = node.actions, node.actions_span
    found: list[ActionDecl] = []
    for at, name in enumerate(names):
        decl = find(lowering, name)
        if decl is None:
            lowering.unit.error(
                "unknown-action",
                spans[at] if at < len(spans) else node.span or (phase.span if phase else None),
                f"there is no action `{name}`",
                did_you_mean(name, [a.id for a in gamedef.actions])
                or one_of(a.id for a in gamedef.actions)
                or "declare it under `actions:`",
            )
        else:
            found.append(decl)
    return found


def _each_once(lowering: Lowering, node: tree.Offer, decls: list[ActionDecl]) -> None:
    """An action that stands in an offer twice would be two options of one name."""
    names = [decl.id for decl in decls] + list(node.decline)
    for name in {name: 0 for name in names if names.count(name) > 1}:
        lowering.unit.error(
            "offered-twice",
            node.span,
            f"`{name}` is offered twice",
            "name each action once; `pass` names one that is not among `actions`",
        )


def _entry(lowering: Lowering, action: ActionDecl, phase: PhaseDecl | None) -> _Entry:
    index = lowering.unit.action_numbers[action.id]
    lowering.unit.used_names.add(f"action {action.id}")
    rule, lowering.unit.rule = lowering.unit.rule, f"action {action.id}"
    label = guard(lowering, action, phase).label(action.id, index)
    lowering.unit.rule = rule
    return _Entry(action, index, label)


def _times(most: tree.Expr) -> str:
    number = text_of(most)
    return {"1": "once"}.get(number, f"{number} times")


def guard(lowering: Lowering, action: ActionDecl, phase: PhaseDecl | None) -> Guard:
    """What can be tested before anything is chosen, in the order of the rules: the phase's
    condition, the actor, the action's own, its limits, legality and cost of an operation."""
    unit = lowering.unit
    made, scope, name = Guard(unit), Scope(), f"action {action.id}"
    if phase is not None:
        made.condition(phase.default_pre, scope, f"phase {phase.id}: actionDefaults.pre")
    if action.actor is not None:
        made.actor(action.actor, made.behind(scope), action.id, f"{name}: actor")
    if action.pre is not None and not uses_params(action, action.pre):
        made.condition(action.pre, scope, f"{name}: pre", action.pre_words)
    for limit in action.limits:
        most = number(unit, limit.max, made.behind(scope))
        if not isinstance(most, Broken):
            cells = lowering.usage[(action.id, limit.scope)]
            used = ir.LoadAt(cells, ir.Load(ir.ACTOR), len(unit.world.seats), 0)
            fits = ir.Compare("<", used, most.expr)
            words = f"`{action.id}` is allowed {_times(limit.max)} each {limit.scope}"
            made.add(fits, limit.span, f"{name}: limit of each {limit.scope}", words)
    operation = operation_of(lowering, action)
    if operation is not None:
        operations.add_guards(lowering, operation, made)
    first = action.params[0] if action.params else None
    if first is not None and _always_asked(first) and operation is None:
        options = stream(unit, first.options, made.behind(scope))
        if isinstance(options, Seq):
            some = ir.Aggregate("exists", within(unit, options).source)
            words = f"there is nothing to choose for `{first.name}`"
            behind = made.behind(scope)
            made.add(some, first.span, f"{name}: choose {first.name}", words)
            explain_options(unit, made.sites[-1], first.options, behind)
    return made


def uses_params(action: ActionDecl, node: tree.Expr) -> bool:
    params = {param.name for param in action.params}
    return bool(params & set(free_names(node)))


def _ask(
    lowering: Lowering,
    code: Code,
    by: ir.Expr,
    entries: list[_Entry],
    none: int,
    node: tree.Offer,
    words: ir.Sentence | None,
) -> int:
    unit = lowering.unit
    labels = tuple(entry.label for entry in entries)
    type_ = lowering.label_type(tuple(label.name for label in labels))
    addr = code.slot(type_, "action")
    index = lowering.add_choice(
        code,
        ir.Choice(
            "action",
            "action",
            "labels",
            type_,
            addr,
            type_,
            by,
            labels=labels,
            silent=_goes_without_saying(entries),
            empty=none,
            loops=code.move_loops(),
            site=unit.site(node.span, f"{unit.rule}: choose an action"),
            ask=words,
        ),
    )
    if node.decline and node.none is not None and not node.always:
        lowering.passed_over[index] = node.span
    code.emit(ir.Choose(index))
    return addr


def _goes_without_saying(entries: list[_Entry]) -> bool:
    """Of a single action only the parameters are asked; one without any must still be taken."""
    params = entries[0].action.params
    return len(entries) == 1 and bool(params) and _always_asked(params[0])


def _always_asked(param: ActionParam) -> bool:
    """Whether an action cannot be taken without an answer to this parameter."""
    return param.when is None and not param.optional


def _nothing_possible(lowering: Lowering, code: Code, node: tree.Offer, scope: Scope) -> None:
    was_in_move, code.in_move = code.in_move, True
    if node.none is not None:
        block(lowering, code, node.none, scope)
    elif was_in_move:
        # inside a move: whatever led here must not be offered
        site = lowering.unit.site(node.span, f"{lowering.unit.rule}: no action is possible")
        code.emit(ir.Require(ir.Const(0), site))
        code.in_move = was_in_move
        return
    else:
        endings.no_moves(lowering, code, scope, node)
    # the names around the offer are none of those that an ending may use
    end_of_move(lowering, code, code.scope(), with_actor=True)
    code.in_move = was_in_move


# --------------------------------------------------------------------------- action


def action_code(
    lowering: Lowering,
    action: ActionDecl,
    index: int,
    context: OfferContext,
    guard: ir.Expr | None,
) -> Code:
    """The action's procedure, as offered in one phase (whose defaults belong to it)."""
    phase = context.phase
    at = phase.id if phase is not None else None
    key = (action.id, at, context.key, context.decided, lowering.dispatching)
    known = lowering.action_codes.get(key)
    if known is not None:
        return known
    unit = lowering.unit
    rule, unit.rule = unit.rule, f"action {action.id}"
    code = lowering.new_code(
        action.id, True, ir.Load(ir.ACTOR), action=index, decider_is_actor=not context.decided
    )
    lowering.action_codes[key] = code
    if context.decided:
        by = lowering.action_by[id(code)] = code.slot(seat_type(unit.world), "by")
        code.decider = ir.Load(by)
    if guard is not None:  # tested when the action was chosen, and nothing has changed since
        code.flow.learn(unit.narrowing.implied(guard, True))
    scope = code.scope()
    operation = operation_of(lowering, action)
    code.emit(_begun(lowering, index))
    best = begin_best(lowering, code, action.best, scope)
    _choose_params(lowering, code, action, scope)
    inner = scope.inner()
    # `return` in an action's effects leaves the effects, not the rest of its order
    leave, code.exit = code.exit, code.label()
    for item in action.cost:
        effect(lowering, code, item, inner)
    if operation is not None:
        operations.body(lowering, code, operation, inner)
    for item in action.effects:
        effect(lowering, code, item, inner)
    code.mark(code.exit)
    code.exit = leave
    if action.ensure is not None:
        site = unit.site(action.ensure.span, f"action {action.id}: ensure")
        code.demands.append(len(code.instrs))
        code.emit(ir.Require(condition(unit, action.ensure, inner), site))
    end_best(lowering, code, action.best, best, inner)
    _offer_conditions(lowering, code, context, inner)
    if phase is not None and phase.default_after:
        unit.rule = f"phase {phase.id}: afterEffects"
        block(lowering, code, phase.default_after, inner)
    unit.rule = f"action {action.id}"
    _count_use(lowering, code, action)
    triggers.dispatch(lowering, code)
    triggers.run_now(lowering, code, "resolved", action.id)
    phases = (phase.id,) if phase is not None else ()
    end_of_move(lowering, code, inner, with_actor=True, at=(action.id, *phases))
    code.finish()
    unit.rule = rule
    return code


def _begun(lowering: Lowering, index: int) -> ir.Emit:
    """The event that tells which action a seat takes."""
    unit = lowering.unit
    labels = Type("label", ACTIONS, 0, max(0, len(unit.gamedef.actions) - 1))
    actor = ("actor", ir.Load(ir.ACTOR), seat_type(unit.world))
    return ir.Emit("action", (("action", ir.Const(index), labels), actor))


def _choose_params(lowering: Lowering, code: Code, action: ActionDecl, scope: Scope) -> None:
    """What is chosen first, and what must hold of it."""
    unit, operation = lowering.unit, operation_of(lowering, action)
    for position, param in enumerate(action.params):
        ask = tree.ChooseOne(
            param.name,
            param.options,
            when=param.when,
            optional=param.optional,
            ask=param.ask,
            span=param.span,
        )
        made = choices.choose_one(lowering, code, ask, scope, role="param")
        if made is not None and position == 0 and _always_asked(param) and operation is None:
            lowering.proven.add(made)  # by the guard of the offer
    if action.pre is not None and uses_params(action, action.pre):
        site = unit.site(action.pre.span, f"action {action.id}: pre")
        explain(unit, site, action.pre, scope, action.pre_words)
        code.emit(ir.Require(condition(unit, action.pre, scope), site))


def _count_use(lowering: Lowering, code: Code, action: ActionDecl) -> None:
    seats = len(lowering.unit.world.seats)
    for limit in action.limits:
        addr = lowering.usage[(action.id, limit.scope)]
        used = ir.LoadAt(addr, ir.Load(ir.ACTOR), seats, 0)
        more = ir.Arith("+", used, ir.Const(1))
        code.emit(ir.Store(addr, more, INT, ir.Load(ir.ACTOR), 1, seats))


def _offer_conditions(lowering: Lowering, code: Code, context: OfferContext, scope: Scope) -> None:
    unit = lowering.unit
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

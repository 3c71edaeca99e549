"""Effects: statements become instructions. Choices and piece moves have modules of their own."""

from __future__ import annotations

from dataclasses import replace

from ludwright.diagnostics import did_you_mean
from ludwright.kernel import program as ir
from ludwright.kernel.types import Type
from ludwright.language import tree
from ludwright.language.compiling import (
    choices,
    interrupts,
    local_types,
    names,
    narrowing,
    pieces,
    presence,
)
from ludwright.language.compiling.changes import changed_in
from ludwright.language.compiling.code import Code
from ludwright.language.compiling.comprehensions import declare
from ludwright.language.compiling.expressions import (
    check_type,
    condition,
    number,
    stream,
    value_of,
)
from ludwright.language.compiling.lowering import Lowering
from ludwright.language.compiling.targets import Target, target
from ludwright.language.compiling.unit import Local, Scope, Statement, Unit
from ludwright.language.compiling.values import (
    INT,
    MAX_LIST,
    NONE,
    Broken,
    Seq,
    Val,
    as_tuple_types,
    constant_of,
    none_of,
    noun,
    storable,
    universe,
    unnamed,
)
from ludwright.language.compiling.work import stated


def block(game: Lowering, code: Code, body: tree.Block, scope: Scope) -> None:
    """A list of effects with its own scope: `let` is visible to its end."""
    inner = scope.inner()
    for index, item in enumerate(body):
        effect(game, code, item, inner)
        if isinstance(item, tree.Return | tree.Stop) and index + 1 < len(body):
            game.unit.diagnostics.warning(
                "unreachable",
                body[index + 1].span,
                "nothing after this point is ever reached",
                "remove it, or put the `return` or `stop` into an `if`",
            )
            return


def effect(game: Lowering, code: Code, node: tree.Effect, scope: Scope) -> None:
    unit = game.unit
    around, unit.statement = unit.statement, Statement(node.span)
    _effect(game, code, node, scope)
    unit.statement = around


def _effect(game: Lowering, code: Code, node: tree.Effect, scope: Scope) -> None:
    match node:
        case tree.SetVar():
            _set(game, code, node, scope)
        case tree.AddVar():
            _add(game, code, node, scope)
        case tree.Let():
            _let(game, code, node, scope)
        case tree.Do(body=body):
            block(game, code, body, scope)
        case tree.CallProc():
            call_procedure(game, code, node, scope)
        case tree.IfEffect():
            _if(game, code, node, scope)
        case tree.ForEach():
            _for_each(game, code, node, scope)
        case tree.Repeat():
            _repeat(game, code, node, scope)
        case tree.With():
            _with(game, code, node, scope)
        case tree.Require(when=when):
            test = condition(game.unit, when, scope)
            code.demands.append(len(code.instrs))
            code.emit(ir.Require(test, game.unit.site(node.span)))
        case tree.Return():
            _return(game, code, node, scope)
        case tree.Stop():
            if not code.loop_scopes:
                game.unit.error(
                    "stop-outside-loop",
                    node.span,
                    "there is no loop to stop",
                    "`stop` leaves a loop; use `return` to leave the effects",
                )
                return
            loop = code.loop_scopes[-1]
            code.unwind(loop.unwinds)
            code.jump(loop.exit)
        case tree.ShiftMarker():
            _shift(game, code, node, scope)
        case tree.RollRandom():
            _roll(game, code, node, scope)
        case tree.Record(history=name) | tree.Clear(history=name):
            _history(game, code, node, name)
        case tree.ChooseOne() | tree.ChooseN() | tree.Menu() | tree.Offer():
            choices.choice(game, code, node, scope)
        case (
            tree.GotoPhase()
            | tree.AdvancePhase()
            | tree.RunPhase()
            | tree.PushPhase()
            | tree.EndTurn()
        ):
            game.phase_effect(code, node, scope)
        case tree.EndGame():
            game.end_game(code, node, scope)
        case tree.Resolve():
            game.resolve_event(code, node, scope)
        case tree.Window():
            game.window(code, node, scope)
        case _:
            pieces.piece_effect(game, code, node, scope)
    interrupts.serve_in_flow(game, code, node)


# ------------------------------------------------------------------- assignments


def _set(game: Lowering, code: Code, node: tree.SetVar, scope: Scope) -> None:
    unit = game.unit
    goal = target(unit, node.target, scope)
    value = value_of(unit, node.value, scope, goal.type if goal else None)
    if goal is None or isinstance(value, Broken):
        return
    if goal.local is not None and local_types.grows(unit, goal.local, value.type, node):
        return  # everything is compiled again, with the wider type
    checked = coerce(game, value, goal.type, node.value, scope)
    if checked is not None:
        assign(game, code, goal, checked, node)
        if goal.type.optional and not value.type.optional and value.type.kind != "none":
            code.flow.learn(narrowing.there(unit, goal.load(-1)))


def coerce(
    game: Lowering, value: Val, type_: Type, node: tree.Expr, scope: Scope
) -> ir.Expr | None:
    """The value as the type it is stored in; None after a diagnostic."""
    if type_.kind == "set" and value.type.kind == "list":
        item = type_.items[0]
        if not value.type.items[0].is_scalar or universe(item) is None:
            check_type(game.unit, value, type_, node.span)
            return None
        if value.type.items[0].optional:
            presence.report(game.unit, value.type, type_, node.span, node, scope)
            return None
        source = (
            value.expr.stream if isinstance(value.expr, ir.MakeList) else ir.ListSource(value.expr)
        )
        return ir.MakeSet(source, item.lo, item.hi, game.unit.site(node.span))
    checked = check_type(game.unit, value, type_, node.span, node, scope)
    if isinstance(checked, Broken):
        return None
    constant = constant_of(checked)
    if constant is None or constant == none_of(type_):
        constant = type_.lo
    if type_.kind == "int" and not type_.lo <= constant <= type_.hi:
        game.unit.error(
            "out-of-range",
            node.span,
            f"{constant} is outside {type_.lo}..{type_.hi}",
            "change the number, or the range under `vars:`",
        )
        return None
    if type_.kind == "list" and isinstance(checked.expr, ir.MakeList):
        return replace(checked.expr, cap=type_.cap)
    return checked.expr


def assign(game: Lowering, code: Code, goal: Target, value: ir.Expr, node: tree.Node) -> None:
    """Store, with the checks and triggers of what is stored to."""
    unit = game.unit
    site = unit.site(node.span)
    if goal.slot is None:
        code.emit(goal.store(value, site))
        return
    slot = goal.slot
    watched = game.triggers_on_change(slot)
    if (
        goal.index is not None
        and not isinstance(goal.index, ir.Const | ir.Load)
        and (watched or slot.states)
    ):
        index = code.slot(INT, "index")
        code.store(index, goal.index, INT)
        goal = replace(goal, index=ir.Load(index))
    old = None
    if watched:
        old = code.slot(goal.type, "old")
        code.store(old, goal.load(site), goal.type)
    code.emit(goal.store(value, site))
    if slot.states:
        game.check_marker(code, goal, site)
    if watched:
        assert old is not None
        game.emit_changed(code, goal, old, watched, node)


def _add(game: Lowering, code: Code, node: tree.AddVar, scope: Scope) -> None:
    unit = game.unit
    goal = target(unit, node.target, scope)
    delta = value_of(unit, node.delta, scope)
    if goal is None or isinstance(delta, Broken):
        return
    if goal.type.kind == delta.type.kind == "int" and not _both_there(
        game, goal, delta, node, scope
    ):
        return
    if goal.type.kind != "int" or delta.type.kind != "int":
        wrong = goal.type if goal.type.kind != "int" else delta.type
        span = node.target.span if goal.type.kind != "int" else node.delta.span
        unit.error(
            "not-a-number",
            span,
            f"`+=` needs numbers, this is {noun(wrong)}",
            "write `=` to set it",
        )
        return
    site = unit.site(node.span)
    total = ir.Arith("+", goal.load(site), delta.expr, site)
    assign(game, code, goal, total, node)
    if goal.type.optional:
        code.flow.learn(narrowing.there(unit, goal.load(site)))


def _both_there(game: Lowering, goal: Target, delta: Val, node: tree.AddVar, scope: Scope) -> bool:
    """Nothing can be added to none, nor none to anything."""
    before = presence.narrowed(game.unit, scope, Val(goal.load(-1), goal.type))
    assert isinstance(before, Val)
    for value, side in ((before, node.target), (delta, node.delta)):
        if value.type.optional:
            presence.report(game.unit, value.type, INT, side.span, side, scope)
            return False
    return True


def _shift(game: Lowering, code: Code, node: tree.ShiftMarker, scope: Scope) -> None:
    unit = game.unit
    goal = target(unit, node.target, scope)
    delta = number(unit, node.delta, scope)
    if goal is None or isinstance(delta, Broken):
        return
    if goal.slot is None or not goal.slot.states:
        unit.error(
            "not-a-marker",
            node.target.span,
            "only a marker can be shifted",
            "use `+=` for a number, or declare it under `markers:`",
        )
        return
    site = unit.site(node.span)
    moved = ir.Arith("+", goal.load(site), delta.expr, site)
    last = ir.Const(len(goal.slot.states) - 1)
    assign(game, code, goal, ir.Arith("max", ir.Const(0), ir.Arith("min", moved, last)), node)


# ------------------------------------------------------------------------ locals


def _let(game: Lowering, code: Code, node: tree.Let, scope: Scope) -> None:
    unit = game.unit
    if isinstance(node.value, tree.Call) and node.value.fn in unit.declared_procs:
        call = tree.CallProc(node.value.fn, node.value.args, node.value.named, span=node.span)
        result = call_procedure(game, code, call, scope)
        if result is None:
            unit.error(
                "no-result",
                node.value.span,
                f"`{node.value.fn}` returns nothing",
                "end it with `return …`",
            )
            for name in node.names:
                scope.names[name] = Local(Val(ir.Const(0), NONE), origin="broken")
            return
        bind_names(game, code, node.names, result, scope, node)
        return
    value = value_of(unit, node.value, scope)
    if isinstance(value, Broken):
        for name in node.names:
            scope.names[name] = Local(Val(ir.Const(0), NONE), origin="broken")
        return
    bind_names(game, code, node.names, value, scope, node)


def bind_names(
    game: Lowering, code: Code, names_: tuple[str, ...], value: Val, scope: Scope, node: tree.Node
) -> None:
    if len(names_) == 1:
        bind_local(game, code, names_[0], value, scope, node)
        return
    types = as_tuple_types(value.type)
    if types is None or len(types) != len(names_):
        game.unit.error(
            "unpack",
            node.span,
            f"{len(names_)} names for {noun(value.type)}" + (f" of {len(types)}" if types else ""),
            "write as many names as there are items",
        )
        for name in names_:
            scope.names[name] = Local(Val(ir.Const(0), NONE), origin="broken")
        return
    whole = game.unit.register()
    code.store(whole, value.expr, value.type)
    for index, (name, type_) in enumerate(zip(names_, types, strict=True)):
        item = Val(ir.Item(ir.Load(whole), index), type_)
        bind_local(game, code, name, item, scope, node)


def bind_local(
    game: Lowering,
    code: Code,
    name: str,
    value: Val,
    scope: Scope,
    node: tree.Node,
    widen: bool = True,
) -> int:
    """A new slot for a name, wide enough for any number. What is known of the value (the range of a
    number, the kind of a piece) is known of the name, unless it is assigned to somewhere."""
    stored = storable(value.type) if widen else value.type
    let = (id(node), name)
    stored = local_types.initial(game.unit, let, stored)
    known = unnamed(stored) if name in game.assigned else value.type
    addr = code.slot(stored, name)
    local = Local(Val(code.load(addr, stored), known), addr, stored, let=let)
    declare(game.unit, scope, name, local, node.span)
    stated = presence.stated(game.unit, value, stored) or value
    code.emit(ir.Store(addr, stated.expr, stored, site=game.unit.site(node.span)))
    if stored.optional and not value.type.optional and value.type.kind != "none":
        code.flow.learn(narrowing.there(game.unit, ir.Load(addr)))
    return addr


# --------------------------------------------------------------------- procedures


def call_procedure(game: Lowering, code: Code, node: tree.CallProc, scope: Scope) -> Val | None:
    """Call; the returned value, if there is one."""
    unit = game.unit
    decl = unit.declared_procs.get(node.proc)
    if decl is None:
        known = set(unit.declared_procs)
        if node.proc in unit.declared_functions:
            unit.error(
                "function-as-effect",
                node.span,
                f"`{node.proc}` is a function and changes nothing",
                "use it inside an expression, or declare it under `procs:`",
            )
        else:
            unit.error(
                "unknown-procedure",
                node.span,
                f"there is no procedure `{node.proc}`",
                did_you_mean(node.proc, known) or "declare it under `procs:`",
            )
        return None
    return game.call(code, decl, node, scope)


def _return(game: Lowering, code: Code, node: tree.Return, scope: Scope) -> None:
    unit = game.unit
    unknown = isinstance(node.value, tree.NoneLit) and code.result_type is None
    if node.value is not None and not unknown:
        value = value_of(unit, node.value, scope, code.result_type)
        if isinstance(value, Broken):
            return
        if code.result is None:
            code.result = unit.register()
            code.result_type = storable(value.type)
        assert code.result_type is not None
        expr = coerce(game, value, code.result_type, node.value, scope)
        if expr is None:
            return
        code.emit(ir.Store(code.result, expr, code.result_type, site=unit.site(node.span)))
    code.unwind(0)
    code.jump(code.exit)


# ------------------------------------------------------------------------ control


def _if(game: Lowering, code: Code, node: tree.IfEffect, scope: Scope) -> None:
    otherwise, done = code.label(), code.label()
    code.branch(condition(game.unit, node.when, scope), otherwise)
    block(game, code, node.then, scope)
    if node.other:
        code.jump(done)
    code.mark(otherwise)
    if node.other:
        block(game, code, node.other, scope)
        code.mark(done)


def _for_each(game: Lowering, code: Code, node: tree.ForEach, scope: Scope) -> None:
    unit = game.unit
    collection = stream(unit, node.over, scope)
    if isinstance(collection, Broken):
        inner = scope.inner()
        for name in (*node.bind, *((node.index,) if node.index else ())):
            inner.names[name] = Local(Val(ir.Const(0), NONE), origin="broken")
        # The body is compiled all the same: its mistakes are worth telling now.
        index = code.slot(INT, "index")
        with code.loop(index, code.label()):
            block(game, code, node.body, inner)
        return
    inner = scope.inner()
    index = code.slot(INT, "index")
    code.store(index, ir.Const(-1), INT)
    top, exit_label = code.label(), code.label()
    limit = None
    if node.limit is not None:
        bound = number(unit, node.limit, scope)
        if isinstance(bound, Broken):
            return
        limit = code.slot(INT, "limit")
        code.store(limit, bound.expr, INT)
    finished = code.label() if node.count_bind is not None else exit_label
    changes = changed_in(game, node.body, scope)
    item = _begin_iteration(game, code, collection, index, top, finished, limit, node, changes)
    if node.index is not None:
        local = Local(Val(ir.Load(index), INT))
        declare(unit, inner, node.index, local, node.span)
    with code.loop(index, exit_label):
        _bind_item(game, code, node.bind, Val(item, collection.elem), inner, node)
        if len(node.bind) == 1:
            local = inner.names[node.bind[0]]
            if isinstance(local.value, Val) and _still(collection.source, changes, unit):
                code.flow.learn(narrowing.of_element(unit, collection.source, local.value.expr))
        block(game, code, node.body, inner)
    passes = min(stated(collection.source) or 1, ir.UNSTATED)
    code.emit(ir.Tick(unit.site(node.span), passes=passes))
    code.jump(top)
    if node.count_bind is not None:  # the last test for more has counted one too many
        code.mark(finished)
        code.store(index, ir.Arith("-", ir.Load(index), ir.Const(1)), INT)
    code.mark(exit_label)
    if node.count_bind is not None:
        after = scope.inner()
        done = ir.Arith("+", ir.Load(index), ir.Const(1))
        bind_local(game, code, node.count_bind, Val(done, INT), after, node)
        block(game, code, node.after, after)


def _bind_item(
    game: Lowering, code: Code, names_: tuple[str, ...], item: Val, scope: Scope, node: tree.Node
) -> None:
    """Loop names cannot be assigned: the collection was fixed when the loop began."""
    bind_names(game, code, names_, item, scope, node)
    for name in names_:
        local = scope.names.get(name)
        if local is not None:
            scope.names[name] = Local(local.value, origin=local.origin)


def _still(source: ir.Source, changes: tuple[narrowing.Range, ...], unit: Unit) -> bool:
    """Whether what a collection was made from is the same in every pass of the loop."""
    return not narrowing.touches(unit, source, changes)


def _begin_iteration(
    game: Lowering,
    code: Code,
    collection: Seq,
    index: int,
    top: int,
    exit_label: int,
    limit: int | None,
    node: tree.ForEach,
    changes: tuple[narrowing.Range, ...],
) -> ir.Expr:
    """Fix the collection, mark the loop's top, test for the end; gives the element.

    A constant collection is read from a table; an ascending one is kept as a set; anything else
    as a list. Only what has to survive a decision will cost cells of the state.
    """
    unit = game.unit
    bounds = universe(collection.elem)

    def advance(more: ir.Expr) -> None:
        code.store(index, ir.Arith("+", ir.Load(index), ir.Const(1)), INT)
        code.branch(more, exit_label)
        if limit is not None:
            code.branch(ir.Compare("<", ir.Load(index), ir.Load(limit)), exit_label)

    source = collection.source
    if isinstance(source, ir.ConstSource) and collection.elem.is_scalar:
        values = tuple(value for value in source.values if isinstance(value, int))
        code.mark(top, changes)
        advance(ir.Compare("<", ir.Load(index), ir.Const(len(values))))
        return ir.Lookup(unit.table(values or (0,)), ir.Load(index), -1)
    if isinstance(source, ir.RangeSource):
        low, high = code.slot(INT, "low"), code.slot(INT, "high")
        code.store(low, source.lo, INT)
        code.store(high, source.hi, INT)
        code.mark(top, changes)
        value = ir.Arith("+", ir.Load(low), ir.Load(index))
        advance(ir.Compare("<=", value, ir.Load(high)))
        return value
    if collection.ascending and bounds is not None:
        item = replace(collection.elem, optional=False)
        type_ = Type("set", items=(item,))
        rest = code.slot(type_, "rest")
        code.store(rest, ir.MakeSet(source, item.lo, item.hi, unit.site(node.span)), type_)
        code.mark(top, changes)
        rest_value = ir.LoadWide(rest, type_)
        advance(ir.Compare("!=", rest_value, ir.Const(0)))
        current = code.slot(item, "current")
        # the set is not empty here, so the default only says what kind of number this is
        first = ir.Aggregate("first", ir.SetSource(rest_value, item.lo), ir.Const(item.lo))
        code.store(current, first, item)
        single = ir.MakeSet(ir.ItemsSource((ir.Load(current),)), item.lo, item.hi)
        code.store(rest, ir.SetOp("minus", rest_value, single), type_)
        return ir.Load(current)
    cap = max(1, min(collection.cap, MAX_LIST))
    list_type = Type("list", items=(collection.elem,), cap=cap)
    values_slot = code.slot(list_type, "collection")
    code.store(values_slot, ir.MakeList(source, cap, site=unit.site(node.span)), list_type)
    code.mark(top, changes)
    listed = ir.LoadWide(values_slot, list_type)
    advance(ir.Compare("<", ir.Load(index), ir.Length(listed)))
    return ir.ListItem(listed, ir.Load(index), unit.site(node.span))


def _repeat(game: Lowering, code: Code, node: tree.Repeat, scope: Scope) -> None:
    unit = game.unit
    most: ir.Expr | None = None
    if node.max is not None:
        bound = number(unit, node.max, scope)
        if isinstance(bound, Broken):
            return
        most = bound.expr
    index = code.slot(INT, "index")
    code.store(index, ir.Const(0), INT)
    top, exit_label = code.label(), code.label()
    code.mark(top, changed_in(game, node.body, scope))
    code.branch(condition(unit, node.when, scope), exit_label)
    site = unit.site(node.span, f"{unit.rule}: repeat went on past its max")
    if most is not None:
        code.emit(ir.Require(ir.Compare("<", ir.Load(index), most), site, fault=True))
    start = len(code.instrs)
    with code.loop(index, exit_label):
        block(game, code, node.body, scope)
    if most is None:
        game.unbounded_loops.append((code, start, len(code.instrs), node.span))
    code.store(index, ir.Arith("+", ir.Load(index), ir.Const(1)), INT)
    passes = most.value if isinstance(most, ir.Const) and isinstance(most.value, int) else 1
    code.emit(ir.Tick(unit.site(node.span), passes=max(1, min(passes, ir.UNSTATED))))
    code.jump(top)
    code.mark(exit_label)


def _with(game: Lowering, code: Code, node: tree.With, scope: Scope) -> None:
    saved: list[tuple[Target, int]] = []
    for item in node.sets:
        goal = target(game.unit, item.target, scope)
        if goal is None:
            continue
        if goal.index is not None:
            index = code.slot(INT, "index")
            code.store(index, goal.index, INT)
            goal = replace(goal, index=ir.Load(index))
        old = code.slot(goal.type, "saved")
        code.store(old, goal.load(game.unit.site(item.span)), goal.type)
        saved.append((goal, old))
        effect(game, code, item, scope)

    def restore() -> None:
        for goal, old in reversed(saved):
            code.emit(goal.store(code.load(old, goal.type), game.unit.site(node.span)))

    code.unwinds.append(restore)
    block(game, code, node.body, scope)
    code.unwinds.pop()
    restore()


# ------------------------------------------------------------------------- others


def _roll(game: Lowering, code: Code, node: tree.RollRandom, scope: Scope) -> None:
    unit = game.unit
    outcomes = stream(unit, node.source, scope)
    if isinstance(outcomes, Broken):
        scope.names.setdefault(node.bind, Local(Val(ir.Const(0), NONE), origin="broken"))
        return
    site = unit.site(node.span, f"{unit.rule}: roll {node.bind}")
    local_name = scope.find(node.bind) is not None
    if node.of is not None or local_name or names.is_declared(unit, node.bind) is not None:
        named: tree.Expr = tree.Name(node.bind, span=node.span)
        if node.of is not None:
            named = tree.Attr(node.of, node.bind, span=node.span)
        goal = target(unit, named, scope)
        if goal is None:
            return
        outcome = unit.register()
        check = check_type(unit, Val(ir.Load(outcome), outcomes.elem), goal.type, node.source.span)
        if isinstance(check, Broken):
            return
        variable = goal.slot.index if goal.slot is not None else -1
        code.emit(
            ir.Chance(
                outcome, outcomes.source, outcomes.elem, node.bind, variable, site,
                code.move_loops(),
            )
        )  # fmt: skip
        assign(game, code, goal, ir.Load(outcome), node)
        return
    type_ = storable(outcomes.elem)
    addr = code.slot(type_, node.bind)
    local = Local(Val(code.load(addr, type_), type_), addr, type_)
    declare(unit, scope, node.bind, local, node.span)
    code.emit(
        ir.Chance(addr, outcomes.source, outcomes.elem, node.bind, -1, site, code.move_loops())
    )


def _history(game: Lowering, code: Code, node: tree.Effect, name: str) -> None:
    unit = game.unit
    for index, history in enumerate(unit.histories):
        if history.name == name:
            if isinstance(node, tree.Record):
                code.emit(ir.RecordPosition(index, unit.site(node.span)))
            else:
                code.emit(ir.ClearHistory(index))
            return
    unit.error(
        "unknown-history",
        node.span,
        f"there is no history `{name}`",
        did_you_mean(name, [history.name for history in unit.histories])
        or "declare it: `history: { positions: { of: [board], keep: 100 } }`",
    )

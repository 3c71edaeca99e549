"""Operation profiles: legality, cost, stages, and windows for special activities."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from ludwright.diagnostics import did_you_mean
from ludwright.kernel import program as ir
from ludwright.language import tree
from ludwright.language.compiling import alternatives, effects, endings, triggers
from ludwright.language.compiling.code import Code
from ludwright.language.compiling.expressions import condition
from ludwright.language.compiling.guarding import Guard
from ludwright.language.compiling.lowering import SPECIAL, Lowering
from ludwright.language.compiling.unit import Local, Scope
from ludwright.language.compiling.values import INT, Val, noun
from ludwright.language.compiling.walking import nodes_in
from ludwright.language.gamedef import ActionDecl, OperationDecl, SpecialDecl


def add_guards(game: Lowering, operation: OperationDecl, guard: Guard) -> None:
    """Legality, and cost unless it is free or may be executed in part."""
    for node in (operation.legality, operation.cost_validate):
        if node is not None and not _needs_no_binding(game, operation, node):
            return
    guard.condition(operation.legality, Scope(), f"operation {operation.id}: legality")
    if operation.cost_validate is not None and operation.partial == "forbid":
        affordable = condition(game.unit, operation.cost_validate, Scope())
        # What is granted may still be declined, so it is the state that says whether it is free.
        free = ir.Or(ir.Load(ir.FREE), ir.Load(ir.GRANT))
        rule = f"operation {operation.id}: cost"
        guard.add(ir.Or(free, affordable), operation.cost_validate.span, rule)


def _needs_no_binding(game: Lowering, operation: OperationDecl, node: tree.Expr) -> bool:
    unbound = set(endings.free_names(node))  # not what a comprehension inside binds
    for part in nodes_in(node):
        if isinstance(part, tree.Name) and part.id.startswith("$") and part.id in unbound:
            game.unit.error(
                "binding-too-early",
                part.span,
                f"`{part.id}` is chosen only later, while `{operation.id}` is carried out",
                "test it where it is chosen: filter the options, or `require` it there",
            )
            return False
    return True


@dataclass
class Windows:
    """Special activities that may accompany one operation, while it is compiled."""

    operation: OperationDecl
    specials: tuple[SpecialDecl, ...]
    used: int  # cell: 0 none yet, else which special in which window, from 1
    scope: Scope
    # (flag cell, operation bind, special bind, its local) still to be checked at the end
    pending: list[tuple[int, str, str, Local, bool]]
    entries: int = 0  # specials in windows so far


def body(
    game: Lowering, code: Code, action: ActionDecl, operation: OperationDecl, scope: Scope
) -> None:
    """spend → before → stages, each followed by its window → after."""
    unit = game.unit
    _spend(game, code, operation, scope)
    windows = _windows(game, code, operation, scope)
    if windows is not None:
        game.open_windows.append(windows)
        ask(game, code, windows, "before", scope)
    for stage in operation.stages:
        unit.rule = f"operation {operation.id}, stage {stage.name}"
        site_name = stage.name
        game.emit_named(code, "stage", stage.name)
        for item in stage.effects:
            effects.effect(game, code, item, scope)
        triggers.stage(game, code, site_name)
        if windows is not None:
            ask(game, code, windows, site_name, scope)
    unit.rule = f"operation {operation.id}"
    if windows is not None:
        ask(game, code, windows, "after", scope)
        _check_pending(game, code, windows, scope)
        game.open_windows.pop()


def _spend(game: Lowering, code: Code, operation: OperationDecl, scope: Scope) -> None:
    """Paid unless free, or unaffordable where execution in part is allowed."""
    if not operation.cost_spend:
        return
    for part in nodes_in(operation.cost_spend):
        if isinstance(part, tree.ChooseOne | tree.ChooseN | tree.Menu | tree.Offer):
            game.unit.error(
                "choice-in-cost",
                part.span,
                "paying a cost cannot ask for a decision",
                "move the choice into a stage of `resolution`",
            )
            return
    skip = code.label()
    code.branch(ir.Not(ir.Load(ir.FREE)), skip)
    if operation.partial == "allow" and operation.cost_validate is not None:
        code.branch(condition(game.unit, operation.cost_validate, code.scope()), skip)
    effects.block(game, code, operation.cost_spend, scope)
    code.mark(skip)


# -------------------------------------------------------------------------- windows


def _windows(game: Lowering, code: Code, operation: OperationDecl, scope: Scope) -> Windows | None:
    linked = set(operation.windows)
    specials = tuple(
        special
        for special in game.unit.gamedef.specials
        if operation.id in special.accompanies or (not special.accompanies and special.id in linked)
    )
    for name in linked - {special.id for special in game.unit.gamedef.specials}:
        game.unit.error(
            "unknown-special",
            operation.span,
            f"there is no special activity `{name}`",
            did_you_mean(name, [s.id for s in game.unit.gamedef.specials])
            or "declare it under `specials:`",
        )
    if not specials:
        return None
    used = code.slot(INT, "special")
    code.store(used, ir.Const(0), INT)
    return Windows(operation, specials, used, scope, [])


def ask(game: Lowering, code: Code, windows: Windows, timing: str, scope: Scope) -> None:
    """Offer, once per operation, the special activities whose window this is."""
    from ludwright.language.compiling.actions import is_actor

    unit = game.unit
    fitting = [special for special in windows.specials if timing in special.timing]
    if not fitting:
        return
    skip = code.label()
    unused = ir.Compare("==", ir.Load(windows.used), ir.Const(0))
    code.branch(ir.And(unused, ir.Not(ir.Load(ir.FREE))), skip)
    labels = [ir.Label("none")]
    for special in fitting:
        guard, name = Guard(unit), f"special activity {special.id}"
        if special.actor is not None:
            guard.add(is_actor(game, special.actor, scope), special.actor.span, f"{name}: actor")
        guard.condition(special.pre, scope, f"{name}: pre")
        labels.append(guard.label(special.id))
    site = unit.site(windows.operation.span, f"operation {windows.operation.id}: special activity")
    name = f"__special_{timing}"
    addr, _ = alternatives.ask(game, code, name, "special", labels, code.decider, site)
    bodies: list[Callable[[], None]] = [lambda: None]
    for special in fitting:
        windows.entries += 1
        bodies.append(partial(_special, game, code, windows, special, windows.entries, scope))
    alternatives.switch(code, addr, bodies)
    code.mark(skip)


def _special(
    game: Lowering,
    code: Code,
    windows: Windows,
    special: SpecialDecl,
    number: int,
    scope: Scope,
) -> None:
    unit = game.unit
    code.store(windows.used, ir.Const(number), INT)
    rule, unit.rule = unit.rule, f"special activity {special.id}"
    prefix, code.prefix = code.prefix, f"{SPECIAL}."
    start = len(code.instrs)
    inner = scope.inner()
    game.emit_named(code, "special", special.id)
    for item in special.effects:
        effects.effect(game, code, item, inner)
    code.prefix = prefix
    code.specials.append(range(start, len(code.instrs)))
    operation = windows.operation
    for pairs, same in ((operation.same_space, True), (operation.disjoint_spaces, False)):
        for own, theirs in pairs:
            bound = inner.names.get(theirs)
            if bound is None:
                continue
            if scope.find(own) is not None:
                _constrain(game, code, windows, scope, own, bound, same)
            else:
                windows.pending.append((number, own, theirs, bound, same))
    unit.rule = rule


def _constrain(
    game: Lowering,
    code: Code,
    windows: Windows,
    scope: Scope,
    own: str,
    theirs: Local,
    same: bool,
) -> None:
    """The spaces of the operation and of its special activity: the same, or none in common."""
    mine = scope.find(own)
    if mine is None or not isinstance(mine.value, Val) or not isinstance(theirs.value, Val):
        return
    for value in (mine.value, theirs.value):
        item = value.type if value.type.is_scalar else value.type.items[0]
        if item.kind != "place":
            game.unit.error(
                "wrong-type",
                windows.operation.span,
                f"a constraint of `{windows.operation.id}` compares spaces, "
                f"one of its choices is {noun(value.type)}",
                "name choices of spaces: `disjointSpaces: [$space, $specialSpace]`",
            )
            return
    first, second = _as_set(game, mine.value), _as_set(game, theirs.value)
    common = ir.SetOp("both", first, second)
    if same:
        test: ir.Expr = ir.Compare("==", common, second)
    else:
        test = ir.Compare("==", common, ir.Const(0))
    words = "in the same spaces" if same else "in other spaces"
    site = game.unit.site(
        windows.operation.span, f"operation {windows.operation.id}: special activity {words}"
    )
    code.emit(ir.Require(test, site))


def _as_set(game: Lowering, value: Val) -> ir.Expr:
    """As a set of places counted from the first one, whatever the choice could be among."""
    source: ir.Source = ir.ItemsSource((value.expr,))
    if value.type.kind == "set":
        source = ir.SetSource(value.expr, value.type.items[0].lo)
    elif value.type.kind == "list":
        source = ir.ListSource(value.expr)
    return ir.MakeSet(source, 0, max(0, len(game.unit.world.places) - 1))


def _check_pending(game: Lowering, code: Code, windows: Windows, scope: Scope) -> None:
    for number, own, _, bound, same in windows.pending:
        skip = code.label()
        code.branch(ir.Compare("==", ir.Load(windows.used), ir.Const(number)), skip)
        _constrain(game, code, windows, scope, own, bound, same)
        code.mark(skip)


def window(game: Lowering, code: Code, node: tree.Window, scope: Scope) -> None:
    """`window during`: a special activity may interrupt here."""
    if not game.open_windows:
        game.unit.error(
            "window-outside-operation",
            node.span,
            "only operations have windows",
            "put it into a stage of an operation under `operations:`",
        )
        return
    ask(game, code, game.open_windows[-1], node.name, scope)

"""Operation profiles: legality, cost, stages, and windows for special activities."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from ludwright import program as ir
from ludwright.language import tree
from ludwright.language.compiling.addresses import Label
from ludwright.language.compiling.code import Code
from ludwright.language.compiling.effects import alternatives
from ludwright.language.compiling.effects.dispatch import block, effect
from ludwright.language.compiling.effects.guards import Guard
from ludwright.language.compiling.explanations import explain
from ludwright.language.compiling.expressions.names import free_operation
from ludwright.language.compiling.expressions.type_check import condition
from ludwright.language.compiling.lowering import SPECIAL, Lowering, Windows
from ludwright.language.compiling.rules import triggers
from ludwright.language.compiling.tree_walk import free_names, nodes_in
from ludwright.language.compiling.unit import Local, Scope
from ludwright.language.compiling.values import INT, Val, noun
from ludwright.language.gamedef import OperationDecl, SpecialDecl
from ludwright.spelling import did_you_mean


def add_guards(lowering: Lowering, operation: OperationDecl, guard: Guard) -> None:
    """Legality, and cost unless it is free or may be executed in part."""
    for node in (operation.legality, operation.cost_validate):
        if node is not None and not _needs_no_binding(lowering, operation, node):
            return
    guard.condition(operation.legality, Scope(), f"operation {operation.id}: legality")
    if operation.cost_validate is not None and operation.partial == "forbid":
        affordable = condition(lowering.unit, operation.cost_validate, Scope())
        free = free_operation(lowering.unit)
        if not isinstance(free, ir.Const):
            affordable = ir.Or(free, affordable)
        guard.add(affordable, operation.cost_validate.span, f"operation {operation.id}: cost")
        explain(lowering.unit, guard.sites[-1], operation.cost_validate, Scope())


def _needs_no_binding(lowering: Lowering, operation: OperationDecl, node: tree.Expr) -> bool:
    unbound = set(free_names(node))  # not what a comprehension inside binds
    for part in nodes_in(node):
        if isinstance(part, tree.Name) and part.id.startswith("$") and part.id in unbound:
            lowering.unit.error(
                "binding-too-early",
                part.span,
                f"`{part.id}` is chosen only later, while `{operation.id}` is carried out",
                "test it where it is chosen: filter the options, or `require` it there",
            )
            return False
    return True


def body(lowering: Lowering, code: Code, operation: OperationDecl, scope: Scope) -> None:
    """spend → before → stages, each followed by its window → after."""
    unit = lowering.unit
    _spend(lowering, code, operation, scope)
    windows = _windows(lowering, code, operation, scope)
    if windows is not None:
        lowering.open_windows.append(windows)
        ask(lowering, code, windows, "before", scope)
    for stage in operation.stages:
        unit.rule = f"operation {operation.id}, stage {stage.name}"
        site_name = stage.name
        lowering.emit_named(code, "stage", stage.name)
        for item in stage.effects:
            effect(lowering, code, item, scope)
        triggers.stage(lowering, code, site_name)
        if windows is not None:
            ask(lowering, code, windows, site_name, scope)
    unit.rule = f"operation {operation.id}"
    if windows is not None:
        ask(lowering, code, windows, "after", scope)
        _check_pending(lowering, code, windows, scope)
        lowering.open_windows.pop()


def _spend(lowering: Lowering, code: Code, operation: OperationDecl, scope: Scope) -> None:
    """Paid unless free, or unaffordable where execution in part is allowed."""
    if not operation.cost_spend:
        return
    for part in nodes_in(operation.cost_spend):
        if isinstance(part, tree.ChooseOne | tree.ChooseN | tree.Menu | tree.Offer):
            lowering.unit.error(
                "choice-in-cost",
                part.span,
                "paying a cost cannot ask for a decision",
                "move the choice into a stage of `resolution`",
            )
            return
    skip = code.label()
    _unless_free(lowering, code, skip)
    if operation.partial == "allow" and operation.cost_validate is not None:
        code.branch(condition(lowering.unit, operation.cost_validate, code.scope()), skip)
    block(lowering, code, operation.cost_spend, scope)
    code.mark(skip)


def _unless_free(lowering: Lowering, code: Code, skip: Label) -> None:
    """Jump to `skip` while the operation is free."""
    free = free_operation(lowering.unit)
    if not isinstance(free, ir.Const):
        code.branch(ir.Not(free), skip)


# -------------------------------------------------------------------------- windows


def _windows(
    lowering: Lowering, code: Code, operation: OperationDecl, scope: Scope
) -> Windows | None:
    linked = set(operation.windows)
    specials = tuple(
        special
        for special in lowering.unit.gamedef.specials
        if operation.id in special.accompanies or (not special.accompanies and special.id in linked)
    )
    for name in linked - {special.id for special in lowering.unit.gamedef.specials}:
        lowering.unit.error(
            "unknown-special",
            operation.span,
            f"there is no special activity `{name}`",
            did_you_mean(name, [s.id for s in lowering.unit.gamedef.specials])
            or "declare it under `specials:`",
        )
    if not specials:
        return None
    used = code.slot(INT, "special")
    code.store(used, ir.Const(0), INT)
    return Windows(operation, specials, used, scope, [])


def ask(lowering: Lowering, code: Code, windows: Windows, timing: str, scope: Scope) -> None:
    """Offer, once per operation, the special activities whose window this is."""
    unit = lowering.unit
    fitting = [special for special in windows.specials if timing in special.timing]
    if not fitting:
        return
    skip = code.label()
    unused = ir.Compare("==", ir.Load(windows.used), ir.Const(0))
    code.branch(unused, skip)
    _unless_free(lowering, code, skip)
    labels = [ir.Label("none")]
    for special in fitting:
        guard, name = Guard(unit), f"special activity {special.id}"
        if special.actor is not None:
            guard.actor(special.actor, scope, special.id, f"{name}: actor")
        guard.condition(special.pre, scope, f"{name}: pre")
        labels.append(guard.label(special.id))
    site = unit.site(windows.operation.span, f"operation {windows.operation.id}: special activity")
    name = f"__special_{timing}"
    addr, _ = alternatives.ask(lowering, code, name, "choice", labels, code.decider, site)
    bodies: list[Callable[[], None]] = [lambda: None]
    for special in fitting:
        windows.entries += 1
        bodies.append(partial(_special, lowering, code, windows, special, windows.entries, scope))
    alternatives.switch(code, addr, bodies)
    code.mark(skip)


def _special(
    lowering: Lowering,
    code: Code,
    windows: Windows,
    special: SpecialDecl,
    number: int,
    scope: Scope,
) -> None:
    unit = lowering.unit
    code.store(windows.used, ir.Const(number), INT)
    rule, unit.rule = unit.rule, f"special activity {special.id}"
    prefix, code.prefix = code.prefix, f"{SPECIAL}."
    start = len(code.instrs)
    inner = scope.inner()
    lowering.emit_named(code, "special", special.id)
    for item in special.effects:
        effect(lowering, code, item, inner)
    code.prefix = prefix
    code.specials.append(range(start, len(code.instrs)))
    operation = windows.operation
    for pairs, same in ((operation.same_space, True), (operation.disjoint_spaces, False)):
        for own, theirs in pairs:
            bound = inner.names.get(theirs)
            if bound is None:
                continue
            if scope.find(own) is not None:
                _constrain(lowering, code, windows, scope, own, bound, same)
            else:
                windows.pending.append((number, own, theirs, bound, same))
    unit.rule = rule


def _constrain(
    lowering: Lowering,
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
            lowering.unit.error(
                "wrong-type",
                windows.operation.span,
                f"a constraint of `{windows.operation.id}` compares spaces, "
                f"one of its choices is {noun(value.type)}",
                "name choices of spaces: `disjointSpaces: [$space, $specialSpace]`",
            )
            return
    first, second = _as_set(lowering, mine.value), _as_set(lowering, theirs.value)
    common = ir.SetOp("both", first, second)
    if same:
        test: ir.Expr = ir.Compare("==", common, second)
    else:
        test = ir.Compare("==", common, ir.Const(0))
    words = "in the same spaces" if same else "in other spaces"
    site = lowering.unit.site(
        windows.operation.span, f"operation {windows.operation.id}: special activity {words}"
    )
    code.emit(ir.Require(test, site))


def _as_set(lowering: Lowering, value: Val) -> ir.Expr:
    """As a set of places counted from the first one, whatever the choice could be among."""
    source: ir.Source = ir.ItemsSource((value.expr,))
    if value.type.kind == "set":
        source = ir.SetSource(value.expr, value.type.items[0].lo)
    elif value.type.kind == "list":
        source = ir.ListSource(value.expr)
    return ir.MakeSet(source, 0, max(0, len(lowering.unit.world.places) - 1))


def _check_pending(lowering: Lowering, code: Code, windows: Windows, scope: Scope) -> None:
    for number, own, _, bound, same in windows.pending:
        skip = code.label()
        code.branch(ir.Compare("==", ir.Load(windows.used), ir.Const(number)), skip)
        _constrain(lowering, code, windows, scope, own, bound, same)
        code.mark(skip)


def window(lowering: Lowering, code: Code, node: tree.Window, scope: Scope) -> None:
    """`window during`: a special activity may interrupt here."""
    if not lowering.open_windows:
        lowering.unit.error(
            "window-outside-operation",
            node.span,
            "only operations have windows",
            "put it into a stage of an operation under `operations:`",
        )
        return
    ask(lowering, code, lowering.open_windows[-1], node.name, scope)

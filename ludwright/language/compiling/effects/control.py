"""Control: `if`, loops, `require`, `return` and `stop`."""

from __future__ import annotations

from dataclasses import dataclass, replace

from ludwright import program as ir
from ludwright.language import tree
from ludwright.language.compiling import narrowing
from ludwright.language.compiling.addresses import Label
from ludwright.language.compiling.code import Code
from ludwright.language.compiling.effects.assignments import coerce
from ludwright.language.compiling.effects.bindings import bind_local, bind_names
from ludwright.language.compiling.effects.dispatch import block, effect
from ludwright.language.compiling.effects.written_cells import changed_in
from ludwright.language.compiling.explanations import explain
from ludwright.language.compiling.expressions.comprehensions import declare
from ludwright.language.compiling.expressions.type_check import (
    condition,
    number,
    stream,
    value_of,
)
from ludwright.language.compiling.linking.work_bounds import stated
from ludwright.language.compiling.lowering import Lowering
from ludwright.language.compiling.unit import Local, Scope, Unit
from ludwright.language.compiling.values import (
    INT,
    MAX_LIST,
    NONE,
    Broken,
    Seq,
    Val,
    join,
    storable,
    universe,
)
from ludwright.program.types import Type


def do(lowering: Lowering, code: Code, node: tree.Do, scope: Scope) -> None:
    block(lowering, code, node.body, scope)


def require(lowering: Lowering, code: Code, node: tree.Require, scope: Scope) -> None:
    test = condition(lowering.unit, node.when, scope)
    code.demands.append(len(code.instrs))
    site = lowering.unit.site(node.span)
    explain(lowering.unit, site, node.when, scope, node.words)
    code.emit(ir.Require(test, site))


def fault(lowering: Lowering, code: Code, node: tree.Fault, scope: Scope) -> None:
    site = lowering.unit.site(node.span, f"{lowering.unit.rule}: ifNone: fault")
    code.emit(ir.FaultHere("nothing-to-choose", site))


def if_effect(lowering: Lowering, code: Code, node: tree.IfEffect, scope: Scope) -> None:
    if node.then and not node.other and all(isinstance(item, tree.Say) for item in node.then):
        for item in node.then:  # the condition is only tested where somebody listens
            assert isinstance(item, tree.Say)
            both = tree.Binary("and", node.when, item.when) if item.when is not None else node.when
            effect(lowering, code, replace(item, when=both), scope)
        return
    otherwise, done = code.label(), code.label()
    code.branch(condition(lowering.unit, node.when, scope), otherwise)
    block(lowering, code, node.then, scope)
    if node.other:
        code.jump(done)
    code.mark(otherwise)
    if node.other:
        block(lowering, code, node.other, scope)
        code.mark(done)


def for_each(lowering: Lowering, code: Code, node: tree.ForEach, scope: Scope) -> None:
    unit = lowering.unit
    collection = stream(unit, node.over, scope)
    if isinstance(collection, Broken):
        inner = scope.inner()
        for name in (*node.bind, *((node.index,) if node.index else ())):
            inner.names[name] = Local(Val(ir.Const(0), NONE), origin="broken")
        # The body is compiled all the same: its mistakes are worth telling now.
        index = code.slot(INT, "index")
        with code.loop(index, code.label()):
            block(lowering, code, node.body, inner)
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
    changes = changed_in(lowering, node.body, scope)
    iteration = _Iteration(unit, code, node, index, top, finished, limit, changes)
    item = iteration.begin(collection)
    if node.index is not None:
        local = Local(Val(ir.Load(index), INT))
        declare(unit, inner, node.index, local, node.span)
    with code.loop(index, exit_label):
        _bind_item(lowering, code, node.bind, Val(item, collection.elem), inner, node)
        if len(node.bind) == 1:
            local = inner.names[node.bind[0]]
            if isinstance(local.value, Val):
                # what filters say of a member held when the loop began
                member = unit.of_member(scope, collection.source, local.value.expr)
                code.flow.learn(unit.narrowing.lasting(member, changes))
        block(lowering, code, node.body, inner)
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
        bind_local(lowering, code, node.count_bind, Val(done, INT), after, node)
        block(lowering, code, node.after, after)


def _bind_item(
    lowering: Lowering,
    code: Code,
    names_: tuple[str, ...],
    item: Val,
    scope: Scope,
    node: tree.Node,
) -> None:
    """Loop names cannot be assigned: the collection was fixed when the loop began."""
    bind_names(lowering, code, names_, item, scope, node)
    for name in names_:
        local = scope.names.get(name)
        if local is not None:
            origin = "loop" if local.origin == "local" else local.origin
            scope.names[name] = Local(local.value, origin=origin)


@dataclass
class _Iteration:
    """The top of a loop over a collection: the test for a further pass, and the element."""

    unit: Unit
    code: Code
    node: tree.ForEach
    index: int  # the local that counts the passes
    top: Label  # a pass goes back to it
    done: Label  # where the loop is left for
    limit: int | None  # the local that holds the most passes
    changes: tuple[narrowing.Range, ...]  # what the body may change

    def begin(self, collection: Seq) -> ir.Expr:
        """Fix the collection, mark the loop's top, test for the end; gives the element.

        A constant collection is read from a table; an ascending one is kept as a set; anything else
        as a list. Only what has to survive a decision will cost cells of the state.
        """
        source = collection.source
        if isinstance(source, ir.ConstSource) and collection.elem.is_scalar:
            return self._constants(source)
        if isinstance(source, ir.RangeSource):
            return self._range(source)
        if collection.ascending and universe(collection.elem) is not None:
            return self._set(source, replace(collection.elem, optional=False))
        return self._list(source, collection.elem, max(1, min(collection.cap, MAX_LIST)))

    def _constants(self, source: ir.ConstSource) -> ir.Expr:
        values = tuple(value for value in source.values if isinstance(value, int))
        self.code.mark(self.top, self.changes)
        self._advance(ir.Compare("<", ir.Load(self.index), ir.Const(len(values))))
        return ir.Lookup(self.unit.table(values or (0,)), ir.Load(self.index), -1)

    def _range(self, source: ir.RangeSource) -> ir.Expr:
        code = self.code
        low, high = code.slot(INT, "low"), code.slot(INT, "high")
        code.store(low, source.lo, INT)
        code.store(high, source.hi, INT)
        code.mark(self.top, self.changes)
        value = ir.Arith("+", ir.Load(low), ir.Load(self.index))
        self._advance(ir.Compare("<=", value, ir.Load(high)))
        return value

    def _set(self, source: ir.Source, item: Type) -> ir.Expr:
        code, type_ = self.code, Type("set", items=(item,))
        rest = code.slot(type_, "rest")
        code.store(rest, ir.MakeSet(source, item.lo, item.hi, self._site()), type_)
        code.mark(self.top, self.changes)
        rest_value = ir.LoadWide(rest, type_)
        self._advance(ir.Compare("!=", rest_value, ir.Const(0)))
        current = code.slot(item, "current")
        # the set is not empty here, so the default only says what kind of number this is
        first = ir.Aggregate("first", ir.SetSource(rest_value, item.lo), ir.Const(item.lo))
        code.store(current, first, item)
        single = ir.MakeSet(ir.ItemsSource((ir.Load(current),)), item.lo, item.hi)
        code.store(rest, ir.SetOp("minus", rest_value, single), type_)
        return ir.Load(current)

    def _list(self, source: ir.Source, item: Type, cap: int) -> ir.Expr:
        code, type_ = self.code, Type("list", items=(item,), cap=cap)
        values = code.slot(type_, "collection")
        code.store(values, ir.MakeList(source, cap, site=self._site()), type_)
        code.mark(self.top, self.changes)
        listed = ir.LoadWide(values, type_)
        self._advance(ir.Compare("<", ir.Load(self.index), ir.Length(listed)))
        return ir.ListItem(listed, ir.Load(self.index), self._site())

    def _site(self) -> int:
        return self.unit.site(self.node.span)

    def _advance(self, more: ir.Expr) -> None:
        """Count a pass; leave the loop where there is none."""
        code = self.code
        code.store(self.index, ir.Arith("+", ir.Load(self.index), ir.Const(1)), INT)
        code.branch(more, self.done)
        if self.limit is not None:
            code.branch(ir.Compare("<", ir.Load(self.index), ir.Load(self.limit)), self.done)


def repeat(lowering: Lowering, code: Code, node: tree.Repeat, scope: Scope) -> None:
    unit = lowering.unit
    most: ir.Expr | None = None
    if node.max is not None:
        bound = number(unit, node.max, scope)
        if isinstance(bound, Broken):
            return
        most = bound.expr
    index = code.slot(INT, "index")
    code.store(index, ir.Const(0), INT)
    top, exit_label = code.label(), code.label()
    code.mark(top, changed_in(lowering, node.body, scope))
    code.branch(condition(unit, node.when, scope), exit_label)
    site = unit.site(node.span, f"{unit.rule}: repeat went on past its max")
    if most is not None:
        code.emit(ir.Require(ir.Compare("<", ir.Load(index), most), site, fault=True))
    start = len(code.instrs)
    with code.loop(index, exit_label):
        block(lowering, code, node.body, scope)
    if most is None:
        lowering.unbounded_loops.append((code, start, len(code.instrs), node.span))
    code.store(index, ir.Arith("+", ir.Load(index), ir.Const(1)), INT)
    passes = most.value if isinstance(most, ir.Const) and isinstance(most.value, int) else 1
    code.emit(ir.Tick(unit.site(node.span), passes=max(1, min(passes, ir.UNSTATED))))
    code.jump(top)
    code.mark(exit_label)


def stop(lowering: Lowering, code: Code, node: tree.Stop, scope: Scope) -> None:
    if not code.loop_scopes:
        lowering.unit.error(
            "stop-outside-loop",
            node.span,
            "there is no loop to stop",
            "`stop` leaves a loop; use `return` to leave the effects",
        )
        return
    loop = code.loop_scopes[-1]
    code.unwind(loop.unwinds)
    code.jump(loop.exit)


def return_value(lowering: Lowering, code: Code, node: tree.Return, scope: Scope) -> None:
    if node.value is not None:
        if not _store_result(lowering, code, node, node.value, scope):
            return
    elif code.must_return:
        lowering.unit.error(
            "no-result",
            node.span,
            f"`{code.name}` returns a value elsewhere, but nothing here",
            "write the value behind `return`; it may be `none`",
        )
        return
    code.unwind(0)
    code.jump(code.exit)


def _store_result(
    lowering: Lowering, code: Code, node: tree.Return, given: tree.Expr, scope: Scope
) -> bool:
    """Whether there is a value. Where no type is declared, it becomes one that holds all that the
    procedure returns."""
    unit = lowering.unit
    inferred = code.result is None or bool(code.returned)
    value = value_of(unit, given, scope, None if inferred else code.result_type)
    if isinstance(value, Broken):
        return False
    if inferred:
        kept = storable(value.type)
        joined = kept if code.result_type is None else join(code.result_type, kept)
        if joined is not None:
            code.result_type = joined
    if code.result is None:
        code.result = unit.register()
    assert code.result_type is not None
    expr: ir.Expr | None = value.expr
    type_ = value.type if inferred and value.type.kind == "none" else code.result_type
    if type_.kind != "none":
        expr = coerce(lowering, value, type_, given, scope)
    if expr is None:
        return False
    if inferred:
        code.returned.append(len(code.instrs))
    code.emit(ir.Store(code.result, expr, type_, site=unit.site(node.span)))
    return True

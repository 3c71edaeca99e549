"""What a refusal can say: the condition that fails, in the author's words, with its values.

Conditions are compiled once more, leaf by leaf, beside the code that tests them. Nothing executes
them but `kernel.views.reasons`, when somebody asks why.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import TypeVar

from ludwright import program as ir
from ludwright.language import tree
from ludwright.language.compiling.expressions.type_check import condition, stream, value_of
from ludwright.language.compiling.unit import Local, Scope, Unit
from ludwright.language.compiling.values import Broken, Val
from ludwright.language.unparsing import text_of

_COMPARISONS = ("==", "!=", "<", "<=", ">", ">=", "in", "not in")
_MOST_TEXT = 160
_MOST_DEPTH = 5  # functions and branches that are looked into
_Made = TypeVar("_Made")


def explain(unit: Unit, site: int, node: tree.Expr, scope: Scope, words: str = "") -> None:
    """Let a site say what its condition needs."""
    leaves = _again(unit, lambda: _conditions(unit, node, scope))
    unit.sites[site] = replace(unit.sites[site], words=words, conditions=leaves)


def explained(unit: Unit, node: tree.Expr, scope: Scope) -> tuple[ir.Condition, ...]:
    """A condition by its parts, and as a whole."""
    whole = ir.Condition(_short(node), condition(unit, node, scope))
    return *_again(unit, lambda: _conditions(unit, node, scope)), whole


def explain_options(unit: Unit, site: int, node: tree.Expr, scope: Scope) -> None:
    """Let the site of a choice say which filter dropped an option: `x for x in A if c`, also in
    functions, and on either side of `if`."""
    if node.span is not None:
        unit.option_spans[site] = node.span
    found = _again(unit, lambda: tuple(_drops(unit, node, scope, (), _MOST_DEPTH)))
    unit.sites[site] = replace(unit.sites[site], dropped=found)


def _drops(
    unit: Unit, node: tree.Expr, scope: Scope, where: tuple[ir.Expr, ...], depth: int
) -> Iterator[ir.Dropped]:
    """The filters of a collection, those that come first last. `where`: what decides that the
    collection is this one."""
    body = _function(unit, node, scope)
    if depth == 0:
        return
    if body is not None:
        yield from _drops(unit, *body, where, depth - 1)
    elif isinstance(node, tree.Cond):
        test = condition(unit, node.when, scope)
        for holds, part in ((True, node.then), (False, node.other)):
            inner = scope.assuming(unit.narrowing.implied(test, holds))
            side = test if holds else ir.Not(test)
            yield from _drops(unit, part, inner, (*where, side), depth - 1)
    elif isinstance(node, tree.Comp) and _is_plain(node):
        first, *filters = node.clauses
        assert isinstance(first, tree.For)
        if filters:
            dropped = _dropped(unit, first, filters, scope, where)
            if dropped is not None:
                yield dropped
        yield from _drops(unit, first.source, scope, where, depth - 1)


def _is_plain(node: tree.Comp) -> bool:
    """`x for x in A if c if d`."""
    first, *filters = node.clauses
    return (
        isinstance(node.head, tree.Name)
        and isinstance(first, tree.For)
        and first.names == (node.head.id,)
        and all(isinstance(item, tree.If) for item in filters)
    )


def _dropped(
    unit: Unit, first: tree.For, filters: list[tree.Clause], scope: Scope,
    where: tuple[ir.Expr, ...],
) -> ir.Dropped | None:  # fmt: skip
    source = stream(unit, first.source, scope)
    if isinstance(source, Broken):
        return None
    element = unit.register()
    inner = scope.inner()
    inner.names[first.names[0]] = Local(Val(ir.Load(element), source.elem))
    leaves: list[ir.Condition] = []
    for item in filters:
        assert isinstance(item, tree.If)
        leaves += _conditions(unit, item.when, inner)
        test = condition(unit, item.when, inner)
        inner = inner.assuming(unit.narrowing.implied(test, True))
    return ir.Dropped(element, source.source, tuple(leaves), where)


def _function(unit: Unit, node: tree.Expr, scope: Scope) -> tuple[tree.Expr, Scope] | None:
    """What a declared function says, and the scope in which its parameters are the arguments."""
    if isinstance(node, tree.Name) and scope.find(node.id) is None:
        node = tree.Call(node.id)
    if not isinstance(node, tree.Call) or node.named or node.fn not in unit.declared_functions:
        return None
    decl = unit.declared_functions[node.fn]
    if decl.modifiable or len(decl.params) != len(node.args):
        return None
    inner = Scope()
    for param, argument in zip(decl.params, node.args, strict=True):
        value = value_of(unit, argument, scope)
        if not isinstance(value, Val):
            return None
        inner.names[param.name] = Local(value)
    return decl.body, inner


def _again(unit: Unit, make: Callable[[], tuple[_Made, ...]]) -> tuple[_Made, ...]:
    """Compile what has been compiled before; whatever is wrong with it has been said."""
    if unit.declassifies:
        return ()  # a value could tell more than the answer that the rule gives away
    said = len(unit.diagnostics.items)
    found = make()
    if len(unit.diagnostics.items) > said:
        del unit.diagnostics.items[said:]
        return ()
    return found


def _conditions(
    unit: Unit, node: tree.Expr, scope: Scope, functions: bool = True
) -> tuple[ir.Condition, ...]:
    """The leaves of `a and b and c`, each with the values it compares; those of a function that
    says `and` before its name, which says less."""
    found: list[ir.Condition] = []
    for leaf in _leaves(node):
        test = condition(unit, leaf, scope)
        body = _function(unit, leaf, scope) if functions else None
        if body is not None and isinstance(body[0], tree.Binary) and body[0].op == "and":
            found += _conditions(unit, *body, functions=False)
        found.append(ir.Condition(_short(leaf), test, tuple(_parts(unit, leaf, scope))))
        scope = scope.assuming(unit.narrowing.implied(test, True))
    return tuple(found)


def _leaves(node: tree.Expr) -> Iterator[tree.Expr]:
    if isinstance(node, tree.Binary) and node.op == "and":
        yield from _leaves(node.left)
        yield from _leaves(node.right)
    else:
        yield node


def _parts(unit: Unit, node: tree.Expr, scope: Scope) -> Iterator[ir.Part]:
    if not isinstance(node, tree.Binary) or node.op not in _COMPARISONS:
        return
    for side in (node.left, node.right):
        if isinstance(side, tree.IntLit | tree.BoolLit | tree.NoneLit | tree.Comp | tree.ListLit):
            continue
        value = value_of(unit, side, scope)
        if isinstance(value, Val) and not isinstance(value.expr, ir.Const):
            yield ir.Part(_short(side), value.expr, value.type)


def _short(node: tree.Expr) -> str:
    text = text_of(node)
    return text if len(text) <= _MOST_TEXT else f"{text[:_MOST_TEXT]}…"

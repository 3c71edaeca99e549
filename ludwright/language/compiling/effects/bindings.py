"""`let`: names for values, and where they are kept."""

from __future__ import annotations

from ludwright import program as ir
from ludwright.language import tree
from ludwright.language.compiling.code import Code
from ludwright.language.compiling.effects import local_types, procedures
from ludwright.language.compiling.expressions import presence
from ludwright.language.compiling.expressions.comprehensions import declare
from ludwright.language.compiling.expressions.type_check import (
    value_of,
)
from ludwright.language.compiling.lowering import Lowering
from ludwright.language.compiling.unit import Local, Scope
from ludwright.language.compiling.values import (
    NONE,
    Broken,
    Val,
    as_tuple_types,
    noun,
    roomy,
    storable,
    unnamed,
)


def let(lowering: Lowering, code: Code, node: tree.Let, scope: Scope) -> None:
    unit = lowering.unit
    if isinstance(node.value, tree.Call) and node.value.fn in unit.declared_procs:
        call = tree.CallProc(node.value.fn, node.value.args, node.value.named, span=node.span)
        result = procedures.call(lowering, code, call, scope)
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
        bind_names(lowering, code, node.names, result, scope, node)
        return
    value = value_of(unit, node.value, scope)
    if isinstance(value, Broken):
        for name in node.names:
            scope.names[name] = Local(Val(ir.Const(0), NONE), origin="broken")
        return
    bind_names(lowering, code, node.names, value, scope, node)


def bind_names(
    lowering: Lowering,
    code: Code,
    names_: tuple[str, ...],
    value: Val,
    scope: Scope,
    node: tree.Node,
) -> None:
    if len(names_) == 1:
        bind_local(lowering, code, names_[0], value, scope, node)
        return
    types = as_tuple_types(value.type)
    if types is None or len(types) != len(names_):
        lowering.unit.error(
            "unpack",
            node.span,
            f"{len(names_)} names for {noun(value.type)}" + (f" of {len(types)}" if types else ""),
            "write as many names as there are items",
        )
        for name in names_:
            scope.names[name] = Local(Val(ir.Const(0), NONE), origin="broken")
        return
    whole = lowering.unit.register()
    code.store(whole, value.expr, value.type)
    for index, (name, type_) in enumerate(zip(names_, types, strict=True)):
        item = Val(ir.Item(ir.Load(whole), index), type_)
        bind_local(lowering, code, name, item, scope, node)


def bind_local(
    lowering: Lowering,
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
    if name in lowering.assigned:
        stored = roomy(lowering.unit.world, stored)
    let = (id(node), name)
    stored = local_types.initial(lowering.unit, let, stored)
    known = unnamed(stored) if name in lowering.assigned else value.type
    addr = code.slot(stored, name)
    local = Local(Val(code.load(addr, stored), known), addr, stored, let=let)
    declare(lowering.unit, scope, name, local, node.span)
    stated = presence.stated(lowering.unit, value, stored) or value
    code.emit(ir.Store(addr, stated.expr, stored, site=lowering.unit.site(node.span)))
    if stored.optional and not value.type.optional and value.type.kind != "none":
        code.flow.learn(lowering.unit.narrowing.there(ir.Load(addr)))
    return addr

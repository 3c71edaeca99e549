"""Comprehensions: `head for x in A if c until d`, and the names they bind."""

from __future__ import annotations

from ludwright import program as ir
from ludwright.diagnostics import Span
from ludwright.language import tree
from ludwright.language.compiling.expressions import names
from ludwright.language.compiling.expressions.type_check import (
    condition,
    stream,
    value_of,
)
from ludwright.language.compiling.unit import Local, Scope, Unit
from ludwright.language.compiling.values import (
    BROKEN,
    NONE,
    Broken,
    Compiled,
    Seq,
    Val,
    noun,
)
from ludwright.program.types import Type


def declare_loop(
    unit: Unit, names_: tuple[str, ...], elem: Type, scope: Scope, span: Span | None
) -> tuple[int, ...] | None:
    """Registers for the loop's names: one for the element, or one for each item of a tuple."""
    if len(names_) == 1:
        reg = unit.register()
        declare(unit, scope, names_[0], Local(Val(ir.Load(reg), elem), origin="generator"), span)
        return (reg,)
    if elem.kind != "tuple" or len(elem.items) != len(names_):
        unit.error(
            "unpack",
            span,
            f"{len(names_)} names for {noun(elem)}"
            + (f" of {len(elem.items)}" if elem.kind == "tuple" else ""),
            "write as many names as there are items",
        )
        for name in names_:
            scope.names[name] = Local(Val(ir.Const(0), NONE), origin="broken")
        return None
    regs: list[int] = []
    for name, item in zip(names_, elem.items, strict=True):
        reg = unit.register()
        regs.append(reg)
        declare(unit, scope, name, Local(Val(ir.Load(reg), item), origin="generator"), span)
    return tuple(regs)


def declare(unit: Unit, scope: Scope, name: str, local: Local, span: Span | None) -> None:
    """Bind a name; one that is already taken may not be bound again (no shadowing)."""
    taken = "a local name" if scope.find(name) is not None else names.is_declared(unit, name)
    if taken is not None and name != "_":
        if name in unit.action_params:
            taken = "a parameter of an action"
        hint = f"use another name, for example `{name}2`"
        unit.error("shadowing", span, f"`{name}` is already {taken}", hint)
    scope.names[name] = local


def comprehension(unit: Unit, node: tree.Comp, scope: Scope, expect: Type | None) -> Compiled:
    inner = scope.inner()
    clauses: list[ir.Loop | ir.Filter | ir.Until] = []
    cap, loops, ascending, broken = 1, 0, False, False
    first_reg = -1
    for clause in node.clauses:
        match clause:
            case tree.For(names=names_, source=source_node):
                source = stream(unit, source_node, inner)
                if isinstance(source, Broken):
                    broken = True
                    for name in names_:
                        inner.names[name] = Local(Val(ir.Const(0), NONE), origin="broken")
                    continue
                loops += 1
                regs = declare_loop(unit, names_, source.elem, inner, clause.span)
                if regs is None:
                    broken = True
                    continue
                cap = min(cap * source.cap, 2**40)
                match source.source:  # different places, and every piece lies in one of them
                    case ir.PiecesSource(place=ir.Load(addr=addr)) if ascending:
                        cap = min(cap, unit.world.piece_count) if addr == first_reg else cap
                ascending = source.ascending and loops == 1
                first_reg = regs[0]
                clauses.append(ir.Loop(regs, source.source, unit.site(clause.span)))
                if len(regs) == 1:
                    member = unit.of_member(inner, source.source, ir.Load(regs[0]))
                    inner = inner.assuming(member)
            case tree.If(when=when):
                if not broken:
                    test = condition(unit, when, inner)
                    clauses.append(ir.Filter(test))
                    inner = inner.assuming(unit.narrowing.implied(test, True))
            case tree.Until(when=when):
                if not broken:
                    clauses.append(ir.Until(condition(unit, when, inner)))
    if broken:
        return BROKEN
    head = value_of(unit, node.head, inner)
    if isinstance(head, Broken):
        return head
    same = isinstance(head.expr, ir.Load) and head.expr.addr == first_reg
    match clauses:
        case [ir.Loop(regs=(_,), source=whole)] if same:  # `x for x in A` is A
            return Seq(whole, head.type, cap, ascending)
    if head.type.kind in ("list", "set"):
        unit.error(
            "nested-list",
            node.head.span,
            "a list cannot hold lists or sets",
            "use a tuple, or flatten it with a second `for`",
        )
        return BROKEN
    return Seq(ir.Stream(tuple(clauses), head.expr), head.type, cap, ascending and same)

"""`menu`: one of several named entries, each with statements of its own."""

from __future__ import annotations

from functools import partial

from ludwright import program as ir
from ludwright.language import tree
from ludwright.language.compiling.code import Code
from ludwright.language.compiling.effects import alternatives
from ludwright.language.compiling.effects.dispatch import block
from ludwright.language.compiling.effects.guards import Guard
from ludwright.language.compiling.effects.heads import HeadScope, decider
from ludwright.language.compiling.effects.if_none import IfNone
from ludwright.language.compiling.effects.options import bind_result
from ludwright.language.compiling.effects.sentences import question
from ludwright.language.compiling.lowering import Lowering
from ludwright.language.compiling.unit import Scope


def menu(lowering: Lowering, code: Code, node: tree.Menu, scope: Scope) -> None:
    unit = lowering.unit
    by = decider(lowering, code, node.by, scope)
    if by is None:
        return
    labels: list[ir.Label] = []
    for option in node.options:
        guard = Guard(unit)
        guard.condition(option.when, scope, f"{unit.rule}: {option.label}")
        labels.append(guard.label(option.label))
    if not labels:
        unit.error(
            "no-options",
            node.span,
            "this menu has no entries",
            "add entries under `options`: `label: { do: […] }`",
        )
        return
    bind = node.bind or "$menu"
    head = HeadScope(lowering, code, bind.lstrip("$"), "menu", by)
    site = unit.site(node.span, f"{unit.rule}: menu {bind}")
    without = IfNone(lowering, code, node.if_none)
    words = question(lowering, node.ask, scope)
    addr, type_ = alternatives.ask(
        lowering, code, bind, "menu", labels, by, site, without.target, words
    )
    if node.bind is not None:
        bind_result(lowering, scope, node.bind, addr, type_, code, node)
    was_in_move, code.in_move = code.in_move, True
    bodies = [
        partial(_entry, lowering, code, option.body, scope, label.guard)
        for option, label in zip(node.options, labels, strict=True)
    ]
    alternatives.switch(code, addr, bodies)
    code.in_move = was_in_move
    without.close(scope, ((addr, type_),))
    head.close()


def _entry(
    lowering: Lowering, code: Code, body: tree.Block, scope: Scope, guard: ir.Expr | None
) -> None:
    if guard is not None:  # nothing has changed since it was tested
        code.flow.learn(lowering.unit.narrowing.implied(guard, True))
    block(lowering, code, body, scope)

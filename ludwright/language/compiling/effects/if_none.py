"""`ifNone`: what happens where nothing can be chosen.

A choice of one, and a menu, go to its code by their `empty` target. A choice of several is tested
before: it is asked only where there are enough options. With `ifNone` a choice is never refused, so
nothing before it has to be searched.
"""

from __future__ import annotations

from collections.abc import Iterable

from ludwright import program as ir
from ludwright.diagnostics import Span
from ludwright.language import tree
from ludwright.language.compiling.code import Code
from ludwright.language.compiling.effects.dispatch import block
from ludwright.language.compiling.expressions.type_check import different
from ludwright.language.compiling.lowering import Lowering
from ludwright.language.compiling.narrowing import NOTHING, Facts
from ludwright.language.compiling.unit import Scope, Unit
from ludwright.language.compiling.values import Seq, none_of
from ludwright.program.types import Type


class IfNone:
    """The code of one `ifNone`, written behind its choice; without a body all of it is nothing."""

    def __init__(self, lowering: Lowering, code: Code, body: tree.Block | None) -> None:
        self.lowering, self.code, self.body = lowering, code, body
        self.target = None if body is None else code.label()
        # Whether the rules can go on behind the choice without an answer to it.
        last = body[-1] if body else None
        leaves = isinstance(last, tree.Fault | tree.Return | tree.Stop)
        self.goes_on = body is not None and not leaves

    def unless(self, test: ir.Expr) -> None:
        """Go to the code unless the test holds."""
        if self.target is not None:
            self.code.branch(test, self.target)

    def proves(self, choice: int) -> None:
        """A test has shown that the choice has an answer."""
        if self.target is not None:
            self.lowering.proven.add(choice)

    def close(
        self, scope: Scope, results: Iterable[tuple[int, Type]] = (), known: Facts = NOTHING
    ) -> None:
        """Write the code. It is part of the move; the results are none, or empty, there. `known`
        are facts about answers, which hold where there are none."""
        if self.target is None or self.body is None:
            return
        code = self.code
        flow = code.flow
        for addr, type_ in results:
            if type_.optional:
                flow.learn(self.lowering.unit.narrowing.there(ir.Load(addr)))
        after = code.label()
        code.jump(after)
        code.mark(self.target)
        for addr, type_ in results:
            if type_.kind in ("list", "set"):
                code.store(addr, ir.Const(() if type_.kind == "list" else 0), type_)
            elif type_.optional:
                code.store(addr, ir.Const(none_of(type_)), type_)
        flow.learn(known)
        outer, code.in_move = code.in_move, True
        block(self.lowering, code, self.body, scope)
        code.in_move = outer
        code.mark(after)


def can_pick(
    unit: Unit,
    options: Seq,
    minimum: ir.Expr | None,
    maximum: ir.Expr | None,
    repeats: bool,
    span: Span | None,
) -> ir.Expr:
    """Whether at least one, and at least the minimum, can be picked."""
    least: ir.Expr = ir.Const(1)
    if minimum is not None and minimum not in (ir.Const(0), ir.Const(1)):
        least = ir.Arith("max", ir.Const(1), minimum)
    test: ir.Expr = ir.Aggregate("exists", options.source)
    if least != ir.Const(1) and not repeats:
        held: ir.Expr = ir.Aggregate("count", options.source)
        if not options.ascending:
            held = ir.Length(different(unit, options, span).expr)
        test = ir.Compare(">=", held, least)
    if maximum is None or (
        least == ir.Const(1) and isinstance(maximum, ir.Const) and maximum.value
    ):
        return test
    return ir.And(test, ir.Compare(">=", maximum, least))

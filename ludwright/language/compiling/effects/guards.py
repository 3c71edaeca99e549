"""The guard of an alternative: what is tested before it is offered, and where each test stands."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import reduce

from ludwright import program as ir
from ludwright.diagnostics import Span
from ludwright.language import tree
from ludwright.language.compiling.explanations import explain
from ludwright.language.compiling.expressions import presence
from ludwright.language.compiling.expressions.dispatch import expression
from ludwright.language.compiling.expressions.type_check import condition, to_stream
from ludwright.language.compiling.unit import Scope, Unit
from ludwright.language.compiling.values import Broken, Val, seat_type
from ludwright.language.unparsing import text_of


@dataclass
class Guard:
    """Tests in the order of the rules; the first that fails is what a refusal names."""

    unit: Unit
    tests: list[ir.Expr] = field(default_factory=list)
    sites: list[int] = field(default_factory=list)

    def add(self, test: ir.Expr, span: Span | None, rule: str, words: str = "") -> None:
        self.tests.append(test)
        site = self.unit.site(span, rule)
        if words:
            self.unit.sites[site] = replace(self.unit.sites[site], words=words)
        self.sites.append(site)

    def actor(self, node: tree.Expr, scope: Scope, name: str, rule: str) -> None:
        """Who may do what has this name."""
        whom = text_of(node)
        self.add(is_actor(self.unit, node, scope), node.span, rule, f"`{name}` is only for {whom}")

    def condition(self, node: tree.Expr | None, scope: Scope, rule: str, words: str = "") -> None:
        """A condition of the rulebook; nothing where there is none."""
        if node is None:
            return
        outer, self.unit.rule = self.unit.rule, rule
        behind = self.behind(scope)
        self.add(condition(self.unit, node, behind), node.span, rule)
        explain(self.unit, self.sites[-1], node, behind, words)
        self.unit.rule = outer

    def behind(self, scope: Scope) -> Scope:
        """The scope of what is only tested where all tests so far hold."""
        proven = (self.unit.narrowing.implied(test, True) for test in self.tests)
        return scope.assuming(frozenset().union(*proven))

    def label(self, name: str, action: int = -1) -> ir.Label:
        guard = reduce(ir.And, self.tests) if self.tests else None
        return ir.Label(name, guard, action, tuple(self.sites))


def is_actor(unit: Unit, node: tree.Expr, scope: Scope) -> ir.Expr:
    """Whether the one who acts is the seat, or among the seats, of `actor:`."""
    compiled = expression(unit, node, scope, seat_type(unit.world))
    if isinstance(compiled, Val) and compiled.type.kind == "seat":
        return ir.Compare("==", ir.Load(ir.ACTOR), compiled.expr)
    if isinstance(compiled, Val) and compiled.type.kind == "bool":
        return presence.truth(unit, compiled)
    seats = to_stream(unit, compiled, node.span)
    if isinstance(seats, Broken):
        return ir.Const(1)
    return ir.InStream(ir.Load(ir.ACTOR), seats.source)

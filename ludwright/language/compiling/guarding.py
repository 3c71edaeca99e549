"""The guard of an alternative: what is tested before it is offered, and where each test stands."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import reduce

from ludwright.diagnostics import Span
from ludwright.kernel import program as ir
from ludwright.language import tree
from ludwright.language.compiling import narrowing
from ludwright.language.compiling.expressions import condition
from ludwright.language.compiling.unit import Scope, Unit


@dataclass
class Guard:
    """Tests in the order of the rules; the first that fails is what a refusal names."""

    unit: Unit
    tests: list[ir.Expr] = field(default_factory=list)
    sites: list[int] = field(default_factory=list)

    def add(self, test: ir.Expr, span: Span | None, rule: str) -> None:
        self.tests.append(test)
        self.sites.append(self.unit.site(span, rule))

    def condition(self, node: tree.Expr | None, scope: Scope, rule: str) -> None:
        """A condition of the rulebook; nothing where there is none."""
        if node is None:
            return
        outer, self.unit.rule = self.unit.rule, rule
        self.add(condition(self.unit, node, self.behind(scope)), node.span, rule)
        self.unit.rule = outer

    def behind(self, scope: Scope) -> Scope:
        """The scope of what is only tested where all tests so far hold."""
        proven = (narrowing.implied(self.unit, test, True) for test in self.tests)
        return scope.assuming(frozenset().union(*proven))

    def label(self, name: str, action: int = -1) -> ir.Label:
        guard = reduce(ir.And, self.tests) if self.tests else None
        return ir.Label(name, guard, action, tuple(self.sites))

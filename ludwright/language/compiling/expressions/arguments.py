"""Arguments of built-in functions: how many, which names, which types."""

from __future__ import annotations

from ludwright.language import tree
from ludwright.language.compiling.expressions.type_check import stream, typed
from ludwright.language.compiling.unit import Scope, Unit
from ludwright.language.compiling.values import BROKEN, INT, Broken, Seq, Val
from ludwright.program.types import Type
from ludwright.spelling import did_you_mean


class Arguments:
    """Checks a call once; the accessors give broken values where it did not fit."""

    def __init__(
        self,
        unit: Unit,
        node: tree.Call,
        scope: Scope,
        usage: str,
        least: int,
        most: int | None = None,
        named: tuple[str, ...] = (),
    ) -> None:
        self.unit, self.node, self.scope = unit, node, scope
        most = least if most is None else most
        self.ok = least <= len(node.args) <= most
        if not self.ok:
            unit.error(
                "arity",
                node.span,
                f"`{node.fn}` is given {len(node.args)} arguments",
                f"it is used as `{usage}`",
            )
        for name, value in node.named:
            if name not in named:
                self.ok = False
                unit.error(
                    "unknown-argument",
                    value.span or node.span,
                    f"`{node.fn}` has no argument `{name}`",
                    did_you_mean(name, named) or f"it is used as `{usage}`",
                )

    def typed(self, index: int, expect: Type) -> Val | Broken:
        if not self.ok:
            return BROKEN
        return typed(self.unit, self.node.args[index], self.scope, expect)

    def number(self, index: int) -> Val | Broken:
        return self.typed(index, INT)

    def stream(self, index: int, expect: Type | None = None) -> Seq | Broken:
        if not self.ok:
            return BROKEN
        return stream(self.unit, self.node.args[index], self.scope, expect)

    def named(self, name: str) -> tree.Expr | None:
        return dict(self.node.named).get(name)

"""Choices behind a roll or a draw that certainly have an option, in the ways a rulebook can say so."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.native.rulebooks.scope import Scope
from tests.native.rulebooks.statements import Statement, Statements


class Certain:
    def __init__(self, lists: Statements, options: Callable[[str, Scope], str]) -> None:
        self.lists = lists
        self.options = options
        self.dice = lists.dice
        self.setting = lists.setting

    def some(self, scope: Scope, depth: int) -> list[Statement]:
        ways: list[Callable[[Scope], list[Statement]]] = [
            self._range, self._condition, self._condition, self._own_condition, self._several,
            self._menu, self._way_out,
        ]  # fmt: skip
        if scope.actor:
            ways.append(self._others)
        if scope.actor and self.setting.cards and not scope.quiet:
            ways += [self._drawn, self._drawn]
        return self.dice.choice(ways)(scope)

    def _range(self, scope: Scope) -> list[Statement]:
        die, name = self.setting.fresh("die"), self.setting.fresh("$c")
        high = self.dice.choice((die, f"{die} + 1", f"max(1, noise - {die})", "1 + count(box)"))
        return [
            f"roll {die} in 1..6",
            {"chooseOne": {"bind": name, "options": f"1..{high}"}},
            f"noise += {name} % 20",
        ]

    def _asked(self, scope: Scope) -> tuple[str, str, str]:
        """A name, what it is chosen from, and a condition that there is something."""
        kind = self.dice.choice(("seat", "cell", "row", "stone"))
        domain = self.options(kind, scope)
        each = self.setting.fresh("x")
        domain = f"{each} for {each} in {domain}" if " for " not in domain else domain
        some = self.dice.choice((f"any({domain})", f"count({domain}) > 0", f"count({domain}) >= 1"))
        return self.setting.fresh("$c"), domain, some

    def _rolled(self) -> str:
        return f"roll {self.setting.fresh('die')} in 1..3"

    def _condition(self, scope: Scope) -> list[Statement]:
        """A condition around the choice, sometimes with something harmless in between."""
        name, domain, some = self._asked(scope)
        between: list[Statement] = []
        if self.dice.random() < 0.3:
            between = [self.dice.choice(("if 1 > 2 then noise += 1", "let aside = noise"))]
        then = [*between, {"chooseOne": {"bind": name, "options": domain}}, f"if {name} != none then noise += 2"]  # fmt: skip
        return [self._rolled(), {"if": {"when": some, "then": then}}]

    def _own_condition(self, scope: Scope) -> list[Statement]:
        name, domain, some = self._asked(scope)
        block: dict[str, Any] = {"bind": name, "options": domain, "if": some}
        return [self._rolled(), {"chooseOne": block}, f"if {name} != none then noise += 3"]

    def _several(self, scope: Scope) -> list[Statement]:
        name, domain, some = self._asked(scope)
        block: dict[str, Any] = {"bind": name, "options": domain, "min": 1, "max": 2, "if": some}
        return [self._rolled(), {"chooseN": block}, f"noise += count({name})"]

    def _menu(self, scope: Scope) -> list[Statement]:
        die = self.setting.fresh("die")
        options = {
            "low": {"if": f"{die} < 3", "do": ["noise += 1"]},
            "high": {"if": f"{die} >= 3", "do": ["noise += 2"]},
        }
        return [f"roll {die} in 1..6", {"menu": {"options": options}}]

    def _way_out(self, scope: Scope) -> list[Statement]:
        """A second choice that may be empty, and a menu of which one entry can always be taken."""
        first, second = self.setting.fresh("$c"), self.setting.fresh("$c")
        domain = self.options(self.dice.choice(("cell", "stone")), scope)
        menu = {"pay": [f"require noise > {self.dice.randrange(30)}", "noise += 1"], "keep": []}
        return [
            self._rolled(),
            {"chooseOne": {"bind": first, "options": "1..3"}},
            {"chooseOne": {"bind": second, "options": domain, "ifNone": "skip"}},
            {"menu": {"options": menu}},
            f"noise += {first}",
        ]

    def _others(self, scope: Scope) -> list[Statement]:
        name, each = self.setting.fresh("$c"), self.setting.fresh("x")
        block = {"bind": name, "options": f"{each} for {each} in seats if {each} != actor"}
        return [self._rolled(), {"chooseOne": block}, f"{name}.points += 1"]

    def _drawn(self, scope: Scope) -> list[Statement]:
        """Draw, then discard one."""
        name, count = self.setting.fresh("$c"), self.dice.choice((1, 1, 2))
        block = {"bind": name, "options": "hand(actor)"}
        then: list[Statement] = [
            f"draw {count} from deck to hand(actor)", {"chooseOne": block}, f"move {name} to pile",
        ]  # fmt: skip
        return [{"if": {"when": f"count(deck) >= {count}", "then": then}}]

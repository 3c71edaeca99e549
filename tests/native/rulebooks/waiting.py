"""Locals that wait while somebody is asked, and procedures that ask.

Such a local is kept in a cell. Frames of procedures that never call each other overlay, so values
of different kinds and ranges, and return addresses, come to lie in the same cells.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.native.rulebooks.scope import Scope
from tests.native.rulebooks.setting import Block
from tests.native.rulebooks.statements import Statement, Statements


class Waiting:
    def __init__(self, lists: Statements) -> None:
        self.lists = lists
        self.write = lists.write
        self.dice = lists.dice
        self.setting = lists.setting

    def local(self, scope: Scope, asked: list[Statement]) -> list[Statement]:
        """A local that is bound before something is asked and used behind it."""
        name = self.setting.fresh("w")
        value, use = self.dice.choice(self._kinds(name, scope))()
        return [f"let {name} = {value}", *asked, use]

    def _kinds(self, name: str, scope: Scope) -> list[Callable[[], tuple[str, str]]]:
        w, dice, each = self.write, self.dice, self.setting.fresh("x")
        number = w.number(scope, 0)
        large = dice.choice((1_000, 100_000, -70_000))
        ways: list[Callable[[], tuple[str, str]]] = [
            lambda: (f"{large} + {number}", f"noise += {name} % 20"),
            lambda: (f"({number}) % 5", f"noise += {name}"),
            lambda: (w.of("seat", scope, 0), f"if {name} == red then noise += 1"),
            lambda: (w.of("cell", scope, 0), f"noise += {name}.index % 20"),
            lambda: (f"({large} + {number}, {w.of('seat', scope, 0)})", f"noise += {name}[0] % 20"),
            lambda: (f"set({w.collection('cell', scope, 0)})", f"noise += count({name})"),
            lambda: (f"[{each} for {each} in {w.collection('seat', scope, 0)}]", f"noise += count({name})"),
        ]  # fmt: skip
        if self.setting.has("total") and not scope.quiet and scope.refusing:
            # out of range as often as not: a check that must not be left out
            ways.append(lambda: (f"{dice.choice((0, large))} + {number} % 9", f"total = {name}"))
        return [ways[0], *ways]

    def ask(self) -> list[Statement]:
        name = self.setting.fresh("$w")
        return [{"chooseOne": {"bind": name, "options": "1..3"}}, f"noise += {name}"]

    def procedures(self) -> Block:
        """One that asks, and some that call it with something of their own in hand."""
        if self.dice.random() < 0.5:
            return {}
        made: Block = {"ask": self.ask()}
        self.lists.procedures.append(("ask", (), ""))
        scope = Scope(refusing=not self.setting.gentle, chance=False, turning=False, procs=0)
        for number in range(self.dice.randrange(3)):
            self.setting.new_rule()
            called: list[Statement] = [self.dice.choice(list(made)) + "()"]
            body: list[Any] = self.local(scope, called)
            if self.dice.random() < 0.5:
                body = self.local(scope, body)
            made[f"ask{number}"] = [*body, *called] if self.dice.random() < 0.5 else body
            self.lists.procedures.append((f"ask{number}", (), ""))
        return made

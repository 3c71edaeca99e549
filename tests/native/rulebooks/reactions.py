"""Named rules: functions, values and modifiers, procedures, events, triggers."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from tests.native.rulebooks.scope import Scope
from tests.native.rulebooks.setting import Block
from tests.native.rulebooks.statements import Statements
from tests.native.rulebooks.waiting import Waiting

_PARAMETERS = {"int": "n", "seat": "p", "cell": "c"}
_TYPES = {"int": "0..99", "seat": "Seat", "cell": "board"}
# What a trigger may wait for; everything else is quiet and may be changed by triggers.
LOUD = (
    "round", "Seat.points", "Space.heat", "mood", "leader", "war.level", "total", "Seat.stock[Mood]",
)  # fmt: skip


class Reactions:
    def __init__(self, lists: Statements) -> None:
        self.lists = lists
        self.write = lists.write
        self.dice = lists.dice
        self.setting = lists.setting

    def functions(self) -> Block:
        """Functions call only those before them, since none may call itself."""
        made: Block = {}
        for number in range(self.dice.randrange(4)):
            kind = self.dice.choice(("int", "bool", "ints", "seats", "cells", "int"))
            params = tuple(self.dice.sample(("int", "seat", "cell"), self.dice.randrange(3)))
            scope = Scope(actor=False, public=True, refusing=False, turning=False)
            for param in params:
                scope = scope.knows(_PARAMETERS[param], param)
            name = f"rule{number}"
            if kind.endswith("s"):
                body = self.write.comprehension(kind[:-1], scope, 1)
            else:
                body = self.write.of(kind, scope, 2)
            typed = self.dice.random() < 0.3
            shown = ", ".join(_PARAMETERS[p] + (f": {_TYPES[p]}" if typed and p != "int" else "") for p in params)  # fmt: skip
            made[f"{name}({shown})" if params else name] = body
            self.write.functions.append((name, params, kind))
        if self.write.setting.has("marks") and self.dice.random() < 0.3:
            made["peak"] = "max(marks)"  # refuses where there are none, wherever it is called
            self.write.functions.append(("peak", (), "int"))
        return made

    def values(self) -> tuple[Block, list[Block]]:
        if self.dice.random() < 0.5:
            return {}, []
        scope = Scope(actor=False, public=True, refusing=False, turning=False, fns=False)
        own = scope.knows("me", "seat")
        values = {"price(me)": self.write.number(own, 1), "toll.high": self.write.number(scope, 1)}
        modifiers: list[Block] = []
        for _ in range(self.dice.randrange(1, 4)):
            change = {
                "price(who)": f"it + {self.write.number(scope.knows('who', 'seat'), 1)}",
                "toll.high": f"it * {self.dice.randrange(3)}",
            }
            keys = self.dice.sample(sorted(change), self.dice.randrange(1, 3))
            modifier: Block = {"change": {key: change[key] for key in keys}}
            if self.dice.random() < 0.7:
                modifier["while"] = self.write.condition(scope, 1)
            if self.dice.random() < 0.4:
                modifier["priority"] = self.dice.randrange(-2, 3)
            modifiers.append(modifier)
        self.write.values += [("price", ("seat",)), ("toll.high", ())]
        return values, modifiers

    def procedures(self) -> Block:
        """Procedures call only those before them. What they do can still be refused."""
        made: Block = Waiting(self.lists).procedures()
        before = len(made)
        for number in range(self.dice.randrange(3)):
            params = tuple(self.dice.sample(("int", "seat"), self.dice.randrange(3)))
            gentle = self.setting.gentle
            tight = not gentle and self.dice.random() < 0.3
            scope = Scope(
                refusing=not gentle, chance=False, sealed=not tight, turning=False,
                procs=before + number,
            )  # fmt: skip
            for param in params:
                scope = scope.knows(_PARAMETERS[param], param)
            self.setting.new_rule()
            body: list[Any] = self.lists.several(scope, 2, 2)
            returns = self.dice.choice(("", "", "", "number", "perhaps"))
            if returns:
                first = "1" if returns == "number" else "none"
                body.insert(0, f"if {self.write.condition(scope, 1)} then return {first}")
                body.append(f"return {self.write.number(scope, 1)} % 9")
            elif self.dice.random() < 0.3:
                body.append(f"if {self.write.condition(scope, 1)} then return")
                body.append("noise += 2")
            ranged = "int" in params and self.dice.random() < 0.4
            if ranged:
                params = tuple("ranged" if param == "int" else param for param in params)
            shown = ", ".join(map(self._parameter, params))
            block: Any = body
            if tight:
                key = self.dice.choice(("ensure", "best"))
                public = replace(scope, public=True, locals=())
                measure = self.dice.choice(
                    ("noise", "(noise, round)", self.write.number(public, 1))
                )
                block = {key: self.write.condition(public, 1) if key == "ensure" else measure, "do": body}  # fmt: skip
            made[f"act{number}({shown})"] = block
            self.lists.procedures.append((f"act{number}", params, returns))
        return made

    def _parameter(self, kind: str) -> str:
        """A parameter as it is declared; some numbers have a range, which calls may leave."""
        if kind == "ranged":
            return f"{_PARAMETERS['int']}: {self.dice.choice(('0..9', '-5..99', '-99..999'))}"
        return _PARAMETERS[kind]

    def events(self) -> Block:
        """Texts of cards; they are resolved by actions, and refuse nothing that cannot be refused."""
        scope = Scope(refusing=not self.setting.gentle, chance=False, turning=False)
        self.setting.new_rule()

        def texts() -> list[Any]:
            return self.lists.several(scope, 2, 2)

        def condition() -> str:
            return self.write.condition(replace(scope, public=True), 1)

        return {
            "feast": {"title": "Feast", "effects": {"if": condition(), "effects": texts()}},
            "war": {
                "unshaded": {
                    "effects": texts(),
                    "branches": {
                        "general": texts(), "minister": {"if": condition(), "effects": texts()},
                        "nobody": [],
                    },
                },
                "shaded": texts(),
            },
        }  # fmt: skip

    def triggers(self, stages: list[str], actions: list[str], phases: list[str]) -> list[Block]:
        """Triggers change only what is quiet, and refuse nothing."""
        subjects = [name for name in LOUD if self.setting.has(name)]
        made: list[Block] = []
        for _ in range(self.dice.randrange(4)):
            kind = self.dice.choice(
                ("changed", "changed", "changed", "entered", "left", "stage", "resolved", "phase", "turn")
            )  # fmt: skip
            scope = Scope(
                refusing=False, chance=self.dice.random() < 0.3, quiet=True, turning=False, procs=0
            )
            trigger: Block = {}
            self.setting.new_rule()
            if kind == "changed":
                subject = self.dice.choice(subjects)
                trigger["on"] = {"changed": subject}
                if subject == "Seat.stock[Mood]":
                    trigger["on"] = {"changed": "Seat.stock"}
                    scope = scope.knows("key", "mood").knows("new", "int")
                if subject in ("round", "Seat.points", "Space.heat", "war.level", "total"):
                    scope = scope.knows("new", "int").knows("old", "int")
                if subject.startswith("Seat."):
                    scope = scope.knows("seat", "seat")
            elif kind in ("entered", "left"):
                trigger["on"] = {kind: self.dice.choice(("board", "box", self.setting.cells[0]))}
            elif kind == "stage" and stages:
                trigger["on"] = {"stage": self.dice.choice(stages)}
            elif kind == "resolved":
                trigger["on"] = {"resolved": self.dice.choice(actions)}
            elif kind == "phase" and phases:
                trigger["on"] = {"phase": self.dice.choice(phases)}
                scope = replace(scope, actor=False, choices=False)
            else:
                trigger["on"] = "turn"
                scope = replace(scope, actor=False, choices=False)
            if kind in ("changed", "entered", "left") and self.dice.random() < 0.4:
                trigger["immediate"] = True
                # What set it off may stand where nothing more may be rolled or asked.
                scope = replace(scope, chance=False, choices=False, sealed=False)
            if self.dice.random() < 0.4:
                trigger["if"] = self.write.condition(replace(scope, public=True), 1)
            if self.dice.random() < 0.3:
                trigger["priority"] = self.dice.randrange(5)
            body = self._quiet(scope)
            if body:
                made.append({**trigger, "effects": body})
        return made

    def _quiet(self, scope: Scope) -> list[Any]:
        """Statements that set off nothing: pieces stay where they are."""
        found: list[Any] = [f"noise += {self.write.number(scope, 1)}"]
        if self.dice.random() < 0.6:
            found += self.lists._assign(scope)
        if scope.choices and self.dice.random() < 0.3:
            name = self.setting.fresh("$c")
            by = self.write.of("seat", replace(scope, public=True), 0)
            found += [
                {"chooseOne": {"bind": name, "by": by, "options": "1..3"}},
                f"noise += {name}",
            ]
        if scope.chance and self.dice.random() < 0.3:
            die = self.setting.fresh("die")
            found += [f"roll {die} in 1..3", f"noise += {die}"]
        return found

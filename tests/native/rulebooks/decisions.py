"""Statements that ask somebody to decide."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

from tests.native.rulebooks.certain import Certain
from tests.native.rulebooks.expressions import Expressions
from tests.native.rulebooks.scope import Scope
from tests.native.rulebooks.setting import Setting
from tests.native.rulebooks.statements import Statement, Statements
from tests.native.rulebooks.waiting import Waiting

KINDS = ("int", "seat", "cell", "row", "mood", "direction", "stone", "pair")


class Decisions:
    def __init__(
        self, dice: random.Random, setting: Setting, expressions: Expressions, lists: Statements
    ) -> None:
        self.dice = dice
        self.setting = setting
        self.write = expressions
        self.lists = lists
        self.actions: list[str] = []  # what an offer may name
        self.waiting = Waiting(lists)
        self.certain = Certain(lists, self.options)
        lists.choices = self.some

    def some(self, scope: Scope, depth: int) -> list[Statement]:
        ways = [
            self.one, self.one, self.many, self.many, self.many, self.each, self.menu, self.kept,
            self.walk,
        ]  # fmt: skip
        if scope.sealed:
            ways.append(self.together)
        if scope.chance:
            ways += [self.certain.some] * 3
        return self.dice.choice(ways)(scope, depth - 1)

    def options(self, kind: str, scope: Scope) -> str:
        """What can be chosen; read by everyone, so nothing hidden."""
        seen = replace(scope, public=True)
        if kind == "stone":
            return self.write.pieces("stone", seen, 1)
        if kind == "pair":
            return self.write.pairs(seen, 1)
        if kind == "int" and self.dice.random() < 0.04:  # one that no cell holds, if it is taken
            return f"[1, {self.write.number(seen, 1)} * 50021 * 50021, 2]"
        if self.dice.random() < 0.3:
            return self.write.comprehension(kind, seen, 2)
        return self.write.collection(kind, seen, 1)

    def _asked(self, block: dict[str, Any], scope: Scope) -> dict[str, Any]:
        """Who is asked, and sometimes on what condition."""
        seen = replace(scope, public=True)
        if self.dice.random() < 0.25:
            block["by"] = self.write.of("seat", seen, 0)
        if self.dice.random() < 0.2:
            block["ask"] = self.lists.sentence(scope)
        return block

    def one(self, scope: Scope, depth: int) -> list[Statement]:
        name = self.setting.fresh("$c")
        dice = self.dice
        kind = dice.choice(KINDS)
        block = self._asked({"bind": name, "options": self.options(kind, scope)}, scope)
        own = not scope.quiet and "by" not in block and scope.actor and self.setting.cards
        if own and dice.random() < 0.3:
            kind = "card"
            card = self.setting.fresh("card")
            block["options"] = f"{card} for {card} in hand(actor)"
        if kind == "pair" and not scope.refusing:  # tuples are never none, so it must be answered
            return self.one(scope, depth)
        if not scope.refusing or (kind != "pair" and dice.random() < 0.3):
            block["optional"] = True
        elif dice.random() < 0.3:
            block["ifNone"] = "fault" if kind == "pair" else self._if_none(scope)
        if kind != "pair" and dice.random() < 0.2:
            block["if"] = self.write.condition(replace(scope, public=True), 1)
        return [{"chooseOne": block}, *self._used(name, kind, scope, kind != "pair")]

    def _if_none(self, scope: Scope) -> Any:
        """What happens where nothing can be chosen."""
        if self.dice.random() < 0.2:
            return self.dice.choice(("skip", "skip", "fault"))
        return self.lists.some(replace(scope, chance=False, choices=False), 0)

    def _used(self, name: str, kind: str, scope: Scope, may_be_none: bool) -> list[Statement]:
        """Something that depends on the answer."""
        inner = scope.knows(name, kind)
        effects: dict[str, Statement] = {
            "int": f"noise += {name} % 20", "seat": f"{name}.points += 2",
            "cell": f"noise += {name}.index", "row": f"round += {name}.cost",
            "stone": f"if {name}.kind == stone then {name}.level += 1", "card": f"move {name} to pile",
            "pair": f"noise += {name}[0] % 20",
        }  # fmt: skip
        effect = effects.get(kind, f"if {name} == {name} then noise += 1")
        then: list[Statement] = [effect]
        if self.dice.random() < 0.5 and kind not in ("card", "stone"):
            then += self.lists.some(replace(inner, chance=False), 0)
        return [{"if": {"when": f"{name} != none", "then": then}}] if may_be_none else then

    def walk(self, scope: Scope, depth: int) -> list[Statement]:
        """A decision for each of the pieces in several places, which are fixed beforehand."""
        piece, place = self.setting.fresh("x"), self.setting.fresh("s")
        name, seen = self.setting.fresh("$c"), replace(scope, public=True)
        cells = self.write.collection("cell", seen, 0)
        ask = {"chooseOne": {"bind": name, "options": "0..2", "optional": True}}
        body: list[Statement] = [ask, f"if {name} != none then {piece}.level = {name}"]
        over = f"{piece} for {place} in {cells} for {piece} in {place}"
        return [{"forEach": {"bind": piece, "over": over, "limit": 2, "do": body}}]

    def many(self, scope: Scope, depth: int) -> list[Statement]:
        name, member = self.setting.fresh("$c"), self.setting.fresh("m")
        dice = self.dice
        kind = dice.choice(KINDS)
        block = self._asked({"bind": name, "options": self.options(kind, scope)}, scope)
        way = dice.choice(
            ("free", "most", "least", "exact", "all", "as many", "sequence", "repeats")
        )
        bound = f"{dice.randrange(3)} + {self.write.number(replace(scope, public=True), 0)} % 2"
        if way in ("least", "exact", "all") and not scope.refusing:
            way = "most"
        if way == "most":
            block["max"] = dice.choice((2, bound))
        elif way == "least":
            block |= {"min": dice.choice((1, bound)), "max": 3}
        elif way == "exact":
            block["n"] = dice.choice((1, 2, bound))
        elif way == "all":
            block["min"] = "all"
        elif way == "as many":
            block |= {"max": 2, "asManyAsPossible": True}
        elif way == "sequence":
            block |= {"max": dice.choice((2, 3)), "ordering": "sequence"}
        elif way == "repeats":
            block |= {"max": dice.choice((2, 3)), "repeats": True}
            if dice.random() < 0.5:
                block["ordering"] = "sequence"
        if way in ("sequence", "repeats") and scope.refusing and dice.random() < 0.5:
            block["min"] = 2
        if dice.random() < 0.3:
            block["ifNone"] = self._if_none(scope)
        if kind == "stone" and way not in ("sequence", "repeats") and dice.random() < 0.5:
            block["chooser"] = block.pop("by", "red")
            block["by"] = "class"
        return [
            {"chooseN": block},
            {"forEach": {"bind": member, "over": name, "do": self._used(member, kind, scope, False)}},
            f"noise += count({name})",
        ]  # fmt: skip

    def kept(self, scope: Scope, depth: int) -> list[Statement]:
        """Something is found out, then somebody decides, then it is used."""
        return self.waiting.local(scope, self.waiting.ask())

    def each(self, scope: Scope, depth: int) -> list[Statement]:
        name = self.setting.fresh("$c")
        kind = self.dice.choice(("int", "seat", "cell", "row"))
        block = self._asked({"bind": name, "options": self.options(kind, scope)}, scope)
        block["max"] = self.dice.choice((1, 2))
        inner = replace(scope.knows(name, kind), chance=False, choices=False)
        block["each"] = self.lists.several(inner, max(depth, 0), 2)
        if self.dice.random() < 0.3:
            block["ifNone"] = self._if_none(scope)
            block["min"] = self.dice.choice((0, 1))
        return [{"chooseN": block}]

    def menu(self, scope: Scope, depth: int) -> list[Statement]:
        inner = replace(scope, chance=False)
        entries: dict[str, Any] = {"first": self.lists.several(inner, max(depth, 0), 2)}
        entries["second"] = {
            "if": self.write.condition(replace(scope, public=True), 1),
            "do": self.lists.several(inner, max(depth, 0), 2),
        }
        entries["third"] = {}
        if self.dice.random() < 0.2:
            del entries["first"]
            entries["third"] = {"if": self.write.condition(replace(scope, public=True), 1)}
        block: dict[str, Any] = {"options": entries}
        if self.dice.random() < 0.2:
            block["ask"] = self.lists.sentence(scope)
        if "first" not in entries:
            block["ifNone"] = self._if_none(scope)
        found: list[Statement] = [{"menu": block}]
        if self.dice.random() < 0.5:
            block["bind"] = self.setting.fresh("$c")
            found.append(f"if {block['bind']} == third then noise += 1")
        return found

    def together(self, scope: Scope, depth: int) -> list[Statement]:
        name, each = self.setting.fresh("$c"), self.setting.fresh("p")
        dice, x = self.dice, self.setting.fresh("x")
        fewer = f"[{x} for {x} in 1..3 if {x} > chooser.points]"  # perhaps none at all
        options = dice.choice(
            ("0..3", "0..abs(chooser.points) % 4", "board", "1..2 + bonus", fewer)
        )
        block: dict[str, Any] = {"bind": name, "options": options, "together": True}
        asked = "seats"
        if dice.random() < 0.5:
            asked = block["by"] = dice.choice(
                ("seats", "[red, blue]", f"[{each} for {each} in seats if {each}.points < 9]")
            )
        if options in ("1..2 + bonus", fewer):  # the others always have something
            block["ifNone"] = "skip" if dice.random() < 0.8 else "fault"
        elif options != "board" and dice.random() < 0.3:
            block["optional"] = True
        if dice.random() < 0.3:
            block.pop("optional", None)
            block["max"] = 2
            return [{"chooseN": block}, f"for {each} in seats do noise += count({name}[{each}])"]
        if block.get("optional") or block.get("ifNone") == "skip":
            asked = "seats"  # who was not asked has answered none
        if options == "board":
            use = f"for {each} in {asked} do if {name}[{each}] != none then noise += {name}[{each}].index"
        else:
            use = f"for {each} in {asked} do noise += default({name}[{each}], 1)"
        return [{"chooseOne": block}, use]

    def offer(self, scope: Scope) -> list[Statement]:
        block: dict[str, Any] = {"none": ["noise += 1"]}
        if self.dice.random() < 0.4:
            block["by"] = self.write.of("seat", replace(scope, public=True), 0)
        if self.dice.random() < 0.3:
            block["actions"] = self.dice.sample(self.actions, min(2, len(self.actions)))
        if "op" in self.actions and self.dice.random() < 0.5:
            block["free"] = True
        if self.dice.random() < 0.2:
            block["ensure"] = self.write.condition(replace(scope, public=True), 1)
        seen = replace(scope, public=True)
        if self.dice.random() < 0.3:
            block["as"] = self.write.of("seat", seen, 0)
        if self.dice.random() < 0.3:
            block["within"] = self.write.collection("cell", seen, 1)
        if self.dice.random() < 0.3:
            others = [name for name in self.actions if name not in block.get("actions", ())]
            if others:
                block["pass"] = self.dice.choice(others)
        if self.dice.random() < 0.3:
            block["then"] = ["noise += 2"]
        if "pass" in block and random.Random(f"{block}").random() < 0.3:
            block["always"] = True
        if "pass" in block and len(self.actions) > 1:
            return [{"react": self.reaction(block)}]
        return [{"offer": block}]

    def reaction(self, offer: dict[str, Any]) -> dict[str, Any]:
        """The same actions for other seats, some of which have declined in advance.

        What it is like follows from the names of the actions, so that it takes no throws.
        """
        kept = ("actions", "pass", "then")
        block: dict[str, Any] = {key: offer[key] for key in kept if key in offer}
        own = random.Random(f"{offer}")
        if "actions" not in block:
            block["actions"] = [own.choice([x for x in self.actions if x != block["pass"]])]
        others = [name for name in self.actions if name not in (*block["actions"], block["pass"])]
        if others and own.random() < 0.5:
            block["pass"] = [block["pass"], own.choice(others)]
        if own.random() < 0.6:
            block["unless"] = own.choice(
                ("it == active", "it == red and noise > 3", "noise % 2 == 0")
            )
        if own.random() < 0.5:
            block["first"] = True
        if own.random() < 0.3:
            block["always"] = True
        return block

"""Statements, as lines of text or as blocks, and lists of them."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from tests.native.rulebooks.expressions import Expressions
from tests.native.rulebooks.scope import Scope
from tests.native.rulebooks.setting import MOODS, SUPPORT, Setting

Statement = str | dict[str, Any]
Way = Callable[[], list[Statement]]


class Statements:
    """Writes lists of statements; decisions come from `decisions`, which knows this writer."""

    def __init__(self, dice: random.Random, setting: Setting, expressions: Expressions) -> None:
        self.dice = dice
        self.setting = setting
        self.write = expressions
        # name, parameters, and whether a number is returned: "", "number", or "perhaps" one
        self.procedures: list[tuple[str, tuple[str, ...], str]] = []
        self.choices: Callable[[Scope, int], list[Statement]] = lambda scope, depth: []
        self.loud: set[str] = set()  # variables that set off triggers

    def several(self, scope: Scope, depth: int, most: int = 3) -> list[Statement]:
        """A list of statements. What rolls dice comes last, since nothing may be refused then."""
        found: list[Statement] = []
        chance = scope.chance and self.dice.random() < 0.3
        before = replace(scope, chance=False)
        for _ in range(self.dice.randrange(1, most + 1)):
            found += self.some(before, depth)
        if chance:
            after = replace(scope, refusing=False)
            found += self._chance(after)
            if self.dice.random() < 0.6:
                found += self.some(after, depth)
        return found

    def some(self, scope: Scope, depth: int) -> list[Statement]:
        """One thing that happens; sometimes it takes more than one statement to say it."""
        ways: list[Way] = [self._bound(way, scope) for way in self._simple(scope)]
        if depth > 0:
            ways += [self._bound(way, scope) for way in self._branching(scope, depth)]
            if scope.choices:
                ways += [lambda: self.choices(scope, depth)] * 12
        return self.dice.choice(ways)()

    def _bound(self, way: Callable[[Scope], list[Statement]], scope: Scope) -> Way:
        return lambda: way(scope)

    def _simple(self, scope: Scope) -> list[Callable[[Scope], list[Statement]]]:
        s = self.setting
        ways: list[Callable[[Scope], list[Statement]]] = [self._assign, self._assign, self._assign, self._place, self._move, self._remove, self._let, self._say]  # fmt: skip
        if s.cards:
            ways += [self._cards, self._cards, self._reveal]
        if s.markers and not (s.checked and not scope.refusing):
            ways.append(self._marker)
        if s.history:
            ways.append(self._history)
        if scope.refusing:
            ways.append(self._require)
        if scope.chance:
            ways.append(self._chance)
        if self.procedures[: scope.procs] and not scope.quiet:
            ways += [self._procedure] * 2
        return ways

    # -------------------------------------------------------- assignments

    def _assign(self, scope: Scope) -> list[Statement]:
        s, dice, w = self.setting, self.dice, self.write
        changeable = [name for name, _ in scope.assigned]
        if changeable and dice.random() < 0.3:
            return [f"{dice.choice(changeable)} += {w.number(scope, 0)}"]
        seat, cell = w.of("seat", scope, 1), w.of("cell", scope, 1)
        each = s.fresh("x")
        number = w.number(scope, 2)
        small = f"({number}) % 10"
        # Now and then a number that the items of a list or tuple may not take.
        wide = dice.choice((small, small, small, number, f"({number}) * 50021 * 50021"))
        ways: list[tuple[str, Callable[[], str]]] = [
            ("round", lambda: f"round += {w.number(scope, 1)}"),
            ("noise", lambda: f"noise += {number}"),
            ("noise", lambda: f"noise -= {w.number(scope, 1)}"),
            ("total", lambda: f"total = ({number}) % 300"),
            ("total", lambda: f"total = {w.number(scope, 0)}"),
            ("purse", lambda: f"purse {dice.choice(('+=', '-='))} {dice.randrange(1, 4)}"),
            ("Seat.points", lambda: f"{seat}.points += {number}"),
            ("Seat.points", lambda: f"{seat}.points = {number}"),
            ("Seat.coins", lambda: f"{seat}.coins -= {dice.randrange(1, 3)}"),
            ("Space.heat", lambda: f"{w.of('space', scope, 1)}.heat += 1"),
            ("war.level", lambda: f"war.level = {number}"),
            ("noise", lambda: "swap noise with round"),
            ("noise", lambda: f"if {w.condition(scope, 1)} then noise += 1 else noise += 2"),
            ("Seat.points", lambda: f"swap red.points with {seat}.points"),
            ("Seat.stock[Mood]", lambda: f"{seat}.stock[{w.mood(scope, 1)}] += {number}"),
            ("Seat.Space.grip", lambda: f"{seat}.grip[{w.of('space', scope, 1)}] = {number}"),
            ("tally[1..3]", lambda: f"tally[{number} % 3 + 1] -= 1"),
            ("tally[1..3]", lambda: f"tally[{dice.randrange(1, 4)}] += {number}"),
            ("board.yield", lambda: f"{cell}.yield = {number}"),
            ("ready", lambda: f"ready = {w.condition(scope, 2)}"),
            ("Seat.done", lambda: f"{seat}.done = {w.condition(scope, 1)}"),
            ("mood", lambda: f"mood = {dice.choice(MOODS)}"),
            ("mood", lambda: f"mood = {w.mood(scope, 1)}"),
            ("hint", lambda: "hint = odd"),
            ("leader", lambda: f"leader = {seat}"),
            ("rival", lambda: f"rival = {w.maybe('seat', scope, 1)}"),
            ("rival", lambda: "rival = none"),
            ("spot", lambda: f"spot = {dice.choice((cell, cell, cell, w.of('space', scope, 1)))}"),
            ("mark", lambda: f"mark = {w.maybe('cell', scope, 1)}"),
            ("anywhere", lambda: f"anywhere = {w.of('space', scope, 1)}"),
            ("heading", lambda: f"heading = {w.direction(scope, 1)}"),
            ("bid", lambda: f"bid = {dice.choice((small, 'none'))}"),
            ("bid", lambda: "if bid != none and bid < 9 then bid += 1"),
            ("bid", lambda: f"bid = default(bid, {dice.randrange(10)})"),
            ("doubt", lambda: f"doubt = {dice.choice(('none', 'true', w.condition(scope, 1)))}"),
            ("pet", lambda: f"pet = {w.maybe('stone', scope, 1)}"),
            ("thing", lambda: f"thing = {w.maybe('stone', scope, 1)}"),
            ("lore", lambda: f"lore = {w.row(scope, 1)}"),
            ("free", lambda: f"free = free {dice.choice('+-')} [1, {dice.randrange(1, 6)}]"),
            ("free", lambda: f"free = [{each} for {each} in free if {each} > 1]"),
            ("out", lambda: f"out = set({w.collection('seat', scope, 1)})"),
            ("held", lambda: f"held = held {dice.choice('+-')} [{cell}]"),
            ("held", lambda: f"held = set({w.collection('cell', scope, 2)})"),
            ("large", lambda: f"large = large + [{small} * 10, 70]"),
            ("queue", lambda: f"queue = [{each} for {each} in {w.collection('seat', scope, 0)} if {each} != {seat}]"),
            ("marks", lambda: f"marks = [{small}, {wide}]"),
            ("marks", lambda: "marks = rest(marks)"),
            ("marks", lambda: f"marks = {'marks + [7]' if scope.refusing else '[7]'}"),
            ("pairs", lambda: f"pairs = {'sort(pairs + [(1, red)])' if scope.refusing else 'rest(pairs)'}"),
            ("total", lambda: f"total += {number}" if dice.random() < 0.3 else "total += 1"),
            ("best", lambda: f"best = (({number}) % 100, {seat})"),
            ("best", lambda: f"best = ({wide}, {seat})"),
            ("pairs", lambda: f"pairs = [({wide}, {each}) for {each} in seats]"),
            ("Seat.friends", lambda: f"{seat}.friends = {seat}.friends + [{w.of('seat', scope, 0)}]"),
            ("Space.holder", lambda: f"{cell}.holder = {seat}"),
            ("secret", lambda: f"{seat}.secret = {small}"),
            ("omen", lambda: f"omen = {small}"),
            ("clock", lambda: "clock += 1"),
        ]  # fmt: skip
        allowed = [
            text for name, text in ways
            if s.has(name)
            and not (scope.quiet and name in self.loud)
            and (scope.refusing or name not in s.refusing)
        ]  # fmt: skip
        return [dice.choice(allowed)()]

    def _let(self, scope: Scope) -> list[Statement]:
        dice, w = self.dice, self.write
        name, other = self.setting.fresh("v"), self.setting.fresh("v")
        if dice.random() < 0.4:
            return self._wider(scope, name)
        if dice.random() < 0.4:
            found: list[Statement] = [f"let {name}, {other} = {w.pair(scope, 1)}"]
            return [*found, f"noise += {name} % 10", f"{other}.points += 1"]
        inner = scope.knows(name, "int")
        found = [f"let {name} = {w.number(scope, 2)}"]
        if dice.random() < 0.5:
            found.append(f"{name} += {w.number(inner, 1)}")
        body = replace(inner, choices=False)
        return [{"do": [*found, *self.some(body, 0)]}] if dice.random() < 0.3 else [*found, *self.some(body, 0)]  # fmt: skip

    def _wider(self, scope: Scope, name: str) -> list[Statement]:
        """A local that becomes longer, or none, than it was at first."""
        dice, w, each = self.dice, self.write, self.setting.fresh("x")
        cell, kind = w.of("cell", scope, 1), dice.choice(("int", "seat", "row"))
        when = w.condition(scope, 1)
        ways: list[Sequence[Statement]] = [
            [f"let {name} = [{w.of(kind, scope, 0)}]", f"{name} = {w.collection(kind, scope, 1)}"],
            [f"let {name} = []", f"if {when} then {name} = [{each} for {each} in 1..3]"],
            [f"let {name} = [{cell}]", f"{name} = [{each} for {each} in {name} if {when}] + [{w.cell(scope, 0)}]"],
        ]  # fmt: skip
        if dice.random() < 0.6:
            return [*dice.choice(ways), f"noise += count({name})"]
        ways = [
            [f"let {name} = {cell}", f"if {when} then {name} = {w.maybe('cell', scope, 1)}"],
            [f"let {name} = none", f"if {when} then {name} = {cell}"],
        ]
        return [*dice.choice(ways), f"if {name} != none then noise += {name}.index"]

    # ------------------------------------------------------------- pieces

    def _place(self, scope: Scope) -> list[Statement]:
        s, dice, w = self.setting, self.dice, self.write
        seat, cell = w.of("seat", scope, 1), w.of("cell", scope, 1)
        number = dice.choice(("", "", "2 "))
        extra = dice.choice(("", "", f" with tired={w.condition(scope, 0)}", " with level=2"))
        to = cell if dice.random() < 0.8 else "box"
        line = f"place {number}stone of {seat} at {to}{extra}"
        each = s.fresh("x")
        used = f"count({each} for {each} in stone if {each}.place != none)"
        if not scope.refusing:
            if s.supply or (s.tight and to == cell):
                return self._assign(scope)
            return [f"if {used} < {len(s.cells) - 2} then {line}"]
        if not s.supply:
            return [f"if {used} < {len(s.cells) - 2} then {line}"]
        return [line]

    def _move(self, scope: Scope) -> list[Statement]:
        s, dice, w = self.setting, self.dice, self.write
        cell, other = w.of("cell", scope, 1), w.of("cell", scope, 0)
        seat = w.of("seat", scope, 0)
        to = "box" if s.tight and not scope.refusing else dice.choice((other, "box", "box"))
        name = self.setting.fresh("v")
        ways: list[Callable[[], Sequence[Statement]]] = [
            lambda: [f"if {cell}.piece != none then move {cell}.piece to {to}"],
            lambda: [f"move all of [{name} for {name} in {cell} if {name}.owner == {seat}] to {to}"],
            lambda: [f"move all of {cell} to {to}"],
            lambda: [f"move all of {cell} to {s.shelf(dice)}"],
            lambda: [f"move up to 2 stone with level={dice.randrange(3)} from {cell} to box"],
            lambda: [f"move all stone of {seat} from {cell} to {to}"],
            lambda: [f"remove up to {dice.randrange(3)} stone of {seat} from {cell}"],
            lambda: ["if count(tales) > 1 then swap tales[0] with tales[1]", "reverse tales"],
            lambda: [f"swap box with {s.shelf(dice)}"],
            lambda: [
                f"if {cell}.piece != none and {other}.piece != none then swap {cell}.piece with {other}.piece"
            ],
            lambda: [f"for {name} in {s.shelf(dice)} do {name}.level += 1"],
            lambda: [f"for {name} in {cell} do if {name}.kind == stone then {name}.level += 1"],
            lambda: [f"for {name} in {cell} do if {name}.level != none then {name}.level += 1"],
            lambda: [f"for {name} in {w.pieces('stone', scope, 0)} do {name}.tired = {w.condition(scope, 0)}"],
            lambda: ["if any(tales) then move tales[0] to tales at bottom"],
            lambda: ["if any(tales) then move top(tales) to tales at top"],
            lambda: ["if any(tales) then move tales[0] to chest"],
            lambda: ["move all of chest to tales"],
            lambda: [f"move all of {cell} to tales at {dice.choice(('top', 'bottom'))}"],
        ]  # fmt: skip
        if scope.refusing:
            ways += [
                lambda: [f"move 1 stone of {seat} from {cell} to {to}"],
                lambda: [f"move 1 stone from {cell} to {to}"],
                lambda: [f"move 1 stone with tired={w.condition(scope, 0)} from {cell} to {to}"],
                lambda: [f"remove 1 stone of {seat} from {cell}"],
                lambda: [f"swap {cell} with {other}"],
                lambda: [f"require {cell}.piece != none", f"move {cell}.piece from {cell} to {other}"],
            ]  # fmt: skip
        if not s.tight or scope.refusing:
            step = {"moveTokenAdjacent": {"token": f"{cell}.piece", "from": cell, "direction": w.direction(scope, 0)}}  # fmt: skip
            able = f"{cell}.piece != none and step({cell}, {step['moveTokenAdjacent']['direction']}) != none"  # fmt: skip
            ways += [lambda: [{"if": {"when": able, "then": [step]}}]]
        return [*dice.choice(ways)()]

    def _remove(self, scope: Scope) -> list[Statement]:
        cell, each = self.write.of("cell", scope, 1), self.setting.fresh("x")
        ways: tuple[str, ...] = (
            f"if {cell}.piece != none then remove {cell}.piece",
            f"remove all of {cell}", "remove all of box",
            f"remove all of [{each} for {each} in {cell} if {each}.tired]",
        )  # fmt: skip
        if self.dice.random() < 0.04:
            ways = (f"remove {cell}.piece",)
        return [self.dice.choice(ways)]

    def _cards(self, scope: Scope) -> list[Statement]:
        dice, w = self.dice, self.write
        seat, card = w.of("seat", scope, 1), self.setting.fresh("card")
        ways: list[Statement] = [
            "if any(pile) then move pile[0] to show",
            "if any(pile) then move top(pile) to pile at bottom",
            f"move all of hand({seat}) to pile",
            "move all of pile to under",
            f"move all of pile to under at {dice.choice(('top', 'bottom'))}",
            f"move all of hand({seat}) to {dice.choice(('pile at top', 'deck at random'))}",
            "if any(pile) then pile[0].worn = true",
            f"if any(pile) then move pile[0] to under at {dice.choice(('top', 'bottom'))}",
            f"if any(pile) then move pile[0] to hand({seat})",
            f"if any(hand({seat})) then move first({card} for {card} in hand({seat})) to pile",
            f"for {card} in hand({seat}) if {card}.rank == {dice.randrange(1, 4)} do noise += 1",
        ]
        if scope.chance:
            ways += self._card_chances(seat)
        return [dice.choice(ways)]

    def _card_chances(self, seat: str) -> list[Statement]:
        origin = self.dice.choice(("deck", "deck", "under", "pile"))
        return [
            f"draw up to {self.dice.randrange(1, 4)} from {origin} to hand({seat})",
            f"draw up to 2 from {origin} to pile",
            f"shuffle {self.dice.choice(('deck', 'under', 'pile', 'show'))}",
            f"if count({origin}) > 1 then draw 1 from {origin} to pile",
            "if any(pile) then move pile[0] to deck at random",
            "move all of pile to deck at random",
            "if any(pile) then move pile[0] to show at random",
        ]

    def _reveal(self, scope: Scope) -> list[Statement]:
        w = self.write
        seat, other, card = (
            w.of("seat", scope, 0),
            w.of("seat", scope, 0),
            self.setting.fresh("card"),
        )
        if not scope.sealed:
            return self._assign(scope)
        return [self.dice.choice((
            f"reveal hand({seat})", f"reveal hand({seat}) to {other}",
            f"if any(hand({seat})) then reveal hand({seat})[0] to [{other}, red]",
            f"conceal hand({seat})", f"conceal hand({seat}) from {other}",
            f"reveal [{card} for {card} in hand({seat}) if {card}.rank > 1]",
        ))]  # fmt: skip

    def _marker(self, scope: Scope) -> list[Statement]:
        cell = self.write.of("cell", scope, 1)
        return [self.dice.choice((
            f"shift {cell}.support by {self.dice.choice((-1, 1, 2))}",
            f"{cell}.support = {self.dice.choice(SUPPORT)}",
            f"shift tension by {self.write.number(scope, 0)}", "tension = warm",
        ))]  # fmt: skip

    def _history(self, scope: Scope) -> list[Statement]:
        if self.setting.full and not scope.refusing:
            return ["clear seen"]
        return [self.dice.choice(("record seen", "record seen", "clear seen"))]

    def _require(self, scope: Scope) -> list[Statement]:
        # Often enough true that something is left to do.
        words = self.dice.choice(("", "", ' else "not now"'))
        test = f"{self.write.condition(scope, 1)} or {self.write.condition(scope, 1)}"
        return [f"require {test}{words}"]

    # -------------------------------------------------------------- words

    def sentence(self, scope: Scope) -> str:
        """Words and values, some of which cannot always be computed."""
        seen = replace(scope, public=True)
        values = [self._told(seen) for _ in range(self.dice.randrange(3))]
        return " and ".join(["now", *(f"{{{value}}}" for value in values)])

    def _told(self, seen: Scope) -> str:
        w, dice = self.write, self.dice
        ways: list[Callable[[], str]] = [
            lambda: w.number(seen, 2),
            lambda: f"{w.number(seen, 1)} // {w.number(seen, 0)}",
            lambda: w.of(dice.choice(("seat", "cell", "row")), seen, 1),
            lambda: w.maybe(dice.choice(("cell", "stone")), seen, 1),
            lambda: w.collection(dice.choice(("seat", "cell", "int")), seen, 1),
            lambda: f"set({w.collection('seat', seen, 0)})",
            lambda: w.pieces("stone", seen, 0),
            lambda: w.condition(seen, 1),
            lambda: w.pair(seen, 0),
        ]
        return dice.choice(ways)()

    def _say(self, scope: Scope) -> list[Statement]:
        w, dice, text = self.write, self.dice, self.sentence(scope)
        seen = replace(scope, public=True)
        seat = w.of("seat", seen, 0)
        return [dice.choice((
            f'say "{text}"', f'say "{text}" to {seat}', f'say "{text}" if {w.condition(seen, 1)}',
            f'if {w.condition(seen, 1)} then say "{text}" to [{seat}, red]',
            {"say": {"text": text, "to": seat, "if": w.condition(seen, 1)}},
        ))]  # fmt: skip

    # ------------------------------------------------------------- chance

    def _chance(self, scope: Scope) -> list[Statement]:
        s, dice, w = self.setting, self.dice, self.write
        name, each = self.setting.fresh("die"), self.setting.fresh("x")
        ways: list[Callable[[], Sequence[Statement]]] = [
            lambda: [f"roll {name} in 1..6", f"noise += {name}"],
            lambda: [f"roll {name} in [{each} for {each} in seats]", f"{name}.points += 1"],
            lambda: [f"roll round in [{dice.randrange(9)}, 20, 30]"],
            lambda: [f"roll {name} in board", {"if": {"when": f"{name}.piece == none", "then": ["noise += 3"]}}],
            lambda: [{"rollRandom": {"bind": name, "min": 1, "max": 3, "in": [f"round += {name}"]}}],
            lambda: [f"for {each} in 1..2 do roll {w.of('seat', scope, 0)}.points in 1..3"],
        ]  # fmt: skip
        if s.has("secret"):
            ways.append(lambda: [f"roll {w.of('seat', scope, 0)}.secret in 0..3"])
            ways.append(lambda: ["roll omen in 1..4"])
        if s.cards:
            seat = w.of("seat", scope, 0)
            ways += [lambda: [dice.choice(self._card_chances(seat))]] * 3
        ways.append(lambda: [f"draw up to 1 from box to {w.of('cell', scope, 0)}"] if not s.tight else [f"roll {name} in seats"])  # fmt: skip
        if s.has("best") and not scope.quiet:
            ways.append(lambda: [f"roll best in [(1, red), ({w.number(scope, 0)} % 9, blue)]"])
        return [*dice.choice(ways)()]

    # -------------------------------------------------- branches and loops

    def _branching(self, scope: Scope, depth: int) -> list[Callable[[Scope], list[Statement]]]:
        calm = replace(scope, chance=False)
        return [
            lambda _: self._if(calm, depth - 1),
            lambda _: self._if(calm, depth - 1),
            lambda _: self._for(calm, depth - 1),
            lambda _: self._for(calm, depth - 1),
            lambda _: self._repeat(calm, depth - 1),
            lambda _: self._with(calm, depth - 1),
        ]

    def _if(self, scope: Scope, depth: int) -> list[Statement]:
        when = self.write.condition(scope, 2)
        block: dict[str, Any] = {"when": when, "then": self.several(scope, depth, 2)}
        if self.dice.random() < 0.5:
            block["else"] = self.several(scope, depth, 2)
        return [{"if": block}]

    def _for(self, scope: Scope, depth: int) -> list[Statement]:
        dice, w = self.dice, self.write
        name = self.setting.fresh("x")
        kind = dice.choice(("int", "seat", "cell"))
        inner = replace(scope.knows(name, kind), loop=True)
        over = (
            w.comprehension(kind, scope, 1) if dice.random() < 0.2 else w.collection(kind, scope, 1)
        )
        block: dict[str, Any] = {"bind": name, "over": over, "limit": dice.randrange(1, 4)}
        if dice.random() < 0.2:
            pair = self.setting.fresh("y")
            block["bind"] = f"{name}, {pair}"
            block["over"] = w.pairs(scope, 1)
            inner = replace(scope.knows(name, "int").knows(pair, "seat"), loop=True)
        if dice.random() < 0.4:
            block["index"] = self.setting.fresh("nth")
            inner = inner.knows(block["index"], "int")
        block["do"] = self.several(inner, depth, 2)
        if dice.random() < 0.2:
            block["do"].append(f"if {w.condition(inner, 1)} then stop")
        if dice.random() < 0.25:
            passes = self.setting.fresh("n")
            block |= {"countBind": passes, "in": [f"noise += {passes}"]}
        return [{"forEach": block}]

    def _repeat(self, scope: Scope, depth: int) -> list[Statement]:
        w = self.write
        counter = self.setting.fresh("n")
        inner = replace(scope.knows(counter, "int"), loop=True)
        body = [f"{counter} += 1", *self.several(inner, depth, 2)]
        if self.dice.random() < 0.3:
            body.append(f"if {w.condition(inner, 1)} then stop")
        most = self.dice.choice((3, 3, 3, 2))  # two are sometimes too few, which is a fault
        when = f"{counter} < {self.dice.randrange(1, 3) if most == 3 else 2} and {w.condition(scope, 1)}"
        if self.dice.random() < 0.04:
            when = f"{counter} < 9"
        return [f"let {counter} = 0", {"repeat": {"while": when, "max": most, "do": body}}]

    def _with(self, scope: Scope, depth: int) -> list[Statement]:
        possible = [name for name in ("ready", "mood", "war.level") if self.setting.has(name)]
        possible = [name for name in possible if name not in self.loud]
        if not possible:
            return self._if(scope, depth)
        name = self.dice.choice(possible)
        value = {"ready": "false", "mood": "wild", "war.level": "4"}[name]
        inner = replace(scope, turning=False)
        return [{"with": {"set": [f"{name} = {value}"], "do": self.several(inner, depth, 2)}}]

    def _procedure(self, scope: Scope) -> list[Statement]:
        dice, w = self.dice, self.write
        known = self.procedures[: scope.procs]
        name, params, returns = dice.choice(known)
        gentle = self.setting.gentle  # then no procedure refuses
        if not (scope.refusing or gentle) or not scope.choices or not scope.actor:
            return self._assign(scope)
        args = [self.argument(kind, scope) for kind in params]
        if dice.random() < 0.3:
            args.append(f"by={w.of('seat', scope, 0)}")
        call = f"{name}({', '.join(args)})"
        if not returns or dice.random() < 0.3:
            return [call]
        local = self.setting.fresh("v")
        number = local if returns == "number" else f"default({local}, 2)"
        return [f"let {local} = {call}", f"noise += {number}"]

    def argument(self, kind: str, scope: Scope) -> str:
        """A value for a parameter; no constant where one could be told to be out of range."""
        if kind == "ranged":
            return f"{self.write.of('int', scope, 1)} + noise % 4"
        return self.write.of(kind, scope, 1)

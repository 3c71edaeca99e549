"""Expressions of a wanted kind, as text.

Kinds: int, bool, seat, cell (a space of the board), space, place, stone, card, tale (pieces), row,
mood, direction. A collection has one of these kinds too. `maybe` gives a value or `none`.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from functools import partial

from tests.native.rulebooks.scope import Scope
from tests.native.rulebooks.setting import MOODS, SUITS, SUPPORT, TALES, Setting

Way = Callable[[], str]
COMPARISONS = ("==", "!=", "<", "<=", ">", ">=")


def _named(names: Iterable[str]) -> list[Way]:
    return [partial(str, name) for name in names]


class Expressions:
    def __init__(self, dice: random.Random, setting: Setting) -> None:
        self.dice = dice
        self.setting = setting
        self.functions: list[tuple[str, tuple[str, ...], str]] = []  # name, parameters, kind
        self.values: list[tuple[str, tuple[str, ...]]] = []

    def _pick(self, ways: list[Way]) -> str:
        return self.dice.choice(ways)()

    def of(self, kind: str, scope: Scope, depth: int) -> str:
        """One value, never `none`."""
        known = scope.of(kind)
        if known and self.dice.random() < 0.35:
            return self.dice.choice(known)
        make: dict[str, Callable[[Scope, int], str]] = {
            "int": self.number, "bool": self.condition, "seat": self.seat, "cell": self.cell,
            "space": self.space, "place": self.place, "row": self.row, "mood": self.mood,
            "direction": self.direction, "pair": self.pair,
        }  # fmt: skip
        return make[kind](scope, depth)

    # ------------------------------------------------------------ numbers

    def number(self, scope: Scope, depth: int) -> str:
        d, s, dice = depth - 1, self.setting, self.dice
        ways: list[Way] = [lambda: str(dice.randrange(6)), lambda: "bonus", lambda: "round"]
        ways += _named(n for n in ("total", "purse", "noise", "war.level") if s.has(n))
        if depth <= 0:
            return self._pick(ways)
        ways = [
            lambda: self.number(scope, 0),
            lambda: f"{self.of('seat', scope, d)}.points",
            lambda: f"({self.number(scope, d)} {dice.choice('+-')} {self.number(scope, d)})",
            lambda: f"({self.number(scope, d)} * {dice.randrange(4)})",
            lambda: f"({self.number(scope, d)} {dice.choice(('//', '%'))} {dice.randrange(1, 5)})",
            lambda: f"(-{self.number(scope, d)})",
            lambda: f"abs({self.number(scope, d)})",
            lambda: f"{dice.choice(('min', 'max'))}({self.number(scope, d)}, {self.number(scope, d)})",
            lambda: f"({self.number(scope, d)} if {self.condition(scope, d)} else {self.number(scope, d)})",
            lambda: f"count({self.any_collection(scope, d)})",
            lambda: f"sum({self.comprehension('int', scope, d)})",
            lambda: self._extremum(scope, d),
            lambda: f"{self.of('cell', scope, d)}.{dice.choice(('index', 'column', 'row', 'worth'))}",
            lambda: f"{dice.choice(('row', 'rank', 'column', 'file'))}({self.of('cell', scope, d)})",
            lambda: f"{self.place(scope, d)}.count",
            lambda: f"distance({self.cell(scope, d)}, {self.cell(scope, d)})",
            lambda: f"default(reachCost({self.cell(scope, d)}, {self._ways(self.cell(scope, 0), scope, d)}), {dice.randrange(9)})",
            lambda: self._trail(scope),
            lambda: f"{self.row(scope, d)}.cost",
            lambda: f"worth[{self.of('seat', scope, d)}]",
            lambda: f"chart[{dice.randrange(3)}].{dice.choice(('small', 'big'))}",
            lambda: f"chart[{self.number(scope, d)} % 3].big",
            lambda: f"chart[{self.number(scope, d)} % 3][{dice.randrange(2)}]",
            lambda: f"chart[{dice.randrange(3)}][{self.number(scope, d)} % 2]",
            lambda: f"default({self.maybe('int', scope, d)}, {self.number(scope, 0)})",
            lambda: f"count({self.row(scope, d)}.tags)",
            lambda: f"{self.pair(scope, d)}[0]",
            lambda: f"max({self.pairs(scope, d)}, default=(0, red))[0]",
            lambda: self._from_groups(scope, d),
            lambda: self._from_combos(scope, d),
            lambda: self._from_afar(scope, d),
            lambda: "turn",
            lambda: self._where(scope, d),
            lambda: f"count({self.collection('seat', scope, d)} + set())",
            lambda: self._daring(scope, d),
            lambda: self._tested(scope, d),
            lambda: self._tested_members(scope, d),
        ]  # fmt: skip
        if s.blocks["seats"] != list(s.seats):
            ways.append(lambda: f"{self.of('seat', scope, d)}.home")
        if s.has("Space.heat"):
            ways.append(lambda: f"{self.of('space', scope, d)}.heat")
        if s.has("Seat.coins"):
            ways.append(lambda: f"{self.of('seat', scope, d)}.coins")
        if s.has("Seat.stock[Mood]"):
            ways.append(lambda: f"{self.of('seat', scope, d)}.stock[{self.mood(scope, d)}]")
        if s.has("Seat.Space.grip"):
            ways.append(lambda: f"{self.of('seat', scope, d)}.grip[{self.of('space', scope, d)}]")
        if s.has("tally[1..3]"):
            ways.append(lambda: f"tally[{self.number(scope, d)} % 3 + 1]")
            ways.append(lambda: f"tally[{dice.randrange(1, 4)}]")
        if s.has("board.yield"):
            ways.append(lambda: f"{dice.choice(s.cells)}.yield")
            ways.append(lambda: f"default({self.of('space', scope, d)}.yield, 0)")
        if s.has("marks"):
            ways.append(lambda: "(marks[0] if count(marks) > 0 else 1)")
            ways.append(
                lambda: f"marks[{self.number(scope, 0)}]" if dice.random() < 0.1 else "count(marks)"
            )
        if s.history:
            ways += [lambda: "times(seen)"] * 2
        if s.has("secret"):
            ways.append(lambda: f"declassify({self.of('seat', scope, d)}.secret)")
            ways.append(lambda: "clock")
            if not scope.public:
                ways += [lambda: "omen", lambda: f"{self.of('seat', scope, d)}.secret"]
        if s.cards:
            card = self.setting.fresh("card")
            ways.append(lambda: f"sum({card}.rank for {card} in {self.pieces('card', scope, d)})")
        ways += self._calls("int", scope, d)
        if self.values and scope.fns:
            ways += [lambda: self._value(scope, d)] * 3
        return self._pick(ways)

    def _trail(self, scope: Scope) -> str:
        """Over few links: the number of trails doubles with each, up to the limit of work."""
        links = f"[link for link in {self.collection('cell', scope, 0)} if link.index < 6]"
        return f"longestTrail({links}, ends={self.collection('cell', scope, 0)})"

    def _where(self, scope: Scope, d: int) -> str:
        """A number whose parts have names."""
        part, other = self.setting.fresh("w"), self.setting.fresh("w")
        first = self.dice.choice((self.number(scope, d), f"count({self.any_collection(scope, d)})"))
        return f"abs({part} * {other} where {part} = {first}, {other} = {part} % 3 + 1)"

    def _tested(self, scope: Scope, d: int) -> str:
        """A number that may be none, behind a test that shows that it is there."""
        value, other = self.maybe("int", scope, d), self.number(scope, 0)
        ways: list[Way] = [
            lambda: f"({value} if {value} != none else {other})",
            lambda: f"({other} if {value} == none else {value} + 1)",
            lambda: f"({value} * 2 if {value} != none and {value} < 9 else {other})",
            lambda: f"({value} if {value} == {other} else 1)",
        ]
        return self._pick(ways)

    def _tested_members(self, scope: Scope, d: int) -> str:
        """Numbers of those members of the board for which they are there."""
        x, seat = self.setting.fresh("x"), self.of("seat", scope, 0)
        ways: list[Way] = [
            lambda: f"sum({x}.piece.level for {x} in board if {x}.piece.level != none)",
            lambda: f"count({x} for {x} in board if {x}.piece.kind == stone and {x}.piece.level > 0)",
            lambda: f"max([{x}.piece.level for {x} in board if {x}.piece.owner == {seat} if {x}.piece.kind == stone], default=0)",
            lambda: f"sum({x}.worth + {x}.piece.level for {x} in board if not ({x}.piece.level == none))",
        ]  # fmt: skip
        ways += [
            lambda: f"sum({x}.luck for {x} in signs if {x}.row.luck != none if {x}.luck != none)",
            lambda: f"count({x} for {x} in tales if {x}.row.cost > 1)",
        ]
        if "land" in self.setting.groups:
            ways += [lambda: f"sum({x}.people for {x} in land if {x}.people != none)"] * 2
        return self._pick(ways)

    def _daring(self, scope: Scope, d: int) -> str:
        """Numbers that may not be there: faults are compared too."""
        ways: list[Way] = [
            lambda: f"({self.number(scope, d)} {self.dice.choice(('//', '%'))} {self.number(scope, d)})",
            lambda: f"({self.number(scope, d)} * {self.number(scope, d)})",
            lambda: f"({self.number(scope, 0)} * 2000000000 * 2000000000)",
            lambda: f"chart[{self.number(scope, 0)}].small",
            lambda: f"{self.collection('seat', scope, 0)}[{self.number(scope, 0)} % 3].points",
            lambda: f"sort({self.pairs(scope, d)})[0][0]",
            lambda: f"{self.collection('int', scope, d)}[{self.dice.randrange(3)}]",
        ]  # fmt: skip
        return self._pick(ways)

    def _extremum(self, scope: Scope, d: int) -> str:
        op = self.dice.choice(("min", "max"))
        if scope.refusing and self.dice.random() < 0.3:
            return f"{op}({self.collection('int', scope, d)})"
        return f"{op}({self.collection('int', scope, d)}, default={self.number(scope, 0)})"

    def _from_groups(self, scope: Scope, d: int) -> str:
        key, number = self.setting.fresh("k"), self.setting.fresh("n")
        named = self.dice.choice((key, number, number))
        return f"sum({named} for {key}, {number} in group({self.collection('int', scope, d)}))"

    def _from_combos(self, scope: Scope, d: int) -> str:
        name = self.setting.fresh("k")
        size = self.dice.randrange(1, 3)
        item = self.setting.fresh("n")
        items = f"[{item} for {item} in {self.collection('int', scope, 0)} if {item} < 4]"
        return f"max([sum({name}) for {name} in combos({items}, {size})], default=0)"

    def _from_afar(self, scope: Scope, d: int) -> str:
        """A loop that could be enormous, and ends early: its passes are counted."""
        far = self.setting.fresh("n")
        return f"count({far} for {far} in 1..1500000000 until {far} > {self.number(scope, d)} % 9)"

    def _calls(self, kind: str, scope: Scope, d: int) -> list[Way]:
        if not scope.fns:
            return []
        found = [item for item in self.functions if item[2] == kind]
        return [partial(self._call, name, params, scope, d) for name, params, _ in found]

    def _call(self, name: str, params: tuple[str, ...], scope: Scope, d: int) -> str:
        if not params:
            return name if self.dice.random() < 0.5 else f"{name}()"
        return f"{name}({', '.join(self.of(kind, scope, min(d, 1)) for kind in params)})"

    def _value(self, scope: Scope, d: int) -> str:
        name, params = self.dice.choice(self.values)
        return self._call(name, params, scope, d) if params else name

    # --------------------------------------------------------- conditions

    def condition(self, scope: Scope, depth: int) -> str:
        d, s, dice = depth - 1, self.setting, self.dice
        op, same = dice.choice(COMPARISONS), dice.choice(("==", "!="))
        ways: list[Way] = [
            lambda: f"{self.number(scope, 0)} {op} {self.number(scope, 0)}",
            lambda: f"{self.of('seat', scope, 0)} {same} {self.of('seat', scope, 0)}",
        ]
        if s.has("ready"):
            ways.append(lambda: "ready")
        if s.quick:
            ways.append(lambda: "quick")
        if depth <= 0:
            return f"({self._pick(ways)})"
        kind = dice.choice(("int", "seat", "cell", "mood", "row"))
        ways += [
            lambda: f"{self.number(scope, d)} {op} {self.number(scope, d)}",
            lambda: f"{self.of('cell', scope, d)} {same} {self.of('cell', scope, d)}",
            lambda: f"{self.condition(scope, d)} {dice.choice(('and', 'or'))} {self.condition(scope, d)}",
            lambda: f"not {self.condition(scope, d)}",
            lambda: f"{self.of(kind, scope, d)} {dice.choice(('in', 'not in'))} {self.collection(kind, scope, d)}",
            lambda: f"{dice.choice(('any', 'empty'))}({self.any_collection(scope, d)})",
            lambda: f"{dice.choice(('any', 'all'))}({self.comprehension('bool', scope, d)})",
            lambda: f"{self.maybe('seat', scope, d)} {same} {self.of('seat', scope, d)}",
            lambda: f"{self.maybe(dice.choice(('cell', 'stone', 'int')), scope, d)} {same} none",
            lambda: f"adjacent({self.cell(scope, d)}, {self.cell(scope, d)})",
            lambda: f"connected({self.cell(scope, d)}, {self.cell(scope, d)}, over={self.collection('cell', scope, d)})",
            lambda: f"line({self.cell(scope, d)}, {dice.randrange(1, 3)})",
            lambda: f"full({self.collection('cell', scope, d)})",
            lambda: f"{self.of('cell', scope, d)}.edge",
            lambda: f"{self.of('cell', scope, d)}.piece.kind {same} stone",
            lambda: f"{self.pair(scope, d)} {op} {self.pair(scope, d)}",
            lambda: f"{self.mood(scope, d)} {op} {self.mood(scope, d)}",
            lambda: f"{self.direction(scope, d)} {same} {self.direction(scope, d)}",
            lambda: f"[{self.number(scope, 0)}, 2] {same} {self.collection('int', scope, 0)}",
            lambda: f"set({self.collection('seat', scope, d)}) {same} set({self.collection('seat', scope, d)})",
            lambda: "true",
            lambda: self._doubtful(scope, d),
            lambda: f"not {self._doubtful(scope, d)}",
            lambda: f"{dice.choice(('any', 'all'))}({self._doubtful(scope, d)} for {s.fresh('x')} in 1..2)",
        ]  # fmt: skip
        if s.has("Seat.done"):
            ways.append(lambda: f"{self.of('seat', scope, d)}.done")
        if s.has("hint"):
            ways.append(lambda: f"hint {same} odd")
        if s.has("queue"):
            ways.append(lambda: f"queue {same} {self.collection('seat', scope, 0)}")
        if s.markers:
            ways.append(lambda: f"{self.of('cell', scope, d)}.support {op} {dice.choice(SUPPORT)}")
            ways.append(lambda: "tension == hot")
        if scope.turning:
            ways.append(lambda: "__freeOperation")
        ways += self._calls("bool", scope, d)
        return f"({self._pick(ways)})"

    def _doubtful(self, scope: Scope, d: int) -> str:
        """A question about something that may be none."""
        cell, none = self.cell(scope, d), self.maybe("cell", scope, d)
        number = self.maybe("int", scope, d)
        ways: list[Way] = [
            lambda: f"{cell}.piece.tired", lambda: f"{none}.piece.tired", lambda: f"{none}.edge",
            lambda: f"adjacent({cell}, {none})", lambda: f"line({none}, 2)",
            lambda: f"connected({none}, {cell})", lambda: f"{none} in board",
            lambda: f"{number} in [1, 2, none]", lambda: f"any({none})", lambda: f"empty({none}.pieces)",
            lambda: f"({number} == none or {number} < 3)",
        ]  # fmt: skip
        if self.setting.has("doubt"):
            ways += [lambda: "doubt"] * 3
        return self._pick(ways)

    # ---------------------------------------------- seats, spaces and the rest

    def seat(self, scope: Scope, depth: int) -> str:
        d, s, dice = depth - 1, self.setting, self.dice
        ways: list[Way] = [lambda: dice.choice(("red", "blue")), lambda: "active"]
        ways += [lambda: "actor"] * 2
        if s.has("leader"):
            ways.append(lambda: "leader")
        if depth <= 0:
            return self._pick(ways)
        ways += [
            lambda: f"rotate({self.of('seat', scope, d)}, {dice.randrange(-1, 3)})",
            lambda: f"default({self.maybe('seat', scope, d)}, {self.seat(scope, 0)})",
            lambda: f"{self.pair(scope, d)}[1]",
            lambda: self._leader(scope),
            lambda: f"{self.row(scope, d)}.for",
            lambda: "seats[0]",
        ]
        if s.exact and len(s.seats) == 2:
            ways.append(lambda: f"opponent({self.of('seat', scope, d)})")
        if s.cards:
            ways.append(lambda: f"hand({self.of('seat', scope, d)}).owner")
        return self._pick(ways)

    def _leader(self, scope: Scope) -> str:
        seat = self.setting.fresh("p")
        over = f"{self.collection('seat', scope, 0)} + [red]"
        return f"max(({seat}.points, {seat}) for {seat} in {over})[1]"

    def cell(self, scope: Scope, depth: int) -> str:
        d, s, dice = depth - 1, self.setting, self.dice
        ways: list[Way] = [lambda: dice.choice(s.cells)]
        ways += _named(scope.of("cell"))
        if s.has("spot"):
            ways.append(lambda: "spot")
        if depth <= 0:
            return self._pick(ways)
        ways.append(lambda: f"default({self.maybe('cell', scope, d)}, {self.cell(scope, 0)})")
        return self._pick(ways)

    def space(self, scope: Scope, depth: int) -> str:
        ways: list[Way] = [lambda: self.cell(scope, depth)]
        if self.setting.has("anywhere"):
            ways.append(lambda: f"default(anywhere, {self.cell(scope, 0)})")
        ways.append(lambda: f"spaces[{self.dice.randrange(len(self.setting.cells))}]")
        return self._pick(ways)

    def place(self, scope: Scope, depth: int) -> str:
        ways: list[Way] = [lambda: self.of("space", scope, depth), lambda: "box", lambda: "tales"]
        ways.append(lambda: self.setting.shelf(self.dice))
        if self.setting.cards:
            ways += [lambda: "pile", lambda: "deck", lambda: f"hand({self.of('seat', scope, 0)})",
                     lambda: f"{self.of('seat', scope, 0)}.hand"]  # fmt: skip
        return self._pick(ways)

    def row(self, scope: Scope, depth: int) -> str:
        ways: list[Way] = [
            lambda: self.dice.choice(TALES),
            lambda: f"Tale.{self.dice.choice(TALES)}",
        ]
        if self.setting.has("lore"):
            ways += [lambda: "lore"] * 2
        if depth > 0:
            ways.append(
                lambda: f"default(first({self.comprehension('row', scope, depth - 1)}), war)"
            )
        return self._pick(ways)

    def mood(self, scope: Scope, depth: int) -> str:
        ways: list[Way] = [lambda: f"Mood.{self.dice.choice(MOODS)}"]
        if self.setting.has("mood"):
            ways += [lambda: "mood"] * 3
        if depth > 0:
            when = self.condition(scope, depth - 1)
            ways.append(lambda: f"(Mood.calm if {when} else {self.mood(scope, 0)})")
        return self._pick(ways)

    def direction(self, scope: Scope, depth: int) -> str:
        ways: list[Way] = [lambda: self.dice.choice(self.setting.directions)]
        if self.setting.has("heading"):
            ways += [lambda: "heading"] * 2
        if depth > 0:
            ways.append(lambda: f"opposite({self.direction(scope, 0)})")
        return self._pick(ways)

    def pair(self, scope: Scope, depth: int) -> str:
        """A number and a seat."""
        ways: list[Way] = [
            lambda: f"({self.number(scope, depth - 1)}, {self.of('seat', scope, 0)})"
        ]
        if self.setting.has("best"):
            ways += [lambda: "best"] * 2
        if self.setting.has("pairs"):
            ways.append(lambda: "(pairs[0] if any(pairs) else (1, red))")
        return self._pick(ways)

    def maybe(self, kind: str, scope: Scope, depth: int) -> str:
        """A value, or `none`."""
        d, s = depth - 1, self.setting
        cell, piece = self.cell(scope, d), self.setting.fresh("x")
        ways: dict[str, list[Way]] = {
            "int": [
                lambda: f"{self.maybe('stone', scope, d)}.level",
                lambda: f"first({self.collection('int', scope, max(d, 0))})",
            ],
            "seat": [
                lambda: f"{cell}.piece.owner", lambda: f"owner({cell})", lambda: f"{cell}.owner",
                lambda: f"first({self.collection('seat', scope, max(d, 0))})",
                lambda: f"(none if {self.condition(scope, 0)} else {self.of('seat', scope, 0)})",
            ],
            "cell": [
                lambda: f"step({cell}, {self.direction(scope, d)})",
                lambda: f"first({self.collection('cell', scope, max(d, 0))})",
                lambda: f"{self.dice.choice(('midpoint', 'between'))}({cell}, {self.cell(scope, 0)})",
            ],
            "stone": [lambda: f"first({piece} for {piece} in {cell} if {piece}.owner == {self.of('seat', scope, 0)})",
                      lambda: f"first({piece} for {piece} in box)"],
        }  # fmt: skip
        if s.has("bid"):
            ways["int"].append(lambda: "bid")
        if s.has("rival"):
            ways["seat"].append(lambda: "rival")
        if s.has("Space.holder"):
            ways["seat"].append(lambda: f"{cell}.holder")
        if s.has("mark"):
            ways["cell"].append(lambda: "mark")
            ways["seat"].append(lambda: "mark.piece.owner")
        if s.has("pet"):
            ways["stone"].append(lambda: "pet")
        return self._pick(ways[kind])

    # -------------------------------------------------------- collections

    def any_collection(self, scope: Scope, depth: int) -> str:
        kind = self.dice.choice(("int", "seat", "cell", "row", "pieces"))
        if kind == "pieces":
            return self.pieces(self.dice.choice(("stone", "card") if self.setting.cards else ("stone",)), scope, depth)  # fmt: skip
        return self.collection(kind, scope, depth)

    def collection(self, kind: str, scope: Scope, depth: int) -> str:
        d, s, dice = depth - 1, self.setting, self.dice
        ways = self._plain(kind, scope)
        if depth > 0:
            ways += [
                lambda: f"[{self.of(kind, scope, d)}, {self.of(kind, scope, d)}]",
                lambda: f"[{self.comprehension(kind, scope, d)}]",
                lambda: f"[{self.comprehension(kind, scope, d)}]",
                lambda: f"({self.collection(kind, scope, d)} {dice.choice('+-')} {self.collection(kind, scope, d)})",
                lambda: f"({self.collection(kind, scope, d)} if {self.condition(scope, d)} else {self.collection(kind, scope, d)})",
                lambda: f"distinct({self.collection(kind, scope, d)})",
                lambda: f"rest({self.collection(kind, scope, d)})",
                lambda: f"set({self.collection(kind, scope, d)})" if kind != "int" else "set(1..4)",
            ]  # fmt: skip
            if kind in ("int", "mood"):
                ways.append(lambda: f"sort({self.collection(kind, scope, d)})")
                ways.append(lambda: f"sort({self.collection(kind, scope, d)}, desc=true)")
            if kind == "cell":
                ways += self._around(scope, d)
            ways += self._calls(f"{kind}s", scope, d)
        if kind == "seat" and s.has("Seat.friends"):
            ways.append(lambda: f"{self.of('seat', scope, 0)}.friends")
        return self._pick(ways)

    def _plain(self, kind: str, scope: Scope) -> list[Way]:
        dice = self.dice
        start = self.of("seat", scope, 0)
        plain: dict[str, list[Way]] = {
            "int": [lambda: f"(1..{dice.randrange(1, 5)})", lambda: f"({dice.randrange(3)}..{self.number(scope, 0)} % 5)",
                    lambda: f"[{dice.randrange(4)}, {dice.randrange(4)}, 2]"],
            "seat": [lambda: "seats", lambda: "seats",
                     lambda: f"rotation(seats, {dice.choice(('start', 'after'))}={start})"],
            "cell": [lambda: "board", lambda: "board"],
            "row": [lambda: "Tale"],
            "mood": [lambda: "Mood", lambda: "[Mood.calm, Mood.wild]"],
            "direction": [lambda: "all" if not self.setting.grid else dice.choice(("orthogonal", "diagonal", "all")),
                          lambda: f"[{self.setting.directions[0]}, {self.setting.directions[1]}]"],
        }  # fmt: skip
        stored = {"int": ("free", "large", "marks"), "seat": ("out", "queue"), "cell": ("held",)}
        ways = plain[kind]
        ways += _named(name for name in stored.get(kind, ()) if self.setting.has(name))
        return ways + _named(scope.of(f"{kind}s"))

    def _around(self, scope: Scope, d: int) -> list[Way]:
        dice = self.dice
        cell = self.cell(scope, d)
        to, step = self.direction(scope, d), self.setting.fresh("x")
        return [
            lambda: f"{cell}.adjacent", lambda: f"near({cell})",
            lambda: f"ray({cell}, {to}{dice.choice(('', ', 1'))})",
            lambda: f"[{step} for {step} in ray({cell}, {to}) until {step}.piece != none]",
            lambda: f"jump({cell}, 1, 2)", lambda: f"steps({cell}, [{to}, {self.direction(scope, 0)}])",
            lambda: f"reach({cell}, steps={dice.randrange(3)})",
            lambda: f"reach([{step}.place for {step} in {self.pieces('stone', scope, 0)}], steps=1)",
            lambda: f"reach([{cell}, {self.cell(scope, 0)}], over={self.collection('cell', scope, d)})",
            lambda: f"reach({self._ways(cell, scope, d)})",
            lambda: f"path({cell}, {self._ways(self.cell(scope, 0), scope, d)})",
            lambda: f"[{step} for {step}, {self.setting.fresh('x')} in reachCosts({self._ways(cell, scope, d)})]",
        ]  # fmt: skip

    def _ways(self, to: str, scope: Scope, d: int) -> str:
        """The last argument of a function over ways, and its named ones."""
        dice, at = self.dice, self.setting.fresh("x")
        named = {
            "over": lambda: self.collection("cell", scope, 0),
            "step": lambda: dice.choice(
                ("it.adjacent", "near(it)", f"[{at} for {at} in near(it) if {at}.index != it.index + 1]",
                 f"[{at} for {at} in it.adjacent if {at}.count < 2]")
            ),
            "cost": lambda: dice.choice(
                ("it.worth", "1 + it.count", "abs(it.index - here.index)", f"abs({self.number(scope, 0)}) % 3",
                 "none if it.count > 1 else here.count")
            ),
            "within": lambda: f"{dice.randrange(5)}",
            "halt": lambda: dice.choice(("it.count > 0", f"it == {self.cell(scope, 0)}")),
        }  # fmt: skip
        given = [name for name in named if dice.random() < 0.5]
        return ", ".join([to, *(f"{name}={named[name]()}" for name in given)])

    def pieces(self, kind: str, scope: Scope, depth: int) -> str:
        """Pieces that everybody sees; in hidden places only where secrets may be read."""
        cell, each, on = self.cell(scope, 0), self.setting.fresh("x"), self.setting.fresh("x")
        owner = self.of("seat", scope, 0)
        if kind == "stone":
            strong = f"{each}.kind == stone and {each}.level {self.dice.choice(COMPARISONS)} 1"
            ways: list[Way] = [
                lambda: "box", lambda: cell, lambda: f"{cell}.pieces",
                lambda: f"[{each} for {on} in board for {each} in {on} if {each}.owner == {owner}]",
                lambda: f"[{each} for {on} in {self.collection('cell', scope, 0)} for {each} in {on} if {strong}]",
            ]  # fmt: skip
            if not scope.public:
                ways.append(lambda: f"[{each} for {each} in stone if {each}.place != none]")
        elif kind == "card":
            ways = [lambda: "pile", lambda: "card",
                    lambda: f"[{each} for {each} in pile if {each}.suit == {SUITS[0]}]"]  # fmt: skip
            if not scope.public:
                ways += [lambda: f"hand({owner})", lambda: "deck"]
        else:
            ways = [lambda: "tales",
                    lambda: f"[{each} for {each} in tales if {each}.cost > {self.dice.randrange(4)}]"]  # fmt: skip
        return self._pick(ways)

    def comprehension(self, kind: str, scope: Scope, depth: int) -> str:
        """`e for x in A if c`, without brackets."""
        dice = self.dice
        over = (
            kind if kind in ("row", "mood", "direction") else dice.choice(("int", "seat", "cell"))
        )
        name = self.setting.fresh("x")
        inner = scope.knows(name, over)
        clauses = f"for {name} in {self.collection(over, scope, min(depth, 1))}"
        if dice.random() < 0.4:
            clauses += f" if {self.condition(inner, depth - 1)}"
        if dice.random() < 0.15:
            clauses += f" until {self.condition(inner, depth - 1)}"
        if dice.random() < 0.15:
            second = self.setting.fresh("x")
            clauses += f" for {second} in {self.collection('int', scope, 0)}"
            inner = inner.knows(second, "int")
        head = name if kind == over and dice.random() < 0.6 else self.of(kind, inner, depth - 1)
        return f"{head} {clauses}"

    def pairs(self, scope: Scope, depth: int) -> str:
        """A collection of pairs."""
        key, number = self.setting.fresh("k"), self.setting.fresh("n")
        ways: list[Way] = [
            lambda: f"[{self.comprehension('pair', scope, depth)}]",
            lambda: f"[({number}, active) for {key}, {number} in group({self.collection('int', scope, 0)})]",
        ]  # fmt: skip
        if self.setting.has("pairs"):
            ways.append(lambda: "pairs")
        if self.setting.has("best"):
            ways.append(lambda: f"[best, ({self.number(scope, 0)}, red)]")
        return self._pick(ways)

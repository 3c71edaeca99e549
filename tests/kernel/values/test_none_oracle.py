"""The rule of none against an oracle: random expressions, worked out again in plain Python.

Expressions are written at random, guarded or not. What the checker refuses is left out; what it
accepts must never meet none where a number is needed, and both engines must give what the oracle
gives. The oracle shares no code with the project.
"""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

import pytest

import ludwright as lw

CELLS = ("a1", "b1", "c1", "d1")
SEATS = ("red", "blue")
STATES = 6  # tables on which the expressions of a rulebook are worked out
LINES = 70  # expressions of a rulebook

Tree = tuple[Any, ...]


@dataclass
class Man:
    owner: str
    rank: int
    king: bool


@dataclass
class Rock:
    """A piece that has neither owner nor rank."""

    owner = rank = king = None


@dataclass
class Table:
    """What lies on the table in the oracle's world."""

    bid: int | None
    doubt: bool | None
    rival: str | None
    spot: str | None
    points: dict[str, int]
    pieces: dict[str, Man | Rock] = field(default_factory=dict)


class NoneAsNumberError(Exception):
    """The oracle met none where a number is needed."""


# ------------------------------------------------------------------------- writing


class Writer:
    """Random expressions as trees: (what it is, parts …)."""

    def __init__(self, dice: random.Random) -> None:
        self.dice = dice
        self.loops = 0

    def number(self, depth: int, names: tuple[str, ...] = ()) -> Tree:
        dice, d = self.dice, depth - 1
        if depth <= 0:
            return dice.choice([("int", dice.randrange(10)), ("bid",), self.rank(names)])
        way = dice.randrange(10)
        if way == 0:
            return ("+", self.number(d, names), self.number(d, names))
        if way == 1:
            return ("*", self.number(d, names), ("int", dice.randrange(3)))
        if way == 2:
            thing = dice.choice([("bid",), self.rank(names), ("points", self.seat(names))])
            guard = self._guard((dice.choice(("there", "none")), thing), names, d)
            most: Tree = ("max", thing, ("int", 4))
            return ("if", guard, *dice.sample([most, self.number(d, names)], 2))
        if way == 9:
            return ("if", self.condition(d, names), self.number(d, names), self.number(d, names))
        if way == 3:
            return ("default", self.number(d, names), self.number(d, names))
        if way == 4:
            return ("points", self.seat(names))
        if way == 5:
            return self._loop("sum", names, lambda inner: self.number(d, inner), d)
        if way == 6:
            return self._loop("count", names, lambda inner: ("int", 1), d)
        if way == 7:
            return ("max", self.number(d, names), self.number(d, names))
        return self.number(0, names)

    def rank(self, names: tuple[str, ...]) -> Tree:
        return ("rank", self.cell(names))

    def seat(self, names: tuple[str, ...]) -> Tree:
        return self.dice.choice(
            [("seat", self.dice.choice(SEATS)), ("rival",), ("owner", self.cell(names))]
        )

    def cell(self, names: tuple[str, ...]) -> Tree:
        dice = self.dice
        if names and dice.random() < 0.7:
            return ("name", dice.choice(names))
        plain: Tree = ("cell", dice.choice(CELLS))
        return dice.choice([plain, plain, ("spot",), ("east", plain)])

    def _loop(self, kind: str, names: tuple[str, ...], head: Any, d: int) -> Tree:
        self.loops += 1
        name = f"x{self.loops}"
        inner = (*names, name)
        test = self.condition(max(d, 0), inner) if self.dice.random() < 0.8 else None
        return (kind, name, test, head(inner))

    def condition(self, depth: int, names: tuple[str, ...] = ()) -> Tree:
        dice, d = self.dice, depth - 1
        thing = dice.choice(
            [("bid",), self.rank(names), self.seat(names), ("piece", self.cell(names)), ("spot",)]
        )
        test: Tree = (dice.choice(("there", "none")), thing)
        if thing[0] == "piece" and dice.random() < 0.6:
            test = (dice.choice(("is man", "is no man")), thing)
        if depth <= 0:
            return dice.choice([test, test, ("doubt",), ("king", self.cell(names))])
        way = dice.randrange(9)
        if way < 2:
            test = self._guard(test, names, d)
            return (dice.choice(("and", "or")), test, self._about(thing, names, d))
        if way == 2:
            return (
                dice.choice(("and", "or")), self.condition(d, names), self.condition(d, names)
            )  # fmt: skip
        if way == 3:
            return ("not", self.condition(d, names))
        if way == 4:
            return (dice.choice(("<", ">=")), self.number(d, names), self.number(d, names))
        if way == 5:
            return (dice.choice(("==", "!=")), self.number(d, names), self.number(d, names))
        if way == 6:
            return ("same", self.seat(names), self.seat(names))
        if way == 7:
            return self._loop("any", names, lambda inner: self.condition(d, inner), d)
        return self._loop("all", names, lambda inner: self.condition(d, inner), d)

    def _guard(self, test: Tree, names: tuple[str, ...], d: int) -> Tree:
        """A test, perhaps in a larger condition that proves as much, or less."""
        dice = self.dice
        while dice.random() < 0.5:
            self.loops += 1
            loop: Tree = ("any", f"x{self.loops}", None, test)
            other = self.condition(0, names)
            pair = (test, other) if dice.random() < 0.5 else (other, test)
            test = dice.choice([("not", test), ("and", *pair), ("or", *pair), loop])
        return test

    def _about(self, thing: Tree, names: tuple[str, ...], d: int) -> Tree:
        """Something that needs what was just tested."""
        if thing[0] == "piece":
            return ("<", ("rank", thing[1]), self.number(0, names))
        if thing[0] in ("bid", "rank"):
            return (">=", thing, self.number(d, names))
        if thing[0] in ("rival", "owner", "seat"):
            return ("<", ("points", thing), self.number(d, names))
        return ("king", ("spot",))


def text(tree: Tree) -> str:
    kind, *parts = tree
    match kind:
        case "int" | "cell" | "seat" | "name":
            return str(parts[0])
        case "bid" | "rival" | "spot" | "doubt":
            return str(kind)
        case "+" | "*" | "<" | ">=" | "==" | "!=" | "and" | "or":
            return f"({text(parts[0])} {kind} {text(parts[1])})"
        case "same":
            return f"({text(parts[0])} == {text(parts[1])})"
        case "not":
            return f"(not {text(parts[0])})"
        case "if":
            return f"({text(parts[1])} if {text(parts[0])} else {text(parts[2])})"
        case "default" | "max":
            return f"{kind}({text(parts[0])}, {text(parts[1])})"
        case "points":
            return f"{text(parts[0])}.points"
        case "rank" | "king" | "owner":
            return f"{text(parts[0])}.piece.{kind}"
        case "piece":
            return f"{text(parts[0])}.piece"
        case "is man":
            return f"({text(parts[0])}.kind == man)"
        case "is no man":
            return f"(man != {text(parts[0])}.kind)"
        case "east":
            return f"step({text(parts[0])}, east)"
        case "there":
            return f"({text(parts[0])} != none)"
        case "none":
            return f"({text(parts[0])} == none)"
        case _:
            name, test, head = parts
            clause = f" if {text(test)}" if test is not None else ""
            return f"{kind}({text(head)} for {name} in board{clause})"


# ------------------------------------------------------------------------ the oracle


def number(value: Any) -> int:
    if value is None:
        raise NoneAsNumberError
    assert isinstance(value, int)
    return value


def holds(tree: Tree, table: Table, names: dict[str, str]) -> bool:
    """A condition: none is no."""
    return work_out(tree, table, names) is True


def work_out(tree: Tree, table: Table, names: dict[str, str]) -> Any:
    kind, *parts = tree

    def value(at: int) -> Any:
        return work_out(parts[at], table, names)

    match kind:
        case "int" | "cell" | "seat":
            return parts[0]
        case "name":
            return names[parts[0]]
        case "bid" | "rival" | "spot" | "doubt":
            return getattr(table, kind)
        case "+":
            return number(value(0)) + number(value(1))
        case "*":
            return number(value(0)) * number(value(1))
        case "max":
            return max(number(value(0)), number(value(1)))
        case "<":
            return number(value(0)) < number(value(1))
        case ">=":
            return number(value(0)) >= number(value(1))
        case "==" | "same":
            return value(0) == value(1)
        case "!=":
            return value(0) != value(1)
        case "and":
            return holds(parts[0], table, names) and holds(parts[1], table, names)
        case "or":
            return holds(parts[0], table, names) or holds(parts[1], table, names)
        case "not":
            return not holds(parts[0], table, names)
        case "if":
            return value(1) if holds(parts[0], table, names) else value(2)
        case "default":
            first = value(0)
            return value(1) if first is None else first
        case "points":
            seat = value(0)
            return None if seat is None else table.points[seat]
        case "rank" | "king" | "owner" | "piece":
            piece = table.pieces.get(value(0))
            return piece if piece is None or kind == "piece" else getattr(piece, kind)
        case "is man":
            return isinstance(value(0), Man)
        case "is no man":
            return not isinstance(value(0), Man)
        case "east":
            at = CELLS.index(value(0)) + 1
            return CELLS[at] if at < len(CELLS) else None
        case "there":
            return value(0) is not None
        case "none":
            return value(0) is None
        case _:
            return _over_the_board(kind, parts, table, names)


def _over_the_board(kind: str, parts: list[Any], table: Table, names: dict[str, str]) -> Any:
    name, test, head = parts
    members = [
        {**names, name: cell}
        for cell in CELLS
        if test is None or holds(test, table, {**names, name: cell})
    ]
    if kind == "count":
        return len(members)
    if kind == "sum":
        return sum(number(work_out(head, table, inner)) for inner in members)
    found = [holds(head, table, inner) for inner in members]
    return any(found) if kind == "any" else all(found)


# ------------------------------------------------------------------------- the game


def random_table(dice: random.Random) -> Table:
    table = Table(
        bid=dice.choice((None, dice.randrange(10))),
        doubt=dice.choice((None, True, False)),
        rival=dice.choice((None, *SEATS)),
        spot=dice.choice((None, *CELLS)),
        points={seat: dice.randrange(10) for seat in SEATS},
    )
    for cell in CELLS:
        if dice.random() < 0.5:
            man = Man(dice.choice(SEATS), dice.randrange(10), dice.random() < 0.5)
            table.pieces[cell] = man if dice.random() < 0.7 else Rock()
    return table


def laid_out(table: Table) -> list[str]:
    """Statements that make this the table of the game."""

    def written(value: object) -> str:
        return "none" if value is None else str(value).lower()

    lines = ["for s in board do remove all of s"]
    lines += [f"{n} = {written(getattr(table, n))}" for n in ("bid", "doubt", "rival", "spot")]
    lines += [f"{seat}.points = {points}" for seat, points in table.points.items()]
    for cell, piece in table.pieces.items():
        if isinstance(piece, Rock):
            lines.append(f"place rock at {cell}")
            continue
        with_ = f"rank={piece.rank}, king={written(piece.king)}"
        lines.append(f"place man of {piece.owner} at {cell} with {with_}")
    return lines


def rulebook(tables: list[Table], lines: list[tuple[str, str]]) -> str:
    """Each line is a type and an expression whose value it shows."""
    shown = ", ".join(f"r{at}: {type_}" for at, (type_, _) in enumerate(lines))
    actions = [
        f"  - id: lay{at}\n    effects:\n"
        + "\n".join(f"      - {line}" for line in laid_out(table))
        for at, table in enumerate(tables)
    ]
    work = "\n".join(f"      - r{at} = {expression}" for at, (_, expression) in enumerate(lines))
    return f"""# Oracle
```yaml
game: {{ id: oracle, title: Oracle, players: 2 }}
seats: [red, blue]
spaces: {{ board: {{ grid: [4, 1] }} }}
pieces: {{ man: {{ owner: seat, count: 4, rank: 0..9, king: bool }}, rock: {{ count: 4 }} }}
vars: {{ bid: (0..9)?, doubt: bool?, rival: Seat?, spot: board?, Seat.points: 0..9, {shown} }}
actions:
{chr(10).join(actions)}
  - id: work
    effects:
{work}
```
"""


def accepted(tables: list[Table], trees: list[tuple[str, Tree]]) -> list[tuple[str, Tree]]:
    """The expressions that the checker has nothing against."""
    lines = [(type_, text(tree)) for type_, tree in trees]
    book = rulebook(tables, lines)
    first = book[: book.index("      - r0 = ")].count("\n") + 1
    refused = set()
    for problem in lw.compile_text(book).diagnostics.errors:
        assert problem.code == "may-be-none", (problem, book)
        assert problem.span is not None
        refused.add(problem.span.line - first)
    return [tree for at, tree in enumerate(trees) if at not in refused]


@pytest.mark.parametrize("seed", range(6))
def test_expressions_that_are_accepted_have_the_oracles_value(seed: int) -> None:
    dice = random.Random(seed)
    tables = [random_table(dice) for _ in range(STATES)]
    writer = Writer(dice)
    trees: list[tuple[str, Tree]] = []
    for _ in range(LINES):
        if dice.random() < 0.5:
            trees.append(("bool", writer.condition(3)))
        else:
            trees.append(("(0..999999999)?", writer.number(3)))
    kept = accepted(tables, trees)
    assert LINES / 4 < len(kept) < LINES, "some are refused, and some are not"
    game = lw.load_text(rulebook(tables, [(type_, text(tree)) for type_, tree in kept]))
    state = game.initial_state()
    seen: Counter[bool] = Counter()
    for at, table in enumerate(tables):
        for action in (f"lay{at}", "work"):
            state = game.choose(state, action).state
        found = game.observe(state, None)["variables"]
        for line, (_, tree) in enumerate(kept):
            expected = work_out(tree, table, {})
            assert found[f"r{line}"] == expected, f"{text(tree)}\n{table}"
            seen[expected is None] += 1
    assert min(seen[True], seen[False]) > 0

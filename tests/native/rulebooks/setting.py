"""What lies on the table of a generated game: seats, board, pieces, zones, tables, variables.

Names are always the same, so that a failing rulebook reads easily; what is there, how large it is
and how it behaves changes from rulebook to rulebook.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from typing import Any

Block = dict[str, Any]

SUITS = ("ash", "oak")
MOODS = ("calm", "cross", "wild")
TALES = ("feast", "war", "peace")
SUPPORT = ("low", "mid", "high")

# Variables by what they hold; the text is what a designer writes behind the name.
_NUMBERS = {
    "round": "0..99 clamp",
    "total": "-500..500",
    "purse": "0..6 = 3 refuse",
    "noise": "0..999 clamp",
    "Seat.points": "-20..99 clamp",
    "Seat.coins": "0..9 = 5 refuse",
    "Space.heat": "0..5 clamp",
    "war.level": "0..5 = 2 clamp",
    "Seat.stock[Mood]": "0..9 = 2 clamp",
    "Seat.Space.grip": "0..5 clamp",
    "tally[1..3]": "-9..9 clamp",
    "board.yield": "0..4 = 1 clamp",
}
_OTHERS = {
    "ready": "bool = true",
    "Seat.done": "bool",
    "mood": "Mood = cross",
    "hint": "[plain, odd]",
    "leader": "Seat = blue",
    "rival": "Seat?",
    "spot": "board",
    "mark": "board?",
    "anywhere": "Space?",
    "heading": "Direction = {direction}",
    "bid": "(0..9)?",
    "doubt": "bool?",
    "pet": "stone?",
    "thing": "Piece?",
    "lore": "Tale = war",
    "free": "set[1..5] = all",
    "out": "set[Seat]",
    "held": "set[board]",
    "large": "set[0..99]",
    "queue": "list[Seat, 4]",
    "marks": "list[0..99, 3]",
    "best": "(0..99, Seat) = (3, blue)",
    "pairs": "list[(0..99, Seat), 3]",
    "Seat.friends": "set[Seat]",
    "Space.holder": "Seat?",
}
# Variables that a history may remember, of every type.
_REMEMBERED = (
    "round", "mood", "best", "held", "mark", "anywhere", "rival", "bid", "pet", "thing", "queue",
    "pairs", "heading", "lore", "doubt",
)  # fmt: skip


@dataclass
class Setting:
    """What was declared, for the rules to speak of."""

    blocks: Block = field(default_factory=dict)
    seats: tuple[str, ...] = ("red", "blue")
    exact: bool = True  # a fixed number of players
    cells: tuple[str, ...] = ()
    grid: bool = True
    directions: tuple[str, ...] = ()
    groups: tuple[str, ...] = ("board",)
    variables: set[str] = field(default_factory=set)
    refusing: set[str] = field(default_factory=set)  # variables that refuse
    supply: bool = True  # stones are counted
    cards: bool = False
    ordered: bool = True  # the deck has an order
    tight: bool = False  # places have limits
    markers: bool = False
    checked: bool = False  # a marker has constraints
    history: bool = False
    full: bool = False  # a history can be full
    quick: bool = False
    gentle: bool = False  # nothing is ever refused, so that nothing need be searched
    _named: int = 0
    _bound: int = 0

    def fresh(self, stem: str) -> str:
        """A name that nothing else has; binds of decisions, that nothing else in the rule has."""
        if stem.startswith("$"):
            self._bound += 1
            return f"{stem}{self._bound}"
        self._named += 1
        return f"{stem}{self._named}"

    def new_rule(self) -> None:
        """Different rules use the same binds, which then meet in one move."""
        self._bound = 0

    def shelf(self, dice: random.Random) -> str:
        """One of the zones that there are for each member of something."""
        by_number = self.blocks["zones"]["shelf"]["each"] == "1..3"
        return f"shelf({dice.choice((1, 2, 3) if by_number else MOODS)})"

    def has(self, name: str) -> bool:
        return name in self.variables


def setting(dice: random.Random) -> Setting:
    made = Setting(gentle=dice.random() < 0.3)
    blocks = made.blocks
    made.exact = dice.random() < 0.6
    if dice.random() < 0.35:
        made.seats = dice.choice((("red", "blue", "green"), ("red", "blue", "green", "grey")))
    least = len(made.seats) if made.exact else 2
    most = len(made.seats)
    blocks["game"] = {"id": "generated", "title": "Generated", "players": f"{least}..{most}"}
    made.exact = least == most
    if dice.random() < 0.5:
        blocks["seats"] = {name: {"home": at + 1, "side": SUITS[at % 2], "title": name.upper()} for at, name in enumerate(made.seats)}  # fmt: skip
    else:
        blocks["seats"] = list(made.seats)
    parameters: Block = {"bonus": {"default": 2, "min": 1, "max": 4}}
    if dice.random() < 0.5:
        made.quick = True
        parameters["quick"] = dice.random() < 0.5
    blocks["parameters"] = parameters
    blocks["enums"] = {"Mood": list(MOODS)}
    _spaces(dice, made)
    _pieces(dice, made)
    _tables(made)
    _variables(dice, made)
    if dice.random() < 0.5:
        made.markers = True
        support: Block = {"states": list(SUPPORT), "default": "mid", "on": "board"}
        if not made.gentle and dice.random() < 0.4:
            made.checked = True
            support["constraints"] = [{"when": "here.index == 0", "allowed": ["low", "mid"]}]
        blocks["markers"] = {
            "support": support,
            "tension": {"states": ["cold", "warm", "hot"], "global": True, "hidden": True},
        }
    if dice.random() < 0.5:
        made.history = True
        made.full = not made.gentle and dice.random() < 0.4
        of = ["board", *(name for name in _REMEMBERED if made.has(name) and dice.random() < 0.6)]
        of += dice.sample(["box", "stone", "seats", "[x.points for x in seats]"], dice.randrange(3))
        blocks["history"] = {"seen": {"of": of, "keep": 12 if made.full else "last 3"}}
    return made


def _spaces(dice: random.Random, made: Setting) -> None:
    made.grid = dice.random() < 0.7
    columns, rows = dice.choice(((3, 2), (3, 3), (2, 2), (4, 2)))
    if dice.random() < 0.08:
        columns, rows = 9, 8  # more spaces than a small set holds
    made.cells = tuple(f"{'abcdefghi'[x]}{y + 1}" for y in range(rows) for x in range(columns))
    board: Block = {"grid" if made.grid else "hex": [columns, rows]}
    if made.grid:
        board["adjacency"] = dice.choice(("orthogonal", "diagonal", "all"))
        made.directions = ("north", "east", "south", "west", "northeast", "southwest")
        if dice.random() < 0.15:
            board["keep"] = "dark"
            made.cells = tuple(c for at, c in enumerate(made.cells) if (at % columns + at // columns) % 2 == 0)  # fmt: skip
    else:
        made.directions = ("northeast", "east", "southeast", "southwest", "west", "northwest")
        _hexes(dice, made, board, columns, rows)
    if dice.random() < 0.15 and "keep" not in board and "hexagon" not in board:
        _drawn(dice, made, board, columns, rows)
    elif dice.random() < 0.15 and "keep" not in board and "hexagon" not in board:
        board["keep"] = f"it.column < {columns} or it.row > 1"
        made.cells = tuple(c for at, c in enumerate(made.cells) if at != columns - 1)
    if dice.random() < 0.2:
        board["order"] = dice.choice(("stack", "row"))
    board["attributes"] = {"worth": "it.column * 2 + it.row", "edge": "it.column == 1"}
    made.tight = not made.gentle and dice.random() < 0.5
    if made.tight and dice.random() < 0.6:
        board["max"] = dice.choice((1, 2))
    elif made.tight:
        board["limits"] = [
            {"max": 2, "of": "it.owner == red"},
            {"max": 1, "where": "here.edge"},
        ]
    spaces: Block = {"board": board}
    if dice.random() < 0.4:
        spaces["path"] = {"track": 4, "loop": dice.random() < 0.5}
    if dice.random() < 0.4:
        spaces["land"] = {
            "spaces": {
                "hill": {"adjacent": ["dale"], "people": 1, "kind": "rough"},
                "dale": {"adjacent": ["port"], "people": 3, "kind": "flat"},
                "port": {"kind": "flat"},
            },
            "edges": [["port", "hill"]],
        }
    if dice.random() < 0.2 and len(made.cells) < 20:
        spaces["corner"] = {"corners": "board"}
        if dice.random() < 0.7:
            spaces["side"] = {"sides": "board", "max": 1} if made.tight else {"sides": "board"}
    made.groups = tuple(spaces)
    made.blocks["spaces"] = spaces


def _hexes(dice: random.Random, made: Setting, board: Block, columns: int, rows: int) -> None:
    """A rhombus, a rectangle or a hexagon of hexes."""
    form = dice.choice(("rhombus", "rectangle", "hexagon"))
    if form == "hexagon":
        del board["hex"]
        board["hexagon"] = 2
        made.cells = ("b1", "c1", "a2", "b2", "c2", "a3", "b3")
    else:
        board["hex"] = {"shape": form, "size": [columns, rows]}
        if (columns + rows) % 2 == 0:
            board["hex"]["top"] = "flat"
            made.directions = ("north", "northeast", "southeast", "south", "southwest", "northwest")


def _drawn(dice: random.Random, made: Setting, board: Block, columns: int, rows: int) -> None:
    """The same board with signs; one cell may be left out, some have something to do first."""
    signs = [dice.choice("..xo") for _ in range(columns * rows)]
    if len(signs) > 4 and dice.random() < 0.5:
        signs[-1] = "-"
        made.cells = made.cells[:-1]
    lines = [" ".join(signs[at : at + columns]) for at in range(0, len(signs), columns)]
    board["layout"] = "\n".join(reversed(lines))
    board["legend"] = {
        "x": {"terrain": "rough", "climb": 2}, "-": None,
        "o": {"terrain": "flat", "setup": ["noise = it.index % 3"]},
    }  # fmt: skip


def _pieces(dice: random.Random, made: Setting) -> None:
    made.supply = dice.random() < 0.7
    stone: Block = {"owner": "seat", "tired": "bool", "level": "0..3 clamp"}
    if made.supply:
        stone["count"] = dice.choice((2, 4, 9))
        if dice.random() < 0.2:
            stone["individual"] = True
    pieces: Block = {"stone": stone, "tale": {"each": "Tale"}, "sign": {"each": "Sign"}}
    zones: Block = {
        "box": {"of": "stone", "order": dice.choice(("bag", "row"))},
        "tales": {"of": "tale", "order": "stack", "init": "all"},
        "signs": {"of": "sign", "init": "all"},
        "shelf": {"of": "stone", "each": dice.choice(("1..3", "Mood"))},
        "chest": {"of": "tale", "order": dice.choice(("stack", "row")), "see": "none"},
    }
    made.cards = dice.random() < 0.6
    if made.cards:
        suits = list(SUITS)
        pieces["card"] = {"each": {"rank": "1..3", "suit": suits}, "worn": "bool"}
        if dice.random() < 0.3:
            pieces["card"]["count"] = 2
        made.ordered = dice.random() < 0.7
        order = dice.choice(("deck", "stack")) if made.ordered else "bag"
        deck: Block = {"of": "card", "order": order, "see": dice.choice(("none", "count"))}
        zones["deck"] = {**deck, "init": "all"}
        zones["hand"] = {
            "of": "card", "each": "seat", "see": "owner", "order": dice.choice(("row", "bag")),
        }  # fmt: skip
        zones["pile"] = {"of": "card", "order": dice.choice(("stack", "row"))}
        zones["under"] = {"of": "card", "order": "deck", "see": "none"}
        zones["show"] = {"of": "card", "order": "stack", "see": "top"}
    made.blocks["pieces"] = pieces
    made.blocks["zones"] = zones


def _tables(made: Setting) -> None:
    made.blocks["tables"] = {
        "worth": {name: 3 * at - 2 for at, name in enumerate(made.seats)},
        "Sign": [{"id": "star", "luck": 1}, {"id": "moon"}, {"id": "tide", "luck": 4}],
        "chart": {"cols": ["small", "big"], "rows": [[1, 2], [3, 5], [0, 9]]},
        "Tale": [
            {"id": "feast", "cost": 2, "for": "red", "mood": "calm", "tags": ["good", "loud"]},
            {"id": "war", "cost": 5, "for": "blue", "mood": "wild", "tags": ["loud"]},
            {"id": "peace", "cost": 1, "for": "red", "mood": "cross", "tags": []},
        ],
    }


def _variables(dice: random.Random, made: Setting) -> None:
    declared: Block = {}
    for name, text in _NUMBERS.items():
        if made.gentle and text.endswith("refuse"):
            continue
        if dice.random() < 0.7 or name in ("round", "Seat.points", "noise"):
            declared[name] = text
            made.variables.add(name)
            if text.endswith("refuse"):
                made.refusing.add(name)
    for name, text in _OTHERS.items():
        if dice.random() < 0.5:
            declared[name] = text.format(direction=made.directions[0])
            made.variables.add(name)
    if dice.random() < 0.4:
        made.variables.update(("secret", "omen", "clock"))
        declared["Seat.secret"] = {"type": "0..9", "see": "owner", "default": 4}
        declared["omen"] = {"min": 0, "max": 9, "see": "none", "overflow": "clamp"}
        declared["clock"] = {"type": "0..999 clamp", "history": True}
    made.blocks["vars"] = declared

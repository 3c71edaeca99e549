"""What a step did in sight of a viewer, in few entries: for the logs of terminal and page.

Made from the events that the viewer was told. Changes of one number are one entry, from its first
value to its last; pieces that are alike and come from one place are one entry, wherever they go.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from ludwright import program as ir
from ludwright.kernel.protocol.step import Event

APIECE = 3  # changes of one variable of spaces that are told one by one
_NUMBER = re.compile(r"#\d+'*$")  # at the end of the name of one of several alike


@dataclass(slots=True)
class Change:
    """A number or word of the game, of a seat or of a space."""

    variable: str
    of: str | None
    old: Any
    new: Any


@dataclass(slots=True)
class Changes:
    """Many changes of one variable: what it now is, by space."""

    variable: str
    values: list[tuple[str, Any]]


Make = tuple[str | None, str | None]
"""The name of a piece or of its kind, without a number, and the owner of one that is one of many;
None for a name: face down."""


@dataclass(slots=True)
class Moved:
    """Pieces and where they went. Either they are alike, or all went the same way."""

    pieces: dict[Make, int] = field(default_factory=dict)
    sources: dict[str | None, int] = field(default_factory=dict)  # None: from the stock
    goals: dict[str | None, int] = field(default_factory=dict)  # None: out of the game

    @property
    def count(self) -> int:
        return sum(self.pieces.values())


Effect = Change | Changes | Moved


class Effects:
    """For one game."""

    def __init__(self, program: ir.Program, look: Any) -> None:
        """`look`: what the rulebook says about how it looks, if anything."""
        self._program, self._look = program, look
        world = program.world
        self._seats = world.seats
        self._places = {place.name for place in world.places}
        self._spaces = {place.name for place in world.places[: world.space_count]}
        self.kinds = {kind.name for kind in world.kinds}
        names = [name for kind in world.kinds for name in kind.names]
        self._numbers = {name: at for at, name in enumerate(names)}
        table = program.fixed_properties.get("owner")
        self._owners = program.tables[table] if table is not None else ()

    def of(
        self, events: Sequence[Event], answers: set[str], mover: str | None = None
    ) -> list[Effect]:
        """What is worth telling besides the answers that `mover` gave. A rulebook that tells a step
        in its own words is trusted with all that happens beside the board."""
        said = any(event.kind == "said" for event in events)
        rolled = {event.fields["name"] for event in events if event.kind == "rolled"}
        news = [e for e in events if e.kind == "moved" and self._is_news(e.fields, answers, said)]
        if len(news) == 1 and self._is_own(news[0].fields, answers, mover):
            news = []
        found: list[Effect] = []
        changed: dict[tuple[str, str | None], Change] = {}
        moved: dict[tuple[Any, ...], Moved] = {}
        for event in events:
            if event.kind == "changed" and self.worth_telling(event.fields):
                words = not isinstance(event.fields["new"], int)
                if event.fields["variable"] in rolled or (said and words):
                    continue  # told as a roll, or by the rulebook
                self._change(event.fields, changed, found)
            elif event in news:
                self._move(event.fields, moved, found)
        kept = [one for one in found if not (isinstance(one, Change) and one.old == one.new)]
        return list(self._summed(kept))

    # ------------------------------------------------------------- numbers

    def _change(
        self, fields: Mapping[str, Any], known: dict[tuple[str, str | None], Change],
        found: list[Effect],
    ) -> None:  # fmt: skip
        key = (str(fields["variable"]), fields.get("of"))
        if key in known:
            known[key].new = fields["new"]
        else:
            known[key] = Change(*key, fields["old"], fields["new"])
            found.append(known[key])

    def _summed(self, found: Sequence[Effect]) -> Iterator[Effect]:
        """Many changes of one variable of spaces become one entry, where the first of them was."""
        spaces: dict[str, list[Change]] = {}
        for one in found:
            if isinstance(one, Change) and one.of in self._spaces:
                spaces.setdefault(one.variable, []).append(one)
        for one in found:
            group = spaces.get(one.variable, []) if isinstance(one, Change) else []
            if len(group) <= APIECE or one not in group:
                yield one
            elif one is group[0]:
                yield Changes(group[0].variable, [(str(each.of), each.new) for each in group])

    def worth_telling(self, fields: Mapping[str, Any]) -> bool:
        """Numbers and words of the game, its seats and spaces; not the book-keeping of rules."""
        name = str(fields["variable"])
        words = self._program.words.get(("variable", name))
        if name.startswith("__") or isinstance(fields["new"], list | bool):
            return False
        if words is not None and words.hidden:
            return False
        of = fields.get("of")
        if of is None:
            return not _ticks(fields) and self._shown(name, "values")
        return of in self._places or (of in self._seats and self._shown(name, "seat_values"))

    def _shown(self, name: str, where: Literal["values", "seat_values"]) -> bool:
        """Whether a variable stands in the panel; if the rulebook lists some, the others do not."""
        listed = getattr(self._look, where) if self._look is not None else None
        return listed is None or name in {one.name for one in listed}

    # -------------------------------------------------------------- pieces

    def _is_news(self, fields: Mapping[str, Any], answers: set[str], said: bool) -> bool:
        source, goal, piece = fields["from"], fields["to"], fields["piece"]
        if source == goal or {str(source), str(goal)} <= answers:
            return False
        if said and source not in self._spaces and goal not in self._spaces:
            return False
        if piece is None or piece not in answers:
            return True
        return not ((str(source) not in answers and goal is None) or ":" in str(source))

    def _is_own(self, fields: Mapping[str, Any], answers: set[str], mover: str | None) -> bool:
        """Whether an answer such as `g4` says that something of one's own was placed there."""
        source, goal = fields["from"], fields["to"]
        own = source is None or str(source).endswith(f":{mover}")
        placed = own and goal in self._spaces and str(goal) in answers
        return mover is not None and placed and fields.get("count", 1) == 1

    def _move(
        self, fields: Mapping[str, Any], known: dict[tuple[Any, ...], Moved], found: list[Effect]
    ) -> None:
        make, source, goal = self.make(fields["piece"]), fields["from"], fields["to"]
        if goal is None:
            key: tuple[Any, ...] = (make, "leaves")
        elif make[0] is None or make[0] in self.kinds:
            key = (make, source)
        else:
            key = (source, goal, "named")
        if key not in known:
            known[key] = Moved()
            found.append(known[key])
        one, count = known[key], fields.get("count", 1)
        one.pieces[make] = one.pieces.get(make, 0) + count
        one.sources[source] = one.sources.get(source, 0) + count
        one.goals[goal] = one.goals.get(goal, 0) + count

    def make(self, piece: str | None) -> Make:
        """What pieces that are alike share: their name without a number, and their owner."""
        if piece is None:
            return None, None
        stem, _, owner = piece.partition(" of ")
        if owner in self._seats:
            return stem, owner
        name = _NUMBER.sub("", piece)
        number = self._numbers.get(piece, -1)
        if name == piece or number >= len(self._owners) or self._owners[number] < 0:
            return name, None
        return name, self._seats[self._owners[number]]


def _ticks(fields: Mapping[str, Any]) -> bool:
    """Whether a number only counts on, or begins again: a round, moves without a capture."""
    old, new = fields["old"], fields["new"]
    return isinstance(old, int) and isinstance(new, int) and (new == old + 1 or new == 0)


def answers_in(events: Iterable[Event]) -> set[str]:
    """All that was chosen, as far as it was told."""
    values = (event.fields.get("value") for event in events if event.kind == "chose")
    return {
        str(one)
        for value in values
        for one in (value if isinstance(value, list | tuple) else [value])
        if one is not None
    }

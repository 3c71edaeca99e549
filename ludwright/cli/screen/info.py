"""`info NAME`: what a card, a piece, a space, a seat or an action is."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from ludwright.cli.screen.menu import bare
from ludwright.kernel.play.game import core_of
from ludwright.kernel.views.board import pairs
from ludwright.kernel.views.text_scene import Signs
from ludwright.kernel.views.wording import listed, option_text, plain

if TYPE_CHECKING:
    from ludwright.kernel.play.game import Game
    from ludwright.kernel.protocol.state import State
    from ludwright.program.world import Table

SPOKEN = {"phase": "a phase", "label": "an option", "choice": "a choice", "group": "a board"}
SIGNS = ("kind", "name", "owner", "row")  # told in other words


class Info:
    """What can be said about the things of a game, as one seat may know it."""

    def __init__(self, game: Game, state: State, seat: str | None) -> None:
        self._game = game
        self._world = game.program.world
        self._wording = core_of(game).wording
        self._seen: Mapping[str, Any] = game.observe(state, seat)
        self._signs = Signs(self._world, self._seen["seats"], self._wording)

    def about(self, name: str) -> str:
        """All there is to say about a name; if nothing has it, what could be asked."""
        found = [text for known, text in self._known() if bare(known) == bare(name)]
        if not found:
            begun: dict[str, str] = {}
            for known, text in self._known():  # of names for one thing, the one that is shown last
                if bare(known).startswith(bare(name) or "?"):
                    begun = {k: t for k, t in begun.items() if t != text} | {known: text}
            if len(set(begun.values())) == 1:
                found = list(begun.values())
            else:
                names = listed(sorted(begun)[:8]) if begun else "a card, a space, a seat, an action"
                return f"there is nothing called `{name}` here; ask for {names}"
        return "\n".join(dict.fromkeys(found))

    def _known(self) -> Iterator[tuple[str, str]]:
        for subject, name, text in self._things():
            yield name, text
            title = self._wording.title(subject, name, "")
            if title:
                yield title, text

    def _things(self) -> Iterator[tuple[str, str, str]]:
        """Subject, name, and what is told of it."""
        world = self._world
        for index, place in enumerate(world.places):
            subject = "space" if index < world.space_count else "zone"
            yield subject, place.name, self._place(index)
            if self._wording.place(index) != place.name:
                yield subject, self._wording.place(index), self._place(index)
        for table in world.tables.values():
            for row in table.rows:
                yield "row", row, self._row(table, row)
        for name, text in self._pieces():
            yield "kind", name, text
        for kind in world.kinds:
            yield "kind", kind.name, self._told("kind", kind.name, "a kind of piece")
        for action in self._game.program.actions:
            yield "action", action.name, self._told("action", action.name, "an action")
        for (subject, name), words in self._game.program.words.items():
            if subject in SPOKEN and words.text:
                yield subject, name, self._told(subject, name, SPOKEN[subject])
        for seat in self._seen["seats"]:
            yield "seat", seat, self._told("seat", seat, self._seat(seat))
        for variable in self._game.program.variables:
            yield "variable", variable.name, self._variable(variable.name)

    def _variable(self, name: str) -> str:
        """What it is now, where there is one for the whole game and the seat may see it."""
        now = self._seen["variables"].get(name)
        shown = "" if now is None or isinstance(now, Mapping) else f", now {self._value(now)}"
        return self._told("variable", name, f"a value{shown}")

    def _told(self, subject: str, name: str, what: str) -> str:
        words = self._game.program.words.get((subject, name))
        text = f": {words.text}" if words is not None and words.text else ""
        return f"{self._wording.title(subject, name)} ({what}){text}"

    def _row(self, table: Table, row: str) -> str:
        at = table.rows.index(row)
        values = core_of(self._game).values
        columns = [
            (plain(name), self._value(values.outside(column.type, column.values[at])))
            for name, column in table.columns.items()
        ]
        told = pairs((name, value) for name, value in columns if value not in ("", "none"))
        return f"{self._told('row', row, plain(table.name))}{f' · {told}' if told else ''}"

    def _value(self, value: Any) -> str:
        if isinstance(value, list | tuple):
            return ", ".join(map(self._value, value)) or "none"
        return self._wording.called(value) if isinstance(value, str) else option_text(value)

    def _pieces(self) -> Iterator[tuple[str, str]]:
        """The pieces in sight, with their properties and where they are; of the others only that
        there are such."""
        seen = {
            piece.get("name")
            for held in self._seen["places"].values()
            for piece in held.get("pieces", ())
            if piece is not None
        }
        for kind in self._world.kinds:
            for name in kind.names:
                if name and "#" not in name and name not in seen:
                    yield name, f"{name} ({self._wording.kind(kind.name)}), not in sight"
        for place, held in self._seen["places"].items():
            for piece in held.get("pieces", ()):
                if piece is None:
                    continue
                told = pairs(
                    (plain(key), self._value(value))
                    for key, value in piece.items()
                    if key not in SIGNS and value not in (None, False)
                )
                called, where = self._signs.piece(piece).name, self._wording.called(place)
                of = self._wording.kind(str(piece["kind"]))
                yield called, f"{called} ({of}), at {where}{f' · {told}' if told else ''}"

    def _place(self, index: int) -> str:
        world, place = self._world, self._world.places[index]
        space = index < world.space_count
        what = "a space" if space else "a zone"
        held = self._seen["places"].get(place.name, {"count": 0})
        count = held["count"]
        lines = [f"{self._wording.place(index)} ({what}), {count or 'no'} piece{'s'[: count != 1]}"]
        subject, name = ("space", place.name) if space else ("zone", place.zone or "")
        words = self._game.program.words.get((subject, name))
        if words is not None and words.text:
            lines[0] += f": {words.text}"
        if space:
            values = core_of(self._game).values
            told = pairs(
                (plain(name), self._value(values.outside(of.type, of.values[index])))
                for name, of in world.space_attributes.items()
                if of.values[index] not in (None, -1, False)
            )
            if told:
                lines.append(f"  {told}")
        return "\n".join(lines)

    def _seat(self, seat: str) -> str:
        values = [
            (self._wording.title("variable", name), option_text(own[seat]))
            for name, own in self._seen["variables"].items()
            if isinstance(own, Mapping) and seat in own
        ]
        return f"a seat{f', {pairs(values)}' if values else ''}"

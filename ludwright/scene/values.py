"""Variables and computed values: which are shown, in which order, and in which words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ludwright.program import Program, Variable
from ludwright.scene.dice import die, rolled
from ludwright.scene.letters import width as text_width
from ludwright.scene.looks import Looks, wanted
from ludwright.scene.model import Item, Mark, Part, SeatPanel, Text, Value, beside
from ludwright.scene.words import in_words

ON_PLATE = 2  # values of a seat that its plate shows, where the rulebook does not say which
DIE = 40.0


class Values:
    """What a seat sees of the variables of a game, without those that are only bookkeeping."""

    def __init__(self, program: Program, observation: Mapping[str, Any], looks: Looks) -> None:
        self._looks = looks
        self._known: Mapping[str, Any] = observation["variables"]
        self._computed: Mapping[str, Any] = {
            name: value
            for name, value in observation.get("shown", {}).items()
            if not looks.hidden(name)
        }
        self._declared = [
            v for v in program.variables if v.name in self._known and not looks.hidden(v.name)
        ]

    def of_game(self) -> Iterator[Value]:
        """For the panel at the side."""
        names = wanted(self._looks.decl.values)
        yield from _chosen(self._all_of_game(), names)

    def _all_of_game(self) -> dict[str, Value]:
        found = {
            v.name: self._value(v, self._known[v.name])
            for v in self._declared
            if v.scope == "global"
        }
        for name, value in self._computed.items():
            if not isinstance(value, Mapping):
                found[name] = Value(self._looks.called("variable", name), in_words(value))
        return found

    def of_seat(self, seat: str) -> Iterator[Value]:
        found = {
            v.name: self._value(v, self._known[v.name][seat])
            for v in self._declared
            if v.scope == "seat" and seat in self._known[v.name]
        }
        for name, of in self._computed.items():
            if isinstance(of, Mapping) and seat in of:
                found[name] = Value(self._looks.called("variable", name), in_words(of[seat]))
        yield from _chosen(found, wanted(self._looks.decl.seat_values))

    def on_plate(self, panel: SeatPanel) -> tuple[Value, ...]:
        """For a plate at the table: short ones first."""
        if self._looks.decl.seat_values is not None:
            return panel.values[: ON_PLATE + 1]
        return tuple(v for v in panel.values if len(v.text) <= 8)[:ON_PLATE]

    def in_the_middle(self) -> Part:
        """Values in the middle of a table: those named, else what is computed, and dice."""
        everything = self._all_of_game()
        names = wanted(self._looks.decl.centre)
        if names is None:
            dice = [name for name, value in everything.items() if value.dice]
            names = [*dice, *(name for name in self._computed if name in everything)]
        parts = [_large(name, value) for name, value in _named(everything, names)]
        return beside(parts, 28)

    def _value(self, variable: Variable, value: Any) -> Value:
        most = variable.type.hi if variable.type.kind == "int" else None
        name = self._looks.called("variable", variable.name)
        return Value(name, in_words(value), most, rolled(variable, value))


def _named(found: Mapping[str, Value], names: list[str]) -> Iterator[tuple[str, Value]]:
    return ((name, found[name]) for name in names if name in found)


def _chosen(found: Mapping[str, Value], names: list[str] | None) -> Iterator[Value]:
    if names is None:
        yield from found.values()
    else:
        yield from (value for _, value in _named(found, names))


def _large(name: str, value: Value) -> Part:
    """A value that everybody looks at."""
    if value.dice:
        marks: list[Mark] = []
        for at, face in enumerate(value.dice):
            marks += die(face, DIE, at * (DIE + 10) + DIE / 2, "paper", "ink")
        width = len(value.dice) * (DIE + 10) - 10
        item = Item(f"value:{name}", "tag", 0, DIE / 2, tuple(marks), f"{value.name} {value.text}")
        return Part(width, DIE, (item,))
    width = max(60.0, text_width(value.name), 1.3 * text_width(value.text, "title"))
    marks = [
        Text(value.name, 0, -16, "label", "ink2"),
        Text(value.text, 0, 8, "title", "ink", scale=1.3),
    ]
    item = Item(f"value:{name}", "tag", width / 2, 26, tuple(marks), f"{value.name} {value.text}")
    return Part(width, 52, (item,))


def held(value: Any) -> tuple[str, ...]:
    """The seats that a variable holds: one, or several."""
    if isinstance(value, str):
        return (value,)
    return tuple(value) if isinstance(value, list | tuple | set | frozenset) else ()

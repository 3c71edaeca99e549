"""What a seat may know: everything that leaves the kernel for a seat is made here.

A seat sees what zones, reveals and variables show it, the public counts, the header of the open
decision (its options only if it decides), and its own numbering of events. `None` in place of a
seat is the view from above, for designers and tests. A spectator sees what every seat sees.
"""

from __future__ import annotations

import json
from operator import itemgetter
from typing import Any

from ludwright import program as ir
from ludwright.cached import cached_property
from ludwright.kernel.interpreter.machine import Machine
from ludwright.kernel.interpreter.run import Cells
from ludwright.kernel.interpreter.stop import Stop
from ludwright.kernel.protocol.decision import CHANCE, Range
from ludwright.kernel.protocol.step import Event
from ludwright.kernel.views import outcome as outcomes
from ludwright.kernel.views.decisions import Decisions
from ludwright.kernel.views.naming import Values
from ludwright.kernel.views.wording import Wording
from ludwright.program.cells import decoder, set_members
from ludwright.program.events import EventKind
from ludwright.program.openings import opened_choices
from ludwright.program.types import Type

_INTERNAL = ("__",)
_ORDERED = ("row", "stack")
_TEXT = itemgetter(0)  # of a view of a piece
_SEEN = {"all", "owner", "top"}  # how places are seen of whose pieces somebody knows one
_REMEMBERED = 1 << 14  # views of pieces, and values of a variable, that are kept
_UNNUMBERED = (EventKind.SAID, EventKind.OPENED)  # kinds of events without a number in the log
SPECTATOR = "__spectator"  # in place of the name of a seat
WATCHING = -1  # and of its number


class _Reader:
    """Reads a variable; what plain values are called outside is remembered."""

    def __init__(self, type_: Type) -> None:
        self.read = decoder(type_)
        self.scalar = type_.is_scalar
        self.plain = (type_.is_scalar or type_.kind == "set") and not type_.holds_pieces
        self.known: dict[int, Any] = {}


class Projection:
    """What a seat may know."""

    def __init__(
        self, machine: Machine, values: Values, decisions: Decisions, wording: Wording
    ) -> None:
        self._machine = machine
        self._program = machine.program
        self._pieces = machine.pieces
        self._seats = machine.program.world.seats
        self._values = values
        self._decisions = decisions
        self._wording = wording
        self._views: dict[tuple[int, ...], tuple[str, dict[str, Any]]] = {}
        self._readers = {variable.name: _Reader(variable.type) for variable in self._shown_to_some}

    @cached_property
    def _shown_to_some(self) -> list[ir.Variable]:
        return [
            variable
            for variable in self._program.variables
            if variable.scope != "piece" and not variable.name.startswith(_INTERNAL)
        ]

    @cached_property
    def _dark(self) -> frozenset[str]:
        """How places are seen of whose pieces nobody knows any."""
        sees = {place.see for place in self._program.world.places}
        return frozenset(() if self._program.revealed >= 0 else sees - _SEEN)

    @cached_property
    def _changing(self) -> list[tuple[range, list[slice]]]:
        """By kind of pieces: their numbers, and the cells of their properties that can change."""
        return [
            (
                kind.pieces,
                [
                    slice(variable.cell_of(kind.first), variable.cell_of(kind.pieces.stop))
                    for variable in (self._values.changeable(kind.first) if kind.count else ())
                ],
            )
            for kind in self._program.world.kinds
        ]

    @cached_property
    def _opened(self) -> frozenset[int]:
        return opened_choices(self._program)

    @cached_property
    def _place_names(self) -> tuple[str, ...]:
        return tuple(place.name for place in self._program.world.places)

    # ------------------------------------------------------------- states

    def observe(
        self, cells: Cells, seat: int | None, stop: Stop, data: bytes | None = None
    ) -> dict[str, Any]:
        """All that a seat may know of a state; `data` are the cells as bytes, if they are known."""
        program = self._program
        world = program.world
        phase = cells[ir.PHASE]
        outcome = outcomes.result(self._machine, self._values, cells)
        return {
            "seat": self._viewer(seat),
            "seats": list(world.seats[: cells[ir.PLAYERS]]),
            "phase": program.phases[phase] if 0 <= phase < len(program.phases) else None,
            "turn": int(cells[ir.TURN]),
            "active": world.seats[cells[ir.ACTIVE]] if cells[ir.ACTIVE] >= 0 else None,
            "places": self._places(cells, seat),
            "variables": self._variables(cells, seat),
            **({"shown": self._computed(cells, seat, data)} if program.shown else {}),
            "decision": self._decision(cells, seat, stop),
            "result": None
            if outcome is None
            else {
                "outcome": outcome.outcome,
                "winners": list(outcome.winners),
                "scores": dict(outcome.scores),
                "ranking": [list(seats) for seats in outcome.ranking],
                "reason": outcome.reason,
            },
        }

    def _viewer(self, seat: int | None) -> str | None:
        return SPECTATOR if seat == WATCHING else None if seat is None else self._seats[seat]

    def _sees(self, cells: Cells, seat: int | None, piece: int) -> bool:
        return seat is None or self._among(seat, self._pieces.viewers(cells, piece))

    def _among(self, seat: int, viewers: int) -> bool:
        """Whether a seat is in a set of seats; a spectator is where all of them are."""
        if seat == WATCHING:
            return viewers & self._pieces.everyone == self._pieces.everyone
        return bool(viewers >> seat & 1)

    def _places(self, cells: Cells, seat: int | None) -> dict[str, Any]:
        program = self._program
        found: dict[str, Any] = {}
        views, following = self._all_pieces(cells), program.piece_next
        for index, place in enumerate(program.world.places):
            count = cells[program.place_count + index]
            if place.zone is None and count == 0:
                continue  # an empty space is left out
            shown: dict[str, Any] = {"count": int(count)}
            found[place.name] = shown
            # The order in the middle of a deck has no meaning, and would reveal piece numbers.
            ordered = place.order in _ORDERED
            if seat is not None and place.see != "all":
                self._show_some(cells, seat, index, shown, views)
                continue
            known: list[tuple[str, dict[str, Any]]] = []
            piece = cells[program.place_head + index]
            while piece >= 0:
                known.append(views[piece])
                piece = cells[following + piece]
            if count > 1 and not ordered:
                known.sort(key=_TEXT)
            if count:
                shown["pieces"] = [view.copy() for _, view in known]
        return found

    def _show_some(
        self, cells: Cells, seat: int, index: int, shown: dict[str, Any],
        views: list[tuple[str, dict[str, Any]]],
    ) -> None:  # fmt: skip
        """The pieces of a place of which a seat may not see all."""
        place = self._program.world.places[index]
        ordered = place.order in _ORDERED
        if place.see in self._dark and not ordered:
            return
        pieces = self._pieces.within(cells, index)
        visible = [piece for piece in pieces if self._sees(cells, seat, piece)]
        if ordered and len(visible) != len(pieces):
            shown["pieces"] = [
                views[piece][1].copy() if piece in visible else None for piece in pieces
            ]
        elif visible:
            known = [views[piece] for piece in visible]
            if not ordered:
                known.sort(key=_TEXT)
            shown["pieces"] = [view.copy() for _, view in known]

    def _all_pieces(self, cells: Cells) -> list[tuple[str, dict[str, Any]]]:
        """Every piece as it is shown, with a text by which such views are sorted; to be copied."""
        found: list[tuple[str, dict[str, Any]]] = []
        for pieces, properties in self._changing:
            keys = list(zip(pieces, *(cells[at] for at in properties), strict=True))
            known: list[Any] = list(map(self._views.get, keys))
            if not all(known):
                both = zip(known, keys, strict=True)
                known = [view or self._new_view(cells, key) for view, key in both]
            found += known
        return found

    def _new_view(self, cells: Cells, key: tuple[int, ...]) -> tuple[str, dict[str, Any]]:
        """A piece that has not been shown like this before; `key` are its number and properties."""
        piece = key[0]
        view: dict[str, Any] = {"kind": self._values.piece_kinds[piece].name}
        if not self._machine.classes.alike[piece]:
            view["name"] = self._values.piece_names[piece]
        view |= self._values.properties(cells, piece)
        if len(self._views) >= _REMEMBERED:
            self._views.clear()
        found = self._views[key] = (repr(view), view)
        return found

    def _variables(self, cells: Cells, seat: int | None) -> dict[str, Any]:
        program = self._program
        found: dict[str, Any] = {}
        for variable in self._shown_to_some:
            if variable.scope == "global":
                if seat is None or variable.see == "all":
                    found[variable.name] = self._read(cells, seat, variable, 0)
                continue
            names: tuple[str, ...]
            if variable.scope == "seat":
                names = program.world.seats[: cells[ir.PLAYERS]]
            else:
                names = self._place_names[variable.first : variable.first + variable.count]
            found[variable.name] = self._read_all(cells, seat, variable, names)
        return found

    def _read_all(
        self, cells: Cells, seat: int | None, variable: ir.Variable, names: tuple[str, ...]
    ) -> dict[str, Any]:
        """The values of a variable that a seat sees, by name of the seat or space."""
        if seat is None or variable.see == "all":
            reader = self._readers[variable.name]
            known = reader.known
            raw = cells[variable.addr : variable.addr + len(names)]
            if reader.plain and reader.scalar:
                try:
                    return dict(zip(names, map(known.__getitem__, raw), strict=True))
                except KeyError:
                    pass  # a value that has not been seen before
            return {
                name: self._read(cells, seat, variable, index) for index, name in enumerate(names)
            }
        if variable.see == "owner" and variable.scope == "seat" and 0 <= seat < len(names):
            return {names[seat]: self._read(cells, seat, variable, seat)}
        return {}

    def _computed(self, cells: Cells, seat: int | None, data: bytes | None) -> dict[str, Any]:
        """The computed values of `show`; None where one cannot be computed."""
        seats = self._program.world.seats[: cells[ir.PLAYERS]]
        found: dict[str, Any] = {}
        computed = self._machine.shown(cells, data)
        for shown, values in zip(self._program.shown, computed, strict=True):
            told = [
                None if value is None else self._shown(seat, shown.type, value) for value in values
            ]
            found[shown.name] = (
                told[0] if shown.seat is None else dict(zip(seats, told, strict=True))
            )
        return found

    def _read(self, cells: Cells, seat: int | None, variable: ir.Variable, index: int) -> Any:
        reader = self._readers[variable.name]
        raw = reader.read(cells, variable.addr + index * variable.type.width)
        if not reader.plain:
            return self._shown(seat, variable.type, raw)
        if raw not in reader.known:
            if len(reader.known) >= _REMEMBERED:
                reader.known = {}
            reader.known[raw] = self._shown(seat, variable.type, raw)
        found = reader.known[raw]
        return found if reader.scalar else found.copy()

    def _decision(self, cells: Cells, seat: int | None, stop: Stop) -> dict[str, Any] | None:
        if seat is not None and seat in stop.pending and seat != stop.seat:
            stop = self._machine.sealed(cells, stop, seat)
        decision = self._decisions.publish(cells, stop)
        if decision is None:
            return None
        shown: dict[str, Any] = {
            "seat": decision.seat,
            "id": decision.decision_id,
            "name": decision.name,
            "kind": decision.kind,
            "action": decision.action,
            "together": list(decision.together),
        }
        mine = seat is None or stop.seat == seat or decision.seat == CHANCE
        if mine and decision.seat != CHANCE:
            options = decision.options
            ranged = isinstance(options, Range)
            shown |= {
                "options": {"lo": options.lo, "hi": options.hi}
                if isinstance(options, Range)
                else list(options),
                # a range is one entry, and so is its legality
                "legality": list(decision.legality[:1] if ranged else decision.legality),
                "min": decision.min,
                "max": decision.max,
                "picked": list(decision.picked),
                "optional": decision.optional,
                "canStop": decision.can_stop,
                "ask": self._wording.question(cells, stop, decision.action),
            }
        return shown

    # ------------------------------------------------------------- events

    def events(self, raw: tuple[tuple[Any, ...], ...], seat: int | None, last: int) -> list[Event]:
        """Events as a seat sees them; from above they carry their number in the log.

        A seat reads the events that it can identify in the order in which they happened. A loop
        takes pieces in the order of their numbers. For pieces that the seat cannot distinguish,
        that order would reveal which is which. They come at the end of the step, summed up: how
        many went from where to where.
        """
        raw = tuple(record for record in raw if not self._stays_sealed(record))
        if seat is None:
            number = last - sum(record[0] not in _UNNUMBERED for record in raw)
            whole: list[Event] = []
            for record in raw:
                number += record[0] not in _UNNUMBERED
                whole.append(Event(*self._whole(record), number))
            return whole
        shown: list[tuple[str, dict[str, Any]]] = []
        summed: dict[str, tuple[str, dict[str, Any]]] = {}
        for record in raw:
            event = self._event(record, seat)
            if event is None:
                continue
            if self._identified(record, seat):
                shown.append(event)
                continue
            _, fields = summed.setdefault(json.dumps(event), event)
            fields["count"] = fields.get("count", 0) + 1
        shown += [summed[key] for key in sorted(summed)]
        return [Event(kind, fields, at) for at, (kind, fields) in enumerate(shown, 1)]

    def _stays_sealed(self, record: tuple[Any, ...]) -> bool:
        return record[0] == EventKind.OPENED and record[1] not in self._opened

    def _whole(self, record: tuple[Any, ...]) -> tuple[str, dict[str, Any]]:
        event = self._event(record, None)
        assert event is not None, "nothing is hidden from above"
        return event

    def _identified(self, record: tuple[Any, ...], seat: int) -> bool:
        """Whether a seat knows exactly which piece an event is about, if it is about one."""
        kind: EventKind = record[0]
        if kind == EventKind.MOVED:
            _, piece, _, _, seen = record
            return self._among(seat, seen) and self._unique(piece)
        if kind in (EventKind.REVEALED, EventKind.CONCEALED):
            return self._unique(record[1])
        if kind == EventKind.CHANGED:
            variable = self._program.variables[record[1]]
            return variable.scope != "piece" or self._unique(variable.first + record[2])
        return True

    def _unique(self, piece: int) -> bool:
        """Alike pieces can be followed by eye, unless some of them may be out of sight."""
        return not (self._pieces.can_hide and self._machine.classes.alike[piece])

    def _event(
        self, record: tuple[Any, ...], seat: int | None
    ) -> tuple[str, dict[str, Any]] | None:
        kind: EventKind = record[0]
        if kind == EventKind.CHANGED:
            return self._changed(seat, *record[1:])
        if kind == EventKind.MOVED:
            return self._moved(seat, *record[1:])
        if kind == EventKind.CHOSE:
            return self._chose(seat, *record[1:])
        if kind == EventKind.OPENED:
            return self._opening(seat, *record[1:])
        if kind == EventKind.ROLLED:
            return self._rolled(seat, *record[1:])
        if kind == EventKind.SHUFFLED:
            return kind.value, {"place": self._program.world.places[record[1]].name}
        if kind in (EventKind.REVEALED, EventKind.CONCEALED):
            _, piece, seats, seen = record
            if seat is not None and not self._among(seat, seen):
                return None
            names = [
                name for index, name in enumerate(self._program.world.seats) if seats >> index & 1
            ]
            return kind.value, {"piece": self._piece_name(seat, piece), "seats": names}
        if kind == EventKind.SAID:
            return self._said(seat, *record[1:])
        if kind == EventKind.OVER:
            return "gameOver", {"outcome": self._program.ends[record[1]].outcome}
        _, event, fields = record
        return event, {name: self._shown(seat, type_, value) for name, value, type_ in fields}

    def _changed(
        self, seat: int | None, variable: int, index: int, old: Any, new: Any, seen: int
    ) -> tuple[str, dict[str, Any]] | None:
        # Of a variable with an index, the members follow each other.
        member, index = divmod(index, self._program.variables[variable].count)
        known = self._program.variables[variable + member]
        fields: dict[str, Any] = {"variable": known.name}
        world = self._program.world
        if known.scope == "seat":
            fields["of"] = world.seats[index]
            hidden = known.see == "none" or (known.see == "owner" and index != seat)
        elif known.scope == "space":
            fields["of"] = world.places[known.first + index].name
            hidden = known.see != "all"
        elif known.scope == "piece":
            fields["of"] = self._piece_name(seat, known.first + index)
            hidden = seat is not None and not self._among(seat, seen)
        else:
            hidden = known.see != "all"
        if hidden and seat is not None:
            return None
        fields["old"] = self._shown(seat, known.type, old)
        fields["new"] = self._shown(seat, known.type, new)
        return EventKind.CHANGED.value, fields

    def _moved(
        self, seat: int | None, piece: int, origin: int, place: int, seen: int
    ) -> tuple[str, dict[str, Any]] | None:
        places = self._program.world.places
        visible = seat is None or self._among(seat, seen)
        if not visible and origin == place:
            return None  # face down within one place: other seats notice nothing
        return EventKind.MOVED.value, {
            "piece": self._piece_name(seat, piece) if visible else None,
            "kind": self._values.piece_kinds[piece].name if visible else None,
            "from": places[origin].name if origin >= 0 else None,
            "to": places[place].name if place >= 0 else None,
        }

    def _chose(self, seat: int | None, by: int, pc: int, answer: Any) -> tuple[str, dict[str, Any]]:
        choice = self._program.choice_at(pc)
        fields: dict[str, Any] = {"seat": self._program.world.seats[by], "decision": choice.name}
        # A sealed answer is its seat's own; so is a piece that others may not see.
        secret = choice.together or (choice.type.holds_pieces and self._pieces.can_hide)
        if seat is not None and seat != by and secret:
            return EventKind.CHOSE.value, fields
        if answer is None:
            fields["value"] = None
        elif choice.kind == "labels":
            fields["value"] = choice.labels[answer].name
        elif choice.kind == "many":
            fields["value"] = [self._shown(seat, choice.type, value) for value in answer]
        else:
            fields["value"] = self._shown(seat, choice.type, answer)
        return EventKind.CHOSE.value, fields

    def _opening(
        self, seat: int | None, pc: int, asked: int, answers: tuple[Any, ...]
    ) -> tuple[str, dict[str, Any]]:
        choice = self._program.choice_at(pc)
        type_, many = choice.result_type, choice.kind == "many"
        told = {
            name: [self._shown(seat, choice.type, value) for value in answers[at]]
            if many
            else self._shown(seat, type_, answers[at])
            for at, name in enumerate(self._program.world.seats)
            if asked >> at & 1
        }
        return EventKind.OPENED.value, {"decision": choice.name, "answers": told}

    def _said(
        self,
        seat: int | None,
        pc: int,
        hearers: int,
        values: tuple[Any, ...] | None,
        seen: tuple[int, ...] | None,
    ) -> tuple[str, dict[str, Any]] | None:
        instr = self._program.code[pc]
        assert isinstance(instr, ir.Say)
        if seat is not None and not self._among(seat, hearers):
            return None
        known = tuple(seat is None or self._among(seat, viewers) for viewers in seen or ())
        text = self._wording.sentence(instr.sentence, values, known)
        fields: dict[str, Any] = {"text": text}
        if seat is None and hearers != self._pieces.everyone:
            names = self._program.world.seats
            fields["to"] = [name for at, name in enumerate(names) if hearers >> at & 1]
        return EventKind.SAID.value, fields

    def _rolled(self, seat: int | None, pc: int, outcome: Any) -> tuple[str, dict[str, Any]] | None:
        instr = self._program.code[pc]
        assert isinstance(instr, ir.Chance)
        # The move or change that follows shows which hidden piece was drawn, or what a hidden
        # variable became, to the seats that may see it. Even that something was rolled could
        # depend on a secret: nothing is rolled where only one outcome is left.
        if seat is not None and self._rolls_secretly(instr):
            return None
        return EventKind.ROLLED.value, {
            "name": instr.name,
            "value": self._shown(seat, instr.type, outcome),
        }

    def _rolls_secretly(self, instr: ir.Chance) -> bool:
        """Whether the outcome concerns pieces, or a variable, that somebody may not see."""
        can_hide = self._pieces.can_hide
        if can_hide and (instr.arranges or instr.type.holds_pieces):
            return True
        if instr.variable < 0:
            return False
        known = self._program.variables[instr.variable]
        return can_hide if known.scope == "piece" else known.see != "all"

    # -------------------------------------------------------------- names

    def _piece_name(self, seat: int | None, piece: int) -> str:
        """What a piece is called. Where pieces can be hidden, the number of one of several alike
        would let a seat follow it through places that it does not see."""
        if seat is None or self._unique(piece):
            return self._values.piece_names[piece]
        return self._values.makes[piece]

    def _shown(self, seat: int | None, type_: Type, value: Any) -> Any:
        """A value as a seat may read it."""
        if seat is None or not (type_.holds_pieces and self._pieces.can_hide):
            return self._values.outside(type_, value)
        if type_.kind == "piece":
            return self._piece_name(seat, value) if value >= 0 else None
        if type_.kind == "set":
            members = set_members(value, type_.items[0].lo)
            return sorted(str(self._shown(seat, type_.items[0], member)) for member in members)
        if not isinstance(value, tuple):
            return None
        items = type_.items if type_.kind == "tuple" else type_.items * len(value)
        return [self._shown(seat, item, part) for item, part in zip(items, value, strict=True)]

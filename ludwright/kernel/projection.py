"""The one projection: everything that leaves the kernel for a seat is made here.

A seat sees what zones, reveals and variables show it, the public counts, the header of the open
decision (its options only if it decides), and its own numbering of events. `None` in place of a
seat is the view from above, for designers and tests.
"""

from __future__ import annotations

from typing import Any

from ludwright.kernel import program as ir
from ludwright.kernel import results
from ludwright.kernel.choosing import ChoicePoint, Stop
from ludwright.kernel.context import Cells
from ludwright.kernel.decisions import CHANCE, Decisions, Range
from ludwright.kernel.machine import Machine
from ludwright.kernel.moves import Event
from ludwright.kernel.state import State
from ludwright.kernel.storage import decoder
from ludwright.kernel.types import Type
from ludwright.kernel.values import Values

_INTERNAL = ("__",)


class Projection:
    """What a seat may know."""

    def __init__(self, machine: Machine, values: Values, decisions: Decisions) -> None:
        self._machine = machine
        self._program = machine.program
        self._pieces = machine.pieces
        self._values = values
        self._decisions = decisions

    # ------------------------------------------------------------- states

    def observe(self, state: State, seat: int | None, stop: Stop) -> dict[str, Any]:
        cells = state._cells
        program = self._program
        world = program.world
        phase = cells[ir.PHASE]
        outcome = results.result(self._machine, self._values, cells)
        return {
            "seat": None if seat is None else world.seats[seat],
            "seats": list(world.seats[: cells[ir.PLAYERS]]),
            "phase": program.phases[phase] if 0 <= phase < len(program.phases) else None,
            "turn": int(cells[ir.TURN]),
            "active": world.seats[cells[ir.ACTIVE]] if cells[ir.ACTIVE] >= 0 else None,
            "places": self._places(cells, seat),
            "variables": self._variables(cells, seat),
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

    def _sees(self, cells: Cells, seat: int | None, piece: int) -> bool:
        return seat is None or bool(self._pieces.viewers(cells, piece) >> seat & 1)

    def _places(self, cells: Cells, seat: int | None) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for index, place in enumerate(self._program.world.places):
            count = int(cells[self._program.place_count + index])
            if place.zone is None and count == 0:
                continue  # an empty space says nothing
            shown: dict[str, Any] = {"count": count}
            pieces = self._pieces.within(cells, index)
            visible = [piece for piece in pieces if self._sees(cells, seat, piece)]
            # The order of a deck's middle means nothing, and its numbers would tell too much.
            ordered = place.order in ("row", "stack")
            if ordered and len(visible) != len(pieces):
                shown["pieces"] = [
                    self._piece(cells, piece) if piece in visible else None for piece in pieces
                ]
            elif visible:
                shown["pieces"] = [self._piece(cells, piece) for piece in visible]
                if not ordered:
                    shown["pieces"].sort(key=repr)
            found[place.name] = shown
        return found

    def _piece(self, cells: Cells, piece: int) -> dict[str, Any]:
        told: dict[str, Any] = {"kind": self._values.piece_kinds[piece].name}
        if not self._machine.classes.alike[piece]:
            told["name"] = self._values.piece_names[piece]
        return {**told, **self._values.properties(cells, piece)}

    def _variables(self, cells: Cells, seat: int | None) -> dict[str, Any]:
        program = self._program
        found: dict[str, Any] = {}
        for variable in program.variables:
            if variable.scope == "piece" or variable.name.startswith(_INTERNAL):
                continue
            if variable.scope == "global":
                if seat is None or variable.see == "all":
                    found[variable.name] = self._read(cells, variable, 0)
                continue
            names: tuple[str, ...]
            if variable.scope == "seat":
                names = program.world.seats[: cells[ir.PLAYERS]]
            else:
                places = program.world.places[: program.world.space_count]
                names = tuple(place.name for place in places)
            found[variable.name] = {
                name: self._read(cells, variable, index)
                for index, name in enumerate(names)
                if seat is None
                or variable.see == "all"
                or (variable.see == "owner" and variable.scope == "seat" and index == seat)
            }
        return found

    def _read(self, cells: Cells, variable: ir.Variable, index: int) -> Any:
        at = variable.addr + index * variable.type.width
        return self._values.outside(variable.type, decoder(variable.type)(cells, at))

    def _decision(self, cells: Cells, seat: int | None, stop: Stop) -> dict[str, Any] | None:
        if seat is not None and seat in stop.pending and seat != stop.seat:
            stop = self._machine.sealed(cells, stop, seat)
        decision = self._decisions.publish(cells, stop)
        if decision is None:
            return None
        told: dict[str, Any] = {
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
            told |= {
                "options": {"lo": options.lo, "hi": options.hi}
                if isinstance(options, Range)
                else list(options),
                "legality": list(decision.legality),
                "min": decision.min,
                "max": decision.max,
                "picked": list(decision.picked),
                "optional": decision.optional,
                "canStop": decision.can_stop,
            }
        return told

    # ------------------------------------------------------------- events

    def tell(
        self, raw: tuple[tuple[Any, ...], ...], seat: int | None, last: int, cells: Cells
    ) -> list[Event]:
        """Events as a seat sees them; from above they carry their number in the log."""
        told: list[Event] = []
        first = last - len(raw) + 1
        for number, record in enumerate(raw, first):
            event = self._event(record, seat, cells)
            if event is not None:
                kind, fields = event
                told.append(Event(kind, fields, number if seat is None else len(told) + 1))
        return told

    def _event(
        self, record: tuple[Any, ...], seat: int | None, cells: Cells
    ) -> tuple[str, dict[str, Any]] | None:
        kind = record[0]
        if kind == "changed":
            return self._changed(seat, cells, *record[1:])
        if kind == "moved":
            return self._moved(seat, *record[1:])
        if kind == "chose":
            return self._chose(seat, *record[1:])
        if kind == "rolled":
            return self._rolled(seat, *record[1:])
        if kind == "shuffled":
            return kind, {"place": self._program.world.places[record[1]].name}
        if kind in ("revealed", "concealed"):
            _, piece, seats, seen = record
            if seat is not None and not seen >> seat & 1:
                return None
            names = [
                name for index, name in enumerate(self._program.world.seats) if seats >> index & 1
            ]
            return kind, {"piece": self._values.piece_names[piece], "seats": names}
        if kind == "over":
            return "gameOver", {"outcome": self._program.ends[record[1]].outcome}
        _, event, fields = record
        return event, {name: self._values.outside(type_, value) for name, value, type_ in fields}

    def _changed(
        self, seat: int | None, cells: Cells, variable: int, index: int, old: Any, new: Any
    ) -> tuple[str, dict[str, Any]] | None:
        known = self._program.variables[variable]
        fields: dict[str, Any] = {"variable": known.name}
        world = self._program.world
        if known.scope == "seat":
            fields["of"] = world.seats[index]
            hidden = known.see == "none" or (known.see == "owner" and index != seat)
        elif known.scope == "space":
            fields["of"] = world.places[index].name
            hidden = known.see != "all"
        elif known.scope == "piece":
            fields["of"] = self._values.piece_names[index]
            hidden = not self._sees(cells, seat, index)
        else:
            hidden = known.see != "all"
        if hidden and seat is not None:
            return None
        fields["old"] = self._values.outside(known.type, old)
        fields["new"] = self._values.outside(known.type, new)
        return "changed", fields

    def _moved(
        self, seat: int | None, piece: int, origin: int, place: int, seen: int
    ) -> tuple[str, dict[str, Any]]:
        places = self._program.world.places
        visible = seat is None or seen >> seat & 1
        return "moved", {
            "piece": self._values.piece_names[piece] if visible else None,
            "kind": self._values.piece_kinds[piece].name if visible else None,
            "from": places[origin].name if origin >= 0 else None,
            "to": places[place].name if place >= 0 else None,
        }

    def _chose(
        self, seat: int | None, by: int, point: ChoicePoint, answer: Any
    ) -> tuple[str, dict[str, Any]]:
        choice = point.choice
        fields: dict[str, Any] = {"seat": self._program.world.seats[by], "decision": choice.name}
        # A sealed answer is its seat's own; so is a piece that others may not see.
        secret = choice.together or self._names_pieces(choice.type)
        if seat is not None and seat != by and secret:
            return "chose", fields
        if answer is None:
            fields["value"] = None
        elif choice.kind == "labels":
            fields["value"] = choice.labels[answer].name
        elif choice.kind == "many":
            fields["value"] = [self._values.outside(choice.type, value) for value in answer]
        else:
            fields["value"] = self._values.outside(choice.type, answer)
        return "chose", fields

    def _names_pieces(self, type_: Type) -> bool:
        hidden = any(see != "all" for see in self._pieces.sees)
        return hidden and (type_.kind == "piece" or any(map(self._names_pieces, type_.items)))

    def _rolled(self, seat: int | None, point: Any, outcome: Any) -> tuple[str, dict[str, Any]]:
        instr: ir.Chance = point.instr
        fields: dict[str, Any] = {"name": instr.name}
        # Which hidden piece was drawn, or what a hidden variable became, is told by the move or
        # change that follows, to those who may see it.
        secret = self._names_pieces(instr.type) or self._kept_hidden(instr.variable)
        if seat is None or not secret:
            fields["value"] = self._values.outside(instr.type, outcome)
        return "rolled", fields

    def _kept_hidden(self, variable: int) -> bool:
        """Whether somebody may not see a variable, or a property of a piece that can be hidden."""
        if variable < 0:
            return False
        known = self._program.variables[variable]
        if known.scope == "piece":
            return any(see != "all" for see in self._pieces.sees)
        return known.see != "all"

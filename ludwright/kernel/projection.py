"""The one projection: everything that leaves the kernel for a seat is made here.

A seat sees what zones, reveals and variables show it, the public counts, the header of the open
decision (its options only if it decides), and its own numbering of events. `None` in place of a
seat is the view from above, for designers and tests.
"""

from __future__ import annotations

import json
from typing import Any

from ludwright.kernel import program as ir
from ludwright.kernel import results
from ludwright.kernel.choosing import ChoicePoint, Stop
from ludwright.kernel.context import Cells
from ludwright.kernel.decisions import CHANCE, Decisions, Range
from ludwright.kernel.machine import Machine
from ludwright.kernel.moves import Event
from ludwright.kernel.storage import decoder, set_members
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

    def observe(self, cells: Cells, seat: int | None, stop: Stop) -> dict[str, Any]:
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
                    found[variable.name] = self._read(cells, seat, variable, 0)
                continue
            names: tuple[str, ...]
            if variable.scope == "seat":
                names = program.world.seats[: cells[ir.PLAYERS]]
            else:
                places = program.world.places[: program.world.space_count]
                names = tuple(place.name for place in places)
            found[variable.name] = {
                name: self._read(cells, seat, variable, index)
                for index, name in enumerate(names)
                if seat is None
                or variable.see == "all"
                or (variable.see == "owner" and variable.scope == "seat" and index == seat)
            }
        return found

    def _read(self, cells: Cells, seat: int | None, variable: ir.Variable, index: int) -> Any:
        at = variable.addr + index * variable.type.width
        return self._told(seat, variable.type, decoder(variable.type)(cells, at))

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
            ranged = isinstance(options, Range)
            told |= {
                "options": {"lo": options.lo, "hi": options.hi}
                if isinstance(options, Range)
                else list(options),
                # a range is told as one entry, and so is its legality
                "legality": list(decision.legality[:1] if ranged else decision.legality),
                "min": decision.min,
                "max": decision.max,
                "picked": list(decision.picked),
                "optional": decision.optional,
                "canStop": decision.can_stop,
            }
        return told

    # ------------------------------------------------------------- events

    def tell(self, raw: tuple[tuple[Any, ...], ...], seat: int | None, last: int) -> list[Event]:
        """Events as a seat sees them; from above they carry their number in the log.

        What a seat can identify is told in the order in which it happened. A loop over pieces takes
        them in the order of their numbers: of pieces that the seat cannot tell apart, the order
        would tell which is which. Of these it is told at the end of the step, and only how many
        went from where to where.
        """
        if seat is None:
            first = last - len(raw) + 1
            return [Event(*self._whole(record), first + at) for at, record in enumerate(raw)]
        told: list[tuple[str, dict[str, Any]]] = []
        summed: dict[str, tuple[str, dict[str, Any]]] = {}
        for record in raw:
            event = self._event(record, seat)
            if event is None:
                continue
            if self._identified(record, seat):
                told.append(event)
                continue
            _, fields = summed.setdefault(json.dumps(event), event)
            fields["count"] = fields.get("count", 0) + 1
        told += [summed[key] for key in sorted(summed)]
        return [Event(kind, fields, at) for at, (kind, fields) in enumerate(told, 1)]

    def _whole(self, record: tuple[Any, ...]) -> tuple[str, dict[str, Any]]:
        event = self._event(record, None)
        assert event is not None, "everything is told from above"
        return event

    def _identified(self, record: tuple[Any, ...], seat: int) -> bool:
        """Whether a seat knows exactly which piece an event is about, if it is about one."""
        kind = record[0]
        if kind == "moved":
            _, piece, _, _, seen = record
            return bool(seen >> seat & 1) and self._unique(piece)
        if kind in ("revealed", "concealed"):
            return self._unique(record[1])
        if kind == "changed" and self._program.variables[record[1]].scope == "piece":
            return self._unique(record[2])
        return True

    def _unique(self, piece: int) -> bool:
        """Alike pieces can be followed with the eyes, unless some of them may be out of sight."""
        return not (self._pieces.can_hide and self._machine.classes.alike[piece])

    def _event(
        self, record: tuple[Any, ...], seat: int | None
    ) -> tuple[str, dict[str, Any]] | None:
        kind = record[0]
        if kind == "changed":
            return self._changed(seat, *record[1:])
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
            return kind, {"piece": self._called(seat, piece), "seats": names}
        if kind == "over":
            return "gameOver", {"outcome": self._program.ends[record[1]].outcome}
        _, event, fields = record
        return event, {name: self._told(seat, type_, value) for name, value, type_ in fields}

    def _changed(
        self, seat: int | None, variable: int, index: int, old: Any, new: Any, seen: int
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
            fields["of"] = self._called(seat, index)
            hidden = seat is not None and not seen >> seat & 1
        else:
            hidden = known.see != "all"
        if hidden and seat is not None:
            return None
        fields["old"] = self._told(seat, known.type, old)
        fields["new"] = self._told(seat, known.type, new)
        return "changed", fields

    def _moved(
        self, seat: int | None, piece: int, origin: int, place: int, seen: int
    ) -> tuple[str, dict[str, Any]] | None:
        places = self._program.world.places
        visible = seat is None or seen >> seat & 1
        if not visible and origin == place:
            return None  # face down within one place: nobody else can say that anything happened
        return "moved", {
            "piece": self._called(seat, piece) if visible else None,
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
        secret = choice.together or (choice.type.holds_pieces and self._pieces.can_hide)
        if seat is not None and seat != by and secret:
            return "chose", fields
        if answer is None:
            fields["value"] = None
        elif choice.kind == "labels":
            fields["value"] = choice.labels[answer].name
        elif choice.kind == "many":
            fields["value"] = [self._told(seat, choice.type, value) for value in answer]
        else:
            fields["value"] = self._told(seat, choice.type, answer)
        return "chose", fields

    def _rolled(
        self, seat: int | None, point: Any, outcome: Any
    ) -> tuple[str, dict[str, Any]] | None:
        instr: ir.Chance = point.instr
        # Which hidden piece was drawn, or what a hidden variable became, is told by the move or
        # change that follows, to those who may see it. That something was rolled at all could
        # depend on a secret too: nothing is rolled where only one outcome is left.
        if seat is not None and self._rolls_secretly(instr):
            return None
        return "rolled", {"name": instr.name, "value": self._told(seat, instr.type, outcome)}

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

    def _called(self, seat: int | None, piece: int) -> str:
        """What a piece is called. Where pieces can be hidden, the number of one of several alike
        would let a seat follow it through places that it does not see."""
        if seat is None or self._unique(piece):
            return self._values.piece_names[piece]
        return self._values.makes[piece]

    def _told(self, seat: int | None, type_: Type, value: Any) -> Any:
        """A value as a seat may read it."""
        if seat is None or not (type_.holds_pieces and self._pieces.can_hide):
            return self._values.outside(type_, value)
        if type_.kind == "piece":
            return self._called(seat, value) if value >= 0 else None
        if type_.kind == "set":
            members = set_members(value, type_.items[0].lo)
            return sorted(str(self._told(seat, type_.items[0], member)) for member in members)
        if not isinstance(value, tuple):
            return None
        items = type_.items if type_.kind == "tuple" else type_.items * len(value)
        return [self._told(seat, item, part) for item, part in zip(items, value, strict=True)]

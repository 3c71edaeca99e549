"""Turns the stops of a program into decisions, and names them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ludwright import program as ir
from ludwright.kernel.interpreter.run import Cells
from ludwright.kernel.interpreter.stop import Stop
from ludwright.kernel.protocol.decision import CHANCE, Decision, Legality, Range, Throughout
from ludwright.kernel.views.naming import Values


class DecisionIds:
    """Names decisions by the way to them from the start of the move: `proc.$x[0][2]`.

    The compiler has decided which calls an id has to name (`CallSite`).
    """

    def __init__(self, program: ir.Program) -> None:
        self._owner: dict[int, ir.Procedure] = {}
        for procedure in program.procedures:
            for pc in range(procedure.entry, procedure.end):
                self._owner[pc] = procedure
        self._callers: dict[int, list[tuple[ir.CallSite, ir.Procedure]]] = {}
        for procedure in program.procedures:
            for pc, call in procedure.calls.items():
                instr = program.code[pc]
                assert isinstance(instr, ir.CallProc)
                self._callers.setdefault(instr.entry, []).append((call, procedure))
        self._opened: dict[int, ir.Procedure] = {
            instr.head: self._owner[pc]
            for pc, instr in enumerate(program.code)
            if isinstance(instr, ir.HeadEnter) and pc in self._owner
        }

    def of_choice(self, cells: Sequence[int], choice: ir.Choice, pc: int) -> str:
        name, loops = choice.path or choice.name, choice.loops
        procedure = self._owner.get(pc)
        outermost = self._opened.get(cells[ir.HEAD] - 1)
        while procedure is not None and procedure is not outermost:
            back = (
                cells[procedure.ret] if procedure.ret >= 0 else 0
            )  # nobody calls the main program
            procedure = self._owner.get(back - 1)
            if procedure is None or back <= 0:
                break
            call = procedure.calls.get(back - 1)
            if call is not None:
                loops = (*call.loops, *loops)
                if choice.name in call.names:
                    name = f"{call.segment}.{name}"
        return name + "".join(f"[{cells[cell]}]" for cell in loops)

    def depends_on(self, choice: ir.Choice, pc: int) -> tuple[int, ...]:
        """The cells that `of_choice` can look at: return addresses and loop indices on all ways."""
        cells = {ir.HEAD, *choice.loops}
        ways = [self._owner[pc]] if pc in self._owner else []
        seen: set[int] = set()
        while ways:
            procedure = ways.pop()
            if procedure.entry in seen:
                continue
            seen.add(procedure.entry)
            if procedure.ret >= 0:
                cells.add(procedure.ret)
            for call, caller in self._callers.get(procedure.entry, ()):
                cells.update(call.loops)
                ways.append(caller)
        return tuple(sorted(cells))

    def fixed(self, choice: ir.Choice, pc: int) -> str | None:
        """The id of a decision if it is the same on every way to it, else None."""
        if choice.loops:
            return None
        ways = [self._owner[pc]] if pc in self._owner else []
        seen: set[int] = set()
        opening = {procedure.entry for procedure in self._opened.values()}
        while ways:
            procedure = ways.pop()
            if procedure.entry in seen or procedure.entry in opening:
                continue
            seen.add(procedure.entry)
            for call, caller in self._callers.get(procedure.entry, ()):
                if call.loops or choice.name in call.names:
                    return None
                ways.append(caller)
        return choice.path or choice.name

    def of_chance(self, cells: Cells, chance: ir.Chance) -> str:
        return chance.name + "".join(f"[{cells[cell]}]" for cell in chance.loops)


class Decisions:
    """Turns stops into decisions."""

    def __init__(self, program: ir.Program, values: Values) -> None:
        self._program = program
        self._values = values
        self.ids = DecisionIds(program)

    def publish(self, cells: Cells, stop: Stop) -> Decision | None:
        """The decision a stop stands for; None once the game is over."""
        if stop.kind == "over":
            return None
        if stop.kind == "chance":
            return self._chance(cells, stop)
        choice = stop.choice
        assert choice is not None
        seats = self._program.world.seats
        return Decision(
            seat=seats[stop.seat],
            decision_id=self.ids.of_choice(cells, choice, stop.pc),
            name=choice.name,
            kind="chooseN" if choice.kind == "many" else "chooseOne",
            options=self.options(cells, stop),
            legality=_legality(stop),
            min=stop.minimum,
            max=stop.maximum,
            picked=tuple(self._values.options(cells, choice.type, stop.picked)),
            optional=stop.can_decline,
            can_stop=stop.can_stop,
            head=bool(cells[ir.HEAD]) and not cells[ir.ANSWERED],
            together=tuple(seats[seat] for seat in stop.pending),
            action=self.action(cells),
            role=choice.role,
            dead_end=stop.dead_end,
        )

    def _chance(self, cells: Cells, stop: Stop) -> Decision:
        instr = self._program.code[stop.pc]
        assert isinstance(instr, ir.Chance)
        options = tuple(self._values.options(cells, instr.type, stop.answers))
        return Decision(
            seat=CHANCE,
            decision_id=self.ids.of_chance(cells, instr),
            name=instr.name,
            kind="chance",
            options=options,
            legality=all_legal(len(options)),
            weights=stop.weights,
            action=self.action(cells),
            role="chance",
        )

    def options(self, cells: Cells, stop: Stop) -> Sequence[Any]:
        choice, answers = stop.choice, stop.answers
        assert choice is not None
        if isinstance(answers, range):
            return Range(answers.start, answers.stop - 1)
        if choice.kind == "labels":
            return tuple(choice.labels[index].name for index in answers)
        return tuple(self._values.options(cells, choice.type, answers))

    def action(self, cells: Sequence[int]) -> str | None:
        """The action under way, or None."""
        number = cells[ir.ACTION]
        return self._program.actions[number - 1].name if number else None


def all_legal(count: int, ranged: bool = False) -> Sequence[Legality]:
    """The legality of so many options; those of a range are tested as a whole."""
    legal: Legality = "legal"
    return Throughout(legal, count) if ranged else (legal,) * count


def _legality(stop: Stop) -> Sequence[Legality]:
    legal: Legality = "legal"
    unknown: Legality = "unknown"
    ranged = isinstance(stop.answers, range)
    if not stop.unknown:
        return all_legal(len(stop.answers), ranged)
    if ranged:
        return Throughout(unknown, len(stop.answers))
    return tuple(unknown if at in stop.unknown else legal for at in range(len(stop.answers)))

"""Decisions as the outside sees them, and how they are called."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

from ludwright.kernel import program as ir
from ludwright.kernel.choosing import STOP, Stop
from ludwright.kernel.context import Cells
from ludwright.kernel.lazily import Lazy, late
from ludwright.kernel.values import Values

CHANCE = "chance"  # the seat that rolls the dice

DecisionKind = Literal["chooseOne", "chooseN", "chance"]
# Of one option. "illegal" stands only in a request about an action that cannot be finished.
Legality = Literal["legal", "unknown", "illegal"]


@dataclass(frozen=True, slots=True)
class Range(Sequence[int]):
    """The integers lo..hi, both included, offered as a range instead of a list."""

    lo: int
    hi: int

    def __len__(self) -> int:
        return max(0, self.hi - self.lo + 1)

    def __getitem__(self, index: Any) -> Any:
        if index.__class__ is int and 0 <= index <= self.hi - self.lo:
            return self.lo + index  # the same in less time
        return range(self.lo, self.hi + 1)[index]

    def __iter__(self) -> Iterator[int]:
        return iter(range(self.lo, self.hi + 1))

    def __contains__(self, value: object) -> bool:
        return isinstance(value, int) and self.lo <= value <= self.hi

    def index(self, value: Any, start: int = 0, stop: int | None = None) -> int:
        if value not in self:
            raise ValueError(f"{value} is not in {self.lo}..{self.hi}")
        return int(value) - self.lo


class Asked(NamedTuple):
    """As much of a decision as it takes to find its answer in a move."""

    decision_id: str
    name: str
    role: str
    many: bool


@dataclass(frozen=True, slots=True)
class Throughout(Sequence[Legality]):
    """The same word for each of many options: a range may be too long for a tuple."""

    word: Legality
    options: int  # how many

    def __len__(self) -> int:
        return self.options

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return Throughout(self.word, len(range(self.options)[index]))
        range(self.options)[index]  # an IndexError where there is no such option
        return self.word

    def __contains__(self, word: object) -> bool:
        return self.options > 0 and word == self.word

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Throughout):
            return len(self) == len(other) and (not len(self) or self.word == other.word)
        if isinstance(other, tuple):
            return len(self) == len(other) and all(word == self.word for word in other)
        return NotImplemented

    def __hash__(self) -> int:
        return hash((self.word, self.options))


@late(
    "decision_id", "name", "kind", "legality", "min", "max", "picked", "head", "together",
    "weights", "action", "role", "dead_end",
)  # fmt: skip
@dataclass(frozen=True, slots=True)
class Decision(Lazy):
    """What is asked now, and of whom."""

    seat: str  # "chance" for explicit chance
    decision_id: str  # "$city[1]"
    name: str  # "$city"
    kind: DecisionKind
    options: Sequence[Any]
    legality: Sequence[Legality]  # one word per option
    min: int = 1
    max: int = 1
    picked: tuple[Any, ...] = ()
    optional: bool = False  # None may be answered
    can_stop: bool = False  # STOP may be answered
    head: bool = False  # it opens a move
    together: tuple[str, ...] = ()  # sealed: the seats that have yet to answer
    weights: tuple[int, ...] = ()  # of chance
    action: str | None = None
    role: str = "choice"
    dead_end: bool = False

    @property
    def forced(self) -> bool:
        """Whether there is only one thing to answer."""
        return len(self.options) + self.optional + self.can_stop == 1

    @property
    def answers(self) -> list[Any]:
        """Everything `choose` takes here: the options, then None or STOP where allowed."""
        found = list(self.options)
        if self.optional:
            found.append(None)
        if self.can_stop:
            found.append(STOP)
        return found


class DecisionIds:
    """Names decisions by the way to them from the start of the move: `proc.$x[0][2]`.

    Which calls an id has to name was settled by the compiler (`CallSite`).
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

    def of_choice(self, S: Sequence[int], choice: ir.Choice, pc: int) -> str:
        name, loops = choice.path or choice.name, choice.loops
        procedure = self._owner.get(pc)
        outermost = self._opened.get(S[ir.HEAD] - 1)
        while procedure is not None and procedure is not outermost:
            back = S[procedure.ret] if procedure.ret >= 0 else 0  # nobody calls the main program
            procedure = self._owner.get(back - 1)
            if procedure is None or back <= 0:
                break
            call = procedure.calls.get(back - 1)
            if call is not None:
                loops = (*call.loops, *loops)
                if choice.name in call.names:
                    name = f"{call.segment}.{name}"
        return name + "".join(f"[{S[cell]}]" for cell in loops)

    def fixed(self, choice: ir.Choice, pc: int) -> str | None:
        """The id of a decision that is called the same wherever it is met."""
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

    def of_chance(self, S: Cells, chance: ir.Chance) -> str:
        return chance.name + "".join(f"[{S[cell]}]" for cell in chance.loops)


class Decisions:
    """Turns stops into decisions."""

    def __init__(self, program: ir.Program, values: Values) -> None:
        self._program = program
        self._values = values
        self.ids = DecisionIds(program)

    def publish(self, S: Cells, stop: Stop) -> Decision | None:
        """The decision a stop stands for; None once the game is over."""
        if stop.kind == "over":
            return None
        if stop.kind == "chance":
            return self._chance(S, stop)
        point = stop.point
        assert point is not None
        choice = point.choice
        seats = self._program.world.seats
        return Decision(
            seat=seats[stop.seat],
            decision_id=self.ids.of_choice(S, choice, stop.pc),
            name=choice.name,
            kind="chooseN" if choice.kind == "many" else "chooseOne",
            options=self.options(S, stop),
            legality=self._legality(stop),
            min=stop.minimum,
            max=stop.maximum,
            picked=tuple(self._values.options(S, choice.type, stop.picked)),
            optional=stop.can_decline,
            can_stop=stop.can_stop,
            head=bool(S[ir.HEAD]) and not S[ir.ANSWERED],
            together=tuple(seats[seat] for seat in stop.pending),
            action=self.action(S),
            role=choice.role,
            dead_end=stop.dead_end,
        )

    def _chance(self, S: Cells, stop: Stop) -> Decision:
        instr = self._program.code[stop.pc]
        assert isinstance(instr, ir.Chance)
        options = tuple(self._values.options(S, instr.type, stop.answers))
        legal: Legality = "legal"
        return Decision(
            seat=CHANCE,
            decision_id=self.ids.of_chance(S, instr),
            name=instr.name,
            kind="chance",
            options=options,
            legality=(legal,) * len(options),
            weights=stop.weights,
            action=self.action(S),
            role="chance",
        )

    def options(self, S: Cells, stop: Stop) -> Sequence[Any]:
        point = stop.point
        assert point is not None
        choice, answers = point.choice, stop.answers
        if isinstance(answers, range):
            return Range(answers.start, answers.stop - 1)
        if choice.kind == "labels":
            return tuple(choice.labels[index].name for index in answers)
        return tuple(self._values.options(S, choice.type, answers))

    def _legality(self, stop: Stop) -> Sequence[Legality]:
        legal: Legality = "legal"
        unknown: Legality = "unknown"
        if isinstance(stop.answers, range):  # tested as a whole
            return Throughout(unknown if stop.unknown else legal, len(stop.answers))
        if not stop.unknown:
            return (legal,) * len(stop.answers)
        return tuple(unknown if at in stop.unknown else legal for at in range(len(stop.answers)))

    def action(self, S: Sequence[int]) -> str | None:
        """The action under way, or None."""
        number = S[ir.ACTION]
        return self._program.actions[number - 1].name if number else None

"""Another state that the same seat could be in: what it does not see is dealt, rolled and answered
anew (a determinization of the seat's information set, as far as the state tells what it knows).

Hidden pieces of one kind and owner change places among themselves. Whatever else points at a piece
(locals of the stopped program, hidden variables) then points at the piece that lies there now.
Hidden values that only rolls write are rolled again. What other seats have answered under seal, or
picked so far, becomes something else that they could have answered. A deal in which the seat would
observe something else, or the open decision could not be asked, is thrown away for another one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from ludwright import program as ir
from ludwright.cached import cached_property
from ludwright.errors import IllegalMove, RulebookFault
from ludwright.kernel.interpreter.choice_point import ChoicePoint
from ludwright.kernel.interpreter.machine import Machine
from ludwright.kernel.interpreter.run import Cells, Memory, Refused, Run
from ludwright.kernel.interpreter.stop import DECLINE, Stop
from ludwright.kernel.views.observation import Projection
from ludwright.kernel.views.questions import Questions
from ludwright.program.cells import decoder, encoder, set_members
from ludwright.program.nodes import walk
from ludwright.program.rng import Generator, mix, seed_cells
from ludwright.program.types import Type

ATTEMPTS = 100  # deals, before the hidden pieces stay where they are

# Sources whose members no state changes.
_FIXED = (ir.Const, ir.RangeSource, ir.ConstSource, ir.ItemsSource, ir.ConcatSource)


@dataclass(frozen=True, slots=True)
class _Group:
    """Hidden pieces that may change places among themselves."""

    slots: list[tuple[int, int]]  # the places where they lie, and where in them
    before: list[int]  # the piece in each slot
    pieces: list[int]  # the same, sorted
    masks: list[int]  # to whom what lies in each slot is revealed


@dataclass(slots=True)
class Hidden:
    """What a seat does not see of a state, and what it does."""

    cells: Cells
    seat: int
    layout: list[list[int]]  # by place: its pieces in their order
    groups: list[_Group]
    stop: Stop  # the open decision
    locals: list[ir.Local]  # those that hold pieces
    seen: dict[str, Any] | None = None  # the seat's observation, once it was needed


class Determinizer:
    """Determinizes states of one Program."""

    def __init__(self, machine: Machine, projection: Projection) -> None:
        self._machine = machine
        self._projection = projection
        self._program = machine.program
        self._questions = Questions(machine.program)
        self._pieces = machine.pieces
        self._exchangeable = _exchangeable(machine.program)
        self._holding = [v for v in machine.program.variables if v.type.holds_pieces]

    def determinize(self, cells: Cells, seat: int, seed: int) -> Cells:
        """Deterministic in the seed; `cells` does not change."""
        generator = Generator(mix(seed))
        hidden = self.hidden(cells, seat, frozenset())
        for _ in range(ATTEMPTS):
            found, _ = self.dealt(hidden, generator, {})
            if found is not None and self.asked_in(found, hidden) is not None:
                return found
        return self.another(cells, seat, generator, deal=False) or cells

    def another(
        self, cells: Cells, seat: int, generator: Generator, deal: bool = True
    ) -> Cells | None:
        """One attempt: everything hidden anew; None where somebody could not have answered then."""
        if deal:
            return self.dealt(self.hidden(cells, seat, frozenset()), generator, {})[0]
        return self._answered(self._machine.scratch(cells, Run(seat)), seat, generator)

    def hidden(self, cells: Cells, seat: int, known: frozenset[int]) -> Hidden:
        """What a seat does not see of a state; pieces that it remembers stay where they are."""
        pieces = self._pieces
        count = len(self._program.world.places)
        layout = [pieces.within(cells, place) for place in range(count)]
        unseen = [
            piece not in known and not pieces.viewers(cells, piece) >> seat & 1
            for piece in range(self._program.world.piece_count)
        ]
        groups: list[_Group] = []
        for group in self._exchangeable:
            slots = [
                (place, at)
                for place, within in enumerate(layout)
                for at, piece in enumerate(within)
                if unseen[piece] and piece in group
            ]
            if slots:
                before = [layout[place][at] for place, at in slots]
                revealed = pieces.revealed
                masks = [cells[revealed + piece] if revealed >= 0 else 0 for piece in before]
                groups.append(_Group(slots, before, sorted(before), masks))
        held = list(_held(self._program, cells))
        return Hidden(cells, seat, layout, groups, self._machine.stop_at(cells), held)

    def dealt(
        self, hidden: Hidden, generator: Generator, unlikely: Mapping[int, frozenset[int]]
    ) -> tuple[Cells | None, list[int]]:
        """One attempt; also, by piece, the one that now lies where it lay. `unlikely` says, by
        piece, which others are unlikely to lie in its place."""
        seat = hidden.seat
        memory = self._machine.scratch(hidden.cells, Run(seat))
        instead = self._deal_hidden_pieces(memory, hidden, generator, unlikely)
        self._rename(memory, hidden, instead)
        self._roll_again(memory, seat, generator)
        return self._answered(memory, seat, generator), instead

    def _answered(self, memory: Memory, seat: int, generator: Generator) -> Cells | None:
        if not _answer_again(self._machine, memory, seat, generator):
            return None
        if self._machine.chance == "generator":
            seed_cells(memory, generator.next())
        return self._machine.state_cells(memory)

    def renamed(self, cells: Cells, instead: list[int]) -> Cells:
        """The same state with other pieces in the places of some."""
        memory = self._machine.scratch(cells, Run())
        pieces = self._pieces
        places = [at for at in range(len(instead)) if instead[at] != at]
        if not places:
            return cells
        touched = {memory[pieces.place + piece] for piece in places} - {-1}
        layout = {
            place: [instead[piece] for piece in pieces.within(memory, place)] for place in touched
        }
        if pieces.revealed >= 0:
            masks = {instead[piece]: memory[pieces.revealed + piece] for piece in places}
            for piece, mask in masks.items():
                memory[pieces.revealed + piece] = mask
        for piece in places:
            if memory[pieces.place + piece] < 0:
                raise ValueError("a piece that is nowhere cannot be exchanged")
        for place, within in layout.items():
            self._relink(memory, place, within)
        self._rename_everywhere(memory, instead)
        return self._machine.state_cells(memory)

    def _rename_everywhere(self, memory: Memory, instead: list[int]) -> None:
        """In locals, variables, and answers to the open decision."""
        program = self._program
        self._rename_locals(memory, _held(program, memory), instead)
        for variable in self._holding:
            for number in range(variable.count):
                at = variable.addr + number * variable.type.width
                _rename_at(memory, at, variable.type, instead)
        point = self._machine.choices.get(memory[ir.PC])
        if point is None or point.choice.result >= program.cells:
            return
        choice, type_ = point.choice, point.choice.result_type
        if type_.holds_pieces and (choice.together or choice.kind == "many"):
            for seat in range(memory[ir.PLAYERS] if choice.together else 1):
                _rename_at(memory, choice.result + seat * type_.width, type_, instead)

    def renamed_answer(self, pc: int, answer: Any, instead: list[int]) -> Any:
        """An answer to the decision at an instruction, about the other pieces."""
        type_ = self._machine.choices[pc].choice.type
        if not type_.holds_pieces or not isinstance(answer, int | tuple):
            return answer
        return _renamed(type_, answer, instead)

    def rolled_cells(self, cells: Cells, seat: int) -> list[int]:
        """The cells of hidden values that are rolled anew."""
        return [
            at + offset
            for number in self._rolled
            for at in self._unseen(cells, seat, self._program.variables[number])
            for offset in range(self._program.variables[number].type.width)
        ]

    def asked_in(self, cells: Cells, hidden: Hidden) -> Stop | None:
        """The open decision of a deal; None where the seat would observe something else, or whoever
        is asked would have nothing to answer."""
        try:
            stop = self._machine.stop_at(cells)
            if stop.dead_end != hidden.stop.dead_end:
                return None
            if self._plainly_alike(cells, stop, hidden):
                return stop
            if hidden.seen is None:
                seen = self._projection.observe(hidden.cells, hidden.seat, hidden.stop)
                hidden.seen = seen
            now = self._projection.observe(cells, hidden.seat, stop)
            return stop if now == hidden.seen else None
        except (IllegalMove, RulebookFault, Refused):
            return None

    def _plainly_alike(self, cells: Cells, stop: Stop, hidden: Hidden) -> bool:
        """Whether a seat observes the same after a deal, without making the observations.

        A deal changes only what the seat does not see, so pieces and variables look the same. What
        is left is what the engine works out from the state: computed values, and what is asked."""
        seat, asked = hidden.seat, hidden.stop
        if self._program.shown or stop.choice is None:
            return False
        if (stop.pc, stop.seat, stop.pending) != (asked.pc, asked.seat, asked.pending):
            return False
        if seat in asked.pending and seat != asked.seat:
            stop = self._machine.sealed(cells, stop, seat)
            asked = self._machine.sealed(hidden.cells, asked, seat)
        if asked.seat != seat:
            return True
        choice = stop.choice
        if choice is None or stop != asked:
            return False
        words = self._questions.sentence(cells, choice, stop.pc)
        if words is not None and words.values:
            return False
        viewers, type_ = self._pieces.viewers, choice.type
        return not type_.holds_pieces or (
            type_.kind == "piece"
            and all(viewers(hidden.cells, p) >> seat & 1 for p in (*stop.answers, *stop.picked))
        )

    # ---------------------------------------------------------------- pieces

    def _deal_hidden_pieces(
        self, memory: Memory, hidden: Hidden, generator: Generator,
        unlikely: Mapping[int, frozenset[int]],
    ) -> list[int]:  # fmt: skip
        """Pieces of one kind and owner that the seat does not see change places, but for those it
        has known since it saw them. Gives, by piece, the one that now lies where it lay.

        They are dealt in the order of their numbers: where they lie now leaves no trace."""
        revealed = self._pieces.revealed
        layout: dict[int, list[int]] = {}
        instead = list(range(self._program.world.piece_count))
        for group in hidden.groups:
            dealt = _shuffled(group.pieces, generator)
            if unlikely:
                likely = [unlikely.get(piece, frozenset()) for piece in group.before]
                _mend(dealt, likely, generator)
            for (place, at), before, piece in zip(group.slots, group.before, dealt, strict=True):
                within = layout.get(place)
                if within is None:
                    within = layout[place] = list(hidden.layout[place])
                within[at] = piece
                instead[before] = piece
            if revealed >= 0:
                for piece, mask in zip(dealt, group.masks, strict=True):
                    memory[revealed + piece] = mask
        for place, within in layout.items():
            self._relink(memory, place, within)
        return instead

    def _relink(self, memory: Memory, place: int, within: list[int]) -> None:
        """Put pieces into a place, sorted where their order means nothing."""
        pieces = self._pieces
        order = pieces.orders[place]
        if order == "bag":
            within.sort()
        elif order == "deck":
            top = memory[pieces.deck_top[place]]
            end = len(within) - memory[pieces.deck_bottom[place]]
            within[top:end] = sorted(within[top:end])
        pieces.relink(memory, place, within)

    def _rename(self, memory: Memory, hidden: Hidden, instead: list[int]) -> None:
        """Let everything that the seat does not see point at what now lies in the same place."""
        self._rename_locals(memory, hidden.locals, instead)
        for variable in self._holding:
            for at in self._unseen(memory, hidden.seat, variable):
                _rename_at(memory, at, variable.type, instead)

    def _rename_locals(self, memory: Memory, held: Iterable[ir.Local], instead: list[int]) -> None:
        for local in held:
            for number in range(local.count):
                _rename_at(memory, local.addr + number * local.type.width, local.type, instead)

    # ------------------------------------------------------------- variables

    def _unseen(self, memory: Memory, seat: int, variable: ir.Variable) -> Iterator[int]:
        """The cells of a variable that a seat does not see."""
        pieces = self._pieces
        for index in range(variable.count):
            if variable.scope == "piece":
                hidden = not pieces.viewers(memory, variable.first + index) >> seat & 1
            elif variable.scope == "seat":
                hidden = variable.see == "none" or (variable.see == "owner" and index != seat)
                hidden = hidden and index < memory[ir.PLAYERS]
            else:
                hidden = variable.see != "all"
            if hidden:
                yield variable.addr + index * variable.type.width

    def _roll_again(self, memory: Memory, seat: int, generator: Generator) -> None:
        """Hidden values that came from a roll could be any of its outcomes."""
        for number, outcomes in self._rolled.items():
            variable = self._program.variables[number]
            read, write = decoder(variable.type), encoder(variable.type)
            for at in self._unseen(memory, seat, variable):
                if read(memory, at) in outcomes:  # otherwise it has not been rolled yet
                    write(memory, at, outcomes[generator.below(len(outcomes))])

    @cached_property
    def _rolled(self) -> dict[int, Sequence[Any]]:
        """The variables that only rolls over one fixed collection write, with its members."""
        code = self._program.code
        blank = self._machine.scratch(list(self._program.initial), Run())
        found: dict[int, Sequence[Any]] = {}
        other: set[int] = set()
        for pc, instr in enumerate(code):
            if not isinstance(instr, ir.Store) or instr.variable < 0:
                continue
            chance = code[pc - 1] if pc else None
            if (
                isinstance(chance, ir.Chance)
                and instr.value == ir.Load(chance.addr)
                and all(isinstance(node, _FIXED) for node in walk(chance.outcomes))
            ):
                outcomes = self._machine.chances[pc - 1].outcomes(blank)
                if found.setdefault(instr.variable, outcomes) == outcomes:
                    continue
            other.add(instr.variable)
        return {number: outcomes for number, outcomes in found.items() if number not in other}


def _exchangeable(program: ir.Program) -> list[frozenset[int]]:
    """Pieces by kind and owner: men of one side do not turn up in the other side's supply."""
    table = program.fixed_properties.get("owner")
    groups: dict[tuple[str, int], list[int]] = {}
    for kind in program.world.kinds:
        for piece in kind.pieces:
            owner = program.tables[table][piece] if table is not None else -1
            groups.setdefault((kind.name, owner), []).append(piece)
    return [frozenset(group) for group in groups.values()]


def _held(program: ir.Program, memory: Memory) -> Iterator[ir.Local]:
    """The locals that hold pieces, of every procedure under way; answers to the open decision are
    no references but given anew."""
    at = memory[ir.PC]
    stop = program.code[at]
    answers = program.choices[stop.choice].result if isinstance(stop, ir.Choose) else -1
    for _ in program.procedures:  # they do not recurse
        procedure = next((p for p in program.procedures if p.entry <= at < p.end), None)
        if procedure is None:
            return
        yield from (x for x in procedure.references.get(at, ()) if x.addr != answers)
        # what nobody returns from has no cell for it
        at = memory[procedure.ret] - 1 if 0 <= procedure.ret < program.cells else -1


def _rename_at(memory: Memory, at: int, type_: Type, instead: list[int]) -> None:
    encoder(type_)(memory, at, _renamed(type_, decoder(type_)(memory, at), instead))


def _renamed(type_: Type, value: Any, instead: list[int]) -> Any:
    if type_.kind == "piece":
        return instead[value] if value >= 0 else value
    if not type_.holds_pieces:
        return value
    if type_.kind == "set":
        lo = type_.items[0].lo
        return sum(1 << instead[member] - lo for member in set_members(value, lo))
    if not isinstance(value, tuple):
        return value
    items = type_.items if type_.kind == "tuple" else type_.items * len(value)
    return tuple(_renamed(item, part, instead) for item, part in zip(items, value, strict=True))


# -------------------------------------------------------------------------- answers


def _answer_again(machine: Machine, memory: Memory, seat: int, generator: Generator) -> bool:
    """What other seats have answered under seal, or picked so far, could be something else that
    they were offered. False where somebody could not have answered at all."""
    point = machine.choices.get(memory[ir.PC])
    if point is None or memory[ir.OVER]:
        return True
    if not point.choice.together:
        chooser = point.here(memory).seat if point.choice.kind == "many" else seat
        return chooser == seat or _pick_again(point, memory, chooser, generator, whole=False)
    for other in range(memory[ir.PLAYERS]):
        if other == seat:
            continue
        answered = bool(memory[point.choice.answered] >> other & 1)
        if point.choice.kind == "many":
            if not _pick_again(point, memory, other, generator, whole=answered):
                return False
        elif answered:
            stop = point.view(memory, other)
            answers = [*stop.answers, *([DECLINE] if stop.can_decline else [])]
            if not answers:
                return False
            point.replace_sealed(memory, other, answers[generator.below(len(answers))])
    return True


def _pick_again(
    point: ChoicePoint, memory: Memory, seat: int, generator: Generator, whole: bool
) -> bool:
    """Other picks of a chooseN: a whole answer, or as many as there are so far."""
    made = len(point.picks(memory, seat))
    if made == 0 and not whole:
        return True
    point.replace_picks(memory, seat, ())
    stop = point.view(memory, seat)
    low = stop.minimum if whole else max(stop.minimum, made)
    high = min(stop.maximum, point.choice.result_type.cap or stop.maximum)
    domain, follows = point.whole(memory)
    if high < low or (low > 0 and not domain):
        return False
    count = low + generator.below(high - low + 1) if domain else 0
    picks = _some_picks(point.choice, domain, follows, count, generator)
    point.replace_picks(memory, seat, picks if whole else picks[:made])
    return True


def _some_picks(
    choice: ir.Choice, domain: list[Any], follows: list[bool] | None, count: int,
    generator: Generator,
) -> list[Any]:  # fmt: skip
    """So many options, in the order in which they can be picked; all such answers equally likely,
    but for several alike pieces."""
    if choice.repeats:
        positions = [generator.below(len(domain)) for _ in range(count)]
    else:
        positions = _shuffled(range(len(domain)), generator)[:count]
        positions = _first_of_alike(positions, follows)
    return [domain[at] for at in (positions if choice.sequence else sorted(positions))]


def _first_of_alike(positions: list[int], follows: list[bool] | None) -> list[int]:
    """Among alike pieces, the first ones are picked."""
    if follows is None:
        return positions
    taken: dict[int, int] = {}
    found: list[int] = []
    for position in positions:
        first = next(at for at in range(position, -1, -1) if not follows[at])
        found.append(first + taken.get(first, 0))
        taken[first] = taken.get(first, 0) + 1
    return found


def _mend(dealt: list[int], unlikely: list[frozenset[int]], generator: Generator) -> None:
    """Exchange pieces that lie where they are unlikely to, as far as that helps."""
    count = len(dealt)
    for at in range(count):
        if dealt[at] not in unlikely[at]:
            continue
        start = generator.below(count)
        for step in range(count):
            other = (start + step) % count
            if dealt[other] not in unlikely[at] and dealt[at] not in unlikely[other]:
                dealt[at], dealt[other] = dealt[other], dealt[at]
                break


def _shuffled(items: Sequence[int], generator: Generator) -> list[int]:
    keys = Random(generator.next())
    return sorted(items, key=lambda item: keys.random())

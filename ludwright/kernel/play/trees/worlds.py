"""Worlds: states that a seat could be in, given everything it has seen since the game began.

A world is the state as it is with other pieces in the hidden places (see `views.determinize`). With
them the past was different too, so it is replayed with those pieces, from the last decision back to
the first. A world is thrown away if at some decision the seat would have seen something else than
it saw, or if what another seat answered could not have been answered: a player who did not follow
suit has no card of it, and a card that was passed on is where it went. Nor may an answer lead to
another question than it did: a player who was not asked for more had no more.

Between two decisions chance may have moved pieces about unseen. Whatever lay where such a piece was
taken from can have been exchanged with it, so from there on backwards those pieces are exchanged in
some way that agrees with what the seat saw before. What is thrown away is counted; a contradiction
is never used.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from ludwright import program as ir
from ludwright.errors import LudwrightError
from ludwright.kernel.interpreter.run import Cells, Refused
from ludwright.kernel.interpreter.stop import DECLINE, STOP, Stop
from ludwright.kernel.play.core import Core
from ludwright.kernel.play.trees.explored import all_answers
from ludwright.kernel.play.trees.visibility import SHOWN_HEADER
from ludwright.kernel.protocol.state import State
from ludwright.kernel.views.determinize import Determinizer
from ludwright.program.rng import Generator, cell_seed, mix

# What was answered since the game began: the state before it, and the answer as callers give it.
Past = Sequence[tuple[State, Any]]

ATTEMPTS = 60  # per world wanted
LESSON = 16  # attempts after which the reasons for rejections are looked at
FEWEST, OFTEN = 16, 8  # worlds after which, and times that each was met on average, it is enough
KEPT = 4096  # worlds of which it is remembered what they ask
# Bytes for every cell: of a world, with the keys it is known by; of an earlier decision, with what
# was seen of it.
WORLD_BYTES, MOMENT_BYTES = 32, 16
REFUTED = 4  # worlds in which a piece was in the way


@dataclass(slots=True)
class _Moment:
    """An earlier decision."""

    cells: Cells
    answer: Any  # the kernel's
    visible: list[bool]  # by piece: whether the searching seat saw it
    mixed: frozenset[int]  # pieces that may have been exchanged unseen before the next one
    kept: tuple[int, ...]  # cells of hidden rolls that have not been rolled again since
    answer_known: bool  # another seat answered, and the searching one knows what
    held: tuple[int, ...]  # the hidden pieces in places of the seat that decided
    # what all see after the answer (see `_shown`); None where chance, or a seal, comes between
    then: Cells | None
    # hidden pieces that somebody could see or choose; what lies unseen in a deck is only drawn
    loose: tuple[int, ...]
    verdicts: dict[tuple[int, ...], bool] = field(default_factory=dict)  # by what `loose` are


class _Lesson:
    """What worlds have shown about one earlier answer: which pieces its seat cannot have held."""

    __slots__ = ("_failed", "_passed", "_tried")

    def __init__(self) -> None:
        self._tried: Counter[int] = Counter()
        self._passed: set[int] = set()
        self._failed = False

    def noted(self, held: list[int], possible: bool) -> bool:
        """Note whether the answer was possible with these pieces in hand."""
        if possible:
            self._passed.update(held)
        else:
            self._failed = True
            self._tried.update(held)
        return possible

    def refuted(self) -> set[int]:
        """Pieces that were often there when it was not possible, and never when it was."""
        if not self._failed or not self._passed:
            return set()
        return {p for p, n in self._tried.items() if n >= REFUTED and p not in self._passed}


class Worlds:
    """The worlds of one seat at one decision."""

    def __init__(
        self, core: Core, determinizer: Determinizer, cells: Cells, seat: int, past: Past | None
    ) -> None:
        self._core, self._determinizer, self._cells, self._seat = core, determinizer, cells, seat
        self._program, self._pieces = core.program, core.machine.pieces
        self._moments = self._recalled(past or ())
        self._hidden = determinizer.hidden(cells, seat, self._remembered())
        # By world: what it asks, or None where it cannot be. Where few are possible, they recur.
        self._asked: dict[tuple[int, ...], Stop | None] = {}
        self._lessons = [_Lesson() for _ in self._moments]
        self._unlikely: dict[int, frozenset[int]] = {}
        self._kept = KEPT
        self.rejected = 0

    def fitting(self, wanted: int, memory: int) -> int:
        """How many of the worlds wanted fit into so many bytes; one always does. What is remembered
        of others keeps to that, too."""
        most = max(1, (memory - self.size(0)) // (WORLD_BYTES * len(self._cells)))
        self._kept = min(KEPT, most)
        return min(wanted, most)

    def size(self, worlds: int) -> int:
        """About how many bytes so many worlds take, with the past that they are compared with."""
        cells = len(self._cells)
        return cells * (WORLD_BYTES * worlds + MOMENT_BYTES * len(self._moments))

    # --------------------------------------------------------------- the past

    def _recalled(self, past: Past) -> list[_Moment]:
        core, found = self._core, list[_Moment]()
        later = self._cells
        rolled = self._determinizer.rolled_cells(later, self._seat)
        for state, option in reversed(past):
            cells = core.cells(core.new_state(list(state.shared_cells)))
            stop = core.machine.stop_at(cells)
            if stop.kind != "decision":
                continue
            rolled = [at for at in rolled if cells[at] == self._cells[at]]
            moment = _Moment(
                cells, self._answer(cells, option), self._visible(cells), self._mixed(cells, later),
                tuple(rolled), self._answer_known(cells, stop.seat, option, later),
                self._held(cells, stop.seat), self._then(cells, later), self._loose(cells),
            )  # fmt: skip
            found.append(moment)
            later = cells
        return found  # the last one first

    def _answer(self, cells: Cells, option: Any) -> Any:
        core = self._core
        state = core.new_state(list(cells))
        decision = core.decision(state)
        assert decision is not None
        for seat in decision.together[1:]:  # under seal, any of them may have answered
            own = core.decision(state, seat)
            if own is not None and option in own.answers and option not in decision.answers:
                return core.answering.inside(cells, core.sealed_stop(state, seat), own, option)
        return core.answering.inside(cells, core.stop(state), decision, option)

    def _answer_known(self, cells: Cells, seat: int, option: Any, later: Cells) -> bool:
        """Whether the searching seat knows what another one answered: not under seal, and not if
        the answer is a piece that it did not see even then."""
        choice = self._core.machine.choices[cells[ir.PC]].choice
        if seat == self._seat or choice.together:
            return False
        answer = self._answer(cells, option)
        if choice.type.kind != "piece" or not isinstance(answer, int):
            return True
        shown = self._pieces.viewers(cells, answer) | self._pieces.viewers(later, answer)
        return bool(shown >> self._seat & 1)

    def _then(self, cells: Cells, later: Cells) -> Cells | None:
        choice = self._core.machine.choices[cells[ir.PC]].choice
        if choice.together or cell_seed(cells) != cell_seed(later):
            return None
        return self._shown(later)

    def _shown(self, cells: Cells) -> Cells:
        """Where the game stands, and how many pieces lie where: nobody is blind to that."""
        first, count = self._program.place_count, len(self._program.world.places)
        return [*(cells[cell] for cell in SHOWN_HEADER), *cells[first : first + count]]

    def _held(self, cells: Cells, seat: int) -> tuple[int, ...]:
        place, owners = self._pieces.place, self._pieces.owners
        seen = self._visible(cells)
        return tuple(
            piece
            for piece in range(self._program.world.piece_count)
            if not seen[piece] and cells[place + piece] >= 0
            and owners[cells[place + piece]] == seat
        )  # fmt: skip

    def _loose(self, cells: Cells) -> tuple[int, ...]:
        place, decks = self._pieces.place, self._program.deck_top
        found: list[int] = []
        for piece in range(self._program.world.piece_count):
            viewers = self._pieces.viewers(cells, piece)
            unseen = not viewers and cells[place + piece] in decks
            if not unseen and not viewers >> self._seat & 1:
                found.append(piece)
        return tuple(found)

    def _visible(self, cells: Cells) -> list[bool]:
        count, seat = self._program.world.piece_count, self._seat
        return [bool(self._pieces.viewers(cells, piece) >> seat & 1) for piece in range(count)]

    def _mixed(self, before: Cells, after: Cells) -> frozenset[int]:
        """The pieces that chance may have exchanged unseen between two decisions.

        What was hidden where a hidden piece came from may have come instead of it. Pieces that were
        seen are followed by eye, unless they went from one place to several hidden ones, or to one
        that hidden pieces came from.
        """
        if cell_seed(before) == cell_seed(after):
            return frozenset()
        place, count = self._pieces.place, self._program.world.piece_count
        was, now = before[place : place + count], after[place : place + count]
        seen_before, seen_after = self._visible(before), self._visible(after)
        moved = [p for p in range(count) if was[p] != now[p] and not seen_after[p]]
        sources = {was[p] for p in moved if not seen_before[p]}
        mixed = {p for p in range(count) if was[p] in sources and not seen_before[p]}
        followed = [p for p in moved if seen_before[p]]
        for piece in followed:
            went = {now[p] for p in followed if was[p] == was[piece]}
            if len(went) > 1 or now[piece] in sources:
                mixed.add(piece)
        return frozenset(mixed)

    def _remembered(self) -> frozenset[int]:
        """The pieces that the seat knows the places of, because it saw them there."""
        known: set[int] = set()
        for moment in reversed(self._moments):
            known.update(piece for piece, sees in enumerate(moment.visible) if sees)
            known -= moment.mixed
        return frozenset(known)

    # ----------------------------------------------------------------- worlds

    def draw(self, wanted: int, seed: int, until: float | None = None) -> list[Cells]:
        """As many worlds as wanted, or fewer if time or attempts run out, or if few are possible
        and each was drawn often enough; none if none was found."""
        found: list[Cells] = []
        different: set[tuple[int, ...]] = set()
        for attempt in range(ATTEMPTS * wanted):
            late = until is not None and time.monotonic() > until
            enough = len(found) >= max(FEWEST, OFTEN * len(different))
            if len(found) >= wanted or (late and found) or enough:
                break
            generator = Generator(mix(mix(seed) ^ attempt))
            cells = self._attempt(generator)
            if cells is None:
                self.rejected += 1
            else:
                found.append(cells)
                different.add(tuple(cells[ir.LOG + 1 :]))
            if attempt % LESSON == LESSON - 1:
                self._learn()
        return found

    def _learn(self) -> None:
        """Find out from the worlds that were thrown away which pieces are unlikely to lie where."""
        found: dict[int, set[int]] = {}
        for moment, lesson in zip(self._moments, self._lessons, strict=True):
            bad = lesson.refuted()
            for piece in moment.held if bad else ():
                found.setdefault(piece, set()).update(bad)
        self._unlikely = {piece: frozenset(labels) for piece, labels in found.items()}

    def _attempt(self, generator: Generator) -> Cells | None:
        determinizer = self._determinizer
        cells, instead = determinizer.dealt(self._hidden, generator, self._unlikely)
        if cells is None or not self._agrees(cells, instead):
            return None
        key = tuple(cells[ir.LOG + 1 :])
        if key not in self._asked:
            if len(self._asked) >= self._kept:
                self._asked.clear()
            self._asked[key] = determinizer.asked_in(cells, self._hidden)
        stop = self._asked[key]
        return None if stop is None else self._up_to_seat(cells, stop, generator)

    def _agrees(self, world: Cells, instead: list[int]) -> bool:
        """Whether the past, replayed, shows the seat what it saw, and all that was answered could
        be answered."""
        instead = list(instead)
        for moment, lesson in zip(self._moments, self._lessons, strict=True):
            if moment.mixed and not self._unmix(instead, moment):
                return False
            if any(sees and instead[piece] != piece for piece, sees in enumerate(moment.visible)):
                return False
            if not moment.answer_known and moment.then is None:
                continue
            key = (*(instead[p] for p in moment.loose), *(world[at] for at in moment.kept))
            possible = moment.verdicts.get(key)
            if possible is None:
                possible = moment.verdicts[key] = self._possible(moment, world, instead)
            if moment.answer_known:
                lesson.noted([instead[piece] for piece in moment.held], possible)
            if not possible:
                return False
        return True

    def _unmix(self, instead: list[int], moment: _Moment) -> bool:
        """Give the pieces that were mixed after a moment places in which the seat saw those that it
        had seen by then; False if that is not possible."""
        pieces = sorted(moment.mixed)
        labels = {instead[piece] for piece in pieces}
        held = [piece for piece in pieces if moment.visible[piece]]
        if not labels.issuperset(held):
            return False
        rest = sorted(labels.difference(held))
        others = [piece for piece in pieces if not moment.visible[piece]]
        for piece in held:
            instead[piece] = piece
        for piece, label in zip(others, rest, strict=True):
            instead[piece] = label
        return True

    def _possible(self, moment: _Moment, world: Cells, instead: list[int]) -> bool:
        """Whether a seat could have answered as it did, and what followed would have followed."""
        determinizer, pc = self._determinizer, moment.cells[ir.PC]
        answer = determinizer.renamed_answer(pc, moment.answer, instead)
        try:
            cells = list(determinizer.renamed(moment.cells, instead))
            for at in moment.kept:
                cells[at] = world[at]
            stop = self._core.machine.stop_at(cells)
        except (LudwrightError, Refused, ValueError):
            return False
        if answer is DECLINE:
            offered = stop.can_decline
        elif isinstance(answer, str) and answer == STOP:
            offered = stop.can_stop
        else:
            offered = answer in stop.answers
        if not offered or moment.then is None:
            return offered
        try:
            after = self._core.advance(self._core.new_state(cells, stop), stop, answer).state
        except LudwrightError:
            return False
        return self._shown(after.shared_cells) == moment.then

    # ------------------------------------------------------ sealed decisions

    def asked(self) -> State:
        """The state as the seat is asked, for want of any world."""
        cells = self._up_to_seat(self._cells, self._hidden.stop, Generator(0))
        return self._core.new_state(list(cells if cells is not None else self._cells))

    def _up_to_seat(self, cells: Cells, stop: Stop, generator: Generator) -> Cells | None:
        """Under seal, let the seats that are asked first answer at random."""
        core = self._core
        for _ in range(len(self._program.world.seats) * 1000):
            if stop.seat == self._seat or self._seat not in stop.pending:
                return cells
            answers = all_answers(stop)
            state = core.new_state(list(cells), stop)
            answer = answers[generator.below(len(answers))]
            cells = core.advance(state, stop, answer).state.shared_cells
            stop = core.machine.stop_at(cells)
        return None

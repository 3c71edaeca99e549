"""A search from a state of a game, whichever engine grows the tree."""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from ludwright import program as ir
from ludwright.errors import IllegalMove
from ludwright.kernel.interpreter.machine import Machine
from ludwright.kernel.interpreter.run import Cells
from ludwright.kernel.interpreter.stop import Stop
from ludwright.kernel.play.core import Core
from ludwright.kernel.play.notation import Notation
from ludwright.kernel.play.trees.analysis import (
    Analysis,
    WorldCount,
    candidates_of,
    position_values,
)
from ludwright.kernel.play.trees.explored import Explored, all_answers
from ludwright.kernel.play.trees.lines import moves_of, outside
from ludwright.kernel.play.trees.plain import explore
from ludwright.kernel.play.trees.plain_sets import explore_sets
from ludwright.kernel.play.trees.scaling import last_states, needs_samples, scale_of
from ludwright.kernel.play.trees.settings import Settings
from ludwright.kernel.play.trees.valuing import Scale, Valuing, measured, skipped
from ludwright.kernel.play.trees.visibility import hides
from ludwright.kernel.play.trees.worlds import Past, Worlds
from ludwright.kernel.protocol.arguments import whole
from ludwright.kernel.protocol.state import State
from ludwright.kernel.views.determinize import Determinizer
from ludwright.program.limits import GAME_LIMIT

TELLING = 0.05  # the part of the time that is kept for what comes after the search

# The machine that says how well seats stand: with what the rulebook tells bots, or without.
Measuring = Callable[[bool], Machine]


class Hinted:
    """The machine of a game's rules, and one that knows what its rulebook tells bots."""

    def __init__(self, machine: Machine, program: ir.Program | None) -> None:
        """`program`: the same rules with hints; None where the rulebook gives none."""
        self._machine, self._hinted = machine, machine
        if program is not None:
            assert program.cells == machine.program.cells, "hints change no rule"
            assert len(program.code) == len(machine.program.code), "hints change no rule"
            self._hinted = Machine(program)

    def __call__(self, hints: bool) -> Machine:
        return self._hinted if hints else self._machine


class Grower(ABC):
    """An engine that grows trees."""

    name: str

    @abstractmethod
    def last_states(self, cells: Cells, settings: Settings) -> Sequence[Cells]:
        """Where a few random games from a state end."""

    @abstractmethod
    def measured(self, cells: Cells, settings: Settings) -> list[int]:
        """The rulebook's `score` of every seat in play."""

    @abstractmethod
    def explore(self, cells: Cells, settings: Settings, scale: Scale) -> Explored:
        """Where nothing is hidden."""

    @abstractmethod
    def explore_sets(
        self, seat: int, worlds: Sequence[Cells], settings: Settings, scale: Scale
    ) -> Explored:
        """In worlds that a seat could be in."""


class PlainGrower(Grower):
    """Grows trees in Python."""

    name = "python"

    def __init__(self, core: Core, measuring: Measuring) -> None:
        self._core, self._measuring = core, measuring

    def last_states(self, cells: Cells, settings: Settings) -> Sequence[Cells]:
        return last_states(self._core, cells, settings)

    def measured(self, cells: Cells, settings: Settings) -> list[int]:
        return measured(self._measuring(settings.hints), cells)

    def explore(self, cells: Cells, settings: Settings, scale: Scale) -> Explored:
        valuing = Valuing(self._measuring(settings.hints), scale, settings.margin)
        return explore(self._core, cells, settings, valuing)

    def explore_sets(
        self, seat: int, worlds: Sequence[Cells], settings: Settings, scale: Scale
    ) -> Explored:
        valuing = Valuing(self._measuring(settings.hints), scale, settings.margin)
        return explore_sets(self._core, seat, worlds, settings, valuing)


class Searcher:
    """Searches states of one game."""

    def __init__(
        self, core: Core, notation: Notation, grower: Grower, measuring: Measuring
    ) -> None:
        """`core` draws chance from the generator."""
        self._core, self._notation, self._grower = core, notation, grower
        self._measuring = measuring
        self._program = core.program
        self._hidden = hides(core.program)
        self._determinizer = Determinizer(core.machine, core.projection)

    def search(
        self, cells: Cells, seat: str | None, settings: Settings, past: Past | None
    ) -> Analysis:
        """The answers of whoever decides, or of one seat that is asked under seal."""
        began = time.monotonic()
        state = self._core.new_state(list(cells))
        decision = self._core.decision(state, seat)
        if decision is None:
            raise IllegalMove("game-over", "", "the game is over")
        if not decision.answers:
            raise IllegalMove("no-option", "", "nothing can be answered; nothing is searched")
        self._check_asked(cells)
        self._core.check_turn(state, decision, seat)
        number = self._core.seat_number(seat or decision.seat)
        settings = self._with_cutoff(settings)
        counted: WorldCount | None = None
        if cells[ir.PC] in skipped(self._measuring(settings.hints).program):
            state, found = self._first_answer(self._up_to(cells, number, past))
        elif self._hidden and not settings.sees_all:
            state, found, counted = self._in_worlds(cells, number, settings, past, began)
        else:
            scale = self._scale(cells, settings)
            found = self._grower.explore(cells, _left(settings, began), scale)
        return self._told(state, number, found, counted, time.monotonic() - began)

    def worlds(self, cells: Cells, seat: int, n: int, past: Past, seed: int) -> Sequence[Cells]:
        """At most `n` worlds of a seat."""
        self._check_asked(cells)
        return Worlds(self._core, self._determinizer, cells, seat, past).draw(
            n, whole("seed", seed)
        )

    def _check_asked(self, cells: Cells) -> None:
        if cells[ir.PC] in self._core.machine.chances:
            raise IllegalMove("not-your-turn", "", "chance decides now; there is nothing to search")

    def _with_cutoff(self, settings: Settings) -> Settings:
        """Playouts as long as the rulebook advises, unless the caller says how long."""
        hints = self._measuring(settings.hints).program.hints
        if hints is None or not hints.cutoff or settings.cutoff != GAME_LIMIT:
            return settings
        return replace(settings, cutoff=hints.cutoff)

    def _scale(self, cells: Cells, settings: Settings) -> Scale:
        ends: Sequence[Cells] = ()
        program, grower = self._measuring(settings.hints).program, self._grower
        if needs_samples(program, settings, cells[ir.PLAYERS]):
            ends = grower.last_states(cells, settings)
        measure = partial(grower.measured, settings=settings)
        return scale_of(program, cells[ir.PLAYERS], ends, measure)

    def _first_answer(self, state: State) -> tuple[State, Explored]:
        """What is offered, in its order, without a thought."""
        answers = all_answers(self._core.stop(state))
        found = Explored(answers, [0] * len(answers), [], [None] * len(answers))
        found.sums = [[0] * state.shared_cells[ir.PLAYERS] for _ in answers]
        return state, found

    def _up_to(self, cells: Cells, seat: int, past: Past | None) -> State:
        """The state as a seat is asked, under seal too."""
        return Worlds(self._core, self._determinizer, cells, seat, past).asked()

    def _in_worlds(
        self, cells: Cells, seat: int, settings: Settings, past: Past | None, began: float
    ) -> tuple[State, Explored, WorldCount]:
        wanted = settings.worlds
        if settings.simulations is not None:
            wanted = min(wanted, max(1, settings.simulations // 4))
        until = None if settings.seconds is None else began + settings.seconds / 4
        drawn = Worlds(self._core, self._determinizer, cells, seat, past)
        fitting = drawn.fitting(wanted, settings.memory // 4)
        worlds = drawn.draw(fitting, settings.seed, until)
        counted = WorldCount(len(worlds), drawn.rejected, not worlds)
        if not worlds:
            # Nothing to think about: what is offered is all that is known.
            return *self._first_answer(drawn.asked()), counted
        scale = self._scale(worlds[0], settings)
        left = _left(settings, began)
        left = replace(left, memory=settings.memory - drawn.size(len(worlds)))
        found = self._grower.explore_sets(seat, worlds, left, scale)
        return self._core.new_state(list(worlds[0])), found, counted

    def _told(
        self, state: State, seat: int, found: Explored, worlds: WorldCount | None, seconds: float
    ) -> Analysis:
        core, world = self._core, self._program.world
        seats = world.seats[: state.shared_cells[ir.PLAYERS]]
        stop: Stop = core.stop(state)
        decision = core.decision(state)
        assert decision is not None, "a decision was searched"
        options: list[Any] = [outside(stop, decision, answer) for answer in found.answers]
        return Analysis(
            seat=seats[seat],
            candidates=candidates_of(found, options, seats, seat),
            values=position_values(found, seats),
            solved=found.solved is not None,
            line=moves_of(core, self._notation, state, found.line),
            simulations=found.simulations,
            seconds=seconds,
            nodes=found.nodes,
            full=found.full,
            interrupted=found.interrupted,
            engine=self._grower.name,
            worlds=worlds,
        )


def _left(settings: Settings, began: float) -> Settings:
    """The time that is left; some is needed to tell what was found."""
    if settings.seconds is None:
        return settings
    spent = time.monotonic() - began
    return replace(settings, seconds=max(0.001, (1 - TELLING) * settings.seconds - spent))

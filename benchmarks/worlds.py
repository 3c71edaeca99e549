"""Worlds checked by telling the past anew: `python -m benchmarks.worlds`.

Random games are played to some decision, and worlds are drawn for the seat that decides. Each world
brings its own past with it: the earlier states with other pieces in the hidden places. For every
one of them the observation of the seat must be the one it really had, what was answered must have
been on offer, and, where chance did not come between, the answer must lead to the next of those
states as the seat sees it. Anything else is a contradiction. Only where another seat answers
unseen (under seal, say), its single answers are not looked at: they show when the seal is opened.
"""

from __future__ import annotations

import argparse
import random
from typing import Any

import ludwright
from ludwright import program as ir
from ludwright.errors import LudwrightError
from ludwright.kernel.interpreter.stop import DECLINE, STOP
from ludwright.kernel.play.game import core_of
from ludwright.kernel.play.trees.worlds import Worlds
from ludwright.kernel.protocol.state import State
from ludwright.kernel.views.determinize import Determinizer

# Decisions after which worlds are drawn, at most.
GAMES = {
    "kuhn-poker": 3, "leduc-poker": 6, "liars-dice": 8, "goofspiel": 20, "texas-holdem": 24,
    "hearts": 60, "harvest-fair": 60,
}  # fmt: skip
AT_ONCE = 25  # worlds from one position


class Told(Worlds):
    """Remembers how the past of each world was told."""

    def _agrees(self, world: Any, instead: list[int]) -> bool:
        agreed = super()._agrees(world, instead)
        if agreed:
            self.instead = list(instead)
        return agreed

    def pasts(self, world: Any) -> list[tuple[Any, Any, bool]]:
        """The earlier states of the last world, the last one first, with the answers, and whether
        the seat knows those."""
        instead, found = list(self.instead), []
        for moment in self._moments:
            if moment.mixed:
                assert self._unmix(instead, moment)
            cells = list(self._determinizer.renamed(moment.cells, instead))
            for at in moment.kept:
                cells[at] = world[at]
            pc = moment.cells[ir.PC]
            answer = self._determinizer.renamed_answer(pc, moment.answer, instead)
            own = self._core.machine.stop_at(moment.cells).seat == self._seat
            found.append((cells, answer, moment.answer_known or own))
        return found


def played(game: Any, seed: int, decisions: int) -> tuple[Any, list[tuple[Any, Any]]]:
    pick = random.Random(seed)
    past: list[tuple[Any, Any]] = []
    state = game.initial_state(seed)
    while len(past) < decisions:
        decision = game.decision(state)
        if decision is None:
            return past[-1][0], past[:-1]
        option = pick.choice(decision.answers)
        past.append((state, option))
        state = game.choose(state, option).state
    if game.decision(state) is None:
        return past[-1][0], past[:-1]
    return state, past


class Checker:
    """Draws worlds of one game and looks for contradictions."""

    def __init__(self, name: str) -> None:
        self.name, self.game = name, ludwright.load(name)
        self.core = core_of(self.game)
        self.worlds = self.rejected = self.contradictions = self.looked_at = 0
        self.first = ""

    def check(self, seed: int, decisions: int, count: int) -> None:
        """Worlds of the seat that decides after so many decisions."""
        game, core = self.game, self.core
        state, past = played(game, seed, decisions)
        decision = game.decision(state)
        assert decision is not None
        self.seat = decision.seat
        told = Told(
            core, Determinizer(core.machine, core.projection), core.cells(state),
            core.seat_number(self.seat), past,
        )  # fmt: skip
        real = [game.observe(before, self.seat) for before, _ in reversed(past)]
        now = game.observe(state, self.seat)
        for number in range(count):
            drawn = told.draw(1, 1_000_003 * seed + number)
            if not drawn:
                continue
            self.worlds += 1
            wrong = self._wrong(told, drawn[0], now, real)
            if wrong:
                self.contradictions += 1
                self.first = self.first or f"seed {seed}, {decisions} decisions: {wrong}"
        self.rejected += told.rejected

    def _wrong(self, told: Told, world: Any, now: Any, real: list[Any]) -> str:
        """What contradicts what the seat has seen, or nothing."""
        game = self.game
        later = self.core.new_state(list(world))
        if game.observe(later, self.seat) != now:
            return "the seat would see something else now"
        pasts = told.pasts(world)
        for back, ((cells, answer, known), seen) in enumerate(zip(pasts, real, strict=True), 1):
            if not known:
                continue
            self.looked_at += 1
            state = self.core.new_state(list(cells))
            if game.observe(state, self.seat) != seen:
                return f"{back} decisions ago the seat would have seen something else"
            problem = self._answered(state, answer, now if back == 1 else real[back - 2])
            if problem:
                return f"{back} decisions ago {problem}"
        return ""

    def _answered(self, state: State, answer: Any, then: Any) -> str:
        """Carry an answer out as the engine does, and compare what the seat sees then."""
        core = self.core
        stop = core.stop(state)
        free = answer is DECLINE or (isinstance(answer, str) and answer == STOP)
        if not free and answer not in stop.answers:
            return "what was answered was not on offer"
        try:
            step = core.advance(state, stop, answer)
        except LudwrightError as error:
            return f"what was answered is refused: {error}"
        after = step.state.shared_cells
        if after[:2] != state.shared_cells[:2]:
            return ""  # chance came between: the next state has been looked at by itself
        return (
            "" if self.game.observe(step.state, self.seat) == then else "the answer leads elsewhere"
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", nargs="*", default=list(GAMES))
    parser.add_argument("-n", type=int, default=1_000, help="worlds of each game")
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    for name in given.games:
        checker, seed = Checker(name), given.seed
        while checker.worlds < given.n:
            seed += 1
            count = min(AT_ONCE, given.n - checker.worlds)
            checker.check(seed, random.Random(seed).randrange(1, GAMES[name] + 1), count)
        print(
            f"{name}: {checker.worlds:,} worlds, {checker.looked_at:,} earlier states told anew, "
            f"{checker.contradictions} contradictions; {checker.rejected:,} worlds thrown away "
            f"{checker.first}",
            flush=True,
        )


if __name__ == "__main__":
    main()

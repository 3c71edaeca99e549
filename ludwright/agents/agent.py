"""Agents: who answers decisions. They see a `View`, never the state."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from ludwright.agents.answers import Answers, unproven
from ludwright.agents.protocol import Decision, Game, Option, State, Step
from ludwright.errors import EndlessChoices, IllegalMove, LudwrightError
from ludwright.kernel.play.dice import Dice
from ludwright.program.limits import MOVE_LIMIT

LOSS, DRAW, WIN = -(10**9), 0, 10**9  # beyond every score a rulebook can state


class View:
    """What a seat may know at a decision, and a way to think ahead without peeking.

    `imagine` returns a state that agrees with everything the seat sees and draws all else anew;
    searching from it cannot use hidden cards or coming rolls.
    """

    __slots__ = ("_game", "_past", "_state", "decision", "seats")

    def __init__(
        self, game: Game, state: State, decision: Decision, seats: Sequence[str],
        past: Sequence[tuple[State, Option]] = (),
    ) -> None:  # fmt: skip
        """`past`: the states before this one and what was answered there."""
        self._game = game
        self._state = state
        self._past = past
        self.decision = decision
        self.seats = seats  # those in play

    @property
    def seat(self) -> str:
        return self.decision.seat

    @property
    def game(self) -> Game:
        return self._game

    def observation(self) -> Any:
        return self._game.observe(self._state, self.seat)

    def imagine(self, seed: int) -> State:
        return self._game.determinize(self._state, self.seat, seed)

    def search(self, **settings: Any) -> Any:
        """A tree search that uses what this seat has seen since the game began, and no more."""
        search = getattr(self._game, "search", None)
        if search is None:
            raise LudwrightError("this game cannot be searched; only games from rulebooks can")
        return search(self._state, self.seat, past=self._past, **settings)

    def drawn(self, dice: Dice) -> Option:
        """A random answer, with the draws that playouts inside an engine would make."""
        draw = getattr(self._game, "random_answer", None)
        if draw is not None:
            return draw(self._state, dice.pick)
        options = Answers(self.decision)
        return options[dice.pick(len(options))]


class Agent(Protocol):
    def choose(self, view: View) -> Option:
        """One of the `Answers` to `view.decision`."""
        ...


class RandomAgent:
    """Chooses uniformly among the options; a set pick by pick, *stop* being one more option.

    Drawing a size first, and then a subset, would often give a set that a later rule forbids.
    """

    def __init__(self, seed: int) -> None:
        self._dice = Dice(seed)

    def choose(self, view: View) -> Option:
        options = Answers(view.decision)
        return options[self._dice.pick(len(options))]


class GreedyAgent:
    """Takes the option after which its own move ends best, on average over determinizations.

    A move of several decisions is finished at random, `samples` times per option. Where there are
    more than `breadth` options, `breadth` of them are tried.
    """

    def __init__(self, seed: int, samples: int = 4, breadth: int = 64) -> None:
        self._dice = Dice(seed)
        self._samples = samples
        self._breadth = breadth

    def choose(self, view: View) -> Option:
        options = Answers(view.decision)
        if len(options) == 1:
            return options[0]
        # The same imagined states for every option: luck is no reason to prefer one.
        seeds = [self._dice.next() for _ in range(self._samples)]
        states = [view.imagine(seed) for seed in seeds]
        best: list[Option] = []
        best_value: int | None = None
        for index in self._dice.sample(len(options), self._breadth):
            option = options[index]
            value = sum(
                self._value(view, state, option, seed)
                for state, seed in zip(states, seeds, strict=True)
            )
            if best_value is None or value > best_value:
                best, best_value = [option], value
            elif value == best_value:
                best.append(option)
        return best[self._dice.pick(len(best))]

    def _value(self, view: View, state: State, option: Option, seed: int) -> int:
        try:
            return self._finished(view, state, option, seed)
        except _Refused:
            return LOSS

    def _finished(self, view: View, state: State, option: Option, seed: int) -> int:
        """The value of the move if it goes on at random after the option."""
        game, seat, dice = view.game, view.seat, Dice(seed)
        step = _chosen(game, state, view.decision, option)
        asked = 1
        while not step.part_ended and (decision := game.decision(step.state)) is not None:
            answers = Answers(decision)
            if not answers:  # a dead end behind an option of unknown legality
                return LOSS
            asked += 1
            if asked > MOVE_LIMIT:
                action = decision.action or decision.name
                raise EndlessChoices(action, decision.decision_id, MOVE_LIMIT)
            step = _chosen(game, step.state, decision, answers[dice.pick(len(answers))])
        return standing(game, step.state, seat, view.seats)


class _Refused(Exception):
    """An option of unknown legality that proved to be refused."""


def _chosen(game: Game, state: State, decision: Decision, option: Option) -> Step:
    try:
        return game.choose(state, option, decision.seat)
    except IllegalMove:
        if unproven(decision):
            raise _Refused from None
        raise


def standing(game: Game, state: State, seat: str, seats: Sequence[str]) -> int:
    """How well a seat stands: its result if the game is over, else its lead in score."""
    result = game.result(state)
    if result is not None:
        if seat not in result.winners:
            return LOSS if result.winners else DRAW
        return WIN if len(result.winners) < len(seats) else DRAW
    others = [game.score(state, other) or 0 for other in seats if other != seat]
    return (game.score(state, seat) or 0) - max(others, default=0)

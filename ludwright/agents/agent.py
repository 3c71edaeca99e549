"""Agents: who answers decisions. They see a `View`, never the state."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from ludwright.agents.answers import Answers, unproven
from ludwright.agents.protocol import Decision, Game, Option, State, Step
from ludwright.errors import EndlessChoices, IllegalMove, LudwrightError, RulebookFault
from ludwright.kernel.play.agent_dice import Dice
from ludwright.program.limits import MOVE_LIMIT

if TYPE_CHECKING:
    import ludwright as kernel
    from ludwright import Analysis

LEAST = 8  # completions of a move, however many options there are
OTHERS = 60  # answers of others before the seat is asked again
LOSS, DRAW, WIN = -(10**9), 0, 10**9  # beyond every score a rulebook can state


class View:
    """What a seat may know at a decision, and a way to think ahead without peeking.

    `imagine` returns a state that agrees with everything the seat sees and draws all else anew;
    searching from it cannot use hidden cards or coming rolls.
    """

    __slots__ = ("_game", "_past", "_state", "decision", "faults", "seats")

    def __init__(
        self, game: Game, state: State, decision: Decision, seats: Sequence[str],
        past: Sequence[tuple[State, Option]] = (),
    ) -> None:  # fmt: skip
        """`past`: the states before this one and what was answered there.

        Anything that asks and answers like a game can be played. Agents are written for games from
        rulebooks, so that is what type checkers are told of.
        """
        self._game: Any = game
        self._state = state
        self._past = past
        self.decision: kernel.Decision = decision  # type: ignore[assignment]
        self.seats = seats  # those in play
        # mistakes of the rulebook that an agent met in states it imagined: not in the game itself
        self.faults: list[RulebookFault] = []

    @property
    def seat(self) -> str:
        return self.decision.seat

    @property
    def game(self) -> kernel.Game:
        game: kernel.Game = self._game
        return game

    def observation(self) -> dict[str, Any]:
        """All that the seat may know, as in `Game.observe`."""
        return self.game.observe(self._state, self.seat)

    def imagine(self, seed: int) -> kernel.State:
        """A state that the seat could be in by what it sees now, as in `Game.determinize`."""
        return self.game.determinize(self._state, self.seat, seed)

    def worlds(self, n: int, seed: int = 0) -> list[kernel.State]:
        """States that the seat could be in by all that it has seen, as in `Game.worlds`."""
        return self._rulebook_game().worlds(self._state, self.seat, n, past=self._past, seed=seed)

    def search(self, **settings: Any) -> Analysis:
        """A tree search that uses what this seat has seen since the game began, and no more."""
        return self._rulebook_game().search(self._state, self.seat, past=self._past, **settings)

    def _rulebook_game(self) -> kernel.Game:
        if not hasattr(self._game, "search"):
            raise LudwrightError("this game cannot be searched; only games from rulebooks can")
        return self.game

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


def careful_answer(agent: Agent, view: View) -> Option:
    """The agent's answer, or any if its thoughts end in a mistake of the rulebook. `view.faults`
    tells of that: whoever plays against it should not lose the game over it."""
    try:
        return agent.choose(view)
    except RulebookFault as fault:
        view.faults.append(fault)
        answers = Answers(view.decision)
        return answers[Dice(len(answers)).pick(len(answers))]


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
    """Takes the option after which it stands best: at once, and with its own next move.

    The move is completed in every way, up to `completions` of them, in states that the seat could
    be in (`samples`). Then the others answer at random until the seat is asked again, and the best
    completion of that move counts: a coin now is less than three coins with the next move. All that
    takes at most about `looks` answers; what that is not enough for is left out for every option
    alike. Where there are more than `breadth` options, `breadth` of them are tried. What leads
    to a fault of a rule counts as lost.
    """

    def __init__(
        self, seed: int, samples: int = 8, breadth: int = 64, completions: int = 64,
        looks: int = 400,
    ) -> None:  # fmt: skip
        self._dice = Dice(seed)
        self._samples = samples
        self._breadth = breadth
        self._completions = completions
        self._looks = looks

    def choose(self, view: View) -> Option:
        answers = Answers(view.decision)
        if len(answers) == 1:
            return answers[0]
        options = [answers[at] for at in self._dice.sample(len(answers), self._breadth)]
        now = [0] * len(options)
        later: list[int] | None = None
        left = self._looks
        completions = min(self._completions, max(LEAST, self._looks // len(options)))
        for number in range(self._samples):
            # The same imagined state for every option: luck is no reason to prefer one.
            look = _Look(view, self._dice.next(), completions, left)
            ends = [look.best_end(option) for option in options]
            now = [total + end.value for total, end in zip(now, ends, strict=True)]
            if any(end.value == WIN for end in ends) and number == 0 and not look.hides:
                break  # there is nothing better
            ahead = look.ahead(ends)
            left = look.left
            if ahead is None:
                break
            later = ahead if later is None else [a + b for a, b in zip(later, ahead, strict=True)]
        values = list(zip(now, now, strict=True) if later is None else zip(later, now, strict=True))
        best = max(values)
        tied = [option for option, value in zip(options, values, strict=True) if value == best]
        return tied[self._dice.pick(len(tied))]


@dataclass(frozen=True, slots=True)
class _End:
    """How a move may end: how the seat stands then, and the state, unless the move is refused."""

    value: int
    state: State | None


class _Look:
    """Looking ahead in one state that a seat could be in."""

    def __init__(self, view: View, seed: int, completions: int, left: int) -> None:
        self._view = view
        self._game = view.game
        self._state = view.imagine(seed)
        self._dice = Dice(seed)
        self._completions = completions
        self.left = left  # answers that may still be looked at

    @property
    def hides(self) -> bool:
        """Whether another state could have been imagined."""
        return bool(self._state != self._view.imagine(self._dice.next()))

    def best_end(self, option: Option) -> _End:
        """The best completion of the move that goes on with an option."""
        try:
            step = self._chosen(self._state, self._view.decision, option)
            self.left -= 1
            return self._best([step])
        except _Refused:
            return _End(LOSS, None)

    def _best(self, stack: list[Step]) -> _End:
        """The best way to go on: depth first, in any order, until enough of them were seen."""
        best: _End | None = None
        seen = asked = 0
        while stack and seen < self._completions:
            step = stack.pop()
            with self._judging():
                decision = None if step.part_ended else self._game.decision(step.state)
            if decision is None:
                seen += 1
                with self._judging():
                    value = standing(self._game, step.state, self._view.seat, self._view.seats)
                if best is None or value > best.value:
                    best = _End(value, step.state)
                continue
            asked += 1
            if asked > MOVE_LIMIT + self._completions:
                action = decision.action or decision.name
                raise EndlessChoices(action, decision.decision_id, MOVE_LIMIT)
            stack += self._answered(step.state, decision)
        return best or _End(LOSS, None)  # a dead end behind an option of unknown legality

    def _answered(self, state: State, decision: Decision) -> list[Step]:
        """The steps after some answers, the last to be looked at first."""
        answers = Answers(decision)
        found: list[Step] = []
        for at in self._dice.sample(len(answers), self._completions):
            self.left -= 1
            with suppress(_Refused):
                found.append(self._chosen(state, decision, answers[at]))
        return found

    def _chosen(self, state: State, decision: Decision, option: Option) -> Step:
        try:
            with self._judging():
                return self._game.choose(state, option, decision.seat)
        except IllegalMove:
            if unproven(decision):
                raise _Refused from None
            raise

    @contextmanager
    def _judging(self) -> Iterator[None]:
        """What is imagined may show a mistake of the rulebook; then this way leads nowhere."""
        try:
            yield
        except RulebookFault as fault:
            self._view.faults.append(fault)
            raise _Refused from None

    def ahead(self, ends: Sequence[_End]) -> list[int] | None:
        """How the seat stands after its next move, for each end; None if that takes too long."""
        values: list[int] = []
        seed = self._dice.next()
        for end in ends:
            if self.left <= 0:
                return None
            values.append(end.value)
            if end.state is not None:
                with suppress(_Refused):
                    values[-1] = self._next(end.state, seed)
        return values

    def _next(self, state: State, seed: int) -> int:
        """Others answer at random until the seat is asked again; then the best of its move."""
        game, view, dice = self._game, self._view, Dice(seed)
        for _ in range(OTHERS):
            with self._judging():
                decision = game.decision(state)
            if decision is None:
                break
            answers = Answers(decision)
            if not answers:
                break
            if decision.seat == view.seat:
                return self._best(self._answered(state, decision)).value
            self.left -= 1
            try:
                state = self._chosen(state, decision, answers[dice.pick(len(answers))]).state
            except _Refused:
                break
        with self._judging():
            return standing(game, state, view.seat, view.seats)


class _Refused(Exception):
    """An option of unknown legality that proved to be refused, or a rule behind it is faulty."""


def standing(game: Game, state: State, seat: str, seats: Sequence[str]) -> int:
    """How well a seat stands: its result if the game is over, else its lead in score."""
    result = game.result(state)
    if result is not None:
        if seat not in result.winners:
            return LOSS if result.winners else DRAW
        return WIN if len(result.winners) < len(seats) else DRAW
    others = [game.score(state, other) or 0 for other in seats if other != seat]
    return (game.score(state, seat) or 0) - max(others, default=0)

"""A question about two bots, and games until it is decided."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from ludwright.bots.tournaments.playing import Outcome
from ludwright.errors import LudwrightError

# Observations before anything is decided. Scores have no largest one, so it takes more of them to
# know how far they lie apart.
FEWEST = {"share": 8, "score": 30}


@dataclass(frozen=True, slots=True)
class Question:
    """Whether the first of two bots wins a larger share than `low`: `high`, say.

    With `of="score"` it is about the mean score of the first bot instead. A sequential probability
    ratio test with errors of 5 %: games are played until it is decided.
    """

    low: float = 0.5
    high: float = 0.55
    error: float = 0.05
    of: Literal["share", "score"] = "share"

    def __post_init__(self) -> None:
        if self.of == "share" and not 0 < self.low < self.high < 1:
            raise LudwrightError("a question about a share needs numbers 0 < low < high < 1")
        if not -math.inf < self.low < self.high < math.inf:
            raise LudwrightError("a question needs numbers low < high")

    def decided(self, outcomes: Iterable[Outcome], step: int) -> Evidence:
        """What games from the first one on say, until the question is decided."""
        found = Evidence(self, step)
        for outcome in outcomes:
            if found.verdict:
                break
            found.take(outcome)
        return found


class Evidence:
    """What games say about a question. They may come in any order and are counted in the order of
    their numbers; the question is asked after whole rounds of `step` games."""

    def __init__(self, question: Question, step: int) -> None:
        self._question, self._step = question, step
        self._waiting: dict[int, Outcome] = {}
        self._round: list[int] = []
        # Half a win and half a loss more keep the variance sensible; for scores, half of either
        # number that was asked about.
        low, high = (0.0, 1.0) if question.of == "share" else (question.low, question.high)
        self._observed, self._weight = 0, 1.0
        self._sum, self._squares = (low + high) / 2, (low * low + high * high) / 2
        self.games: list[Outcome] = []  # those counted
        self.verdict = ""  # yes, no, or nothing yet

    def take(self, outcome: Outcome) -> bool:
        """Note a game; whether the question is decided now."""
        self._waiting[outcome.number] = outcome
        while not self.verdict and len(self.games) in self._waiting:
            following = self._waiting.pop(len(self.games))
            self.games.append(following)
            self._count(following)
            if len(self.games) % self._step == 0:
                self._ask()
        return bool(self.verdict)

    def _count(self, outcome: Outcome) -> None:
        if outcome.fault:
            return
        if self._question.of == "score":
            self._round += outcome.scores_of(0)
        else:
            self._observe(sum(outcome.points[at] for at in outcome.seats_of(0)))

    def _ask(self) -> None:
        if self._round:
            # One observation for a round: its games share their deal.
            self._observe(sum(self._round) / len(self._round))
            self._round.clear()
        bound = math.log((1 - self._question.error) / self._question.error)
        ratio = self.ratio
        self.verdict = "yes" if ratio >= bound else "no" if ratio <= -bound else ""

    def _observe(self, value: float) -> None:
        self._observed += 1
        self._weight += 1
        self._sum += value
        self._squares += value * value

    @property
    def ratio(self) -> float:
        """The logarithm of the likelihood ratio, of a normal approximation."""
        mean = self._sum / self._weight
        variance = self._squares / self._weight - mean * mean
        if self._observed < FEWEST[self._question.of] or variance <= 0:
            return 0.0
        question = self._question
        middle = (question.low + question.high) / 2
        return self._weight * (question.high - question.low) * (mean - middle) / variance

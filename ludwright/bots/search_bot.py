"""A bot that answers with a tree search, and sees only what its seat may see."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from ludwright.agents.agent import View
from ludwright.agents.answers import Answers
from ludwright.agents.protocol import Option
from ludwright.kernel.play.agent_dice import Dice

BLUNDERS = 1 << 20  # in so many equal parts the share of blunders is drawn


@dataclass(frozen=True, slots=True)
class Thinking:
    """How a search bot spends its time."""

    simulations: int | None = None
    seconds: float | None = None
    blunders: float = 0.0
    settings: tuple[tuple[str, Any], ...] = field(default_factory=tuple)


class SearchBot:
    """Searches at every decision that has more than one answer."""

    def __init__(self, thinking: Thinking, seed: int) -> None:
        self._thinking = thinking
        self._dice = Dice(seed)
        self.last: Any = None  # the analysis behind the last answer

    def choose(self, view: View) -> Option:
        answers, thinking = Answers(view.decision), self._thinking
        if len(answers) == 1:
            return answers[0]
        seed = self._dice.next() >> 1
        if thinking.blunders and self._dice.below(BLUNDERS) < thinking.blunders * BLUNDERS:
            return answers[self._dice.pick(len(answers))]
        self.last = view.search(
            simulations=thinking.simulations, seconds=thinking.seconds, seed=seed,
            **dict(thinking.settings),
        )  # fmt: skip
        worlds = self.last.worlds
        if worlds is not None and worlds.none_found:  # nothing is known of the answers
            return answers[self._dice.pick(len(answers))]
        return self.last.best

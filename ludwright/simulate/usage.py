"""What is played how often: actions, alternatives of menus, cards.

Counted over the first games of a series, which are played once more, one answer at a time: inside
the native engine nobody looks at answers.
"""

from __future__ import annotations

import re
import time
from collections import Counter
from dataclasses import dataclass, field

from ludwright.agents.protocol import Decision, Game, Option, State, Step
from ludwright.errors import LudwrightError
from ludwright.simulate.recorder import Recorder
from ludwright.simulate.series import Series

GAMES, SECONDS = 50, 3.0  # that are looked at, whichever comes first; one game always is
_NUMBER = re.compile(r"#\d+'*$")  # at the end of the name of one of several alike


@dataclass(slots=True)
class Usage:
    games: int = 0
    actions: Counter[str] = field(default_factory=Counter)
    options: Counter[str] = field(default_factory=Counter)  # of menus: `menu: option`
    cards: Counter[str] = field(default_factory=Counter)  # pieces with a name of their own


class _Counting(Recorder):
    def __init__(self, game: Game, state: State, usage: Usage, pieces: frozenset[str]) -> None:
        super().__init__(game, state)
        self._usage, self._pieces = usage, pieces

    def add(self, decision: Decision, option: Option, step: Step) -> None:
        super().add(decision, option, step)
        role = getattr(decision, "role", "")
        if role == "action":
            self._usage.actions[str(option)] += 1
        elif role == "menu":
            self._usage.options[f"{decision.name.strip('$_')}: {option}"] += 1
        for event in step.events():
            if event.kind == "chose":
                value = event.fields.get("value")
                for one in value if isinstance(value, list | tuple) else [value]:
                    if one in self._pieces:
                        self._usage.cards[_NUMBER.sub("", str(one))] += 1


def usage_of(series: Series, first: int, n: int) -> Usage:
    """Counts over up to `GAMES` games; those that end in a fault count as far as they went."""
    usage, until = Usage(), time.monotonic() + SECONDS
    world = getattr(getattr(series.game, "program", None), "world", None)
    pieces = frozenset(
        name
        for kind in (world.kinds if world is not None else ())
        for name in kind.names
        if _NUMBER.sub("", name) != kind.name
    )
    for number in range(first, first + min(n, GAMES)):
        if usage.games and time.monotonic() > until:
            break
        try:
            recorder = _Counting(series.game, series.start(number), usage, pieces)
            series.play(number, recorder)
        except LudwrightError:
            pass
        usage.games += 1
    return usage

"""Many games in a row, and what they say about the game."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from ludwright.agents.agent import Agent
from ludwright.agents.dice import game_seed, policy_seed
from ludwright.agents.protocol import Game
from ludwright.kernel.generator import mix
from ludwright.simulate.driver import GAME_LIMIT, Playout, play_out
from ludwright.simulate.recorder import Recorder

AgentMaker = Callable[[int], Agent]
UNFINISHED = "not finished within the limit"


@dataclass(slots=True)
class Summary:
    """Counts over the finished games of a series; grows as games finish."""

    seats: tuple[str, ...] = ()
    games: int = 0
    wins: Counter[str] = field(default_factory=Counter)
    draws: int = 0
    unfinished: int = 0
    moves: int = 0
    decisions: int = 0
    reasons: Counter[str] = field(default_factory=Counter)
    interrupted: bool = False

    @property
    def average_moves(self) -> float:
        return self.moves / self.games if self.games else 0.0

    @property
    def average_decisions(self) -> float:
        return self.decisions / self.games if self.games else 0.0

    def add(self, playout: Playout) -> None:
        self.games += 1
        self.moves += playout.moves
        self.decisions += playout.decisions
        if playout.result is None:
            self.unfinished += 1
            self.reasons[UNFINISHED] += 1
            return
        self.reasons[playout.result.reason] += 1
        winners = playout.result.winners
        # A first place that everyone shares is nobody's win.
        if not winners or (len(self.seats) > 1 and len(winners) == len(self.seats)):
            self.draws += 1
        else:
            self.wins.update(winners)


def simulate(
    game: Game,
    n: int,
    agents: Sequence[AgentMaker],
    seed: int,
    *,
    players: int | None = None,
    limit: int = GAME_LIMIT,
    scenario: str | None = None,
    on_game: Callable[[Summary], None] | None = None,
    on_record: Callable[[int, int, Recorder], None] | None = None,
) -> Summary:
    """Play `n` games. Agents are dealt to the seats in order, again from the first if too few.

    Game i depends on `seed` and i only, so that a single one can be played again. An interrupt
    (Ctrl-C) ends the series and keeps what was finished. `on_record` is given each finished game:
    its number, its seed and what was answered.
    """
    first = game.initial_state(game_seed(seed, 0), players, scenario)
    summary = Summary(seats=game.seats_in_play(first))
    try:
        for number in range(n):
            start = game_seed(seed, number)
            state = game.initial_state(start, players, scenario)
            recorder = Recorder(game, state) if on_record else None
            policy = policy_seed(seed, number)
            seated = {
                seat: agents[i % len(agents)](mix(policy ^ i))
                for i, seat in enumerate(summary.seats)
            }
            summary.add(play_out(game, state, seated, limit=limit, recorder=recorder))
            if on_record and recorder:
                on_record(number, start, recorder)
            if on_game:
                on_game(summary)
    except KeyboardInterrupt:
        summary.interrupted = True
    return summary

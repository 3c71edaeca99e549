"""Tournaments from Python: a game, bots by name or of one's own, and the table at the end."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from ludwright.bots.naming import AgentMaker, bot_maker
from ludwright.bots.tournaments.evidence import Question
from ludwright.bots.tournaments.keeping import Journal, parquet, write_parquet
from ludwright.bots.tournaments.on_ray import on_ray
from ludwright.bots.tournaments.playing import Contest, Player
from ludwright.bots.tournaments.running import Runner, here, in_processes
from ludwright.bots.tournaments.tournament import Table, hold
from ludwright.kernel.play.game import Game
from ludwright.kernel.protocol.arguments import counted, whole
from ludwright.loading import load
from ludwright.program.limits import GAME_LIMIT
from ludwright.simulate.averages import played_for_score

Entrant = str | AgentMaker
Bots = Sequence[Entrant] | Mapping[str, Entrant]


@dataclass(frozen=True)
class Entered:
    """A contest and what plays it."""

    contest: Contest
    game: Game
    makers: Sequence[AgentMaker]
    by_name: bool  # whether another process can load the game by the contest's name for it

    @property
    def player(self) -> Player:
        return Player(self.contest, self.game, self.makers)


def tournament(
    game: Game | str, bots: Bots, games: int = 100, *, seed: int = 0, players: int | None = None,
    limit: int = GAME_LIMIT, workers: int = 1, output: str | Path | None = None,
    question: Question | None = None,
) -> Table:  # fmt: skip
    """Let bots play against each other, in every seat in turn with the same deals.

    Args:
        game: What is played, or its name or path.
        bots: Two or more: names as on the command line, or classes (functions) that make an agent
            from a seed. A mapping gives them names of your own.
        games: How many are played; fewer, if a question is decided before.
        seed: Game number n depends on the seed and n alone.
        players: How many seats play; the fewest that the game allows, unless it is given.
        limit: Decisions after which a game is given up; it then counts as drawn.
        workers: Processes that play. With more than one, bots and game are sent to them, so classes
            must be importable there, and a script needs `if __name__ == "__main__":`.
        output: A file `….parquet` for all results. A journal grows beside it, and the same call
            goes on with it.
        question: What is to be decided about the first of two bots.

    Ctrl-C ends the tournament with the games that were finished (`Table.interrupted`).
    """
    games, workers = counted("games", games), whole("workers", workers, 1)
    entered = enter(game, _entrants(bots), seed, players, limit)
    runner = runner_for(entered, workers)
    path = None if output is None else Path(output)
    return held(entered, games, runner, path, question)


def enter(
    game: Game | str, bots: Sequence[tuple[str, Entrant]], seed: int, players: int | None,
    limit: int, name: str | None = None,
) -> Entered:  # fmt: skip
    """The contest, once it is known that it can be played. `name`: what the game was loaded by."""
    names = tuple(name for name, _ in bots)
    seed, limit = whole("seed", seed), counted("limit", limit)
    makers = [bot_maker(each) if isinstance(each, str) else each for _, each in bots]
    if len(names) < 2:
        raise ValueError("a tournament needs at least two bots")
    by_name = isinstance(game, str) or name is not None
    made = load(game) if isinstance(game, str) else game
    count = len(made.seats_in_play(made.initial_state(0, players)))
    if count < 2:
        raise ValueError("one seat alone plays no tournament: give `players`")
    given = tuple((key, value) for key, value in made.gamedef.parameter_values)
    known = game if isinstance(game, str) else name or made.gamedef.id
    entered = Entered(Contest(known, given, names, count, seed, limit), made, makers, by_name)
    assert entered.player, "bots are checked before anything is played"
    return entered


def _entrants(bots: Bots) -> list[tuple[str, Entrant]]:
    if isinstance(bots, str):
        raise TypeError('`bots` is a list: ["greedy", "search:500"]')
    return (
        list(bots.items()) if isinstance(bots, Mapping) else [(_name(each), each) for each in bots]
    )


def _name(bot: Entrant) -> str:
    return bot if isinstance(bot, str) else getattr(bot, "__name__", type(bot).__name__)


def runner_for(entered: Entered, workers: int, ray: str | None = None) -> Runner:
    """What plays the games: this process, several, or a cluster at an address."""
    if ray is not None:
        return on_ray(ray, entered.player)
    if workers == 1:
        return here(entered.player)
    for name, maker in zip(entered.contest.bots, entered.makers, strict=True):
        try:
            pickle.dumps(maker)
        except Exception as error:
            raise ValueError(
                f"`{name}` cannot be sent to other processes ({error}); define it in a module, or "
                "play with one worker"
            ) from None
    return in_processes(workers, (None if entered.by_name else entered.game, entered.makers))


def held(
    entered: Entered, games: int, runner: Runner, output: Path | None, question: Question | None,
    progress: Callable[[int], None] = lambda done: None,
) -> Table:  # fmt: skip
    """Hold the tournament; keep its results where there is an output."""
    contest, by_score = entered.contest, played_for_score(entered.game.program)
    if question is not None and len(contest.bots) != 2:
        raise ValueError("a question compares two bots")
    if output is None:
        return hold(contest, games, runner, None, question, progress, by_score=by_score)
    if output.suffix != ".parquet":
        raise ValueError(f"{output}: write a name that ends in .parquet")
    parquet()  # or nothing is played
    journal = Journal(output.with_suffix(".journal"), contest, entered.game.gamedef_hash)
    try:
        table = hold(contest, games, runner, journal, question, progress, by_score=by_score)
    finally:
        journal.close()
    write_parquet(output, contest.bots, table.outcomes)
    return table

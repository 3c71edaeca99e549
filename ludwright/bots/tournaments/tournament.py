"""A tournament from the first game to the table."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from ludwright.bots.tournaments.evidence import Evidence, Question
from ludwright.bots.tournaments.keeping import Journal
from ludwright.bots.tournaments.playing import Contest, Outcome
from ludwright.bots.tournaments.running import Runner
from ludwright.bots.tournaments.standings import Standing, standings


@dataclass(frozen=True)
class Table:
    """What a tournament came to."""

    standings: list[Standing]  # best first
    outcomes: list[Outcome]  # in the order of their numbers, those with a fault too
    verdict: str  # of the question, if one was asked: yes, no or nothing
    interrupted: bool
    by_score: bool = False  # the game is played for its score, and the standings go by it

    @property
    def faults(self) -> list[Outcome]:
        """Games that ended in an error; they count for nobody."""
        return [each for each in self.outcomes if each.fault]

    @property
    def games(self) -> int:
        """Those that count."""
        return len(self.outcomes) - len(self.faults)

    @property
    def unfinished(self) -> int:
        """Games that the limit ended: drawn, and without scores."""
        return sum(not each.finished and not each.fault for each in self.outcomes)


def hold(
    contest: Contest, games: int, runner: Runner, journal: Journal | None = None,
    question: Question | None = None, progress: Callable[[int], None] = lambda done: None,
    *, by_score: bool = False,
) -> Table:  # fmt: skip
    """Play so many games, or fewer if a question is decided before.

    The result depends on the contest, the number of games and the question, however many workers
    there are: a question is asked after whole rounds, in the order of the games' numbers, and what
    was played beyond its answer does not count. Games of a journal that ended in a fault are played
    again. `by_score` says that the game is played for its score (see `played_for_score`).
    """
    known = {} if journal is None else journal.finished
    finished = {at: each for at, each in known.items() if at < games and not each.fault}
    wanted = [number for number in range(games) if number not in finished]
    asked = None if question is None else Evidence(question, contest.schedule.round_length)
    interrupted = False
    progress(len(finished))
    try:
        # Looked at before the first game: a journal may already hold the answer.
        if not _decided(asked, finished.values()):
            for outcome in runner(contest, wanted):
                finished[outcome.number] = outcome
                if journal is not None:
                    journal.add(outcome)
                progress(len(finished))
                if asked is not None and asked.take(outcome):
                    break
    except KeyboardInterrupt:
        interrupted = True
    outcomes = [finished[number] for number in sorted(finished)]
    if asked is not None:
        outcomes = asked.games
    table = standings(contest.bots, outcomes, by_score)
    return Table(table, outcomes, asked.verdict if asked else "", interrupted, by_score)


def _decided(asked: Evidence | None, outcomes: Iterable[Outcome]) -> bool:
    if asked is None:
        return False
    for outcome in outcomes:
        asked.take(outcome)
    return bool(asked.verdict)

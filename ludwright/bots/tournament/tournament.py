"""A tournament from the first game to the table."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ludwright.bots.tournament.deciding import Question, Standing, standings
from ludwright.bots.tournament.keeping import Journal
from ludwright.bots.tournament.playing import Contest, Outcome
from ludwright.bots.tournament.running import Runner


@dataclass(frozen=True)
class Table:
    """What a tournament came to."""

    standings: list[Standing]
    outcomes: list[Outcome]  # in the order of their numbers
    verdict: str  # of the question, if one was asked: yes, no or nothing
    interrupted: bool

    @property
    def faults(self) -> list[Outcome]:
        return [each for each in self.outcomes if each.fault]


def hold(
    contest: Contest, games: int, runner: Runner, journal: Journal | None = None,
    question: Question | None = None, progress: Callable[[int], None] = lambda done: None,
) -> Table:  # fmt: skip
    """Play so many games, or fewer if a question is decided before.

    The result depends on the contest, the number of games and the question, however many workers
    there are: a question is asked after whole rounds, in the order of the games' numbers, and what
    was played beyond its answer does not count.
    """
    finished = {} if journal is None else dict(journal.finished)
    wanted = [number for number in range(games) if number not in finished]
    step = contest.schedule.round_length
    interrupted = False
    progress(games - len(wanted))
    try:
        # Looked at before the first game: a journal may already hold the answer.
        if not _decided(question, _first(finished, games), step):
            for outcome in runner(contest, wanted):
                finished[outcome.number] = outcome
                if journal is not None:
                    journal.add(outcome)
                progress(len(finished))
                if _decided(question, _first(finished, games), step):
                    break
    except KeyboardInterrupt:
        interrupted = True
    outcomes = [finished[number] for number in sorted(finished) if number < games]
    verdict = ""
    if question is not None:
        outcomes = _first(finished, games)
        count = question.decided_at(outcomes, step)
        if count is not None:
            outcomes = outcomes[:count]
            verdict = question.verdict(outcomes)[0]
    return Table(standings(contest.bots, outcomes), outcomes, verdict, interrupted)


def _first(finished: dict[int, Outcome], games: int) -> list[Outcome]:
    """The finished games from the first one up to a gap."""
    found: list[Outcome] = []
    for number in range(games):
        if number not in finished:
            break
        found.append(finished[number])
    return found


def _decided(question: Question | None, outcomes: Sequence[Outcome], step: int) -> bool:
    return question is not None and question.decided_at(outcomes, step) is not None

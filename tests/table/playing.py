"""Matches to test with: made from shipped games, played at random."""

from __future__ import annotations

import random

from ludwright.table.match import Match
from ludwright.table.records import Entry, MatchRecord, SeatRecord, new_token
from ludwright.table.rules import Rules, shipped_rules


def new_match(
    game: str, seed: int = 1, players: int | None = None, bots: tuple[str, ...] = (),
    **parameters: int | bool,
) -> Match:  # fmt: skip
    rules = shipped_rules(game, parameters)
    return Match(record_of(rules, seed, players, bots), rules)


def record_of(
    rules: Rules, seed: int = 1, players: int | None = None, bots: tuple[str, ...] = ()
) -> MatchRecord:
    count = players or rules.gamedef.min_players
    seats = tuple(
        SeatRecord(name, "bot", bot="random") if name in bots else SeatRecord(name, "person")
        for name in rules.game.seats[:count]
    )
    return MatchRecord(new_token(), rules.hash, rules.gamedef.title, seed, count, None, 0.0, seats)


def random_numbers(match: Match, seat: str, rng: random.Random) -> int | list[int]:
    """An answer by numbers, as a page would send it."""
    offer = match.offer(seat)
    assert offer is not None
    if not offer.many:
        return rng.randrange(offer.size)
    picks: list[int] = []
    while True:
        draft = match.draft(seat, match.number(seat), picks)
        if draft.can_stop and (not draft.add or rng.random() < 0.4):
            return picks
        picks.append(rng.choice(draft.add))


def play(match: Match, answers: int, rng: random.Random) -> list[Entry]:
    """Some random answers, each as it would go through a room."""
    taken: list[Entry] = []
    for _ in range(answers):
        if match.over:
            break
        seat = rng.choice(match.asked_seats())
        numbers = random_numbers(match, seat, rng)
        entry = match.answered(seat, match.number(seat), numbers)
        match.take(entry, match.stepped(entry))
        taken.append(entry)
    return taken

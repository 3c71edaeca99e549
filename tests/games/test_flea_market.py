"""Flea market against a plain model of its rules in Python, decision by decision."""

from __future__ import annotations

import random

import pytest

import ludwright as lw
from ludwright.kernel.play.game import Game
from ludwright.kernel.protocol.state import State
from tests.games.lockstep import games

pytestmark = pytest.mark.usefixtures("engine")


def rows(game: Game, state: State, place: str) -> list[str]:
    """What lies openly in a place, by the names of the rows."""
    return [piece["row"] for piece in game.observe(state, None)["places"][place]["pieces"]]


def worth(game: Game, table: str, column: str) -> dict[str, int]:
    """A column of a table by the id of its rows; both tables count upwards."""
    first = 1 if column == "worth" else 0
    return {row: first + at for at, row in enumerate(game.program.world.tables[table].rows)}


class Model:
    """The coins and goods of every dealer, kept by the words of the rulebook."""

    def __init__(self, game: Game, players: int) -> None:
        self.seats = game.seats[:players]
        self.coins = dict.fromkeys(self.seats, 14)
        self.earned = dict.fromkeys(self.seats, 0)
        self.shelf: dict[str, set[str]] = {seat: set() for seat in self.seats}
        self.finds = worth(game, "Find", "worth")
        self.purses = worth(game, "Customer", "coins")
        self.first = self.seats[0]

    def clearance(self, game: Game, state: State, rng: random.Random) -> State:
        attic = sorted(rows(game, state, "attic"), key=self.finds.__getitem__)
        assert len(attic) == len(self.seats)
        at = self.seats.index(self.first)
        bidding = [*self.seats[at:], *self.seats[:at]]
        stakes, high = dict.fromkeys(self.seats, 0), 0
        while len(bidding) > 1:
            seat = bidding.pop(0)
            moves = {game.notation(state, move): move for move in game.legal_moves(state)}
            bids = [f"bid {n}" for n in range(high + 1, self.coins[seat] + 1)]
            assert (game.current_seat(state), set(moves)) == (seat, {"pass", *bids})
            text = rng.choice(["pass", *bids[:2]])
            state = game.apply_move(state, moves[text]).state
            if text == "pass":
                self.coins[seat] -= -(-stakes[seat] // 2)
                self.shelf[seat].add(attic.pop(0))
            else:
                stakes[seat] = high = int(text.split()[1])
                bidding.append(seat)
        self.first = bidding[0]
        self.coins[self.first] -= stakes[self.first]
        self.shelf[self.first].add(attic.pop())
        return state

    def selling(self, game: Game, state: State, rng: random.Random) -> State:
        market = sorted(rows(game, state, "market"), key=self.purses.__getitem__)
        offers = {}
        for seat in rng.sample(self.seats, len(self.seats)):
            decision = game.decision(state, seat)
            assert decision is not None
            assert set(decision.options) == self.shelf[seat]
            find = rng.choice(sorted(self.shelf[seat]))
            self.shelf[seat].remove(find)
            offers[find] = seat
            state = game.choose(state, find, seat).state
        for find in sorted(offers, key=self.finds.__getitem__):
            self.earned[offers[find]] += self.purses[market.pop(0)]
        return state


@pytest.mark.parametrize("players", [3, 4, 5])
def test_it_follows_its_model(players: int) -> None:
    game = lw.load("flea-market")
    for seed in games(4):
        rng = random.Random(seed)
        state = game.initial_state(seed=seed, players=players)
        model = Model(game, players)
        rounds = 20 // players
        for _ in range(rounds):
            state = model.clearance(game, state, rng)
        for _ in range(rounds):
            state = model.selling(game, state, rng)
        result = game.result(state)
        assert result is not None
        assert result.scores == {
            seat: model.coins[seat] + model.earned[seat] for seat in model.seats
        }
        best = max((result.scores[seat], model.coins[seat]) for seat in model.seats)
        assert set(result.winners) == {
            seat for seat in model.seats if (result.scores[seat], model.coins[seat]) == best
        }

"""Masked ball against a plain model of a turn in Python: who pays, who loses a mask, and why."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest

import ludwright as lw
from ludwright.kernel.play.game import Game
from ludwright.kernel.protocol.state import State
from tests.games.lockstep import games

pytestmark = pytest.mark.usefixtures("engine")

CLAIMS = {"tithe": "duchess", "duel": "duellist", "steal": "pickpocket", "exchange": "courier"}
COSTS = {"duel": 3, "expose": 7}
GAINS = {"beg": 1, "alms": 2, "tithe": 3}
Answer = tuple[str, str, Any]  # who, which decision, what


def masks(game: Game, state: State) -> dict[str, Counter[str]]:
    """Everybody's masks, as only the table knows them."""
    places = game.observe(state, None)["places"]
    return {
        seat: Counter(piece["row"] for piece in places[f"hand:{seat}"].get("pieces", ()))
        for seat in game.seats_in_play(state)
    }


def coins(game: Game, state: State) -> dict[str, int]:
    found: dict[str, int] = game.observe(state, None)["variables"]["coins"]
    return dict(found)


class Turn:
    """What becomes of a turn, worked out from the answers alone."""

    def __init__(self, held: dict[str, Counter[str]], purse: dict[str, int]) -> None:
        self.left = {seat: sum(cards.values()) for seat, cards in held.items()}
        self.purse = purse

    def play(self, answers: list[Answer], truths: list[bool]) -> None:
        (actor, _, action), *rest = answers
        victim = next((str(value) for _, name, value in rest if name == "victim"), "")
        self.purse[actor] -= COSTS.get(action, 0)
        stands = self._claim(rest, actor, truths, first=True) if action in CLAIMS else True
        stopped = stands and self._stopped(rest, truths)
        if stands and not stopped:
            self.purse[actor] += GAINS.get(action, 0)
            if action == "steal":
                loot = min(2, self.purse[victim])
                self.purse[victim] -= loot
                self.purse[actor] += loot
            if action in COSTS and self.left[victim]:
                self.left[victim] -= 1
        for seat, number in self.left.items():
            self.purse[seat] = self.purse[seat] if number else 0

    def _claim(self, rest: list[Answer], who: str, truths: list[bool], first: bool) -> bool:
        """Whether a claim stands; a doubt costs somebody a mask."""
        at = [i for i, (_, _, value) in enumerate(rest) if value == "forbid"]
        cut = at[0] if at else len(rest)
        part = rest[:cut] if first else rest[cut:]
        doubter = next((seat for seat, _, value in part if value == "doubt"), None)
        if doubter is None:
            return True
        true = truths.pop(0)
        self.left[doubter if true else who] -= 1
        return true

    def _stopped(self, rest: list[Answer], truths: list[bool]) -> bool:
        who = next((seat for seat, _, value in rest if value == "forbid"), None)
        return who is not None and self._claim(rest, who, truths, first=False)


def truth(game: Game, state: State) -> bool:
    """Whether the claim on the table is true."""
    variables = game.observe(state, None)["variables"]
    return bool(masks(game, state)[variables["claimant"]][variables["claimed"]])


@pytest.mark.parametrize("players", [2, 4])
def test_it_follows_its_model(players: int) -> None:
    game = lw.load("masked-ball")
    for seed in games(3):
        rng = random.Random(seed)
        state = game.initial_state(seed=seed, players=players)
        while game.result(state) is None:
            model = Turn(masks(game, state), coins(game, state))
            answers: list[Answer] = []
            truths: list[bool] = []
            while (decision := game.decision(state)) is not None:
                answer = rng.choice(decision.answers)
                if answer == "doubt":
                    truths.append(truth(game, state))
                answers.append((decision.seat, decision.name, answer))
                state = game.choose(state, answer, decision.seat).state
                following = game.decision(state)
                if following is None or following.head:
                    break
            model.play(answers, truths)
            after = masks(game, state)
            assert {seat: sum(held.values()) for seat, held in after.items()} == model.left
            if game.result(state) is None:
                assert coins(game, state) == model.purse
        result = game.result(state)
        assert result is not None
        left = [seat for seat, held in masks(game, state).items() if held]
        assert left == list(result.winners)

"""Greedy: finds the mate, and does better than random where a coin now is a bad bargain."""

from __future__ import annotations

import os
from math import sqrt
from typing import Any

import pytest

import ludwright as lw
from ludwright.agents import Agent, GreedyAgent, RandomAgent, View
from ludwright.kernel.play.agent_dice import Dice
from ludwright.simulate import simulate
from tests.cli.conversation import sit

chess = pytest.importorskip("chess")
MATES = int(os.environ.get("LUDWRIGHT_MATES", "6"))  # `make test-long`: 20 and more


def played(game: lw.Game, state: lw.State, agents: dict[str, Agent]) -> lw.State:
    """After the decisions of seats that have an agent, up to the first of another."""
    seats = game.seats_in_play(state)
    while (decision := game.decision(state)) is not None and decision.seat in agents:
        answer = agents[decision.seat].choose(View(game, state, decision, seats))
        state = game.choose(state, answer, decision.seat).state
    return state


def mates_in_one(count: int, seed: int) -> list[list[str]]:
    """Moves of random games up to a position in which there is a mate, found by python-chess."""
    dice = Dice(seed)
    found: list[list[str]] = []
    while len(found) < count:
        board = chess.Board()
        moves: list[str] = []
        while not board.is_game_over() and len(moves) < 100:
            legal = list(board.legal_moves)
            if any(_mates(board, move) for move in legal if board.gives_check(move)):
                found.append(moves)
                break
            move = legal[dice.pick(len(legal))]
            moves.append(move.uci())
            board.push(move)
    return found


def _mates(board: Any, move: Any) -> bool:
    board.push(move)
    mate = board.is_checkmate()
    board.pop()
    return bool(mate)


def test_greedy_finds_every_mate_in_one() -> None:
    game = lw.load("chess")
    for number, moves in enumerate(mates_in_one(MATES, seed=11)):
        state = game.position(moves=moves)
        seat = game.current_seat(state)
        assert seat is not None
        result = game.result(played(game, state, {seat: GreedyAgent(number)}))
        assert result is not None, moves
        assert result.winners == (seat,)


@pytest.mark.parametrize(("name", "games"), [("pig", 12), ("harvest-fair", 8)])
def test_greedy_plays_better_than_random(name: str, games: int) -> None:
    """Its share of the wins is above one half by more than chance explains, seats in turn."""
    game = lw.load(name)
    share = 0.0
    for number in range(games):
        own = game.seats[number % 2]
        agents: dict[str, Agent] = {seat: RandomAgent(number) for seat in game.seats[:2]}
        agents[own] = GreedyAgent(number)
        result = game.result(played(game, game.initial_state(number, 2), agents))
        assert result is not None
        share += own in result.winners and 1 / len(result.winners)
    assert share / games > 0.5 + 1 / sqrt(games) / 2, f"{share} of {games}"


def test_every_completion_of_a_move_is_looked_at() -> None:
    """Three answers make a move, and one of 64 wins."""
    game = lw.load_text("""
```yaml
game: { id: lock, title: Lock, players: 2 }
vars: { open: { type: 0..1, hidden: true } }
actions:
  - id: turn
    params: { a: 1..4, b: 1..4, c: 1..4 }
    effects: [if a == 3 and b == 2 and c == 4 then open = 1]
end: [{ when: open == 1, win: actor, reason: open }]
```
""")
    for seed in range(8):
        state = game.initial_state()
        result = game.result(played(game, state, {game.seats[0]: GreedyAgent(seed)}))
        assert result is not None
        assert result.winners == (game.seats[0],)


# The checker lets this pass, and it is wrong: the limit of everybody is what red has.
OVERBID = """# Overbid
```yaml
game: { id: overbid, title: Overbid, players: 2 }
seats: [red, blue]
vars: { Seat.coins: 0..9, round: 0..3 }
setup: [red.coins = 9, blue.coins = 2]
flow:
  - repeat:
      while: round < 1
      do:
        - chooseOne: { bind: $bid, by: seats, together: true, options: 0..red.coins }
        - for p in seats do p.coins -= $bid[p]
        - round += 1
score: it.coins
```
"""


@pytest.mark.parametrize("engine", ["python", "native"])
def test_a_fault_in_the_thoughts_of_a_bot_ends_no_game(engine: str) -> None:
    """Greedy imagines that blue bids more than it has; the bid that counts is fine."""
    table, script = sit(lw.load_text(OVERBID, engine=engine), ["2"], people=["blue"])
    table._bots = {"red": GreedyAgent(1)}
    table.play()
    assert table._game.result(table.state) is not None
    assert script.text.count("the rulebook is at fault, and plays on: [range]") == 1


def test_a_bot_whose_search_fails_answers_all_the_same() -> None:
    class Failing:
        def choose(self, view: View) -> Any:
            raise lw.RulebookFault("range", "flow", "-1 is outside 0..9")

    table, script = sit(lw.load("tic-tac-toe"), ["1", "3", "5", "7"])
    table._bots = {"nought": Failing()}
    table.play()
    assert len(table.record.lines) > 3
    assert script.text.count("plays on: [range]") == 1


def test_a_series_tells_of_faults_in_thoughts() -> None:
    summary = simulate(lw.load_text(OVERBID), 3, [GreedyAgent], 1)
    assert summary.faulted == 3
    assert all(fault.recorder is not None for fault in summary.faults)

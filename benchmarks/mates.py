"""Mates that a search must see: `python -m benchmarks.mates`.

python-chess finds the positions: random games in which captures and checks are more likely, the
first position of each in which the side to move can mate in one, or in two and not in one. A mate
counts as found if the first move of the line that a search gives is a mating one; if the line stops
within that move, further searches have the simulations that are left. A move is two decisions here,
three where a pawn becomes a piece. OpenSpiel's `MCTSBot` is given the same positions, with its
solver and without.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Iterator
from typing import Any

import chess

import ludwright

LETTERS = {"queen": "q", "rook": "r", "bishop": "b", "knight": "n"}
LONGEST = 120  # plies of a game in which a position is looked for


def mating(board: chess.Board) -> list[str]:
    """The moves that mate at once."""
    found: list[str] = []
    for move in board.legal_moves:
        if board.gives_check(move):
            board.push(move)
            if board.is_checkmate():
                found.append(move.uci())
            board.pop()
    return found


def mating_in_two(board: chess.Board) -> list[str]:
    """The moves after which every reply allows a mate; none where a move mates at once."""
    if mating(board):
        return []
    found: list[str] = []
    for move in list(board.legal_moves):
        board.push(move)
        if not board.is_game_over() and _lost_in_one(board):
            found.append(move.uci())
        board.pop()
    return found


def _lost_in_one(board: chess.Board) -> bool:
    """Whether the side to move is mated whatever it does."""
    for reply in list(board.legal_moves):
        board.push(reply)
        lost = bool(mating(board))
        board.pop()
        if not lost:
            return False
    return True


def positions(count: int, depth: int, seed: int) -> Iterator[tuple[str, list[str]]]:
    """Positions with a mate in `depth`, and the moves that begin it."""
    keys = mating if depth == 1 else mating_in_two
    found, number = 0, 0
    while found < count:
        number += 1
        pick, board = random.Random(f"{seed}/{depth}/{number}"), chess.Board()
        while not board.is_game_over() and board.ply() < LONGEST:
            moves = list(board.legal_moves)
            sharp = [move for move in moves if board.is_capture(move) or board.gives_check(move)]
            board.push(pick.choice(sharp if sharp and pick.random() < 0.5 else moves))
            if board.ply() < 20 or board.is_game_over():
                continue
            moves_to_mate = keys(board)
            if moves_to_mate:
                found += 1
                yield board.fen(), moves_to_mate
                break


def ours(game: Any, fen: str, simulations: int, **given: Any) -> str:
    """The move of a bot that has so many simulations for all decisions of it."""
    state, told = game.position(drawing=fen), ""
    seat = game.current_seat(state)
    while game.current_seat(state) == seat:
        found = game.search(state, simulations=simulations, seed=1, **given)
        first = str(found.line[0]) if found.line else ""
        if not told and first and not first.endswith("…"):
            return first  # the search says the whole move
        simulations = max(1, simulations - found.simulations)
        told += LETTERS.get(str(found.best), str(found.best))
        state = game.choose(state, found.best).state
    return told


def theirs(fen: str, simulations: int, solve: bool) -> str:
    import pyspiel

    game: Any = pyspiel.load_game(f"chess(fen={fen})")
    rollouts = pyspiel.RandomRolloutEvaluator(1, 1)
    bot = pyspiel.MCTSBot(game, rollouts, 2.0, simulations, 1000, solve, 1, False)
    state = game.new_initial_state()
    board = chess.Board(fen)
    return str(board.parse_san(state.action_to_string(bot.step(state))).uci())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-n", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--depths", type=int, nargs="*", default=[1, 2])
    parser.add_argument("--theirs", action="store_true", help="OpenSpiel too: minutes")
    given = parser.parse_args()
    game = ludwright.load("chess")
    for depth in given.depths:
        simulations = {1: 2_000, 2: 10_000}[depth]
        tested = list(positions(given.n, depth, given.seed))
        seen = [ours(game, fen, simulations) in keys for fen, keys in tested]
        print(
            f"mates in {depth}, {simulations} simulations: {sum(seen)} of {len(seen)}", flush=True
        )
        for (fen, keys), ok in zip(tested, seen, strict=True):
            if not ok:
                print(f"  missed: {fen} {keys}", flush=True)
        for solve in (True, False) if given.theirs else ():
            count = sum(theirs(fen, simulations, solve) in keys for fen, keys in tested)
            said = "with its solver" if solve else "without"
            print(f"  OpenSpiel {said}: {count}", flush=True)


if __name__ == "__main__":
    main()

"""Chess against python-chess: the same legal moves, written the same way, and the same result."""

from __future__ import annotations

import random
from typing import Any

import pytest

import ludwright as lw
from tests.games import lockstep

pytestmark = pytest.mark.usefixtures("engine")

ENDINGS = {
    "CHECKMATE": "checkmate",
    "STALEMATE": "stalemate",
    "INSUFFICIENT_MATERIAL": "insufficient material",
    "SEVENTYFIVE_MOVES": "seventy-five moves",
    "FIVEFOLD_REPETITION": "fivefold repetition",
}


def compare(game: lw.Game, state: lw.State, board: Any) -> dict[str, lw.Move]:
    """The legal moves by their text, if the game goes on; else the end is the same on both sides."""
    outcome = board.outcome()
    result = game.result(state)
    if outcome is None:
        assert result is None, board.fen()
        moves = lockstep.texts(game, state)
        assert moves.keys() == {move.uci() for move in board.legal_moves}, board.fen()
        assert game.current_seat(state) == ("white" if board.turn else "black")
        return moves
    assert result is not None, board.fen()
    assert result.reason == ENDINGS[outcome.termination.name], board.fen()
    winner = {True: ("white",), False: ("black",), None: ()}[outcome.winner]
    assert result.winners == winner
    return {}


def follow(game: lw.Game, board: Any, line: list[str]) -> lw.State:
    """The same moves on both sides, compared before each and after the last."""
    state = game.initial_state()
    for text in line:
        moves = compare(game, state, board)
        state = game.apply_move(state, moves[text]).state
        board.push_uci(text)
    compare(game, state, board)
    return state


def random_game(game: lw.Game, board: Any, seed: int) -> str:
    dice = random.Random(seed)
    state = game.initial_state()
    while moves := compare(game, state, board):
        text = dice.choice(sorted(moves))
        state = game.apply_move(state, moves[text]).state
        board.push_uci(text)
    result = game.result(state)
    assert result is not None
    return result.reason


def test_lockstep_with_python_chess() -> None:
    chess = lockstep.peer("chess")
    game = lw.load("chess")
    for seed in lockstep.games(1):
        random_game(game, chess.Board(), seed)


def restless_game(game: lw.Game, board: Any, seed: int) -> str:
    """Pawns first, if possible so that they can be captured in passing; then both sides mostly
    take back what they did, so that positions come again without that right."""
    dice = random.Random(seed)
    state = game.initial_state()
    played: list[str] = []
    while moves := compare(game, state, board):
        back = played[-2][2:4] + played[-2][:2] if len(played) > 1 else ""
        if back in moves and dice.random() < 0.98:
            text = back
        else:
            text = dice.choice(_restless(board, sorted(moves)))
        state = game.apply_move(state, moves[text]).state
        board.push_uci(text)
        played.append(text)
    result = game.result(state)
    assert result is not None
    return result.reason


def _restless(board: Any, texts: list[str]) -> list[str]:
    """The moves to choose from: the first of these kinds that there is."""

    def kind(text: str) -> int:
        pawn = board.piece_at(board.parse_uci(text).from_square).piece_type == 1
        if board.has_legal_en_passant():
            return 1 if pawn else 0
        board.push_uci(text)
        inviting = board.has_legal_en_passant()
        board.pop()
        if inviting or not pawn or board.fullmove_number > 4:
            return 0 if inviting else 3
        return 1 if text[1] in "45" else 2

    best = min(map(kind, texts))
    return [text for text in texts if kind(text) == best]


def test_games_full_of_repetition() -> None:
    chess = lockstep.peer("chess")
    game = lw.load("chess")
    reasons = [restless_game(game, chess.Board(), seed) for seed in lockstep.games(6)]
    assert "fivefold repetition" in reasons


@pytest.mark.long
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("engine", ["native"], indirect=True)
@pytest.mark.parametrize("hundred", range(10))
def test_a_thousand_games_with_python_chess(hundred: int) -> None:
    """In ten parts, so that several processes can share them."""
    chess = lockstep.peer("chess")
    game = lw.load("chess")
    for seed in range(100 * hundred, 100 * hundred + 100):
        random_game(game, chess.Board(), seed)


SHUFFLE = ["g1f3", "g8f6", "f3g1", "f6g8"]
LINES = {
    "fool's mate": "f2f3 e7e5 g2g4 d8h4",
    "castling short and long": "g1f3 b8c6 g2g3 d7d6 f1g2 c8e6 e1g1 d8d7 a2a3 e8c8",
    "castling forbidden through an attacked square": "e2e4 b7b6 g1f3 c8a6 g2g3 a6f1 h1f1",
    "castling forbidden by an attack on the way": "e2e4 b7b6 g2g3 c8a6 f1h3 e7e5 g1f3 h7h6 d2d3",
    "a rook that is captured cannot castle": "g2g3 b7b6 f1g2 c8b7 g1f3 b7f3 h2h3 f3g2 e2e4 g2h1",
    "a king that has moved and come back cannot castle": (
        "g1f3 g8f6 g2g3 g7g6 f1g2 f8g7 e1f1 e8f8 f1e1 f8e8 a2a3"
    ),
    "in passing": "e2e4 a7a6 e4e5 d7d5 e5d6 a6a5",
    "in passing only at once": "e2e4 a7a6 e4e5 d7d5 a2a3 a6a5",
    "promotion by capture": "a2a4 b7b5 a4b5 a7a6 b5a6 c8b7 a6b7 b8c6 b7a8n d8b8",
    "fivefold repetition": " ".join(SHUFFLE * 4),
    "fivefold repetition with knights that changed places": (
        "b1c3 b8c6 g1f3 g8f6 c3d5 c6d4 d5c3 d4c6 "
        "f3d4 f6d5 c3e4 c6e5 e4g5 e5g4 g5f3 g4f6 d4b3 d5b6 b3d4 b6d5 "
        "d4b5 d5b4 b5c3 b4c6 "
        "c3b1 c6b8 b1c3 b8c6 c3b1 c6b8 b1c3 b8c6"
    ),
    "a double step that a pawn could answer was another position": (
        "e2e4 a7a6 e4e5 d7d5 " + " ".join(["g1f3", "g8h6", "f3g1", "h6g8"] * 4) + " g1f3"
    ),
    "a double step that nobody can answer does not make a new position": (
        "e2e4 g8f6 g1f3 f6g8 f3g1 " + " ".join(["g8f6", "g1f3", "f6g8", "f3g1"] * 3)
    ),
    "a double step that only a pinned pawn could answer does not make one either": (
        "d2d4 e7e5 d4e5 d7d5 a2a3 d5d4 a3a4 d8h4 b2b3 e8d8 e2e4 "
        + " ".join(["b8c6", "g1f3", "c6b8", "f3g1"] * 4)
    ),
}


@pytest.mark.parametrize("name", LINES)
def test_special_rules(name: str) -> None:
    chess = lockstep.peer("chess")
    follow(lw.load("chess"), chess.Board(), LINES[name].split())


def quiet_moves() -> list[str]:
    """149 half-moves of two knights on rounds of four and ten squares: nothing comes five times."""
    white = ["b1", "a3", "b5", "c3"]
    black = ["b8", "c6", "a5", "c4", "b6", "d5", "f4", "e6", "c5", "a6"]
    rounds = [white, black]
    line = []
    for ply in range(149):
        squares, at = rounds[ply % 2], ply // 2
        line.append(squares[at % len(squares)] + squares[(at + 1) % len(squares)])
    return line


@pytest.mark.parametrize(
    ("last", "reason"), [("b6d5", "seventy-five moves"), ("d8h4", "checkmate")]
)
def test_mate_comes_before_the_seventy_five_moves(last: str, reason: str) -> None:
    chess = lockstep.peer("chess")
    game = lw.load("chess")
    board = chess.Board()
    state = game.initial_state()
    for text in ["f2f3", "h7h6", "g2g4", "e7e5", *quiet_moves(), last]:
        assert board.outcome() is None
        board.push_uci(text)
        move = lw.Move("move", {"origin": text[:2], "target": text[2:]})
        state = game.apply_move(state, move).state
    compare(game, state, board)
    result = game.result(state)
    assert result is not None
    assert result.reason == reason

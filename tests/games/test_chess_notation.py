"""Chess moves typed in standard algebraic notation, against python-chess."""

from __future__ import annotations

import pytest

import ludwright as lw
from ludwright.cli.screen.record import Setting
from ludwright.cli.screen.table import Table
from ludwright.kernel.play.agent_dice import Dice
from tests.cli.conversation import Script

chess = pytest.importorskip("chess")


@pytest.fixture(scope="module")
def game() -> lw.Game:
    return lw.load("chess")


@pytest.mark.parametrize("seed", [1, 2])
def test_every_move_is_read_as_python_chess_writes_it(game: lw.Game, seed: int) -> None:
    dice, board, state = Dice(seed), chess.Board(), game.initial_state()
    for _ in range(50):
        legal = list(board.legal_moves)
        if not legal:
            break
        for at in dice.sample(len(legal), 3):
            text = board.san(legal[at]).rstrip("+#")
            found = game.notation(state, game.parse_move(state, text))
            assert found == legal[at].uci(), f"{text} in {board.fen()}"
        move = legal[dice.pick(len(legal))]
        state = game.apply_move(state, game.parse_move(state, move.uci())).state
        board.push(move)


@pytest.mark.parametrize(
    ("fen", "text", "uci"),
    [
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0", "O-O", "e1g1"),
        ("r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0", "O-O-O", "e8c8"),
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0", "exd6", "e5d6"),
        ("4k3/P7/8/8/8/8/8/4K3 w - - 0", "a8=N", "a7a8n"),
        ("4k3/8/8/8/8/8/1b2B3/K1B5 w - - 0", "Bxb2", "c1b2"),
        ("7k/8/8/8/R6R/8/8/K6R w - - 0", "Rad4", "a4d4"),
        ("7k/8/8/8/7R/8/8/K6R w - - 0", "R1h3", "h1h3"),
    ],
)
def test_special_moves(game: lw.Game, fen: str, text: str, uci: str) -> None:
    state = game.position(drawing=fen)
    assert game.notation(state, game.parse_move(state, text)) == uci


def test_a_text_that_two_moves_have_is_refused(game: lw.Game) -> None:
    state = game.position(drawing="7k/8/8/8/R6R/8/8/K7 w - - 0")
    with pytest.raises(lw.IllegalMove, match="several legal moves"):
        game.parse_move(state, "Rd4")
    with pytest.raises(lw.IllegalMove):
        game.parse_move(state, "Rxd4")  # there is nothing to take


def test_the_terminal_takes_remarks_behind_a_move(game: lw.Game) -> None:
    script = Script(["f3", "e5", "g4!", "Qh4#"])
    table = Table(game, Setting("chess", {}, 1, 2), frozenset(game.seats), {}, script)
    table.play()
    assert script.said[-1] == "black won: checkmate"

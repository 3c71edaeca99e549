"""`ludwright draw`."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import pytest
from typer.testing import CliRunner

from ludwright.cli.main import app
from ludwright.cli.shared.output import Failure


def drawn(*words: str) -> str:
    result = CliRunner().invoke(app, ["draw", *words], catch_exceptions=False)
    assert result.exit_code == 0
    return result.output


def test_a_position_after_moves(tmp_path: Path) -> None:
    before, after = tmp_path / "a.svg", tmp_path / "b.svg"
    drawn("tic-tac-toe", "-o", str(before))
    assert "2 moves" in drawn("tic-tac-toe", "-o", str(after), "--moves", "b2; a1")

    def pieces(file: Path) -> int:
        root = ElementTree.fromstring(file.read_text(encoding="utf-8"))
        return sum(group.get("data-id", "").startswith("piece:") for group in root.iter())

    assert (pieces(before), pieces(after)) == (0, 2)


def test_a_picture_of_pixels(tmp_path: Path) -> None:
    pytest.importorskip("resvg_py")
    file = tmp_path / "board.png"
    drawn("chess", "-o", str(file), "--theme", "dark")
    assert file.read_bytes().startswith(b"\x89PNG")


def test_hidden_cards_are_not_in_the_file(tmp_path: Path) -> None:
    file = tmp_path / "hearts.svg"
    drawn("hearts", "-o", str(file), "--seat", "North", "--seed", "3")
    text = file.read_text(encoding="utf-8")
    assert text.count('data-id="piece:hand:') == 39  # of the others, without names
    open_file = tmp_path / "all.svg"
    drawn("hearts", "-o", str(open_file), "--seat", "all", "--seed", "3")
    assert 'data-id="piece:hand:' not in open_file.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["chess", "-o", "x.gif"], "ends in .svg or .png"),
        (["chess", "-o", "x.svg", "--moves", "e2e4; e2e4"], "move 2 (`e2e4`)"),
        (["chess", "-o", "x.svg", "--seat", "green"], "the seats are white, black"),
        (["chess", "-o", "x.svg", "--theme", "pink"], "auto, light or dark"),
    ],
)
def test_mistakes_are_told(words: list[str], said: str, tmp_path: Path) -> None:
    with pytest.raises(Failure) as failure:
        CliRunner().invoke(app, ["draw", *words], catch_exceptions=False)
    assert said in str(failure.value)
    assert not Path("x.svg").exists()

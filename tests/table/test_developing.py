"""The designer's panel: there only when asked for, and its tests are tests."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

from ludwright.cli.commands import serve
from ludwright.cli.shared.output import UsageFailure
from ludwright.loading import shipped_games
from ludwright.table.developing import as_test
from tests.table.playing import new_match, play
from tests.table.server_under_test import serving


def test_it_is_not_there_unless_it_was_asked_for(tmp_path: Path) -> None:
    with serving(tmp_path / "m.db") as served:
        match = served.create("kuhn-poker", ["me", "me"])
        assert served.request(f"/api/behind/{match['match']}")[0] == 404
        with served.page(match["match"]) as page:
            assert page.until("welcome")["develop"] is False


PASSES = 4  # the sealed passes of hearts; then it may be the turn of the only person


def test_it_does_not_listen_to_others() -> None:
    with pytest.raises(UsageFailure, match="this machine only"):
        serve.run([], "0.0.0.0", 0, None, False, 0, True)


def test_a_position_becomes_a_test_that_passes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "rulebook.md"
    path.write_text(shipped_games()["hearts"].read_text())
    with serving(tmp_path / "m.db", files={"mine": path}, develop=True) as served:
        match = served.create("mine", ["me", "bot:random", "bot:random", "bot:random"], seed=6)
        with served.page(match["match"], match["tokens"]["North"]) as page:
            page.until("view")
            page.answer([0, 1, 2])
            page.until("done")
            while page.view["last"] < PASSES:
                page.until("view")
        _, found, _ = served.request(f"/api/behind/{match['match']}?at={PASSES}")
        assert found["at"] == PASSES
        assert set(found["views"]) == {"everything", "spectator", "North", "East", "South", "West"}
        assert served.request(f"/api/behind/{match['match']}?at=x")[1]["at"] >= PASSES
    monkeypatch.chdir(tmp_path)
    names: dict[str, Any] = {}
    exec(found["test"], names)
    names["test_position"]()
    assert len(names["ANSWERS"]) == PASSES


def test_a_position_of_a_shipped_game_becomes_a_test_that_passes() -> None:
    match = new_match("texas-holdem", players=3)
    play(match, 3, random.Random(1))
    names: dict[str, Any] = {}
    exec(as_test(match, 3), names)
    names["test_position"]()

"""Results on disk: a journal that grows game by game, and a Parquet table at the end.

The journal is what a tournament goes on with after it was stopped. Its first line says which
tournament it is; each further line is one finished game. A last line that was cut off is dropped.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from importlib import import_module
from pathlib import Path
from typing import Any

from ludwright.bots.tournaments.playing import Contest, Outcome, outcome_from
from ludwright.errors import LudwrightError


class Journal:
    """The finished games of one contest."""

    def __init__(self, path: Path, contest: Contest, gamedef_hash: str) -> None:
        self._path, self._schedule = path, contest.schedule
        told = json.loads(json.dumps({"contest": asdict(contest), "gamedef": gamedef_hash}))
        self.finished: dict[int, Outcome] = {}
        if path.exists():
            self._read(told)
        else:
            path.write_text(json.dumps(told) + "\n", encoding="utf-8")
        self._file = path.open("a", encoding="utf-8")

    def _read(self, told: dict[str, Any]) -> None:
        try:
            lines = self._path.read_text(encoding="utf-8").splitlines(keepends=True)
            known = json.loads(lines[0])
        except (IndexError, ValueError):
            raise LudwrightError(f"{self._path} is not the journal of a tournament") from None
        if known != told:
            raise LudwrightError(
                f"{self._path} is the journal of another tournament (game, bots, players or seed "
                "differ); give another --output, or remove it"
            )
        kept = [line for line in lines if line.endswith("\n")]
        for number, line in enumerate(kept[1:], 2):
            try:
                outcome = outcome_from(json.loads(line), self._schedule)
            except (ValueError, RecursionError) as problem:
                raise LudwrightError(
                    f"{self._path}, line {number}: this is no game of the tournament ({problem}); "
                    "remove the line, and the game is played again"
                ) from None
            self.finished[outcome.number] = outcome
        if len(kept) < len(lines):
            self._path.write_text("".join(kept), encoding="utf-8")

    def add(self, outcome: Outcome) -> None:
        self._file.write(json.dumps(outcome.plain()) + "\n")
        self._file.flush()
        self.finished[outcome.number] = outcome

    def close(self) -> None:
        self._file.close()


def parquet() -> tuple[Any, Any]:
    """The packages that write the results."""
    try:
        return import_module("pyarrow"), import_module("pyarrow.parquet")
    except ImportError:
        raise LudwrightError(
            "results as Parquet need the package pyarrow: pip install 'ludwright[tournament]'"
        ) from None


def write_parquet(path: Path, bots: Sequence[str], outcomes: Sequence[Outcome]) -> None:
    """One row for each seat of each game.

    After a fault there are no points, rank and score; of a game that the limit ended no score.
    """
    pa, pq = parquet()
    rows = [
        {
            "game": each.number, "round": each.round, "seat": seat, "bot": bots[bot],
            "points": None if each.fault else each.points[seat],
            "rank": None if each.fault else each.ranks[seat],
            "score": each.scores[seat] if each.finished else None,
            "decisions": each.decisions, "seconds": each.seconds, "reason": each.reason,
            "fault": each.fault,
        }
        for each in outcomes
        for seat, bot in enumerate(each.seats)
    ]  # fmt: skip
    kinds = {
        "game": pa.int64(), "round": pa.int64(), "seat": pa.int64(), "bot": pa.string(),
        "points": pa.float64(), "rank": pa.int64(), "score": pa.int64(), "decisions": pa.int64(),
        "seconds": pa.float64(), "reason": pa.string(), "fault": pa.string(),
    }  # fmt: skip
    # The kinds are said: a column that is empty throughout has none of its own.
    pq.write_table(pa.Table.from_pylist(rows, schema=pa.schema(kinds.items())), path)

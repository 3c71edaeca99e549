"""Games of a series that ended in a fault: their traces, and how to see the fault again."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ludwright.cli.shared.output import plural
from ludwright.kernel.play.game import Game
from ludwright.simulate import Fault

FOLDER = Path("ludwright-faults")  # in the folder where the command runs


@dataclass(frozen=True)
class Series:
    """What the games of a command have in common."""

    name: str  # of the game, as it was given
    game: Game
    parameters: Mapping[str, int | bool]
    seed: int
    seats: int
    players: int | None = None
    scenario: str | None = None
    agents: str = "random"
    limit: int | None = None

    def again(self, number: int) -> str:
        """The command that plays one game of the series again."""
        words = ["ludwright", "simulate", self.name, "--seed", str(self.seed)]
        words += ["--first", str(number), "-n", "1"]
        for name, value in self.parameters.items():
            words += ["--param", f"{name}={str(value).lower()}"]
        for option, given in (
            ("--players", self.players),
            ("--scenario", self.scenario),
            ("--agents", None if self.agents == "random" else self.agents),
            ("--limit", self.limit),
        ):
            words += [] if given is None else [option, str(given)]
        return shlex.join(words)

    def file(self, folder: Path | None, number: int) -> Path:
        """Where a trace goes: to the others, if those are kept."""
        if folder is not None:
            return folder / f"{number:06}.json"
        return FOLDER / f"{self.game.gamedef.id}-{self.seed}-{number:06}.json"

    def keep(self, fault: Fault, folder: Path | None) -> Path | None:
        """Write the trace of a game; None if that is not possible."""
        if fault.recorder is None:
            return None
        trace = fault.recorder.trace(
            self.name, self.game.gamedef_hash, self.parameters, self.seats, fault.seed,
            self.scenario,
        )  # fmt: skip
        path = self.file(folder, fault.number)
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            trace.write(path)
        except OSError:
            return None  # the report still has the command that plays it again
        return path


def reports(series: Series, faults: Sequence[Fault], folder: Path | None) -> list[dict[str, Any]]:
    """What is known of each fault that was kept; writes the traces."""
    found: list[dict[str, Any]] = []
    for fault in faults:
        path = series.keep(fault, folder)
        found.append(
            {
                "game": fault.number,
                "seed": fault.seed,
                "error": fault.message,
                "trace": None if path is None else str(path),
                "replay": None if path is None else shlex.join(["ludwright", "replay", str(path)]),
                "again": series.again(fault.number),
            }
        )
    return found


def describe(faulted: int, played: int, reports: Sequence[Mapping[str, Any]]) -> str:
    """Every message once, with the first game that shows it."""
    lines = [f"{faulted:,} of {plural(played, 'game')} ended in a fault of the rulebook:"]
    games: dict[str, list[Mapping[str, Any]]] = {}
    for report in reports:
        games.setdefault(report["error"], []).append(report)
    for error, (first, *others) in games.items():
        lines.append(f"  {error}")
        lines.append(f"    in game {first['game']} (seed {first['seed']}); to see it again:")
        lines += [f"      {first[key]}" for key in ("replay", "again") if first[key]]
        if others:
            lines.append(f"    also in game {', '.join(str(other['game']) for other in others)}")
    if faulted > len(reports):
        lines.append(f"  of {plural(faulted - len(reports), 'game')} more nothing was kept")
    return "\n".join(lines)

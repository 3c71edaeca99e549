"""Games of a series that ended in a fault: their traces, and how to see the fault again."""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ludwright.cli.shared.output import plural
from ludwright.kernel.play.game import Game
from ludwright.simulate import Fault
from ludwright.simulate.series import Mistake, mistake_of

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


def reports(
    series: Series, faults: Sequence[Fault], folder: Path | None,
    mistakes: Mapping[Mistake, int] | None = None,
) -> list[dict[str, Any]]:  # fmt: skip
    """What is known of each fault that was kept; writes the traces. `mistakes`: in how many games
    each of them was met, if that was counted."""
    found: list[dict[str, Any]] = []
    if mistakes is None:
        mistakes = Counter(mistake_of(fault.error) for fault in faults)
    for fault in faults:
        path = series.keep(fault, folder)
        code, rule, line = mistake = mistake_of(fault.error)
        found.append(
            {
                "game": fault.number,
                "seed": fault.seed,
                "error": fault.message,
                "code": code,
                "rule": rule,
                "line": line,
                "alike": mistakes[mistake],
                "trace": None if path is None else str(path),
                "replay": None if path is None else shlex.join(["ludwright", "replay", str(path)]),
                "again": series.again(fault.number),
            }
        )
    return found


def describe(faulted: int, played: int, reports: Sequence[Mapping[str, Any]]) -> str:
    """Every mistake once, the most frequent first, with the first game that shows it. Mistakes are
    told apart by code, rule and line: `22 is outside 0..20` and `23 is outside 0..20` are one."""
    lines = [f"{faulted:,} of {plural(played, 'game')} ended in a fault of the rulebook:"]
    games: dict[Mistake, list[Mapping[str, Any]]] = {}
    for report in reports:
        games.setdefault((report["code"], report["rule"], report["line"]), []).append(report)
    left = faulted
    for first, *others in sorted(games.values(), key=lambda found: -found[0]["alike"]):
        lines.append(f"  {first['error']}")
        alike = f"in {plural(first['alike'], 'game')}, first " if first["alike"] > 1 else ""
        lines.append(f"    {alike}in game {first['game']} (seed {first['seed']}); to see it again:")
        lines += [f"      {first[key]}" for key in ("replay", "again") if first[key]]
        if others:
            lines.append(f"    also in game {', '.join(str(other['game']) for other in others)}")
        left -= first["alike"]
    if left:
        lines.append(f"  of {plural(left, 'game')} more nothing was kept")
    return "\n".join(lines)

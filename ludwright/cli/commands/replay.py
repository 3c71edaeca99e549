"""`ludwright replay FILE`."""

from __future__ import annotations

from pathlib import Path

from ludwright.cli.shared.loading import compile_rulebook
from ludwright.cli.shared.output import Failure, plural, print_json
from ludwright.loading import game_from
from ludwright.simulate import Stopped, TraceError, read_trace, replay


def run(file: Path, rulebook: str | None, as_json: bool) -> None:
    try:
        trace = read_trace(file)
        compilation = compile_rulebook(rulebook or trace.game, trace.parameters)
        game = game_from(compilation, trace.chance)
        outcome = replay(game, game.gamedef_hash, trace)
    except TraceError as error:
        raise Failure(str(error)) from None
    steps = max(0, len(outcome.states) - 1)
    difference = outcome.difference
    if as_json:
        print_json(
            {
                "ok": outcome.ok,
                "game": trace.game,
                "steps": len(trace.entries),
                "verified": steps,
                "fault": None if trace.stopped is None else trace.stopped.message,
                "difference": None
                if difference is None
                else {"step": difference.step, "seat": difference.seat, "what": difference.what},
            }
        )
    elif outcome.ok:
        print(f"{file}: all {plural(steps, 'step')} agree{_ending(trace.stopped)}")
    if difference is not None:
        raise Failure(f"{file}: {difference}")


def _ending(stopped: Stopped | None) -> str:
    if stopped is None:
        return ""
    if stopped.where in ("agent", "driver"):
        return f"; then the game was given up: {stopped.message}"
    return f"; then the same fault as before: {stopped.message}"

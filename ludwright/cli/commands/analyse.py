"""`ludwright analyse GAME --moves ...`: how good each answer is; and `hint` while playing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ludwright.cli.screen.moves_text import played
from ludwright.cli.shared.loading import first_state, load_game
from ludwright.cli.shared.output import UsageFailure, print_json
from ludwright.kernel.views.wording import option_text

if TYPE_CHECKING:
    from ludwright.kernel.play.game import Game
    from ludwright.kernel.play.trees.analysis import Analysis, Candidate
    from ludwright.kernel.protocol.state import State

_SHOWN = 12  # answers in the table
_LINE = 8  # moves of the line that are shown
_HINT_SECONDS = 1.0
_LONGEST_HINT = 600.0


def run(
    name: str, moves: str, seconds: float | None, simulations: int | None, memory: int,
    threads: int, seed: int, players: int | None, parameters: Sequence[str], as_json: bool,
) -> None:  # fmt: skip
    game = load_game(name, parameters)
    state, _ = played(game, first_state(game, seed, players), moves)
    if game.decision(state) is None:
        raise UsageFailure("the game is over after these moves")
    if seconds is None and simulations is None:
        seconds = 2.0
    found = game.search(
        state, simulations=simulations, seconds=seconds, memory=memory << 20, threads=threads,
        seed=seed,
    )  # fmt: skip
    if as_json:
        print_json(_report(name, found))
        return
    print(table(found))


def hint(game: Game, state: State, seat: str, past: Sequence[tuple[State, Any]], given: str) -> str:
    """What a bot in this seat would answer, in one line."""
    try:
        seconds = float(given.removesuffix("s")) if given else _HINT_SECONDS
    except ValueError:
        seconds = 0.0
    if not 0 < seconds <= _LONGEST_HINT:
        return "how long? For example: hint 5"
    found = game.search(state, seat, seconds=seconds, past=past)
    best = found.candidates[0]
    if not best.visits and not best.proven:
        return "no state was found that agrees with everything you have seen"
    first, *then = [*found.line[:_LINE]] or [option_text(best.option)]
    sure = "exactly " if best.proven else ""
    worth = f", worth {sure}{best.values[seat]:.3f} to {seat} (1 is a win)" if best.values else ""
    return f"{first}{worth}{'; then ' if then else ''}{' → '.join(then)}"


def table(found: Analysis) -> str:
    """The answers, best first, and what they rest on."""
    rows = [("answer", "visits", f"value for {found.seat}", "95 % interval")]
    for candidate in found.candidates[:_SHOWN]:
        low, high = candidate.interval
        rows.append(
            (
                option_text(candidate.option),
                f"{candidate.visits:,}",
                _value(candidate, found.seat),
                "" if candidate.proven or not candidate.visits else f"{low:.3f} … {high:.3f}",
            )
        )
    widths = [max(len(row[at]) for row in rows) for at in range(4)]
    lines = [
        "  ".join(
            text.ljust(width) if at in (0, 3) else text.rjust(width)
            for at, (text, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]
    if len(found.candidates) > _SHOWN:
        lines.append(f"… and {len(found.candidates) - _SHOWN} more")
    values = ", ".join(f"{seat} {value:.3f}" for seat, value in found.values.items())
    lines.append(f"{'exact value' if found.solved else 'value'}: {values}")
    if found.line:
        lines.append(f"line: {' → '.join(found.line[:_LINE])}")
    lines.append(
        f"{found.simulations:,} simulations in {found.seconds:.2f} s "
        f"({found.per_second:,.0f} per second), {found.nodes:,} positions, {found.engine} engine"
    )
    if found.worlds is not None:
        lines.append(_worlds(found))
    if found.full:
        lines.append("the memory was used up: the tree stopped growing")
    if found.interrupted:
        lines.append("interrupted: this is what was known by then")
    return "\n".join(lines)


def _value(candidate: Candidate, seat: str) -> str:
    if not candidate.values:
        return "–"
    exact = " (exact)" if candidate.proven else ""
    return f"{candidate.values[seat]:.3f}{exact}"


def _worlds(found: Analysis) -> str:
    assert found.worlds is not None
    if found.worlds.none_found:
        return "no world was found that agrees with everything the seat has seen"
    return f"{found.worlds.used:,} worlds, {found.worlds.rejected:,} thrown away"


def _report(name: str, found: Analysis) -> dict[str, Any]:
    return {
        "game": name, "seat": found.seat, "best": found.best, "values": dict(found.values),
        "solved": found.solved, "line": list(found.line), "simulations": found.simulations,
        "seconds": round(found.seconds, 6), "perSecond": round(found.per_second),
        "positions": found.nodes, "engine": found.engine, "full": found.full,
        "interrupted": found.interrupted,
        "worlds": None if found.worlds is None else {
            "used": found.worlds.used, "rejected": found.worlds.rejected,
            "noneFound": found.worlds.none_found,
        },
        "answers": [
            {
                "option": each.option, "visits": each.visits, "values": dict(each.values),
                "interval": list(each.interval), "proven": each.proven,
            }
            for each in found.candidates
        ],
    }  # fmt: skip

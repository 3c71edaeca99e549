"""`ludwright draw GAME -o board.svg`: a picture of a position."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from ludwright.cli.screen.moves_text import played
from ludwright.cli.shared.loading import first_state, load_game
from ludwright.cli.shared.output import Failure, UsageFailure, plural

if TYPE_CHECKING:
    from ludwright.kernel.play.game import Game
    from ludwright.kernel.protocol.state import State
    from ludwright.scene.svg import Theme

THEMES = ("auto", "light", "dark")


def run(
    name: str,
    output: Path,
    moves: str,
    seed: int,
    players: int | None,
    seat: str | None,
    theme: str,
    parameters: Sequence[str],
) -> None:
    if theme not in THEMES:
        raise UsageFailure(f"--theme is {', '.join(THEMES[:-1])} or {THEMES[-1]}, not {theme}")
    kind = output.suffix.lower()
    if kind not in (".svg", ".png"):
        raise UsageFailure(f"{output}: the name of a picture ends in .svg or .png")
    game = load_game(name, parameters)
    state = first_state(game, seed, players)
    state, past = played(game, state, moves)
    text = picture(game, state, _viewer(game, state, seat), _theme(theme, kind))
    if kind == ".svg":
        output.write_text(text, encoding="utf-8")
    else:
        output.write_bytes(_png(text))
    print(f"{output}: {plural(len(past), 'move')} played")


def picture(game: Game, state: State, seat: str | None, theme: Theme = "auto") -> str:
    """A position as a seat sees it (None: from above), as SVG."""
    from ludwright.scene import scene_of, svg

    return svg(scene_of(game, game.observe(state, seat)), theme)


def _theme(theme: str, kind: str) -> Theme:
    if theme == "dark":
        return "dark"
    # a picture of pixels does not change with the reader's system
    return "light" if theme == "light" or kind == ".png" else "auto"


def _viewer(game: Game, state: State, seat: str | None) -> str | None:
    """Who looks: who was named, else who is to act."""
    if seat == "all":
        return None
    seats = game.seats_in_play(state)
    if seat is None:
        decision = game.decision(state)
        return decision.seat if decision is not None and decision.seat in seats else None
    if seat not in seats:
        raise UsageFailure(
            f"--seat {seat}: the seats are {', '.join(seats)}; `all` sees everything"
        )
    return seat


def _png(text: str) -> bytes:
    try:
        import resvg_py
    except ImportError:
        raise Failure(
            "a .png needs the package resvg-py: pip install 'ludwright[draw]', or write a .svg"
        ) from None
    return bytes(resvg_py.svg_to_bytes(svg_string=text, zoom=2))

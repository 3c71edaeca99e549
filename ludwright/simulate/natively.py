"""Series of random games, played inside the native engine."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import TYPE_CHECKING, cast

import numpy as np

from ludwright.kernel.moves import MOVE_LIMIT

if TYPE_CHECKING:
    from ludwright.native.game import NativeGame
    from ludwright.native.playouts import Playouts
    from ludwright.simulate.series import Series, Summary

_FEW = 64  # games at first, to learn how long they take
_SECONDS = 0.25  # about as long as nobody is told anything
_MOST = 1 << 24  # cells of last states at a time


def add_games(series: Series, summary: Summary, n: int, threads: int) -> Iterator[None]:
    """Play games 0 .. n-1 and count them; goes back to the caller every now and then."""
    game = cast("NativeGame", series.game)
    ends = game.program.ends
    # A reason that names a number needs the state it was read from.
    told = any(not isinstance(part, str) for end in ends for part in end.reason)
    most = max(1, _MOST // game.program.cells) if told else _MOST
    number, size = 0, _FEW
    while number < n:
        size = min(size, most, n - number)
        begun = time.perf_counter()
        found = game.playouts(
            size, series.seed, threads, players=series.players, scenario=series.scenario,
            limit=series.limit, finals=told, first=number,
        )  # fmt: skip
        _count(series, summary, found, number)
        yield
        number += size
        rate = size / max(time.perf_counter() - begun, 1e-6)
        size = max(_FEW, int(rate * _SECONDS))


def _count(series: Series, summary: Summary, found: Playouts, first: int) -> None:
    from ludwright.simulate.series import UNFINISHED

    unfinished = found.ends < 0
    if unfinished.any() and not summary.unfinished and series.limit > MOVE_LIMIT:
        # A move that never ends is an error that has a name: found by playing one such game again.
        series.play(first + int(np.argmax(unfinished)))
    winners = found.winners[:, : len(series.seats)]
    # A first place that everyone shares is nobody's win.
    level = winners.all(axis=1) if len(series.seats) > 1 else np.zeros(len(winners), np.bool_)
    drawn = ~unfinished & (level | ~winners.any(axis=1))
    summary.games += len(found.ends)
    summary.moves += int(found.moves.sum())
    summary.decisions += int(found.decisions.sum())
    summary.unfinished += int(unfinished.sum())
    summary.draws += int(drawn.sum())
    for index, seat in enumerate(series.seats):
        won = int((winners[:, index] & ~drawn).sum())
        if won:
            summary.wins[seat] += won
    _count_reasons(series, summary, found)
    if unfinished.any():
        summary.reasons[UNFINISHED] += int(unfinished.sum())


def _count_reasons(series: Series, summary: Summary, found: Playouts) -> None:
    game = cast("NativeGame", series.game)
    for number, end in enumerate(game.program.ends):
        games = np.flatnonzero(found.ends == number)
        if not len(games):
            continue
        words = [part for part in end.reason if isinstance(part, str)]
        if len(words) == len(end.reason):
            summary.reasons["".join(words)] += len(games)
            continue
        assert found.finals is not None
        for at in games:
            summary.reasons[game.reason_in(found.finals[at].tolist())] += 1

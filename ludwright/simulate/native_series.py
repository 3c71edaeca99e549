"""Series of random games, played inside the native engine."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import TYPE_CHECKING, cast

import numpy as np
import numpy.typing as npt

from ludwright.errors import LudwrightError
from ludwright.program.limits import MOVE_LIMIT
from ludwright.simulate.series import UNFINISHED, Series, Summary, add_fault

if TYPE_CHECKING:
    from ludwright.kernel.play.playouts import Playouts
    from ludwright.native.game import NativeGame

_FIRST_GAMES = 64  # games at first, to learn how long they take
_SECONDS = 0.25  # about how long the caller waits for news
_CELLS_AT_ONCE = 1 << 24  # cells of final states held at a time


def add_games(series: Series, summary: Summary, first: int, n: int, threads: int) -> Iterator[None]:
    """Play `n` games and count them; yield to the caller every now and then."""
    game = cast("NativeGame", series.game)
    ends = game.program.ends
    # A reason that names a number needs the state it was read from.
    needs_state = any(not isinstance(part, str) for end in ends for part in end.reason)
    most = max(1, _CELLS_AT_ONCE // game.program.cells) if needs_state else _CELLS_AT_ONCE
    number, size = first, _FIRST_GAMES
    while number < first + n:
        size = min(size, most, first + n - number)
        begun = time.perf_counter()
        found = game.playouts(
            size, series.seed, threads, players=series.players, scenario=series.scenario,
            limit=series.limit, finals=needs_state, first=number, go_on=True,
        )  # fmt: skip
        _count(series, summary, found, number)
        yield
        number += size
        rate = size / max(time.perf_counter() - begun, 1e-6)
        size = max(_FIRST_GAMES, int(rate * _SECONDS))


def _count(series: Series, summary: Summary, found: Playouts, first: int) -> None:
    failures = {**found.failures, **_endless(series, found, first)}
    for number in sorted(failures):
        add_fault(series, summary, number, failures[number])
    played = np.ones(len(found.ends), np.bool_)
    played[[number - first for number in failures]] = False
    unfinished = (found.ends < 0) & played
    winners = found.winners[:, : len(series.seats)]
    # A first place that everyone shares is nobody's win.
    level = winners.all(axis=1) if len(series.seats) > 1 else np.zeros(len(winners), np.bool_)
    drawn = played & ~unfinished & (level | ~winners.any(axis=1))
    summary.games += int(played.sum())
    summary.moves += int(found.moves[played].sum())
    summary.decisions += int(found.decisions[played].sum())
    summary.unfinished += int(unfinished.sum())
    summary.draws += int(drawn.sum())
    scores = found.scores[played & ~unfinished].astype(np.int64)
    for index, seat in enumerate(series.seats):
        own = scores[:, index]
        summary.score_sums[seat] += int(own.sum())
        summary.score_squares[seat] += _squares(own)
        won = int((winners[:, index] & ~drawn).sum())
        if won:
            summary.wins[seat] += won
    _count_reasons(series, summary, found)
    if unfinished.any():
        summary.reasons[UNFINISHED] += int(unfinished.sum())


def _squares(scores: npt.NDArray[np.int64]) -> int:
    """The sum of their squares, which may be too large for numpy."""
    largest = int(np.abs(scores).max(initial=0))
    if largest * largest * len(scores) < 1 << 62:
        return int(scores @ scores)
    return sum(score * score for score in scores.tolist())


def _endless(series: Series, found: Playouts, first: int) -> dict[int, LudwrightError]:
    """Unfinished games with a move that never ends: those get an error of their own."""
    errors: dict[int, LudwrightError] = {}
    # every move has at least one decision, so the longest has at most this many
    longest = found.decisions - found.moves + 1
    for at in np.flatnonzero((found.ends == -1) & (longest > MOVE_LIMIT)):
        try:
            series.play(first + int(at))
        except LudwrightError as error:
            errors[first + int(at)] = error
    return errors


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

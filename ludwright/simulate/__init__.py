"""Playing games in series, writing them down and playing them again."""

from __future__ import annotations

from ludwright.simulate.driver import DeadEnd, Playout, play_out
from ludwright.simulate.recorder import Recorder
from ludwright.simulate.replay import Difference, Replay, replay
from ludwright.simulate.series import Summary, simulate
from ludwright.simulate.trace import Entry, Trace, TraceError, read_trace

__all__ = [
    "DeadEnd",
    "Difference",
    "Entry",
    "Playout",
    "Recorder",
    "Replay",
    "Summary",
    "Trace",
    "TraceError",
    "play_out",
    "read_trace",
    "replay",
    "simulate",
]

"""Playing games in series, writing them down and playing them again."""

from __future__ import annotations

from ludwright.errors import DeadEnd
from ludwright.program.limits import GAME_LIMIT
from ludwright.simulate.driver import Playout, play_out
from ludwright.simulate.recorder import Recorder
from ludwright.simulate.replay import Difference, Replay, replay
from ludwright.simulate.series import FAULTS_KEPT, Fault, Summary
from ludwright.simulate.simulation import simulate
from ludwright.simulate.trace import Entry, Stopped, Trace, TraceError, read_trace

__all__ = [
    "FAULTS_KEPT",
    "GAME_LIMIT",
    "DeadEnd",
    "Difference",
    "Entry",
    "Fault",
    "Playout",
    "Recorder",
    "Replay",
    "Stopped",
    "Summary",
    "Trace",
    "TraceError",
    "play_out",
    "read_trace",
    "replay",
    "simulate",
]

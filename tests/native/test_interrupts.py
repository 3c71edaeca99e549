"""Ctrl-C is answered within a second, whatever native code is doing."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.native.support import needs_native

pytestmark = [
    needs_native,
    pytest.mark.skipif(sys.platform != "linux", reason="reads processor time from /proc"),
]

# `slow(x)` looks at three million numbers; three thousand times that takes a minute or so. The option `try`
# can be finished in no way, after a search through thousands of such answers.
_SCRIPT = """
import sys
import ludwright as lw
from ludwright.kernel.play.game import core_of

SLOW = "forEach: {{ bind: x, over: 1..3000, do: [t = slow(x) % 7] }}"
BOOK = '''
```yaml
game: {{ id: slow, title: Slow, players: 2 }}
vars: {{ t: 0..9, u: 0..99999 clamp }}
fns:
  slow(n): count(y for y in 1..3000000 if y * n % 7 == t)
setup: [{setup}]
actions:
  - {{ id: go, effects: ["u += 1"] }}
  - {{ id: work, effects: [{work}] }}
  - id: guess
    params: {{ a: 1..90, b: 1..90, c: 1..90 }}
    ensure: {ensure}
end: [{{ when: u > 50, draw: all }}]
```
'''

def load(setup="t = 1", work="t = 2", ensure="a > 0", **given):
    text = BOOK.format(setup=setup, work=work, ensure=ensure)
    game = lw.load_text(text, engine="native", **given)
    core_of(game).machine.engine.await_optimised()  # making code is another matter
    return game

def initial_state():
    game = load(setup=SLOW.format())
    return game.initial_state

def choose():
    game = load(work=SLOW.format())
    state = game.initial_state()
    return lambda: game.choose(state, "work")

def searched():
    game = load(ensure="slow(a * b + c) > 99999999")
    return game.initial_state

def legal_moves():
    game = load(setup="t = 0", ensure="t < 1 or slow(a * b + c) > 99999999", work="t = 1")
    state = game.choose(game.initial_state(), "go").state
    return lambda: [game.legal_moves(state) for _ in range(9999)]

def playouts():
    game = load(work=SLOW.format())
    assert game.fast  # the code is there
    return lambda: game.playouts(100)

def batch():
    import numpy
    game = load(work=SLOW.format())
    made = game.batch(4)
    return lambda: made.step(numpy.ones(4, int))

def many():
    game = lw.load("kalah", engine="native")
    return lambda: [game.batch(1 << 16) for _ in range(100)]

def perft():
    game = lw.load("chess", engine="native")
    state = game.initial_state()
    game.perft(state, 1)  # the code is there
    return lambda: game.perft(state, 9)

work = globals()[sys.argv[1]]()
print("ready", flush=True)
try:
    work()
except KeyboardInterrupt:
    print("interrupted", flush=True)
else:
    print("finished", flush=True)
"""


def _busy() -> float:
    """How many programs share a processor now: on a busy machine everything takes longer."""
    return max(1.0, os.getloadavg()[0] / (os.cpu_count() or 1))


def _worked(pid: int) -> float:
    """The processor time of a process: what others do on the machine does not count."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


@pytest.mark.parametrize(
    "work", ["initial_state", "choose", "searched", "legal_moves", "playouts", "batch", "many", "perft"]
)  # fmt: skip
def test_an_interrupt_is_answered_within_a_second(work: str) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", _SCRIPT, work], stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        try:
            assert process.stdout.readline() == "ready\n"
            time.sleep(1.5)  # it is well under way
            assert process.poll() is None, "there was nothing to interrupt"
            begun, worked = time.monotonic(), _worked(process.pid)
            process.send_signal(signal.SIGINT)
            said = process.stdout.readline()
            passed, worked = time.monotonic() - begun, _worked(process.pid) - worked
        finally:
            process.kill()
    assert said == "interrupted\n"
    assert worked < 1
    assert passed < 3 * _busy()  # it may have waited for a processor, but not slept

"""What becomes a table depends on the rulebook alone, not on how fast the machine is."""

from __future__ import annotations

from typing import Any

import pytest

import ludwright as lw
from tests.native.support import needs_native

pytestmark = needs_native

# `slow` looks at 60 x 60 pairs for every argument, `quick` at none.
_BOOK = """
```yaml
game: { id: tables, title: Tables, players: 2 }
vars: { x0: 0..60, t: 0..9999 clamp }
fns:
  quick(n): n * n % 7
  slow(n): count(x for x in 0..59 for y in 0..59 if x * y % 61 == n)
actions:
  - { id: a, effects: [t = quick(x0) + slow(x0), x0 = t % 60] }
end: [{ when: turn > 3, draw: all }]
```
"""


def _tabulated(program: Any) -> list[bool]:
    from ludwright.native.analysis.shape_inference import Inference
    from ludwright.native.passes.constant_tables import ConstantTables

    tables = ConstantTables(program, Inference(program))
    return [tables.of(number) is not None for number in range(len(program.functions))]


def test_a_function_is_tabulated_by_how_much_work_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    from ludwright.native.passes import constant_tables as tabulating

    program = lw.load_text(_BOOK).program
    assert sorted(_tabulated(program)) == [False, True]
    monkeypatch.setattr(tabulating, "WORK_LIMIT", 1 << 40)
    assert _tabulated(program) == [True, True]
    monkeypatch.setattr(tabulating, "WORK_LIMIT", 10)
    assert _tabulated(program) == [False, False]


def test_a_clock_that_runs_away_changes_no_code(monkeypatch: pytest.MonkeyPatch) -> None:
    import time

    from ludwright.native.translate import translate

    program = lw.load_text(_BOOK).program
    expected = translate(program, False, False).text
    hours = iter(range(0, 1 << 40, 3600))
    for clock in ("perf_counter", "monotonic", "time", "process_time"):
        monkeypatch.setattr(time, clock, lambda: float(next(hours)))
    assert translate(program, False, False).text == expected

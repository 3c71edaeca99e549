"""Loops that native code writes otherwise than the interpreter runs them."""

from __future__ import annotations

import pytest

import ludwright as lw
from ludwright import program as ir
from ludwright.native.passes.list_once import same
from ludwright.native.passes.loop_invariants import invariant_parts
from tests.native.support import needs_native

pytestmark = needs_native

RULEBOOK = """
```yaml
game: {{ id: picks, title: Picks, players: 2 }}
pieces: {{ stone: {{ each: {{ n: 1..12 }} }} }}
zones:
  bag: {{ of: stone, init: all }}
  out: {{ of: stone, order: row }}
vars: {{ steps: 0..40, least: 0..20 }}
fns:
  last_: out[count(out) - 1].n if any(out) else 0
  ratio(n): {ratio}
  above: x for x in bag if ratio(x.n) > last_
  even: x for x in bag if x.n % 2 == 0 and least < 6
phases:
  - id: play
actions:
  - id: take
    params:
      which: "{options}"
    effects:
      - move which to out
      - steps += 1
      - "least = min([x.n for x in bag if x.n > last_], default=20)"
      - if steps == 11 then end game
noMoves: [end game]
score: least
```
"""

OPTIONS = (
    "above if any(above) else bag",
    "above if any(even) else bag",
    "even if steps > 3 and any(even) else above if any(above) else bag",
    "[x for x in above] if any(above) else [x for x in even] if any(even) else bag",
    "[x for x in bag if ratio(x.n) > 2 * last_] if any(x for x in bag if ratio(x.n) > 2 * last_) "
    "else [x for x in bag if 9 // (x.n - 8) > 5] if any(x for x in bag if 9 // (x.n - 8) > 5) "
    "else bag",
)


def played_alike(text: str) -> None:
    from ludwright.kernel.interpreter.machine import Machine
    from ludwright.native.engine import Engine
    from ludwright.native.machine import NativeMachine
    from ludwright.testing.lockstep import lockstep

    program = lw.load_text(text).program
    native = NativeMachine(program, engine=Engine(program, 0, events=True))
    for seed in range(6):
        _, difference = lockstep(Machine(program), native, seed, 2)
        assert difference is None, difference


@pytest.mark.parametrize("options", OPTIONS)
@pytest.mark.parametrize("ratio", ["n", "20 // (9 - n)", "n * 2 if n < 4 else 3"])
def test_alternatives_are_listed_alike(options: str, ratio: str) -> None:
    """Also where a condition fails in the middle of the list."""
    played_alike(RULEBOOK.format(options=options, ratio=ratio))


def test_two_copies_of_a_function_say_the_same() -> None:
    program = lw.load("hearts").program
    options = program.choices[1].options
    assert isinstance(options, ir.BindSource)
    select = options.body
    assert isinstance(select, ir.SelectSource)
    assert isinstance(select.when, ir.Aggregate)
    assert select.when.stream != select.then
    assert same(program, select.when.stream, select.then)
    assert not same(program, select.when.stream, select.other)


def test_what_fails_elsewhere_is_not_the_same() -> None:
    program = lw.load("hearts").program
    elsewhere = next(at for at, site in enumerate(program.sites) if site != program.sites[1])
    sites = (1, elsewhere, 1)
    one, two, three = (ir.Arith("//", ir.Load(1), ir.Load(2), site) for site in sites)
    assert same(program, one, three)
    assert not same(program, one, two)


def test_what_a_loop_changes_is_not_remembered() -> None:
    element, other = ir.Load(100), ir.Load(101)
    steady, changing = ir.CallFn(0, (other,)), ir.CallFn(0, (element,))
    inner = ir.Aggregate("count", ir.Stream((ir.Loop((102,), ir.SeatsSource()),), ir.Load(102)))
    parts = (ir.Filter(ir.Compare("<", steady, changing)), ir.Filter(inner))
    assert {id(node) for node in invariant_parts(parts, (100,))} == {id(steady), id(inner)}
    assert invariant_parts(parts, (100, 101)) == [inner]


COUNTED = """
```yaml
game: { id: counted, title: Counted, players: 2 }
seats: [red, blue]
vars: { total: 0..99, zero: 0..3 }
actions: [{ id: count, effects: ["total = LOOP"] }]
```
"""


@pytest.mark.parametrize(
    "loop",
    [
        "count(6 // (x - 2 + zero) for x in 1..3)",
        "count(6 // (x - 2 + zero) for x in 1..3 if x > 1)",
        "count(6 // (x - 2 + zero) for x in 1..3 until x == 3)",
        "1 if any(6 // (x - 2 + zero) > 0 for x in 1..3) else 2",
        "1 if any([6 // (x - 2 + zero) for x in 2..3 if x > 1]) else 2",
        "1 if any([6 // (x - 2 + zero) for x in 2..3 until x > 1]) else 2",
    ],
)
def test_what_is_only_counted_is_looked_at_all_the_same(loop: str) -> None:
    """An element that cannot be worked out is a fault, whether or not its value matters."""
    told: list[bytes | str] = []
    for engine in ("python", "native"):
        game = lw.load_text(COUNTED.replace("LOOP", loop), engine=engine)
        try:
            told.append(game.choose(game.initial_state(), "count").state.to_bytes())
        except lw.RulebookFault as fault:
            told.append(str(fault))
    assert told[0] == told[1]
    if "> 0" not in loop:
        assert "zero" in str(told[0])

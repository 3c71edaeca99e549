"""All work is counted, and by the same count on both engines."""

from __future__ import annotations

from functools import cache

import pytest

import ludwright as lw
from ludwright import program as ir
from ludwright.errors import RulebookFault
from ludwright.kernel.interpreter.machine import Machine
from ludwright.kernel.interpreter.run import Run
from ludwright.program.nodes import walk
from tests.native.support import needs_native

_BOOK = """
```yaml
game: {{ id: work, title: Work, players: 2 }}
vars: {{ t: 0..9999 clamp, u: 0..9 clamp }}
fns:
{functions}
procs:
{procedures}
setup:
{setup}
actions:
  - {{ id: stop, effects: [end game] }}
end: [{{ draw: all }}]
```
"""

# By name: functions, procedures, set-up. Each can be enormous, and is little as it is played.
_WORK = {
    "a wide range": ((), (), ["t = count(x for x in 1..1500000000 until x > 60)"]),
    "a range by itself": ((), (), ["if first(1..1500000000) == 1 then t = 3"]),
    "wide ranges in one another": (
        (), (), ["t = count(x * y for x in 1..40000 until x > 5 for y in 1..40000 until y > x)"]
    ),
    "a function in a loop, the same every time": (
        ("far(n): count(x for x in 1..1500000000 until x > n)",), (),
        ["t = sum(far(3) for y in 1..20)", "t = count(y for y in 1..20 if far(u) > 0)"],
    ),
    "the list of a choice twice": (
        ("many(n): [x for x in 1..1500000000 until x > n]",), (),
        ['forEach: { bind: z, over: "many(4) if any(many(4)) else many(2)", do: [t += z] }'],
    ),
    "functions that call others twice": (
        ("f0(n): n + t", *(f"f{i}(n): f{i - 1}(n) + (f{i - 1}(n + 1) if n > 99 else 0)" for i in range(1, 40))),
        (), ["t = f39(1)"],
    ),
    "procedures that call others often": (
        (),
        ("p0: [t += 1]", *(f"p{i}: [{', '.join([f'p{i - 1}()'] * 12)}]" for i in range(1, 4))),
        ["p3()"],
    ),
    "much in a pass": (
        (), (), ["forEach: { bind: z, over: 1..9, do: [t += count(x for x in 1..90000 if x == z)] }"]
    ),
}  # fmt: skip


@cache
def _program(name: str) -> ir.Program:
    functions, procedures, setup = _WORK[name]
    text = _BOOK.format(
        functions="\n".join(f'  "{line.partition(":")[0]}": "{line.partition(": ")[2]}"' for line in functions)
        or "  one(n): n",
        procedures="\n".join(f"  {line}" for line in procedures) or "  none_: [t += 0]",
        setup="\n".join(f"  - {line}" for line in setup),
    )  # fmt: skip
    return lw.load_text(text, engine="python").program


def _outcome(machine: Machine) -> tuple[object, ...]:
    S = machine.scratch(machine.fresh(1, 2, 0), Run())
    try:
        machine.start(S)
    except RulebookFault as fault:
        return fault.code, fault.rule, fault.span
    return tuple(machine.state_cells(S))


@needs_native
@pytest.mark.parametrize("name", _WORK)
def test_ticks_run_out_at_the_same_place(name: str) -> None:
    from ludwright.native.engine import Engine
    from ludwright.native.machine import NativeMachine

    program = _program(name)
    engine = Engine(program, 0, events=True)
    outcomes = []
    for limit in (*range(40), *range(40, 4000, 97), 10**6):
        expected = _outcome(Machine(program, tick_limit=limit))
        assert _outcome(NativeMachine(program, tick_limit=limit, engine=engine)) == expected, limit
        outcomes.append(expected)
    assert outcomes[0][0] == "ticks"
    assert outcomes[0][2] is not None
    assert outcomes[-1][0] != "ticks"  # a plain run has enough of them


@pytest.mark.parametrize("name", _WORK)
def test_what_can_be_enormous_is_counted(name: str) -> None:
    program = _program(name)
    spends = [
        node for node in walk((program.code, program.functions)) if isinstance(node, ir.Spend)
    ]
    calls = [instr for instr in program.code if isinstance(instr, ir.CallProc) and instr.ticks]
    ticks = [instr for instr in program.code if isinstance(instr, ir.Tick) and instr.ticks > 1]
    assert spends or calls or ticks


def test_what_is_little_work_is_not_counted() -> None:
    program = lw.load("chess", engine="python").program
    roots = (program.code, program.choices, program.functions, program.histories)
    assert not any(isinstance(node, ir.Spend) for node in walk(roots))


_ENDLESS = {
    "a sum": "t = sum(x * y for x in 1..100000 for y in 1..100000)",
    "a range in a set": "t = count(set(x % 7 for x in 1..1500000000))",
    "a list": "t = count([x for x in 1..1500000000])",
    "groups": "t = count(group(x % 3 for x in 1..1500000000))",
    "a distinct list": "t = count(distinct(x for x in 1..1500000000))",
    "a loop of effects": "forEach: { bind: x, over: 1..1500000000, do: [t += 1] }",
    "an extreme": "t = max(x % 11 for x in 1..1500000000)",
    "nothing that is looked for": "if any(x for x in 1..1500000000 if x < t) then t = 1",
}


@needs_native
@pytest.mark.parametrize("name", _ENDLESS)
def test_too_much_work_is_a_fault(name: str) -> None:
    text = _BOOK.format(
        functions="  one(n): n", procedures="  none_: [t += 0]", setup=f"  - {_quoted(_ENDLESS[name])}"
    )  # fmt: skip
    game = lw.load_text(text, engine="native")
    with pytest.raises(RulebookFault) as native:
        game.initial_state()
    interpreter = Machine(game.program, tick_limit=20_000)
    assert native.value.code == "ticks"
    assert _outcome(interpreter) == ("ticks", native.value.rule, native.value.span)
    assert native.value.span is not None


def _quoted(effect: str) -> str:
    return effect if effect.startswith("forEach") else f'"{effect}"'


@needs_native
def test_membership_of_a_range_is_a_comparison() -> None:
    text = _BOOK.format(
        functions="  one(n): n", procedures="  none_: [t += 0]",
        setup="  - if 7 in 1..1500000000 and not (u in 1..1500000000) then t = 5",
    )  # fmt: skip
    for engine in ("native", "python"):
        game = lw.load_text(text, engine=engine)
        assert game.observe(game.initial_state(), "p1")["variables"]["t"] == 5

"""Checking a rulebook grows with its length, not with the square of it."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest

from ludwright.loading import Compilation, compile_text

HEAD = "```yaml\ngame: { id: long, title: Long, players: 2 }\nvars: { t: 0..1000000, u: 0..9 }\n"
END = "end: [{ when: turn > 9, win: actor, reason: over }]\n```\n"


def _lines(count: int, line: str, separator: str = "\n") -> str:
    return separator.join(line.replace("%", str(number)) for number in range(count))


def _action(effect: str) -> Callable[[int], str]:
    """One action with many effects."""
    return lambda n: f"actions:\n  - {{ id: a, effects: [{_lines(n, effect, ', ')}] }}\n"


# By name: the smaller size, and what stands between the head and the end.
LONG: dict[str, tuple[int, Callable[[int], str]]] = {
    "actions": (150, lambda n: f"actions:\n{_lines(n, '  - { id: a%, effects: [t += 1] }')}\n"),
    "actions that a phase names": (
        150,
        lambda n: (
            f"actions:\n{_lines(n, '  - { id: a%, effects: [t += 1] }')}\n"
            f"phases:\n  - {{ id: only, actions: [{_lines(n, 'a%', ', ')}] }}\n"
        ),
    ),
    "phases": (
        200,
        lambda n: (
            "actions: [{ id: a, effects: [t += 1, next phase] }]\n"
            f"phases:\n{_lines(n, '  - { id: p% }')}\n"
        ),
    ),
    "loops": (200, _action("for x in 1..3 do t += x")),
    "decisions": (400, _action("{ chooseOne: { bind: $x%, options: 1..3 } }")),
    "procedures with decisions": (
        200,
        lambda n: (
            "procs:\n"
            + _lines(n, "  p%: [{ chooseOne: { bind: $x%, options: 1..3 } }, t += $x%]")
            + "\n"
            + _action("p%()")(n)
        ),
    ),
    "zones with limits": (
        300,
        lambda n: (
            "pieces: { man: { count: 3 } }\n"
            f"zones:\n{_lines(n, '  z%: { max: 3 }')}\n"
            + _action("for m in man do move m to z%")(n)
        ),
    ),
    "triggers": (
        100,
        lambda n: (
            "actions: [{ id: a, effects: [u = 2] }]\n"
            f"triggers:\n{_lines(n, '  - { id: r%, on: { changed: u }, effects: [t += 1] }')}\n"
        ),
    ),
    "rows of a table": (
        2000,
        lambda n: (
            f"tables: {{ price: {{ cols: [a], rows: [{_lines(n, '[%]', ', ')}] }} }}\n"
            + _action("t = count(r for r in price if r.a == 3)")(1)
        ),
    ),
}


def _seconds(text: str) -> tuple[float, Compilation]:
    begun = time.process_time()
    compilation = compile_text(text, "long.md")
    return time.process_time() - begun, compilation


@pytest.mark.parametrize("name", LONG)
def test_four_times_the_length_is_about_four_times_the_work(name: str) -> None:
    size, written = LONG[name]
    short = long = 0.0
    for _ in range(3):  # other processes may disturb one attempt
        short, one = _seconds(HEAD + written(size) + END)
        long, other = _seconds(HEAD + written(4 * size) + END)
        assert one.ok, one.diagnostics.items
        assert other.ok, other.diagnostics.items
        if long < 9 * short + 0.2:
            return
    pytest.fail(f"{size}: {short:.2f} s, {4 * size}: {long:.2f} s")


@pytest.mark.long
def test_ten_thousand_actions_are_checked_in_less_than_twenty_seconds() -> None:
    seconds, compilation = _seconds(HEAD + LONG["actions"][1](10_000) + END)
    assert compilation.ok
    assert seconds < 20


def _nested(count: int) -> str:
    """Each function that gives a collection uses the one before twice."""
    functions = ["  s0(n): x for x in 1..3 if x != n"]
    for number in range(1, count):
        before = f"s{number - 1}"
        functions.append(
            f"  s{number}(n): x for x in {before}(n) for y in {before}(n + 1) if x != y"
        )
    lines = "\n".join(functions)
    return f"fns:\n{lines}\n" + _action(f"t = count(s{count - 1}(1))")(1)


def test_functions_that_multiply_in_their_places_are_refused_soon() -> None:
    seconds, compilation = _seconds(HEAD + _nested(14) + END)
    found = [d.code for d in compilation.diagnostics.items]
    assert found == ["rules-too-large"]
    assert seconds < 2.5
    assert compile_text(HEAD + _nested(8) + END, "long.md").ok


def test_many_uses_side_by_side_do_not_multiply() -> None:
    functions = "fns:\n  other(n): x for x in 1..9 if x != n\n"
    compilation = compile_text(
        HEAD + functions + _action("t = sum(other(1))")(3000) + END, "long.md"
    )
    assert compilation.ok, compilation.diagnostics.items


def test_answers_behind_a_secret_do_not_multiply() -> None:
    """What was answered is told apart on every way; with thirty choices there are 3^30 of them."""
    choices = _lines(
        30, '      - { chooseOne: { bind: $x%, options: "[low, mid, high]" } }\n'
        "      - if $x% == low then t = %",
    )  # fmt: skip
    text = (
        f"{HEAD}enums: {{ Level: [low, mid, high] }}\n"
        "pieces: { card: { each: { rank: 1..6 } } }\n"
        "zones: { hand: { each: seat, see: owner, of: card, init: all } }\n"
        "actions:\n  - id: a\n    effects:\n      - reveal hand(actor)\n"
        f"{choices}\n      - require t > 0\n{END}"
    )
    seconds, found = _seconds(text)
    assert "refusal-after-reveal" in [item.code for item in found.diagnostics.items]
    assert seconds < 10

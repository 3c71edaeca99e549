"""What procedures take and give: declared ranges of parameters, and the type of what is returned."""

from __future__ import annotations

from typing import Any

import pytest

import ludwright as lw

BOOK = """
```yaml
game: {{ id: procs, title: Procs, players: 2 }}
seats: [red, blue]
vars: {{ t: 0..99, u: 0..999, who: Seat?, numbers: "list[0..999, 3]" }}
procs:
  {procs}
actions:
  - id: act
    params: {{ k: 0..40 }}
    effects: [t = k, {effects}]
end: [{{ when: turn > 9, draw: all, reason: over }}]
```
"""


def _after(procs: str, effects: str, k: int) -> Any:
    """The variables after a move."""
    game = lw.load_text(BOOK.format(procs=procs, effects=effects))
    step = game.choose(game.initial_state(), k)
    return game.observe(step.state, None)["variables"]


def _codes(procs: str, effects: str) -> list[str]:
    found = lw.compile_text(BOOK.format(procs=procs, effects=effects))
    return [item.code for item in found.diagnostics.items]


RETURNS = {
    "none first": ("[if t < 3 then return none, return red]", "let x = p(), who = x"),
    "none last": ("[if t >= 3 then return red, return none]", "let x = p(), who = x"),
    "a value that may be none": (
        "[who = blue, if t < 3 then who = none, if t >= 3 then return red, return who]",
        "let x = p(), who = x",
    ),
}


@pytest.mark.parametrize(("body", "effects"), RETURNS.values(), ids=RETURNS)
def test_none_on_one_way_is_none_whatever_stands_first(body: str, effects: str) -> None:
    assert _after(f"p(): {body}", effects, 2)["who"] is None
    assert _after(f"p(): {body}", effects, 3)["who"] == "red"


@pytest.mark.parametrize("body", ["[if t < 3 then return none, return 7]", "[if t >= 3 then return 7, return none]"])  # fmt: skip
def test_a_number_may_be_none(body: str) -> None:
    for k, expected in ((2, 50), (3, 7)):
        assert _after(f"p(): {body}", 'let x = p(), "u = default(x, 50)"', k)["u"] == expected
    assert _codes(f"p(): {body}", "let x = p(), u = x") == ["may-be-none"]


def test_the_longest_list_fits() -> None:
    body = 'p(): ["if t < 3 then return [1, 2]", "return [1, 2, 300]"]'
    effects = "let x = p(), numbers = x"
    assert [_after(body, effects, k)["numbers"] for k in (2, 3)] == [[1, 2], [1, 2, 300]]


def test_what_does_not_fit_together_is_told() -> None:
    assert _codes("p(): [if t < 3 then return red, return 5]", "p()") == ["wrong-type"]
    assert _codes("p(): [if t < 3 then return 5, return]", "p()") == ["no-result"]
    assert _codes("p(): [return none]", "let x = p(), who = x") == ["no-result"]
    assert _codes("p(): [return none]", "p()") == []


PARAMETER = "'p(n: 0..9)': [u = n]"


def test_a_number_outside_the_range_of_a_parameter_is_a_fault() -> None:
    assert _after(PARAMETER, "p(t)", 9)["u"] == 9
    with pytest.raises(lw.RulebookFault, match=r"40 is outside 0\.\.9") as caught:
        _after(PARAMETER, "p(t)", 40)
    assert caught.value.code == "range"
    assert caught.value.span is not None


def test_a_parameter_keeps_its_range_inside() -> None:
    with pytest.raises(lw.RulebookFault, match=r"12 is outside 0\.\.9"):
        _after("'p(n: 0..9)': [n = n + 4, u = n]", "p(8)", 0)


def test_a_constant_outside_the_range_is_told_before_play() -> None:
    assert _codes(PARAMETER, "p(12)") == ["out-of-range"]

"""A game is what its Program is: reloaded it is equal, and with other parameters it is another."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import ludwright as lw
from ludwright.kernel.play.game import Game
from ludwright.language.canonical import gamedef_bytes
from ludwright.language.gamedef import Parameter
from ludwright.loading import Compilation, compile_files, compile_text, game_from

GAMES = lw.shipped_games()
WIDEST = 60  # a parameter without a limit is tried this far from its default
# `price` has ten rows: an `n` of the wide game is outside of it
WIDE = """```yaml
game: { id: wide, title: Wide, players: 2 }
parameters: { most: { default: 9, min: 9, max: 2000000000 } }
vars: { n: 0..most, paid: 0..99 }
tables:
  price: { cols: [coins], rows: [[0], [0], [1], [3], [6], [10], [1], [1], [1], [1]] }
actions:
  - { id: rise, effects: [n = most] }
  - { id: pay, effects: ["if most == 9 then paid = price[n].coins"] }
```
"""


def declared(name: str) -> tuple[Parameter, ...]:
    gamedef = compile_files(GAMES[name]).gamedef
    assert gamedef is not None
    return gamedef.parameters


@st.composite
def variants(draw: st.DrawFn) -> tuple[str, dict[str, int | bool], dict[str, Any]]:
    """A shipped game, some of its parameters, and options of `load`."""
    name = draw(st.sampled_from(sorted(GAMES)))
    values: dict[str, int | bool] = {}
    for parameter in declared(name):
        if not draw(st.booleans()):
            continue
        default = parameter.default
        if isinstance(default, bool):
            values[parameter.name] = draw(st.booleans())
            continue
        low = default - WIDEST if parameter.min is None else parameter.min
        high = default + WIDEST if parameter.max is None else parameter.max
        values[parameter.name] = draw(st.integers(low, high))
    options = {
        "chance": draw(st.sampled_from(["generator", "explicit"])),
        "search_budget": draw(st.sampled_from([None, 1, 64])),
    }
    return name, values, options


def reloaded(compilation: Compilation, folder: Path, **values: int | bool) -> Compilation:
    assert compilation.gamedef is not None
    path = folder / "game.json"
    path.write_bytes(gamedef_bytes(compilation.gamedef))
    return compile_files(path, values)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("reloaded")


def game_of(compilation: Compilation, options: dict[str, Any]) -> Game:
    return game_from(compilation, engine="python", **options)


@settings(max_examples=40, deadline=None, derandomize=True)
@given(variants())
def test_a_reloaded_game_is_the_same_game(
    folder: Path, variant: tuple[str, dict[str, int | bool], dict[str, Any]]
) -> None:
    name, values, options = variant
    written = compile_files(GAMES[name], values)
    assume(written.ok)
    again = reloaded(written, folder)
    assert again.ok
    assert again.gamedef == written.gamedef
    one, two = game_of(written, options), game_of(again, options)
    assert two.gamedef_json == one.gamedef_json
    assert two.gamedef_hash == one.gamedef_hash
    assert two.program.fingerprint == one.program.fingerprint
    first, second = one.initial_state(seed=4), two.initial_state(seed=4)
    assert first == second
    assert two.decision(first) == one.decision(second)


@settings(max_examples=25, deadline=None, derandomize=True)
@given(variants(), st.data())
def test_games_share_states_only_if_they_share_a_program(
    folder: Path,
    variant: tuple[str, dict[str, int | bool], dict[str, Any]],
    data: st.DataObject,
) -> None:
    """Whether from the text or from JSON, and whatever the JSON was made with."""
    name, values, options = variant
    one = compile_files(GAMES[name], values)
    assume(one.ok)
    other = {key: value for key, value in values.items() if data.draw(st.booleans())}
    two = compile_files(GAMES[name], other)
    back = {p.name: other.get(p.name, p.default) for p in declared(name)}
    assume(two.ok)
    through_json = reloaded(one, folder, **back)
    assert through_json.gamedef == two.gamedef
    assert one.program is not None
    assert two.program is not None
    assert (one.gamedef == two.gamedef) == (one.program.fingerprint == two.program.fingerprint)
    state = game_of(one, options).initial_state()
    for compilation in (two, through_json):
        game = game_of(compilation, options)
        if one.gamedef == two.gamedef:
            assert game.decision(state) == game_of(one, options).decision(state)
        else:
            with pytest.raises(ValueError, match="another game"):
                game.decision(state)


@pytest.mark.parametrize("engine", ["python", "native"])
def test_a_variant_from_json_gives_no_states_to_the_usual_game(engine: str, tmp_path: Path) -> None:
    variant = game_from(reloaded(compile_text(WIDE, parameters={"most": 10**9}), tmp_path))
    usual = lw.load_text(WIDE, engine=engine)
    assert dict(variant.gamedef.parameter_values) == {"most": 10**9}
    assert variant.program.cells == usual.program.cells
    high = variant.choose(variant.initial_state(), "rise").state
    for ask in (
        lambda: usual.choose(high, "pay"),
        lambda: usual.decision(high),
        lambda: usual.state_from_json(variant.state_to_json(high)),
        lambda: usual.state_from_bytes(high.to_bytes()),
    ):
        with pytest.raises(ValueError, match="game"):
            ask()


def test_a_parameter_at_its_default_is_no_other_game() -> None:
    usual = lw.load_text(WIDE)
    said = lw.load_text(WIDE, most=9)
    assert said.gamedef_hash == usual.gamedef_hash
    assert said.initial_state() == usual.initial_state()


def test_options_of_load_are_part_of_what_a_state_belongs_to() -> None:
    state = lw.load("pig").initial_state()
    for other in (lw.load("pig", chance="explicit"), lw.load("pig", search_budget=3)):
        with pytest.raises(ValueError, match="another game"):
            other.decision(state)


def test_programs_without_a_gamedef_are_told_apart() -> None:
    """A Game can be made from a Program alone; then nothing else says what it is."""
    one, two = (Game(lw.load_text(WIDE, most=most).program) for most in (9, 10))
    with pytest.raises(ValueError, match="another game"):
        two.decision(one.initial_state())

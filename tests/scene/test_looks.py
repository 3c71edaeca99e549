"""The `look` of a rulebook: what it changes in the picture, and that it changes no rule."""

from __future__ import annotations

import json
import random
import re
from contextlib import suppress
from xml.etree import ElementTree

import pytest

import ludwright as lw
from ludwright.diagnostics import Diagnostics
from ludwright.language.canonical import from_json, gamedef_hash, to_json
from ludwright.language.compiling import compile_game
from ludwright.language.gamedef import GameDef
from ludwright.language.look import COLOURS, is_path, is_symbol, is_template
from ludwright.loading import compile_text, game_from
from ludwright.scene import Scene, scene_of, svg
from ludwright.scene.asking import action_label, presets
from ludwright.scene.colours import DARK, LIGHT, PALETTE, front, token
from ludwright.scene.layout import crossings, placed
from ludwright.scene.model import Shape, Text
from ludwright.scene.outlines import fitted
from tests.native.rulebooks.writing import rulebook

FAIR = """
```yaml
game: { id: fair, title: Fair, players: 2 }
seats: [ann, bob]
enums: { Crop: [apple, date], Land: [town, wood] }
pieces:
  card: { each: { crop: Crop }, count: 2 }
  man: { owner: seat, count: 2, rank: 1..9 = 3 }
zones:
  deck: { of: card, init: all }
  yard: { of: man, each: seat }
spaces:
  land:
    spaces:
      inn: { kind: town, at: [0, 0], adjacent: [mill] }
      mill: { kind: town, at: [100, 0], adjacent: [oak] }
      oak: { kind: wood, at: [100, 50] }
vars: { Seat.coins: 0..9, Seat.debts: 0..9, pot: 0..9, secretary: 0..3 }
setup: ["place 1 man of ann at inn", "place 1 man of bob at yard(bob)"]
actions: [{ id: go, effects: [pot += 1] }]
end: [{ when: pot == 3, win: ann }]
```
"""


def gamedef_of(look: str) -> GameDef:
    found = compile_text(FAIR + look)
    assert found.ok, found.diagnostics.items
    assert found.gamedef is not None
    return found.gamedef


def drawn(look: str, seat: str | None = "ann") -> Scene:
    text = f"```yaml\nlook:\n{look}\n```\n" if look else ""
    game = lw.load_text(FAIR + text, engine="python")
    return scene_of(game, game.observe(game.initial_state(), seat))


def marks(scene: Scene, id_: str) -> list[Shape | Text]:
    return [mark for item in scene.items if item.id == id_ for mark in item.marks]


def test_a_look_is_outside_of_the_hash_and_kept_in_the_gamedef() -> None:
    look = (
        "```yaml\nlook: { background: felt, seats: { ann: pink }, values: [pot], pieces: { card: "
        "{ face: { title: '{crop}' } } }, spaces: { land: { colour: { kind: { wood: leaf } } } } }\n```"
    )
    plain, dressed = gamedef_of(""), gamedef_of(look)
    assert gamedef_hash(plain) == gamedef_hash(dressed)
    diagnostics = Diagnostics()
    back = from_json(json.loads(json.dumps(to_json(dressed))), diagnostics)
    assert diagnostics.items == []
    assert back is not None
    assert back.look == dressed.look
    moved = compile_text(FAIR.replace("at: [100, 50]", "at: [100, 90]")).gamedef
    assert moved is not None
    assert gamedef_hash(moved) == gamedef_hash(plain), "where a map is drawn is no rule"


def test_a_gamedef_cannot_smuggle_markup_in() -> None:
    data = to_json(gamedef_of("```yaml\nlook: { seats: { ann: { symbol: ♞ } } }\n```"))
    for bad in ('M0 0"/><script>alert(1)</script>', "url(#x)", "javascript:0"):
        data["look"]["seats"][0]["symbol"] = bad
        diagnostics = Diagnostics()
        gamedef = from_json(json.loads(json.dumps(data)), diagnostics)
        assert gamedef is not None
        compile_game(gamedef, {}, diagnostics)
        assert [item.code for item in diagnostics.errors] == ["look-symbol"]


def test_a_gamedef_cannot_ask_for_a_million_cards() -> None:
    data = to_json(gamedef_of("```yaml\nlook: { zones: { deck: { slots: 3 } } }\n```"))
    data["look"]["zones"][0] |= {"slots": 10**9, "size": -1}
    diagnostics = Diagnostics()
    gamedef = from_json(json.loads(json.dumps(data)), diagnostics)
    assert gamedef is not None
    compile_game(gamedef, {}, diagnostics)
    assert [item.code for item in diagnostics.errors] == ["wrong-value", "wrong-value"]


def test_colours_of_seats_background_and_spaces() -> None:
    scene = drawn(
        "  background: leaf\n  seats: { ann: pink, bob: '#102030' }\n"
        "  spaces: { land: { colour: { kind: { wood: leaf } }, shape: { kind: { wood: oval } } } }"
    )
    assert scene.background == "leaf"
    assert [panel.colour for panel in scene.seats] == ["pink", "#102030"]
    assert next(m.fill for m in marks(scene, "space:oak") if isinstance(m, Shape)) == "leaf"
    assert next(m.fill for m in marks(scene, "space:inn") if isinstance(m, Shape)) == "panel"
    assert "#102030" in svg(scene)


def at_the_inn(look: str) -> list[Shape | Text]:
    return next(
        list(item.marks)
        for item in drawn(look).items
        if item.kind == "piece" and item.name.endswith("Inn")
    )


def test_symbols_and_labels_of_pieces() -> None:
    labelled = at_the_inn("  pieces: { man: { label: 'r{rank}' } }")
    assert [mark.text for mark in labelled if isinstance(mark, Text)] == ["r3"]
    glyph = at_the_inn("  pieces: { man: { symbol: ♞ } }")
    assert [mark.text for mark in glyph if isinstance(mark, Text)] == ["♞"]
    path = at_the_inn("  pieces: { man: { symbol: 'M0 0L100 0L50 80Z' } }")
    assert [type(mark) for mark in path] == [Shape]


def test_card_templates() -> None:
    scene = drawn(
        "  pieces: { card: { face: { corner: '{crop}', text: ['a {crop}'], "
        "colour: { crop: { apple: red, date: brown } } } } }\n  zones: { deck: { as: row } }"
    )
    cards = [item for item in scene.items if item.id.startswith("piece:") and "apple" in item.name]
    texts = {m.text: m.fill for m in cards[0].marks if isinstance(m, Text)}
    assert texts == {"apple": "crimson", "a apple": "ink2"}


def test_which_values_are_shown() -> None:
    assert [v.name for v in drawn("").values] == ["pot", "secretary"]
    assert [v.name for v in drawn("  values: [secretary]").values] == ["secretary"]
    assert drawn("  values: []").values == ()
    assert [v.name for v in drawn("  seatValues: [debts]").seats[0].values] == ["debts"]


def test_zones_can_be_hidden() -> None:
    assert any(item.id == "zone:deck" for item in drawn("").items)
    assert not any("deck" in item.id for item in drawn("  zones: { deck: { as: hidden } }").items)


def test_a_map_stands_where_it_is_placed() -> None:
    at = {item.id: (item.x, item.y) for item in drawn("").items if item.kind == "space"}
    inn, mill, oak = at["space:inn"], at["space:mill"], at["space:oak"]
    assert inn[1] == pytest.approx(mill[1])
    assert mill[0] == pytest.approx(oak[0])
    assert (mill[0] - inn[0]) / (oak[1] - mill[1]) == pytest.approx(2)


def test_some_points_orient_the_rest() -> None:
    line = tuple(tuple(n for n in (at - 1, at + 1) if 0 <= n < 5) for at in range(5))
    upright = placed(line, ((0, 0), None, None, None, (0, 90)), ((100.0, 40.0),) * 5)
    assert [y for _, y in upright] == sorted(y for _, y in upright)
    assert upright[4][1] - upright[0][1] > abs(upright[4][0] - upright[0][0])
    turned = placed(line, ((0, 90), None, None, None, (0, 0)), ((100.0, 40.0),) * 5)
    assert [y for _, y in turned] == sorted((y for _, y in turned), reverse=True)


def test_the_automatic_layout_of_delta_crosses_nothing() -> None:
    game = lw.load("delta", engine="python")
    world = game.program.world
    near = tuple(tuple(n for n in world.adjacent[at]) for at in range(world.space_count))
    points = placed(near, (None,) * len(near), ((136.0, 70.0),) * len(near))
    assert crossings(near, points) == 0
    assert placed.__wrapped__(near, (None,) * len(near), ((136.0, 70.0),) * len(near)) == points, (
        "always the same"
    )


def test_every_colour_has_two_shades_and_ink_that_can_be_read() -> None:
    assert set(PALETTE) == set(COLOURS)

    def light(colour: str) -> float:
        parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
        red, green, blue = (
            part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
        )
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue

    for name in COLOURS:
        for shades in (LIGHT, DARK):
            one, other = sorted((light(shades[token(name)]), light(shades[front(token(name))])))
            assert (other + 0.05) / (one + 0.05) >= 4.0, name


@pytest.mark.parametrize(
    ("path", "size"),
    [
        ("M0 0L10 0L10 20L0 20Z", (5, 10)),
        ("m5 5h10v20h-10z", (5, 10)),
        ("M0 0C0 10 10 10 10 20", (5, 10)),
        ("M12 1A11 11 0 1 1 11.9 1Z", None),
        ("M1 1a1 1 0 011.5.5l3 3z", None),
    ],
)
def test_outlines_are_fitted(path: str, size: tuple[float, float] | None) -> None:
    assert is_path(path)
    found = fitted(path, 10.0)
    numbers = [float(n) for n in re.findall(r"-?[0-9.]+", found)]
    assert numbers
    if size is not None:
        xs, ys = numbers[::2], numbers[1::2]
        assert max(xs) - min(xs) == pytest.approx(size[0])
        assert max(ys) - min(ys) == pytest.approx(size[1])
        assert max(ys) == pytest.approx(-min(ys)), "its middle is the origin"


def test_a_circle_of_arcs_fills_its_square() -> None:
    """A ring: both circles about the same middle, the outer one as large as asked for."""
    found = fitted("M12 1A11 11 0 1 1 11.99 1ZM12 6A6 6 0 1 0 12.01 6Z", 20.0)
    radii = [float(n) for n in re.findall(r"A([0-9.]+)", found)]
    assert radii[0] == pytest.approx(10, abs=0.1)
    starts = [float(n) for n in re.findall(r"M-?[0-9.]+ (-?[0-9.]+)", found)]
    assert starts[0] == pytest.approx(-10, abs=0.1)


def test_what_is_a_symbol_and_a_template() -> None:
    assert all(map(is_symbol, ("♞", "K", "M0 0L10 10Z")))
    assert not any(map(is_symbol, ("", "horse", "M0 0<script>", "M" + "0 0L" * 2000)))
    assert is_template("{rank} of {suit}")
    assert not any(map(is_template, ("{rank", "{rank.x}", "}")))


@pytest.mark.parametrize("engine", ["python", "native"])
def test_a_notebook_shows_a_state(engine: str) -> None:
    game = lw.load("tic-tac-toe", engine=engine)
    state = game.choose(game.initial_state(), "b2").state
    picture = state._repr_svg_()
    assert picture is not None
    root = ElementTree.fromstring(picture)
    ids = [group.get("data-id", "") for group in root.iter()]
    assert sum(id_.startswith("piece:") for id_ in ids) == 1
    assert sum(id_.startswith("space:") for id_ in ids) == 9


@pytest.mark.parametrize("seed", range(4))
def test_generated_rulebooks_with_looks_can_be_drawn(seed: int) -> None:
    """Whatever is declared and however it is to look."""
    found = compile_text(rulebook(random.Random(seed)))
    assert [item.code for item in found.diagnostics.items if item.code.startswith("look")] == []
    if found.ok:
        with suppress(lw.RulebookFault):  # such rulebooks may have mistakes that show in play
            _drawn_in_play(game_from(found, engine="python"), seed)


def _drawn_in_play(game: lw.Game, seed: int) -> None:
    state = game.initial_state(seed=seed)
    for _ in range(5):
        for seat in (None, *game.seats_in_play(state)):
            scene = scene_of(game, game.observe(state, seat))
            ElementTree.fromstring(svg(scene))
            assert len({item.id for item in scene.items}) == len(scene.items)
        decision = game.decision(state)
        if decision is None:
            return
        options = list(decision.options) or [lw.STOP]
        state = game.choose(state, options[seed % len(options)]).state


def test_a_ring_of_four_is_laid_out_without_crossings() -> None:
    near = ((1, 2), (0, 3), (0, 3), (1, 2))  # declared so that the first and the last are opposite
    points = placed(near, (None,) * 4, ((100.0, 50.0),) * 4)
    assert crossings(near, points) == 0


# ------------------------------------------------------------- what a question looks like

BETS = """
```yaml
game: { id: bets, title: Bets, players: 2 }
seats: [ann, bob]
vars: { dealer: Seat, live: "set[Seat]", Seat.coins: 0..99, pot: 0..99 }
show:
  owed: { value: 7 - it.coins, hidden: true }
  half: { value: pot // 2, title: half the pot, hidden: true }
  total: { value: pot + 1, title: in all }
setup: [dealer = bob, "live = [bob]", pot = 20, for p in seats do p.coins = 3]
actions:
  - { id: call, effects: [pot += 1] }
  - { id: bid, params: { amount: 2..40 }, effects: [pot += 1] }
end: [{ when: pot == 90, win: ann }]
look:
  badges: { D: dealer }
  inPlay: live
  actions: { call: "call {owed} of {pot}" }
  amounts: { amount: { least: lowest, half: half, again half: half, pot: pot, far: dealer, all: highest } }
```
"""


def test_seats_have_badges_and_those_out_of_play_are_faint() -> None:
    game = lw.load_text(BETS)
    scene = scene_of(game, game.observe(game.initial_state(), "ann"))
    assert [(seat.name, seat.badges, seat.faint) for seat in scene.seats] == [
        ("ann", (), True),
        ("bob", ("D",), False),
    ]
    plates = {item.id: item for item in scene.items if item.id.startswith("plate:")}
    assert any(isinstance(m, Text) and m.text == "D" for m in plates["plate:bob"].marks)
    assert all(m.opacity < 1 for m in plates["plate:ann"].marks if isinstance(m, Shape))


def test_buttons_tell_values_and_numbers_have_names() -> None:
    game = lw.load_text(BETS)
    look = compile_text(BETS).definition.look
    seen = game.observe(game.initial_state(), "ann")
    assert action_label(look, seen, "ann", "call") == "call 4 of 20"
    assert action_label(look, seen, "ann", "bid") == ""
    named = [("least", 2), ("half", 10), ("pot", 20), ("all", 40)]
    assert list(presets(look, seen, "ann", "amount", 2, 40)) == named
    assert list(presets(look, seen, "ann", "amount", 12, 18)) == [("least", 12), ("all", 18)]
    assert list(presets(look, seen, "ann", "other", 2, 40)) == []


def test_a_label_with_a_value_that_is_not_known_is_left_out() -> None:
    game = lw.load_text(BETS)
    seen = game.observe(game.initial_state(), "ann")
    assert (
        action_label(compile_text(BETS).definition.look, {**seen, "shown": {}}, "ann", "call") == ""
    )


def test_hidden_values_of_show_are_not_shown_and_others_have_titles() -> None:
    game = lw.load_text(BETS)
    scene = scene_of(game, game.observe(game.initial_state(), "ann"))
    assert [value.name for value in scene.values] == ["dealer", "live", "pot", "in all"]
    assert [value.name for value in scene.seats[0].values] == ["coins"]


@pytest.mark.parametrize(
    ("look", "code"),
    [
        ("badges: { D: daeler }", "look-name"),
        ("inPlay: alive", "look-name"),
        ('actions: { call: "call {owing}" }', "look-name"),
        ('actions: { cal: "call" }', "look-name"),
        ("amounts: { amount: { half: halve } }", "look-name"),
        ("badges: { dealer: dealer }", "wrong-value"),
        ('actions: { call: "call {" }', "wrong-value"),
        ("amounts: { amount: half }", "wrong-shape"),
        ("badges: { D: [dealer] }", "wrong-shape"),
    ],
)
def test_mistakes_in_what_a_question_looks_like(look: str, code: str) -> None:
    text = BETS.partition("look:")[0] + f"look: {{ {look} }}\n```\n"
    assert code in {one.code for one in compile_text(text).diagnostics.items}


def test_cards_beneath_others_are_found_in_their_zone() -> None:
    game = lw.load_text("""
```yaml
game: { id: piles, title: Piles, players: 2 }
pieces: { card: { each: { n: 1..4 } } }
zones: { pile: { of: card, order: stack, init: all } }
actions: [{ id: go }]
end: [{ when: turn == 3, win: p1 }]
look: { zones: { pile: { as: pile } } }
```
""")
    scene = scene_of(game, game.observe(game.initial_state(), "p1"))
    frame = next(item for item in scene.items if item.id == "zone:pile")
    top = next(item for item in scene.items if item.id == "top:pile")
    assert len(frame.holds) == 3
    assert not set(frame.holds) & set(top.answers)

"""Declarations become a World; every mistake in them becomes a diagnostic, never an exception."""

from __future__ import annotations

import time

import pytest

from ludwright.diagnostics import Diagnostics
from ludwright.language.gamedef import (
    EnumDecl,
    Parameter,
    PieceDecl,
    SeatDecl,
    SpaceGroup,
    ZoneDecl,
)
from ludwright.language.tree import (
    Attr,
    Cond,
    IntLit,
    Name,
)
from ludwright.language.world import build_world
from ludwright.loading import compile_text
from ludwright.program.types import INT_MAX, NO_INT, Type
from tests.language.world_support import (
    HERE,
    IT,
    attributes,
    build,
    game,
    grid,
    item,
    op,
    problem,
    problems,
    space,
    space_names,
    spaces,
    step,
    table,
    track,
)

# ------------------------------------------------------------------ parameters and seats


def test_parameters_take_defaults_and_overrides() -> None:
    parameters = (Parameter("size", 3, 2, 19), Parameter("fast", False))
    world = build(game(parameters=parameters), size=5)
    assert world.parameters == {"size": 5, "fast": False}


def test_overrides_beat_the_values_saved_with_the_game() -> None:
    saved = game(parameters=(Parameter("size", 3),), parameter_values=(("size", 4),))
    assert build(saved).parameters == {"size": 4}
    assert build(saved, size=6).parameters == {"size": 6}


def test_unknown_parameter_suggests_the_nearest() -> None:
    found = problem(game(parameters=(Parameter("size", 3),)), sise=4)
    assert (found.code, found.suggestion) == ("unknown-parameter", "did you mean `size`?")


@pytest.mark.parametrize(
    ("value", "code"), [(True, "parameter-type"), (20, "parameter-out-of-range")]
)
def test_bad_override_is_reported_and_the_default_kept(value: int | bool, code: str) -> None:
    diagnostics = Diagnostics()
    gamedef = game(parameters=(Parameter("size", 3, 2, 19, span=HERE),))
    world = build_world(gamedef, {"size": value}, diagnostics)
    assert [(d.code, d.span) for d in diagnostics.items] == [(code, HERE)]
    assert world.parameters == {"size": 3}


def test_seats_are_numbered_when_not_named() -> None:
    assert build(game(max_players=3)).seats == ("p1", "p2", "p3")
    assert build(game(seats=(SeatDecl("white"), SeatDecl("black")))).seats == ("white", "black")


def test_too_few_seats_are_reported_and_filled_up() -> None:
    diagnostics = Diagnostics()
    gamedef = game(max_players=3, seats=(SeatDecl("white"), SeatDecl("black", span=HERE)))
    world = build_world(gamedef, {}, diagnostics)
    assert [(d.code, d.span) for d in diagnostics.items] == [("too-few-seats", HERE)]
    assert len(world.seats) == 3


def test_seat_attributes_are_typed() -> None:
    seats = (
        SeatDecl("white", attributes({"home": 1, "corner": "a1"})),
        SeatDecl("black", attributes({"home": 8})),
    )
    world = build(game(seats=seats, spaces=(grid(8, 8),)))
    assert world.seat_attributes["home"].values == (1, 8)
    assert world.seat_attributes["home"].type == Type("int", lo=1, hi=8)
    assert world.seat_attributes["corner"].type == Type("place", "space", 0, 63, optional=True)
    assert world.seat_attributes["corner"].values == (0, -1)


@pytest.mark.parametrize("players", [(0, 2), (3, 2), (2, 1000)])
def test_impossible_numbers_of_players(players: tuple[int, int]) -> None:
    found = problem(game(min_players=players[0], max_players=players[1]))
    assert found.code == ("too-large" if players[1] == 1000 else "bad-players")


# ------------------------------------------------------------------------------ spaces


def test_grid_names_and_coordinates_are_row_major() -> None:
    world = build(game(parameters=(Parameter("size", 8),), spaces=(grid("size", "size"),)))
    assert world.space_count == 64
    assert space_names(world, (0, 1, 8, 63)) == ["a1", "b1", "a2", "h8"]
    assert world.coordinates[space(world, "e4")] == (5, 4)
    assert world.space_attributes["column"].values[space(world, "e4")] == 5
    assert world.space_attributes["row"].values[space(world, "e4")] == 4
    assert world.space_attributes["index"].values[9] == 9
    assert world.groups["board"] == tuple(range(64))


def test_wide_grids_go_on_with_two_letters() -> None:
    world = build(game(spaces=(grid(28, 1),)))
    assert space_names(world, (25, 26, 27)) == ["z1", "aa1", "ab1"]


def test_grid_directions_adjacency_and_near() -> None:
    world = build(game(spaces=(grid(3, 3),)))
    assert world.directions[:3] == ("north", "northeast", "east")
    assert step(world, "b2", "north") == "b3"
    assert step(world, "b2", "southwest") == "a1"
    assert step(world, "a1", "west") is None
    assert space_names(world, world.adjacent[4]) == ["b1", "a2", "c2", "b3"]
    assert len(world.near[4]) == 8
    diagonal = build(game(spaces=(grid(3, 3, adjacency="diagonal"),)))
    assert space_names(diagonal, diagonal.adjacent[4]) == ["a1", "c1", "a3", "c3"]
    every = build(game(spaces=(grid(3, 3, adjacency="all"),)))
    assert every.adjacent == every.near


def test_keep_dark_removes_light_squares() -> None:
    world = build(game(spaces=(grid(8, 8, keep="dark"),)))
    assert world.space_count == 32
    assert space_names(world, (0, 1, 4)) == ["a1", "c1", "b2"]
    assert step(world, "a1", "northeast") == "b2"
    assert step(world, "a1", "north") is None
    light = build(game(spaces=(grid(2, 2, keep="light"),)))
    assert space_names(light, (0, 1)) == ["b1", "a2"]


def test_hex_cells_have_six_neighbours() -> None:
    world = build(game(spaces=(SpaceGroup("board", "hex", (IntLit(3), IntLit(3))),)))
    assert space_names(world, world.adjacent[4]) == ["b1", "c1", "a2", "c2", "a3", "b3"]
    assert step(world, "b2", "north") is None
    opposites = [("east", "west"), ("northeast", "southwest"), ("northwest", "southeast")]
    for one, other in opposites:
        there = step(world, "b2", one)
        assert there is not None
        assert step(world, there, other) == "b2"


def test_tracks_end_or_loop() -> None:
    world = build(game(spaces=(track(4),)))
    assert space_names(world, (0, 3)) == ["point1", "point4"]
    assert world.directions == ("forward", "backward")
    assert step(world, "point4", "forward") is None
    assert world.adjacent == ((1,), (0, 2), (1, 3), (2,))
    assert "column" not in world.space_attributes
    loop = build(game(spaces=(track(4, loop=True),)))
    assert step(loop, "point4", "forward") == "point1"
    assert step(loop, "point1", "backward") == "point4"
    assert loop.adjacent[0] == (1, 3)


def test_maps_mirror_adjacency_over_groups_and_know_directions() -> None:
    north = spaces(item("hanoi", "hue"), name="cities")
    south = spaces(item("hue", "saigon"), item("saigon", directions=(("up", "hue"),)), name="land")
    world = build(game(spaces=(north, south)))
    assert world.adjacent == ((1,), (0, 2), (1,))
    assert world.directions == ("up",)
    assert step(world, "saigon", "up") == "hue"
    assert world.near == world.adjacent
    one_way = build(game(spaces=(spaces(item("a", "b"), item("b"), one_way=True),)))
    assert one_way.adjacent == ((1,), ())


def test_unknown_neighbour_suggests_the_space() -> None:
    found = problem(game(spaces=(spaces(item("saigon", "hu", span=HERE), item("hue")),)))
    assert (found.code, found.span) == ("unknown-space", HERE)
    assert found.suggestion == "did you mean `hue`?"


def test_many_unknown_neighbours_are_counted_not_listed() -> None:
    far = [item(f"s{n}", f"unknown{n}") for n in range(3_000)]
    started = time.monotonic()
    found = problems(game(spaces=(spaces(*far),)))
    assert len(found) == 21
    assert time.monotonic() - started < 5


def test_own_neighbour_is_a_warning() -> None:
    found = problem(game(spaces=(spaces(item("a", "a")),)))
    assert (found.code, found.severity) == ("self-adjacent", "warning")


@pytest.mark.parametrize(
    "group",
    [
        grid(100_000, 100_000),
        grid(INT_MAX, 1),
        track(20_001),
        SpaceGroup("b", "hex", (IntLit(200), IntLit(200))),
    ],
)
def test_huge_boards_are_refused_at_once(group: SpaceGroup) -> None:
    started = time.monotonic()
    assert problem(game(spaces=(group,))).code == "too-large"
    assert time.monotonic() - started < 1


@pytest.mark.parametrize(
    ("group", "code"),
    [
        (grid(0, 3), "bad-size"),
        (SpaceGroup("b", "grid", (IntLit(3),)), "bad-size"),
        (grid("sise", 3), "not-a-number"),
        (grid(op(1, "//", 0), 3), "division-by-zero"),
        (grid(1, 1, keep="light"), "empty-declaration"),
        (spaces(), "empty-declaration"),
    ],
)
def test_impossible_boards(group: SpaceGroup, code: str) -> None:
    assert problem(game(parameters=(Parameter("size", 3),), spaces=(group,))).code == code


def test_two_boards_with_the_same_names_clash_once() -> None:
    found = problem(game(spaces=(grid(3, 3), grid(3, 3, "other", span=HERE))))
    assert (found.code, found.span) == ("name-clash", HERE)
    assert "8 more" in found.message
    world = build(game(spaces=(grid(3, 3), grid(3, 3, "other", names="numbers"))))
    assert space_names(world, (9, 17)) == ["other1", "other9"]


def test_zones_follow_the_spaces() -> None:
    zones = (ZoneDecl("deck", order="deck", see="none"), ZoneDecl("hand", "seat", see="owner"))
    seats = (SeatDecl("white"), SeatDecl("black"))
    world = build(game(seats=seats, spaces=(track(2),), zones=zones))
    assert [place.name for place in world.places[2:]] == ["deck", "hand:white", "hand:black"]
    assert world.zones == {"deck": (2,), "hand": (3, 4)}
    assert world.zone_each == {"deck": False, "hand": True}
    hand = world.places[4]
    assert (hand.zone, hand.owner, hand.order, hand.see) == ("hand", 1, "bag", "owner")


@pytest.mark.parametrize("written", ["seat", "Seat", "player", "Player"])
def test_a_zone_of_each_player_is_owned_by_them(written: str) -> None:
    text = f"""
game: {{ id: hands, title: Hands, players: 2 }}
seats: [red, blue]
zones: {{ hand: {{ each: {written}, see: owner }} }}
actions: [{{ id: wait }}]
"""
    program = compile_text(text, "hands.yaml").program
    assert program is not None
    world = program.world
    assert [(place.name, place.owner) for place in world.places] == [
        ("hand:red", 0),
        ("hand:blue", 1),
    ]


def test_zone_for_unknown_pieces() -> None:
    gamedef = game(zones=(ZoneDecl("deck", of=("crad",)),), pieces=(PieceDecl("card"),))
    found = problem(gamedef)
    assert (found.code, found.suggestion) == ("unknown-kind", "did you mean `card`?")


# -------------------------------------------------------------------------- attributes


def test_attributes_of_every_type_are_inferred() -> None:
    world = build(
        game(
            enums=(EnumDecl("Terrain", ("jungle", "lowland")),),
            seats=(SeatDecl("US"), SeatDecl("VC")),
            spaces=(
                spaces(
                    item("hue", pop=2, coast=True, terrain="lowland", kind="city", claims=["US"]),
                    item("kontum", pop=1, coast=False, terrain="jungle", kind="province"),
                    item("road", coast=False, claims=["VC", "US"], pair=(3, "hue")),
                ),
            ),
        )
    )
    found = world.space_attributes
    assert found["pop"].type == Type("int", lo=1, hi=2, optional=True)
    assert found["pop"].values == (2, 1, NO_INT)
    assert found["coast"].type == Type("bool", hi=1)
    assert found["terrain"].type == Type("enum", "Terrain", 0, 1, optional=True)
    assert found["terrain"].values == (1, 0, -1)
    assert world.enums["Space.kind"] == ("city", "province")
    assert found["kind"].values == (0, 1, -1)
    assert found["claims"].type == Type("list", items=(Type("seat", hi=1),), cap=2)
    assert found["claims"].values == ((0,), (), (1, 0))
    assert found["pair"].type.kind == "tuple"
    assert found["pair"].values[2] == (3, 0)


def test_computed_attributes_read_the_space() -> None:
    promotion = op(op(Attr(IT, "row"), "==", 1), "or", op(Attr(Name("here"), "row"), "==", 3))
    colour = Cond(
        op(op(op(Attr(IT, "column"), "+", Attr(IT, "row")), "%", 2), "==", 0),
        Name("dark"),
        Name("light"),
    )
    group = grid(3, 3, attributes=(
        ("promotion", promotion),
        ("colour", colour),
        ("shaded", op(Attr(IT, "colour"), "==", "dark")),
        ("corner", op(IT, "in", ["a1", "c3"])),
        ("inside", op(IT, "in", "board")),
    ))  # fmt: skip
    world = build(game(spaces=(group,)))
    assert world.space_attributes["promotion"].values == (1, 1, 1, 0, 0, 0, 1, 1, 1)
    assert world.enums["Space.colour"] == ("dark", "light")
    assert world.space_attributes["shaded"].values == (1, 0, 1, 0, 1, 0, 1, 0, 1)
    assert world.space_attributes["corner"].values == (1, 0, 0, 0, 0, 0, 0, 0, 1)
    assert set(world.space_attributes["inside"].values) == {1}


def test_a_space_overrides_what_its_group_says() -> None:
    group = spaces(item("a", pop=3), item("b"), attributes=attributes({"pop": 1}))
    assert build(game(spaces=(group,))).space_attributes["pop"].values == (3, 1)


def test_misread_attribute_is_reported_once() -> None:
    group = grid(3, 3, attributes=(("x", Attr(IT, "rwo", span=HERE)),))
    found = problem(game(spaces=(group,)))
    assert (found.code, found.span) == ("unknown-attribute", HERE)
    assert found.suggestion == "did you mean `row`?"


def test_built_in_attributes_cannot_be_declared() -> None:
    gamedef = game(spaces=(grid(2, 2), spaces(item("a", row=1), item("b", row=2))))
    assert problem(gamedef).code == "name-clash"


def test_mixed_values_are_reported_where_they_stand() -> None:
    strange = Name("two", span=HERE)
    found = problem(game(tables=(table("T", {"n": 1}, {"n": strange}),)))
    assert (found.code, found.span) == ("mixed-values", HERE)


def test_a_misspelt_value_is_not_a_new_word() -> None:
    gamedef = game(
        enums=(EnumDecl("Terrain", ("jungle", "lowland")),),
        tables=(table("T", {"t": "jungle"}, {"t": Name("jumgle", span=HERE)}),),
    )
    found = problem(gamedef)
    assert (found.code, found.span) == ("unknown-name", HERE)
    assert found.suggestion == "did you mean `jungle`?"


def test_ambiguous_names_must_be_qualified() -> None:
    enums = (EnumDecl("Mood", ("red", "calm", "x")), EnumDecl("Paint", ("red", "blue", "y")))
    bare = game(enums=enums, tables=(table("T", {"c": Name("red", span=HERE)}),))
    found = problem(bare)
    assert (found.code, found.span) == ("ambiguous-name", HERE)
    assert found.suggestion == "write `Mood.red` or `Paint.red`"
    qualified = table("T", {"c": Attr(Name("Paint"), "red")}, {"c": "blue"})
    world = build(game(enums=enums, tables=(qualified,)))
    assert world.tables["T"].columns["c"].type == Type("enum", "Paint", 0, 2)
    by_column = build(game(enums=enums, tables=(table("T", {"paint": "red"}),)))
    assert by_column.tables["T"].columns["paint"].type.name == "Paint"


def test_columns_of_one_name_share_their_new_words() -> None:
    gamedef = game(
        spaces=(spaces(item("hue", kind="city"), item("road", kind="loc")),),
        tables=(table("Cost", {"kind": "loc", "pay": 1}, {"kind": "coast", "pay": 2}),),
    )
    world = build(gamedef)
    assert world.enums["Space.kind"] == ("city", "loc", "coast")
    assert world.tables["Cost"].columns["kind"].type.name == "Space.kind"
    assert world.tables["Cost"].columns["kind"].values == (1, 2)

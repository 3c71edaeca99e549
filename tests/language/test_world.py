"""Declarations become a World; every mistake in them becomes a diagnostic, never an exception."""

from __future__ import annotations

import re
import time
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import ludwright.language.world as world_package
from ludwright.diagnostics import Diagnostic, Diagnostics, Span
from ludwright.kernel.types import INT_MAX, NO_INT, Type
from ludwright.kernel.world import PieceKind, World
from ludwright.language.codes import CODES
from ludwright.language.gamedef import (
    EnumDecl,
    GameDef,
    MarkerDecl,
    Parameter,
    PieceDecl,
    SeatDecl,
    SpaceGroup,
    SpaceItem,
    TableDecl,
    TableRow,
    TypeExpr,
    VarDecl,
    ZoneDecl,
)
from ludwright.language.tree import (
    Attr,
    Binary,
    BinaryOp,
    BoolLit,
    Call,
    Cond,
    Expr,
    IntLit,
    ListLit,
    Name,
    NoneLit,
    TupleLit,
    Unary,
)
from ludwright.language.world import ConstantEvaluator, TypeResolver, Universes, build_world
from ludwright.language.world.values import NONE, Many, Named

HERE = Span("game.md", 7, 3, 7, 12)
IT = Name("it")


def expr(value: object) -> Expr:
    """Plain Python values as constants; words are names."""
    if isinstance(value, Expr):
        return value
    if isinstance(value, bool):
        return BoolLit(value)
    if isinstance(value, int):
        return IntLit(value)
    if value is None:
        return NoneLit()
    if isinstance(value, list):
        return ListLit(tuple(expr(item) for item in value))
    if isinstance(value, tuple):
        return TupleLit(tuple(expr(item) for item in value))
    return Name(str(value))


def op(left: object, operator: BinaryOp, right: object, span: Span | None = None) -> Binary:
    return Binary(operator, expr(left), expr(right), span=span)


def attributes(given: Mapping[str, object]) -> tuple[tuple[str, Expr], ...]:
    return tuple((name, expr(value)) for name, value in given.items())


def game(**parts: Any) -> GameDef:
    return GameDef(**{"id": "g", "title": "G", "min_players": 2, "max_players": 2, **parts})


def grid(columns: object, rows: object, name: str = "board", **options: Any) -> SpaceGroup:
    return SpaceGroup(name, "grid", (expr(columns), expr(rows)), **options)


def track(length: object, name: str = "point", **options: Any) -> SpaceGroup:
    return SpaceGroup(name, "track", (expr(length),), **options)


def spaces(*items: SpaceItem, name: str = "region", **options: Any) -> SpaceGroup:
    return SpaceGroup(name, "list", items=items, **options)


def item(
    name: str,
    *adjacent: str,
    directions: tuple[tuple[str, str], ...] = (),
    span: Span | None = None,
    **given: object,
) -> SpaceItem:
    return SpaceItem(name, adjacent, directions, attributes(given), span=span)


def table(name: str, *rows: Mapping[str, object], keyed: bool = False) -> TableDecl:
    made: list[TableRow] = []
    for row in rows:
        cells = dict(row)
        key = cells.pop("id", None)
        made.append(TableRow(None if key is None else str(key), attributes(cells)))
    return TableDecl(name, tuple(made), keyed)


def named(name: str, *, optional: bool = False) -> TypeExpr:
    return TypeExpr("name", name, optional=optional)


def span_of(low: object, high: object) -> TypeExpr:
    return TypeExpr("range", lo=expr(low), hi=expr(high))


def one_of(*values: str) -> TypeExpr:
    return TypeExpr("enum", values=values)


def build(gamedef: GameDef, **overrides: int | bool) -> World:
    """The world of a correct game."""
    diagnostics = Diagnostics()
    world = build_world(gamedef, overrides, diagnostics)
    assert diagnostics.items == []
    return world


def problems(gamedef: GameDef, **overrides: int | bool) -> list[Diagnostic]:
    diagnostics = Diagnostics()
    build_world(gamedef, overrides, diagnostics)
    return diagnostics.items


def problem(gamedef: GameDef, **overrides: int | bool) -> Diagnostic:
    found = problems(gamedef, **overrides)
    assert len(found) == 1, found
    return found[0]


def space(world: World, name: str) -> int:
    return [place.name for place in world.places].index(name)


def space_names(world: World, indexes: tuple[int, ...]) -> list[str]:
    return [world.places[index].name for index in indexes]


def step(world: World, name: str, direction: str) -> str | None:
    target = world.steps[world.directions.index(direction)][space(world, name)]
    return world.places[target].name if target >= 0 else None


def kind(world: World, name: str) -> PieceKind:
    return next(kind for kind in world.kinds if kind.name == name)


def initial(world: World, kind_name: str, name: str) -> tuple[int, ...]:
    return next(p.initial for p in kind(world, kind_name).properties if p.name == name)


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


# ------------------------------------------------------------------------------ tables


def test_tables_have_named_rows_and_columns() -> None:
    card = table(
        "Card",
        {"id": "copper", "cost": 0, "coins": 1, "next": "smithy"},
        {"id": "smithy", "cost": 4},
    )
    world = build(game(tables=(card,)))
    found = world.tables["Card"]
    assert found.rows == ("copper", "smithy")
    assert found.columns["cost"].values == (0, 4)
    assert found.columns["coins"].values == (1, NO_INT)
    assert found.columns["next"].type == Type("row", "Card", 0, 1, optional=True)


def test_keyed_tables_do_not_make_their_keys_values() -> None:
    cost = table("cost", {"id": "troops", "value": 3}, {"id": "police", "value": 1}, keyed=True)
    other = table("Unit", {"type": "troops"})
    world = build(game(tables=(cost, other)))
    assert world.tables["cost"].keyed
    assert world.tables["Unit"].columns["type"].type == Type("enum", "Unit.type", 0, 0)
    qualified = table("Unit", {"dearest": Attr(Name("cost"), "police")})
    by_row = build(game(tables=(cost, qualified)))
    assert by_row.tables["Unit"].columns["dearest"].type == Type("row", "cost", 0, 1)
    assert by_row.tables["Unit"].columns["dearest"].values == (1,)


def test_table_mistakes() -> None:
    twice = table("T", {"id": "a", "n": 1}, {"id": "a", "n": 2})
    assert problem(game(tables=(twice,))).code == "name-clash"
    assert problem(game(tables=(table("T"),))).code == "empty-declaration"
    nested = table("T", {"n": [[1, 2], [3]]})
    assert problem(game(tables=(nested,))).code == "nested-list"
    large = table("T", {"n": 2**40})
    assert problem(game(tables=(large,))).code == "number-out-of-range"


def test_ragged_tables_are_measured_before_they_are_filled() -> None:
    rows = [{f"c{n}": n} for n in range(1_001)]
    assert problem(game(tables=(table("T", *rows),))).code == "too-large"


def test_a_table_full_of_mistakes_stays_fast() -> None:
    rows = [{"n": Call("rnd", span=Span("g", n, 1, n, 2))} for n in range(20_000)]
    started = time.monotonic()
    found = problems(game(tables=(table("T", *rows),)))
    assert 1 <= len(found) <= 250
    assert time.monotonic() - started < 5


# ------------------------------------------------------------------------------ pieces


def test_a_pool_without_count_fills_the_board_and_has_no_owners_yet() -> None:
    world = build(game(spaces=(grid(3, 3),), pieces=(PieceDecl("mark", owner="seat"),)))
    mark = kind(world, "mark")
    assert (mark.first, mark.count) == (0, 9)
    assert mark.names[:2] == ("mark#1", "mark#2")
    owner = mark.properties[0]
    assert (owner.name, owner.fixed) == ("owner", False)
    assert owner.type == Type("seat", hi=1, optional=True)
    assert set(owner.initial) == {-1}


def test_counted_pieces_belong_to_each_seat() -> None:
    world = build(game(pieces=(PieceDecl("checker", owner="seat", count=IntLit(15)),)))
    assert kind(world, "checker").count == 30
    owner = kind(world, "checker").properties[0]
    assert owner.fixed
    assert owner.initial == (0,) * 15 + (1,) * 15


def test_pieces_of_one_seat() -> None:
    seats = (SeatDecl("US"), SeatDecl("VC"))
    world = build(game(seats=seats, pieces=(PieceDecl("base", owner="VC", count=IntLit(9)),)))
    assert initial(world, "base", "owner") == (1,) * 9
    found = problem(game(seats=seats, pieces=(PieceDecl("base", owner="VD", span=HERE),)))
    assert (found.code, found.span) == ("unknown-seat", HERE)


def test_each_makes_one_piece_for_every_combination() -> None:
    card = PieceDecl("card", each=(("rank", span_of(2, 14)), ("suit", one_of("C", "D", "S", "H"))))
    world = build(game(pieces=(card,)))
    found = kind(world, "card")
    assert found.count == 52
    assert found.names[:5] == ("2-C", "2-D", "2-S", "2-H", "3-C")
    assert world.enums["card.suit"] == ("C", "D", "S", "H")
    assert all(item.fixed for item in found.properties)
    assert initial(world, "card", "rank")[4] == 3
    assert initial(world, "card", "suit")[:5] == (0, 1, 2, 3, 0)


def test_notation_names_pieces_and_copies_are_numbered() -> None:
    card = PieceDecl(
        "card",
        each=(("rank", span_of(1, 2)), ("suit", one_of("S", "H"))),
        count=IntLit(2),
        notation="{rank}{suit}",
    )
    names = kind(build(game(pieces=(card,))), "card").names
    assert names[:3] == ("1S#1", "1S#2", "1H#1")


def test_notation_uses_only_what_never_changes() -> None:
    man = PieceDecl("man", props=(("king", named("bool"), None),), notation="{king}", span=HERE)
    found = problem(game(pieces=(man,)))
    assert (found.code, found.span) == ("bad-notation", HERE)
    assert "may change" in found.message


def test_two_kinds_never_share_a_name() -> None:
    suits = (("suit", one_of("S", "H")),)
    world = build(game(pieces=(PieceDecl("red", each=suits), PieceDecl("blue", each=suits))))
    assert kind(world, "red").names == ("S", "H")
    assert kind(world, "blue").names == ("blue:S", "blue:H")


def test_rows_make_pieces_as_often_as_a_column_says() -> None:
    cards = table("Card", {"id": "copper", "many": 3}, {"id": "smithy", "many": 1})
    card = PieceDecl("card", rows="Card", count=Name("many"))
    world = build(game(tables=(cards,), pieces=(card,)))
    assert initial(world, "card", "row") == (0, 0, 0, 1)
    assert kind(world, "card").properties[0].type == Type("row", "Card", 0, 1)
    assert kind(world, "card").names == ("copper#1", "copper#2", "copper#3", "smithy")


def test_each_seat_may_have_its_own_set() -> None:
    size = (("size", one_of("small", "large")),)
    world = build(game(pieces=(PieceDecl("cup", owner="seat", each=size, count=IntLit(2)),)))
    assert initial(world, "cup", "owner") == (0, 0, 0, 0, 1, 1, 1, 1)
    assert initial(world, "cup", "size") == (0, 0, 1, 1, 0, 0, 1, 1)


def test_changeable_properties_start_with_their_defaults() -> None:
    props = (
        ("type", named("Man"), None),
        ("king", named("bool"), BoolLit(True)),
        ("hits", span_of(2, 5), None),
        ("worth", span_of(-3, 3), None),
        ("carrier", named("Piece", optional=True), None),
        ("next", named("Man"), Name("rook")),
    )
    man = PieceDecl("man", props=props, count=IntLit(2))
    other = PieceDecl("ship", count=IntLit(3))
    world = build(game(enums=(EnumDecl("Man", ("pawn", "rook")),), pieces=(man, other)))
    values = {item.name: item.initial[0] for item in kind(world, "man").properties}
    assert values == {"type": 0, "king": 1, "hits": 2, "worth": 0, "carrier": -1, "next": 1}
    carrier = kind(world, "man").properties[4]
    assert carrier.type == Type("piece", "", 0, 4, optional=True)
    assert kind(world, "ship").first == 2


@pytest.mark.parametrize(
    ("piece", "code"),
    [
        (PieceDecl("x", count=IntLit(0)), "bad-count"),
        (PieceDecl("x", count=IntLit(20_001)), "too-large"),
        (PieceDecl("x", each=(("n", span_of(0, INT_MAX)),)), "too-large"),
        (PieceDecl("x", each=(("a", span_of(1, 200)), ("b", span_of(1, 200)))), "too-large"),
        (PieceDecl("x", each=(("a", named("bool", optional=True)),)), "bad-property-type"),
        (PieceDecl("x", rows="Crad"), "unknown-table"),
        (PieceDecl("x", rows="Card", count=Name("kind")), "bad-count"),
        (PieceDecl("x", rows="Card", props=(("kind", named("bool"), None),)), "name-clash"),
        (PieceDecl("x", props=(("a", named("Nope"), None),)), "unknown-type"),
        (PieceDecl("x", props=(("a", span_of(0, 3), IntLit(4)),)), "number-out-of-range"),
        (PieceDecl("x", props=(("a", named("bool"), IntLit(1)),)), "type-mismatch"),
        (
            PieceDecl("x", props=(("a", TypeExpr("set", items=(named("Seat"),)), None),)),
            "bad-property-type",
        ),
    ],
)
def test_piece_mistakes(piece: PieceDecl, code: str) -> None:
    cards = table("Card", {"id": "copper", "kind": "treasure"})
    started = time.monotonic()
    assert problem(game(tables=(cards,), pieces=(piece,))).code == code
    assert time.monotonic() - started < 1


# ------------------------------------------------------------------------------- types


def resolver(diagnostics: Diagnostics) -> TypeResolver:
    world = build(
        game(
            parameters=(Parameter("most", 9),),
            enums=(EnumDecl("Suit", ("S", "H")),),
            vars=(VarDecl("trump", "global", one_of("S", "H")),),
            markers=(MarkerDecl("support", ("for", "against"), "for"),),
            spaces=(track(3), grid(2, 2)),
            zones=(ZoneDecl("hand", "seat"),),
            tables=(table("Card", {"id": "one", "n": 1}),),
            pieces=(PieceDecl("man", count=IntLit(2)), PieceDecl("ship", count=IntLit(3))),
        )
    )
    return TypeResolver(world, diagnostics)


@pytest.mark.parametrize(
    ("texpr", "expected"),
    [
        (named("bool"), Type("bool", hi=1)),
        (span_of(1, "most"), Type("int", lo=1, hi=9)),
        (span_of(Unary("-", IntLit(2)), 2), Type("int", lo=-2, hi=2)),
        (named("Suit"), Type("enum", "Suit", 0, 1)),
        (one_of("S", "H"), Type("enum", "Suit", 0, 1)),
        (one_of("for", "against"), Type("enum", "support", 0, 1)),
        (named("seat"), Type("seat", hi=1)),
        (named("Space"), Type("place", "space", 0, 6)),
        (named("board"), Type("place", "board", 3, 6)),
        (named("Zone"), Type("place", "", 0, 8)),
        (named("hand"), Type("place", "hand", 7, 8)),
        (named("Piece"), Type("piece", "", 0, 4)),
        (named("ship"), Type("piece", "ship", 2, 4)),
        (named("Card"), Type("row", "Card", 0, 0)),
        (named("Direction"), Type("direction", hi=9)),
        (named("board", optional=True), Type("place", "board", 3, 6, optional=True)),
        (
            TypeExpr("list", items=(named("Suit"),), cap=IntLit(4)),
            Type("list", items=(Type("enum", "Suit", 0, 1),), cap=4),
        ),
        (TypeExpr("set", items=(span_of(1, 13),)), Type("set", items=(Type("int", lo=1, hi=13),))),
        (
            TypeExpr("tuple", items=(named("bool"), named("Seat"))),
            Type("tuple", items=(Type("bool", hi=1), Type("seat", hi=1))),
        ),
    ],
)
def test_types_resolve(texpr: TypeExpr, expected: Type) -> None:
    diagnostics = Diagnostics()
    assert resolver(diagnostics).resolve(texpr) == expected
    assert diagnostics.items == []


@pytest.mark.parametrize(
    ("texpr", "code"),
    [
        (named("Seet"), "unknown-type"),
        (named("string"), "unknown-type"),
        (span_of(0, 2**31), "number-out-of-range"),
        (span_of(3, 1), "bad-type"),
        (TypeExpr("list", items=(named("Seat"),)), "bad-type"),
        (TypeExpr("list", items=(named("Seat"),), cap=IntLit(5_000)), "too-large"),
        (TypeExpr("list", items=(TypeExpr("set"),), cap=IntLit(5)), "bad-type"),
        (TypeExpr("set", items=(span_of(0, 10**6),)), "too-large"),
        (TypeExpr("tuple", items=(named("bool"),) * 9), "bad-type"),
        (one_of("never", "declared"), "bad-type"),
    ],
)
def test_bad_types_are_reported(texpr: TypeExpr, code: str) -> None:
    diagnostics = Diagnostics()
    assert resolver(diagnostics).resolve(replace(texpr, span=HERE)) is None
    assert [item.code for item in diagnostics.items] == [code]


# --------------------------------------------------------------------------- constants


@pytest.mark.parametrize(
    ("written", "value"),
    [
        (op(op(-7, "//", 2), "+", op(-7, "%", 2)), -3),
        (op(True, "and", op(1, "<", 2)), True),
        (op(1, "==", None), False),
        (Cond(op("size", ">", 2), IntLit(1), IntLit(0)), 1),
        (op(1, "..", 3), Many((1, 2, 3))),
        (op([1], "+", [2]), Many((1, 2))),
        (op("S", "in", "Suit"), True),
        (op(5, "not in", op(1, "..", 4)), True),
        (Call("max", (IntLit(2), IntLit(5))), 5),
        (Call("count", (Name("board"),)), 4),
        (Attr(Name("Suit"), "H"), Named("H", "Suit")),
        (Attr(NoneLit(), "anything"), NONE),
    ],
)
def test_constants(written: Expr, value: object) -> None:
    diagnostics = Diagnostics()
    world = build(
        game(
            parameters=(Parameter("size", 3),),
            enums=(EnumDecl("Suit", ("S", "H")),),
            spaces=(grid(2, 2),),
        )
    )
    assert ConstantEvaluator(world, diagnostics).evaluate(written) == value
    assert diagnostics.items == []


def deep(levels: int) -> Expr:
    nested: Expr = IntLit(1)
    for _ in range(levels):
        nested = Unary("-", nested)
    return nested


@pytest.mark.parametrize(
    ("written", "code"),
    [
        (op(1, "%", 0), "division-by-zero"),
        (op(2**62, "*", 4), "number-out-of-range"),
        (op(True, "+", 1), "not-a-number"),
        (op(1, "and", True), "type-mismatch"),
        (op(1, "==", True), "type-mismatch"),
        (op(1, "in", 2), "type-mismatch"),
        (op(1, "..", 10**9), "too-large"),
        (deep(900), "too-large"),
        (Call("random"), "not-constant"),
        (IT, "not-constant"),
    ],
)
def test_constants_that_cannot_be(written: Expr, code: str) -> None:
    diagnostics = Diagnostics()
    assert ConstantEvaluator(World(), diagnostics).evaluate(written) is None
    assert [item.code for item in diagnostics.items] == [code]


def test_sets_and_lists_are_encoded() -> None:
    universes = Universes(build(game()))
    diagnostics = Diagnostics()
    numbers = Type("set", items=(Type("int", lo=1, hi=13),))
    assert universes.encode(Named("all"), numbers, None, "x", diagnostics) == 2**13 - 1
    assert universes.encode(Many((1, 3)), numbers, None, "x", diagnostics) == 0b101
    seats = Type("list", items=(Type("seat", hi=1),), cap=2)
    assert universes.encode(Many((Named("p2"),)), seats, None, "x", diagnostics) == (1,)
    assert diagnostics.items == []


# ------------------------------------------------------------------------------ clashes


@pytest.mark.parametrize(
    "gamedef",
    [
        game(seats=(SeatDecl("a"), SeatDecl("a"))),
        game(seats=(SeatDecl("a1"), SeatDecl("b")), spaces=(grid(2, 2),)),
        game(seats=(SeatDecl("north"), SeatDecl("b")), spaces=(grid(2, 2),)),
        game(enums=(EnumDecl("E", ("a", "a")),)),
        game(enums=(EnumDecl("board", ("a", "b")),), spaces=(grid(2, 2),)),
        game(spaces=(grid(2, 2), track(3, "board"))),
        game(zones=(ZoneDecl("x"), ZoneDecl("x"))),
        game(zones=(ZoneDecl("x"),), pieces=(PieceDecl("x"),)),
        game(pieces=(PieceDecl("x"), PieceDecl("x"))),
        game(parameters=(Parameter("size", 1), Parameter("size", 2))),
    ],
)
def test_names_of_two_things_clash(gamedef: GameDef) -> None:
    assert problem(gamedef).code == "name-clash"


def test_enum_values_may_repeat_other_names() -> None:
    enums = (EnumDecl("Side", ("red", "blue")), EnumDecl("Paint", ("red", "green")))
    seats = (SeatDecl("red"), SeatDecl("blue"))
    assert build(game(enums=enums, seats=seats)).seats == ("red", "blue")


def test_a_world_full_of_mistakes_is_still_a_world() -> None:
    diagnostics = Diagnostics()
    gamedef = game(
        min_players=0,
        max_players=0,
        enums=(EnumDecl("E", ()),),
        spaces=(grid("x", "y"), spaces(item("a", "zz", kind=IT))),
        zones=(ZoneDecl("z", of=("none",)),),
        tables=(table("T", {"n": 1, "m": [1, [2]]}, {"n": "x"}, {"m": None}),),
        pieces=(PieceDecl("p", owner="nobody", rows="T", count=Name("m"), notation="{"),),
    )
    world = build_world(gamedef, {"q": 1}, diagnostics)
    assert world.seats == ("p1",)
    assert world.space_count == 1
    assert len(diagnostics.errors) >= 8
    assert all(item.message for item in diagnostics.items)


def test_all_codes_are_documented() -> None:
    """Every code in the package's source is in the registry that `explain` prints."""
    quoted = re.compile(r'(?:error|warning|_refuse|_report)\(\s*(?:column, at, )?"([a-z-]+)"')
    folder = Path(world_package.__file__ or "").parent
    used = {code for file in folder.glob("*.py") for code in quoted.findall(file.read_text())}
    assert len(used) > 20
    assert used - CODES.keys() == set()

"""Tables, pieces, types and constants of the World; clashes of names."""

from __future__ import annotations

import re
import time
from dataclasses import replace
from pathlib import Path

import pytest

import ludwright.language.world as world_package
from ludwright.diagnostics import Diagnostics, Span
from ludwright.language.codes import CODES
from ludwright.language.gamedef import (
    EnumDecl,
    GameDef,
    MarkerDecl,
    Parameter,
    PieceDecl,
    SeatDecl,
    TypeExpr,
    VarDecl,
    ZoneDecl,
)
from ludwright.language.tree import (
    Attr,
    BoolLit,
    Call,
    Cond,
    Expr,
    IntLit,
    Name,
    NoneLit,
    Unary,
)
from ludwright.language.world import ConstantEvaluator, TypeResolver, Universes, build_world
from ludwright.language.world.values import NONE, Many, Named
from ludwright.program.types import INT_MAX, NO_INT, Type
from ludwright.program.world import World
from tests.language.world_support import (
    HERE,
    IT,
    build,
    game,
    grid,
    initial,
    item,
    kind,
    named,
    one_of,
    op,
    problem,
    problems,
    spaces,
    span_of,
    table,
    track,
)

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

"""Boards of hexes in three shapes, kept and drawn boards, corners and sides."""

from __future__ import annotations

from itertools import pairwise

import pytest

import ludwright as lw
from ludwright.program.world import World
from tests.semantics.books import markdown

REST = """
pieces: { stone: { owner: seat }, disc: { count: 9 } }
actions: [{ id: pass }]
end: [{ when: turn > 9, draw: all }]
"""


def world(spaces: str) -> World:
    return lw.load_text(markdown(f"spaces:\n{spaces}\n{REST}"), engine="python").program.world


def drawn(spaces: str, setup: str = "") -> str:
    text = markdown(f"spaces:\n{spaces}\nsetup: [{setup}]\n{REST}")
    game = lw.load_text(text, engine="python")
    return game.draw(game.initial_state())


def mistakes(spaces: str) -> list[tuple[str, str, int]]:
    found = lw.compile_text(markdown(f"spaces:\n{spaces}\n{REST}")).diagnostics.errors
    return [(item.code, item.message, item.span.line if item.span else 0) for item in found]


def names(world: World, spaces: tuple[int, ...]) -> list[str]:
    return [world.places[at].name for at in spaces]


@pytest.mark.parametrize(("side", "cells"), [(1, 1), (2, 7), (3, 19), (4, 37), (5, 61)])
def test_a_hexagon_has_as_many_cells_corners_and_sides_as_it_should(side: int, cells: int) -> None:
    board = world(
        f"  land: {{ hexagon: {side} }}\n  corner: {{ corners: land }}\n  side: {{ sides: land }}"
    )
    # known from counting: 6 n² corners and 9 n² - 3 n sides
    counts = [len(board.groups[name]) for name in ("land", "corner", "side")]
    assert counts == [cells, 6 * side * side, 9 * side * side - 3 * side]
    assert counts[1] - counts[2] + counts[0] == 1  # Euler, without the outside
    inner = [at for at in board.groups["land"] if len(board.adjacent[at]) == 6]
    assert len(inner) == 3 * (side - 1) * (side - 2) + 1 if side > 1 else not inner


def test_every_touch_goes_both_ways() -> None:
    board = world("  land: { hexagon: 3 }\n  corner: { corners: land }\n  side: { sides: land }")
    kinds = {"cells": "land", "corners": "corner", "sides": "side"}
    for one, group in kinds.items():
        for other, members in kinds.items():
            if one == other == "cells":
                continue
            for at in board.groups[members]:
                for touched in board.touching[one][at]:
                    assert touched in board.groups[group]
                    assert at in board.touching[other][touched]
    assert {len(board.touching["corners"][at]) for at in board.groups["side"]} == {2}
    assert {len(board.touching["sides"][at]) for at in board.groups["land"]} == {6}
    assert {len(board.touching["sides"][at]) for at in board.groups["corner"]} == {2, 3}
    for at in (*board.groups["corner"], *board.groups["side"]):
        for there in board.near[at]:  # each in a direction of its own
            towards = [d for d, row in enumerate(board.steps) if row[at] == there]
            assert len(towards) == 1


def test_a_rectangle_is_six_neighbours_wide() -> None:
    board = world("  field: { hex: { shape: rectangle, size: [5, 4] } }")
    assert len(board.groups["field"]) == 20
    place = {name: at for at, name in enumerate(p.name for p in board.places)}
    assert names(board, board.adjacent[place["b2"]]) == ["b1", "c1", "a2", "c2", "b3", "c3"]
    assert names(board, board.adjacent[place["b3"]]) == ["a2", "b2", "a3", "c3", "a4", "b4"]
    for at in range(20):
        assert all(at in board.adjacent[other] for other in board.adjacent[at])
    east = board.directions.index("east")
    for one, two in pairwise(["a3", "b3", "c3", "d3", "e3"]):
        assert board.steps[east][place[one]] == place[two]


def test_only_what_the_condition_keeps_is_there() -> None:
    board = world("  board: { grid: [4, 4], keep: it.column + it.row <= 5 }")
    assert len(board.groups["board"]) == 10
    assert names(board, board.groups["board"])[-1] == "a4"


def test_spaces_can_be_stacks() -> None:
    text = markdown(f"""spaces: {{ tower: {{ track: 2, order: stack }} }}
setup: [place stone of red at tower1, place disc at tower1, place stone of blue at tower1]
{REST}""")
    for engine in ("python", "native"):
        game = lw.load_text(text, engine=engine)
        seen = game.observe(game.initial_state(), None)["places"]["tower1"]["pieces"]
        assert [piece["kind"] for piece in seen] == ["stone", "disc", "stone"]
        assert [piece.get("owner") for piece in seen] == ["blue", None, "red"]


def test_drawings_give_terrain_set_up_and_holes() -> None:
    spaces = """
  isle:
    hexagon: 2
    layout: |
       ~ ^
      . R .
       . -
    legend:
      "~": { terrain: sea }
      "^": { terrain: hill }
      R: { setup: [place stone of red at it, place disc at it] }
      "-": none"""
    board = world(spaces)
    assert names(board, board.groups["isle"]) == ["b1", "a2", "b2", "c2", "a3", "b3"]
    words = board.enums[board.space_attributes["terrain"].type.name]
    terrain = [
        words[v] if isinstance(v, int) and v >= 0 else ""
        for v in board.space_attributes["terrain"].values
    ]
    assert dict(zip(names(board, board.groups["isle"]), terrain, strict=True)) == {
        "b1": "", "a2": "", "b2": "", "c2": "", "a3": "sea", "b3": "hill",
    }  # fmt: skip
    assert drawn(spaces).split("\n") == [
        "  ~a3 ^b3",
        "a2  d S c2",
        "  b1",
        "",
        "d disc, S red stone, ~ sea, ^ hill",
    ]


@pytest.mark.parametrize(
    ("spaces", "code", "told"),
    [
        ("  b: { grid: [3, 2], layout: \"...\\n..\" }", "bad-size", "row 1 of `b` has 3 spaces"),
        ("  b: { grid: [3, 2], layout: \"...\" }", "bad-size", "2 rows, its drawing has 1"),
        ("  b: { grid: [2, 1], layout: \". x\" }", "wrong-value", "does not say what `x` means"),
        ("  b: { grid: [2, 1], legend: { x: none } }", "missing-key", "no drawing"),
        ("  b: { hex: { shape: ring, size: [2, 2] } }", "wrong-value", "rhombus"),
        ("  b: { hexagon: [2, 2] }", "wrong-value", "one number"),
        ("  b: { hex: { shape: rectangle } }", "missing-key", "size of `b`"),
        ("  b: { corners: land }", "unknown-space", "no such board"),
        ("  b: { grid: [2, 2], track: 3 }", "wrong-value", "several shapes"),
        ("  b: { grid: [2, 2], keep: it.column }", "type-mismatch", "condition"),
        ("  b: { grid: [2, 2], keep: it.colour == 3 }", "unknown-attribute", "colour"),
        ("  b: { grid: [2, 2], keep: it.row > 9 }", "empty-declaration", "no cell"),
        (
            "  b: { grid: [2, 2] }\n  c: { corners: b }\n  d: { corners: b }",
            "name-clash", "declared twice",
        ),
    ],
)  # fmt: skip
def test_mistakes_in_boards_are_told(spaces: str, code: str, told: str) -> None:
    assert mistakes(spaces)[0][0] == code
    text = lw.compile_text(markdown(f"spaces:\n{spaces}\n{REST}")).diagnostics.errors[0]
    assert told in f"{text.message} {text.suggestion}"


def test_an_unknown_sign_is_pointed_at() -> None:
    spaces = """
  isle:
    grid: [3, 2]
    layout: |
        . . .
      . ? ."""
    found = mistakes(spaces)
    assert [(code, line) for code, _, line in found] == [("wrong-value", 12)]


def test_boards_of_hexes_and_their_parts_are_drawn_as_they_lie() -> None:
    text = drawn(
        "  land: { hexagon: 2 }\n  corner: { corners: land }\n  side: { sides: land }",
        "place stone of red at corner_b1_n, place disc at b2",
    )
    assert text.split("\n")[:15] == [
        "        +       +",
        "      /   \\   /   \\",
        "    +       +       +",
        "    |  a3   |  b3   |",
        "    +       +       +",
        "  /   \\   /   \\   /   \\",
        "+       +       +       +",
        "|  a2   |   d   |  c2   |",
        "+       S       +       +",
        "  \\   /   \\   /   \\   /",
        "    +       +       +",
        "    |  b1   |  c1   |",
        "    +       +       +",
        "      \\   /   \\   /",
        "        +       +",
    ]
    grid = drawn("  b: { grid: [2, 1] }\n  s: { sides: b }", "place stone of blue at s_a1_e")
    assert grid.split("\n")[:3] == ["  --    --", "| a1  s b1  |", "  --    --"]
    rows = drawn("  field: { hex: { shape: rectangle, size: [3, 3] } }")
    assert rows.split("\n") == ["a3  b3  c3", "  a2  b2  c2", "a1  b1  c1"]


# On a pointed board, what lies where on a flat one when the board is laid on its side.
TURNED = {
    "north": "east", "northeast": "northeast", "southeast": "northwest",
    "south": "west", "southwest": "southwest", "northwest": "southeast",
}  # fmt: skip


@pytest.mark.parametrize(
    ("form", "size"), [("rhombus", (4, 3)), ("rectangle", (5, 4)), ("hexagon", (3, 3))]
)
def test_hexes_with_flat_tops_are_the_pointed_ones_laid_on_their_side(
    form: str, size: tuple[int, int]
) -> None:
    """Columns become rows, and every direction is turned; corners and sides go along."""

    def board(columns: int, rows: int, top: str) -> World:
        of = columns if form == "hexagon" else [columns, rows]
        more = "  corner: { corners: land }\n  side: { sides: land }"
        return world(f"  land: {{ hex: {{ shape: {form}, size: {of}, top: {top} }} }}\n{more}")

    flat, pointed = board(size[0], size[1], "flat"), board(size[1], size[0], "pointed")

    def cells(of: World) -> dict[tuple[int, int], int]:
        return {of.coordinates[at]: at for at in of.groups["land"]}

    here, there = cells(flat), cells(pointed)
    assert {(row, column) for column, row in here} == set(there)
    laid = {at: there[row, column] for (column, row), at in here.items()}
    for at, other in laid.items():
        for direction, turned in TURNED.items():
            step = flat.steps[flat.directions.index(direction)][at]
            found = pointed.steps[pointed.directions.index(turned)][other]
            assert (laid[step] if step >= 0 else -1) == found
        for what in ("corners", "sides"):
            assert len(flat.touching[what][at]) == len(pointed.touching[what][other]) == 6
    assert len(flat.groups["corner"]) == len(pointed.groups["corner"])
    assert len(flat.groups["side"]) == len(pointed.groups["side"])


def test_hexes_with_flat_tops_are_drawn_column_by_column() -> None:
    text = drawn(
        "  land: { hex: { shape: rectangle, size: [3, 2], top: flat } }", "place disc at b1"
    )
    assert text.splitlines()[:4] == ["  b2", "a2  c2", "   d", "a1  c1"]

"""What a player sees, drawn from scenes made by hand."""

from __future__ import annotations

from ludwright.kernel.views.board import (
    GroupView,
    PieceView,
    Scene,
    SpaceView,
    ZoneView,
    column_labels,
    draw,
    draw_grid,
    letters,
    pile,
)


def piece(sign: str, name: str = "man", owner: str | None = None) -> PieceView:
    return PieceView(name, owner, sign)


def grid(columns: int, rows: int, pieces: dict[str, str], *, slanted: bool = False) -> GroupView:
    spaces = []
    for row in range(1, rows + 1):
        for column in range(1, columns + 1):
            name = f"{chr(96 + column)}{row}"
            signs = pieces.get(name, "")
            spaces.append(SpaceView(name, column, row, tuple(piece(sign) for sign in signs)))
    return GroupView("board", tuple(spaces), slanted)


def test_row_one_is_at_the_bottom_and_coordinates_are_shown() -> None:
    lines = draw_grid(grid(3, 2, {"a1": "X", "c2": "O"}))
    assert lines == [
        "2 . . O",
        "1 X . .",
        "  a b c",
    ]


def test_stacks_are_counted_and_columns_stay_aligned() -> None:
    lines = draw_grid(grid(2, 2, {"a1": "www", "b2": "b"}))
    assert lines == [
        "2 .  b",
        "1 3w .",
        "  a  b",
    ]


def test_hexagons_are_slanted() -> None:
    lines = draw_grid(grid(2, 2, {}, slanted=True))
    assert lines == ["2  . .", "1 . .", "  a b"]


def test_a_track_is_folded_to_the_width_of_the_terminal() -> None:
    track = GroupView("point", tuple(SpaceView(f"p{i}", i, 1) for i in range(1, 25)))
    lines = draw_grid(track, width=40)
    assert len(lines) > 2
    assert all(len(line) <= 40 for line in lines)
    assert " ".join(lines).split().count("24") == 1


def test_a_long_track_goes_along_the_bottom_and_back_along_the_top() -> None:
    spaces = [SpaceView(f"pit{i}", values=(("seeds", str(i % 4)),)) for i in range(1, 11)]
    spaces[2] = SpaceView("pit3")
    scene = Scene(groups=(GroupView("pit", tuple(spaces), track=True),))
    assert draw(scene).splitlines() == [
        "pit:",
        "10 9  8  7  6",
        "2  1  0  3  2",
        "",
        "1  2  .  0  1",
        "1  2  3  4  5",
        "(numbers: seeds)",
    ]


def test_a_track_with_pieces_tells_variables_apart() -> None:
    spaces = [SpaceView(f"s{i}") for i in range(1, 4)]
    spaces[1] = SpaceView("s2", pieces=(piece("w"), piece("w")), values=(("toll", "2"),))
    scene = Scene(groups=(GroupView("s", tuple(spaces), track=True),))
    assert draw(scene).splitlines() == ["s:", ".  2w .", "1  2  3", "s2: toll 2"]


def test_a_long_legend_is_broken_between_its_entries() -> None:
    scene = Scene(legend=tuple((sign, f"piece {sign}") for sign in "abcdef"))
    lines = draw(scene, 30).splitlines()
    assert lines == ["a piece a, b piece b,", "c piece c, d piece d,", "e piece e, f piece f"]


def test_columns_are_numbered_where_names_have_no_letters() -> None:
    group = GroupView("board", (SpaceView("corner", 1, 1), SpaceView("edge", 2, 1)))
    assert column_labels(group) == ["1", "2"]


def test_the_shorter_of_two_words_keeps_the_initial() -> None:
    men = ["pawn", "knight", "bishop", "rook", "queen", "king"]
    assert letters(men) == dict(zip(men, "pnbrqk", strict=True))


def test_letters_are_always_different() -> None:
    words = ["aa", "a", "aaa", *(f"{'a' * n}" for n in range(4, 40))]
    signs = letters(words)
    assert len(set(signs.values())) == len(set(words))


def test_pile_counts_equal_signs() -> None:
    assert pile([piece("w"), piece("w"), piece("b")]) == "2w b"
    assert pile([]) == ""


def test_a_map_is_a_table_and_hidden_cards_stay_hidden() -> None:
    scene = Scene(
        groups=(
            GroupView(
                "map",
                (
                    SpaceView("Hue", pieces=(piece("T", "troop", "US"),) * 2),
                    SpaceView("Saigon", values=(("terror", "1"),)),
                ),
            ),
        ),
        zones=(
            ZoneView("hand of white", 2, (piece("c", "2C"), piece("c", "3C"))),
            ZoneView("hand of black", 5, hidden=5),
            ZoneView("trick", 0),
        ),
        values=(("trail", "2"),),
        seats=(("white", (("score", "3"),)), ("black", (("score", "10"),))),
    )
    assert draw(scene).splitlines() == [
        "space   pieces       variables",
        "Hue     US troop ×2",
        "Saigon               terror 1",
        "",
        "hand of white: 2C, 3C",
        "hand of black: 5 face down",
        "empty: trick",
        "",
        "seat   score",
        "white  3",
        "black  10",
        "",
        "trail 2",
    ]


def test_an_empty_scene_is_no_text() -> None:
    assert draw(Scene()) == ""

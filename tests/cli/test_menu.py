from __future__ import annotations

import pytest

from ludwright.cli.screen.menu import (
    Item,
    Menu,
    beginning_with,
    columns,
    common_stem,
    find,
    option_menu,
    show,
)


def menu(*texts: str) -> Menu:
    return Menu("white:", tuple(Item(text, text.upper()) for text in texts))


@pytest.mark.parametrize("entry", ["2", "e4", " E4 "])
def test_an_entry_is_a_number_or_the_notation(entry: str) -> None:
    item = find(menu("d4", "e4"), entry)
    assert item is not None
    assert item.value == "E4"


@pytest.mark.parametrize("entry", ["", "0", "3", "-1", "e", "²", "9" * 5000])
def test_anything_else_is_no_item(entry: str) -> None:
    assert find(menu("d4", "e4"), entry) is None


def test_items_that_are_numbers_are_meant_by_their_text() -> None:
    digits = menu("4", "2")
    item = find(digits, "2")
    assert item is not None
    assert item.value == "2"
    assert find(digits, "1") is None
    assert show(digits).splitlines() == ["white:", "  4   2"]


def test_letters_matter_only_where_they_tell_items_apart() -> None:
    both = menu("bxc3", "Bxc3")
    item = find(both, "Bxc3")
    assert item is not None
    assert item.text == "Bxc3"
    assert find(both, "BXC3") is None


def test_a_range_is_asked_as_a_number() -> None:
    raise_to = option_menu("raise to?", range(20, 1_000_001))
    assert show(raise_to).splitlines() == ["raise to?", "  a number from 20 to 1000000"]
    item = find(raise_to, "500")
    assert item is not None
    assert item.value == 500
    assert find(raise_to, "19") is None


def test_special_options_have_words() -> None:
    asked = option_menu("city?", ["Hue", ("a", 1), None, True, "__stop"])
    assert [item.text for item in asked.items] == ["Hue", "a 1", "none", "yes", "done"]


def test_columns_fit_the_width_and_read_downwards() -> None:
    assert columns(["a", "b", "c"], 12) == ["  a   c", "  b"]
    assert columns([], 10) == []
    assert all(len(line) <= 40 for line in columns(["word"] * 50, 40))


def test_a_long_list_is_cut_and_says_how_much_is_left_out() -> None:
    long = Menu("?", tuple(Item(f"m{i}", i) for i in range(1000)))
    lines = show(long, 80).splitlines()
    assert len(lines) == 1 + 8 + 1
    assert lines[-1].endswith("more; type one, or `moves` to see them all")
    assert find(long, "m900") is not None
    assert "and 700 more; type one" in show(long, 80, full=True)


def test_signs_between_letters_may_be_left_out() -> None:
    asked = menu("a3-b4", "a3xc5", "a3xc5xe7")
    for entry, text in (("a3b4", "a3-b4"), ("A3 X c5", "a3xc5"), ("a3-xc5xe7", "a3xc5xe7")):
        found = find(asked, entry)
        assert found is not None
        assert found.text == text
    assert find(menu("a-b", "ab."), "a b") is None, "two could be meant"
    assert beginning_with(asked, "a3x") == ["a3xc5", "a3xc5xe7"]


def test_spaces_called_by_numbers_are_meant_by_them() -> None:
    items = tuple(Item(f"pit{n}", n) for n in (2, 4, 5))
    assert common_stem(items, ["house", "pit"]) == "pit"
    assert common_stem((*items, Item("pass", 0)), ["pit"]) == ""
    pits = Menu("?", items, stem="pit")
    found = find(pits, "4")
    assert found is not None
    assert found.value == 4
    assert find(pits, "3") is None
    assert show(pits).splitlines()[1] == "  pit2   pit4   pit5"

"""Showing diagnostics in a terminal and as JSON."""

from __future__ import annotations

from ludwright.diagnostic_text import in_reading_order, render_text, to_json
from ludwright.diagnostics import Diagnostic, Span


def error(span: Span | None, message: str = "wrong", suggestion: str | None = None) -> Diagnostic:
    return Diagnostic("yaml-syntax", "error", message, span, suggestion)


def shown(text: str, line: int, column: int, end_line: int, end_column: int) -> list[str]:
    item = error(Span("g.md", line, column, end_line, end_column))
    return render_text([item], {"g.md": text}).rstrip("\n").split("\n")[1:]


def test_a_diagnostic_names_its_place_and_underlines_it() -> None:
    item = error(Span("g.md", 2, 4, 2, 7), "`foo` is not known", "did you mean `food`?")
    assert render_text([item], {"g.md": "one\na: foo\nb: 1\n"}) == (
        "g.md:2:4: error[yaml-syntax]: `foo` is not known\n"
        "  |\n"
        "2 | a: foo\n"
        "  |    ^^^\n"
        "  = help: did you mean `food`?\n"
    )


def test_warnings_are_named_as_such() -> None:
    item = Diagnostic("yaml-empty-block", "warning", "empty", Span("g.md", 1, 1, 1, 2))
    assert render_text([item], {"g.md": "x"}).startswith("g.md:1:1: warning[yaml-empty-block]: ")


def test_line_numbers_share_a_gutter() -> None:
    text = "\n" * 8 + "a:\n  b"
    assert shown(text, 9, 1, 10, 4) == [
        "   |",
        " 9 | a:",
        "   | ^^",
        "10 |   b",
        "   |   ^",
    ]


def test_long_spans_show_their_first_and_last_line() -> None:
    text = "a:\n  b\n  c\n  d\n  e\n"
    assert shown(text, 1, 1, 5, 4) == [
        "  |",
        "1 | a:",
        "  | ^^",
        "...",
        "5 |   e",
        "  |   ^",
    ]


def test_a_span_ending_at_a_line_start_does_not_mark_that_line() -> None:
    assert shown("abc\ndef\n", 1, 2, 2, 1) == ["  |", "1 | abc", "  |  ^^"]


def test_an_empty_span_gets_one_caret() -> None:
    assert shown("abc", 1, 2, 1, 2) == ["  |", "1 | abc", "  |  ^"]


def test_the_end_of_a_line_and_of_the_file_can_be_marked() -> None:
    assert shown("abc", 1, 4, 1, 4) == ["  |", "1 | abc", "  |    ^"]
    assert shown("abc\n", 2, 1, 2, 1) == ["  |", "2 |", "  | ^"]


def test_unknown_places_show_no_source() -> None:
    assert shown("abc", 9, 1, 9, 2) == []
    assert render_text([error(Span("other.md", 1, 1, 1, 2))], {"g.md": "x"}) == (
        "other.md:1:1: error[yaml-syntax]: wrong\n"
    )
    assert render_text([error(None, suggestion="write some")], {}) == (
        "error[yaml-syntax]: wrong\n  = help: write some\n"
    )


def test_tabs_and_wide_characters_keep_the_caret_in_place() -> None:
    assert shown("\tab", 1, 3, 1, 4) == ["  |", "1 |     ab", "  |      ^"]
    assert shown("😀漢x", 1, 3, 1, 4) == ["  |", "1 | 😀漢x", "  |     ^"]
    assert shown("😀漢x", 1, 1, 1, 3) == ["  |", "1 | 😀漢x", "  | ^^^^"]
    assert shown("e\u0301x", 1, 3, 1, 4) == ["  |", "1 | e\u0301x", "  |  ^"]


def test_wide_lines_are_windowed_around_the_mark() -> None:
    text = "x" * 5_000 + "MARK" + "y" * 5_000
    _, line, carets = shown(text, 1, 5_001, 1, 5_005)
    assert len(line) < 120
    assert line.startswith("1 | …xxx")
    assert line.endswith("yyy…")
    start = carets.index("^")
    assert line[start : start + carets.count("^")] == "MARK"


def test_a_mark_wider_than_the_window_is_cut() -> None:
    _, line, carets = shown("ab" + "x" * 5_000, 1, 3, 1, 5_003)
    assert line.startswith("1 | abxxx")
    assert 60 < carets.count("^") <= 100


def test_text_cannot_steer_the_terminal() -> None:
    text = "a: \x1b[31mred\u202e\x07"
    item = error(Span("g.md", 1, 1, 1, 2), "found \x1b[2J", "drop \x9b")
    rendered = render_text([item], {"g.md": text})
    assert all(character == "\n" or character.isprintable() for character in rendered)


def test_color_only_when_asked() -> None:
    item = error(Span("g.md", 1, 1, 1, 2), suggestion="mend it")
    plain = render_text([item], {"g.md": "x"})
    colored = render_text([item], {"g.md": "x"}, color=True)
    assert "\x1b[" not in plain
    assert "\x1b[1;31merror[yaml-syntax]\x1b[0m" in colored


def test_messages_of_several_lines_are_indented() -> None:
    item = error(None, "first\nsecond", "one\ntwo")
    assert render_text([item], {}) == (
        "error[yaml-syntax]: first\n  second\n  = help: one\n          two\n"
    )


def test_order_is_files_as_read_then_places() -> None:
    sources = {"b.md": "", "a.md": ""}
    late = error(Span("b.md", 3, 1, 3, 2))
    early = error(Span("b.md", 2, 9, 2, 10))
    other = error(Span("a.md", 1, 1, 1, 2))
    strange = error(Span("0.md", 1, 1, 1, 2))
    whole = error(None)
    assert in_reading_order([strange, other, late, early, whole], sources) == [
        whole,
        early,
        late,
        other,
        strange,
    ]


def test_json_has_every_field() -> None:
    item = error(Span("g.md", 2, 4, 2, 7), "m", "s")
    assert to_json([item, error(None)], {"g.md": "one\na: foo\n"}) == [
        {
            "code": "yaml-syntax",
            "severity": "error",
            "file": None,
            "line": None,
            "column": None,
            "end_line": None,
            "end_column": None,
            "message": "wrong",
            "suggestion": None,
            "source_line": None,
        },
        {
            "code": "yaml-syntax",
            "severity": "error",
            "file": "g.md",
            "line": 2,
            "column": 4,
            "end_line": 2,
            "end_column": 7,
            "message": "m",
            "suggestion": "s",
            "source_line": "a: foo",
        },
    ]


def test_json_stays_small_on_huge_lines() -> None:
    (found,) = to_json([error(Span("g.md", 1, 1, 1, 2))], {"g.md": "x" * 1_000_000})
    line = found["source_line"]
    assert isinstance(line, str)
    assert len(line) == 4_000


def test_nothing_to_show() -> None:
    assert render_text([], {}) == ""
    assert to_json([], {}) == []

"""Reading rulebooks: every node knows its place, every bad input has a diagnostic."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from ludwright.diagnostics import Diagnostic, Diagnostics, Span
from ludwright.language.codes import CODES
from ludwright.language.reading import (
    Rulebook,
    YList,
    YMap,
    YNode,
    YScalar,
    position,
    read_rulebook,
    read_texts,
    span_within,
)
from ludwright.loading import compile_files


def read(text: str, file: str = "game.yaml") -> tuple[Rulebook, list[Diagnostic]]:
    diagnostics = Diagnostics()
    rulebook = read_texts({file: text}, diagnostics)
    for item in diagnostics.items:
        assert CODES[item.code].severity == item.severity
        assert item.suggestion
    return rulebook, diagnostics.items


def read_clean(text: str, file: str = "game.yaml") -> YMap:
    rulebook, found = read(text, file)
    assert found == []
    assert len(rulebook.blocks) == 1
    return rulebook.blocks[0]


def scalar(node: YNode | None) -> YScalar:
    assert isinstance(node, YScalar)
    return node


def value(text: str) -> str | int | bool | None:
    return scalar(read_clean(f"a: {text}\n").get("a")).value


def place(item: Diagnostic) -> tuple[int, int, int, int]:
    assert item.span is not None
    return item.span.line, item.span.column, item.span.end_line, item.span.end_column


def only(text: str, file: str = "game.yaml") -> Diagnostic:
    _, found = read(text, file)
    assert len(found) == 1, found
    return found[0]


def all_scalars(node: YNode) -> list[YScalar]:
    if isinstance(node, YScalar):
        return [node]
    if isinstance(node, YList):
        return [found for item in node.items for found in all_scalars(item)]
    return [found for key, item in node.entries for found in [key, *all_scalars(item)]]


# --- Markdown ----------------------------------------------------------------------------


def test_only_blocks_marked_yaml_are_rules() -> None:
    text = (
        "# Game\n\n```yaml\na: 1\n```\n\n```yaml example\nb: 2\n```\n\n"
        "```\nc: 3\n```\n\n~~~yml\nd: 4\n~~~\n"
    )
    rulebook, found = read(text, "game.md")
    assert found == []
    assert [key.text for block in rulebook.blocks for key, _ in block.entries] == ["a", "d"]


def test_spans_are_places_in_the_markdown_file() -> None:
    block = read_clean("# Game\n\n```yaml\nturn:\n  max: 12\n```\n", "game.md")
    inner = block.get("turn")
    assert isinstance(inner, YMap)
    assert inner.span == Span("game.md", 5, 3, 5, 10)
    assert scalar(inner.get("max")).span == Span("game.md", 5, 8, 5, 10)


@pytest.mark.parametrize(
    ("text", "line", "column"),
    [
        ("1. Set up:\n\n   ```yaml\n   a:\n     b: x\n   ```\n", 5, 9),
        ("> ```yaml\n> a:\n>   b: x\n> ```\n", 3, 8),
        ("> - text\n>\n>   ```yaml\n>   a:\n>     b: x\n>   ```\n", 5, 10),
        ("  ```yaml\n  a:\n    b: x\n  ```\n", 3, 8),
        ("- ~~~~yaml\n  a:\n    b: x\n  ~~~~\n", 3, 8),
    ],
)
def test_columns_count_what_markdown_cut_off(text: str, line: int, column: int) -> None:
    inner = read_clean(text, "game.md").get("a")
    assert isinstance(inner, YMap)
    assert scalar(inner.get("b")).span == Span("game.md", line, column, line, column + 1)
    assert text.split("\n")[line - 1][column - 1] == "x"


def test_an_unclosed_block_is_an_error() -> None:
    found = only("# Game\n\n```yaml\na: 1\n", "game.md")
    assert found.code == "markdown-unclosed-fence"
    assert place(found) == (3, 1, 3, 8)


def test_a_misspelt_mark_is_pointed_out() -> None:
    _, found = read("```YAML\na: 1\n```\n\n```yaml\nb: 1\n```\n", "game.md")
    assert [item.code for item in found] == ["markdown-fence-case"]


def test_a_rulebook_without_rules_is_an_error() -> None:
    assert only("# Only prose\n", "game.md").code == "rulebook-empty"


def test_an_empty_block_is_a_warning() -> None:
    _, found = read("```yaml\n# nothing yet\n```\n", "game.md")
    assert [(item.code, item.severity) for item in found] == [("yaml-empty-block", "warning")]


# --- Files -------------------------------------------------------------------------------


def read_path(path: str | list[str]) -> tuple[Rulebook, list[str]]:
    diagnostics = Diagnostics()
    rulebook = read_rulebook(path, diagnostics)
    assert all(item.code in CODES for item in diagnostics.items)
    return rulebook, [item.code for item in diagnostics.items]


def test_a_folder_is_read_with_the_rulebook_first(tmp_path: Path) -> None:
    for name in ("cards.md", "a-map.md", "rulebook.md"):
        (tmp_path / name).write_text(f"```yaml\n{name[0]}: 1\n```\n")
    (tmp_path / "notes.txt").write_text("no rules")
    (tmp_path / "x.md").mkdir()
    rulebook, codes = read_path(str(tmp_path))
    assert codes == []
    assert [Path(file).name for file in rulebook.sources] == ["rulebook.md", "a-map.md", "cards.md"]
    assert [block.entries[0][0].text for block in rulebook.blocks] == ["r", "a", "c"]


def test_a_folder_of_several_games_is_told_once(tmp_path: Path) -> None:
    for name in ("a", "b", "c"):
        game = f"game: {{ id: {name}, title: A game, players: 2 }}"
        (tmp_path / f"{name}.md").write_text(f"```yaml\n{game}\nactions: [{{ id: wait }}]\n```\n")
    found = compile_files(str(tmp_path)).diagnostics.errors
    assert [item.code for item in found] == ["duplicate-block"]
    assert [item.span.file for item in found if item.span] == [str(tmp_path / "b.md")]


def test_a_list_of_paths_reads_each_file_once_in_order(tmp_path: Path) -> None:
    first, second = tmp_path / "z.yaml", tmp_path / "a.md"
    first.write_text("z: 1\n")
    second.write_text("```yaml\na: 1\n```\n")
    rulebook, codes = read_path([str(first), str(second), str(first)])
    assert codes == []
    assert [block.entries[0][0].text for block in rulebook.blocks] == ["z", "a"]


def test_the_same_key_in_two_blocks_is_left_to_the_parser() -> None:
    rulebook, found = read("```yaml\na: 1\n```\n\n```yaml\na: 2\n```\n", "game.md")
    assert found == []
    assert len(rulebook.blocks) == 2


def test_files_that_cannot_be_read_are_diagnosed(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "game.txt").write_text("a: 1")
    (tmp_path / "huge.md").write_bytes(b"x" * (4 * 1024 * 1024 + 1))
    (tmp_path / "nul.md").write_bytes(b"ab\n\0")
    os.mkfifo(tmp_path / "pipe.md")
    assert read_path(str(tmp_path / "none.md"))[1] == ["file-missing"]
    assert read_path(str(tmp_path / "empty"))[1] == ["folder-empty"]
    assert read_path(str(tmp_path / "game.txt"))[1] == ["file-type"]
    assert read_path(str(tmp_path / "huge.md"))[1] == ["file-too-large"]
    assert read_path(str(tmp_path / "nul.md"))[1] == ["file-not-text"]
    assert read_path(str(tmp_path / "pipe.md"))[1] == ["file-unreadable"]
    assert read_path("bad\0name.md")[1] == ["file-unreadable"]
    assert read_path([])[1] == ["rulebook-empty"]


def test_bytes_that_are_not_utf8_are_located(tmp_path: Path) -> None:
    file = tmp_path / "game.md"
    file.write_bytes("é\r\nab".encode() + b"\xff\xfe")
    diagnostics = Diagnostics()
    read_rulebook(file, diagnostics)
    (found,) = diagnostics.items
    assert found.code == "file-not-text"
    assert place(found) == (2, 3, 2, 4)


def test_one_bad_file_does_not_hide_the_others(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_bytes(b"\xff")
    (tmp_path / "b.md").write_text("```yaml\nb: 1\n```\n")
    rulebook, codes = read_path(str(tmp_path))
    assert codes == ["file-not-text"]
    assert len(rulebook.blocks) == 1


@pytest.mark.parametrize("ending", ["\r\n", "\r", "\n"])
def test_line_ends_and_byte_order_mark_do_not_shift_places(ending: str, tmp_path: Path) -> None:
    lines = ["\ufeff```yaml", "a: x", "  y", "b: @", "```", ""]
    file = tmp_path / "game.md"
    file.write_bytes(ending.join(lines).encode())
    diagnostics = Diagnostics()
    rulebook = read_rulebook(file, diagnostics)
    assert [place(item) for item in diagnostics.items] == [(4, 4, 4, 5)]
    a = scalar(rulebook.blocks[0].get("a"))
    assert (a.text, position(a, 2)) == ("x y", (3, 3))


def test_columns_count_code_points() -> None:
    block = read_clean("'😀👍🏽': {é: 漢字, b: x}\n")
    inner = block.entries[0][1]
    assert isinstance(inner, YMap)
    assert scalar(inner.get("b")).span == Span("game.yaml", 1, 19, 1, 20)


# --- Values ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("true", True),
        ("false", False),
        ("null", None),
        ("~", None),
        ("", None),
        ("12", 12),
        ("-12", -12),
        ("+3", 3),
        ("017", 17),
        ("0x1F", 31),
        ("9223372036854775807", 2**63 - 1),
        ("-9223372036854775808", -(2**63)),
        ("yes", "yes"),
        ("no", "no"),
        ("on", "on"),
        ("off", "off"),
        ("True", "True"),
        ("0o17", "0o17"),
        ("1_000", "1_000"),
        ("1..6", "1..6"),
        ("12:30", "12:30"),
        ("2026-01-01", "2026-01-01"),
        ("'12'", "12"),
        ('"true"', "true"),
        ("''", ""),
    ],
)
def test_only_whole_numbers_bools_and_null_resolve(
    text: str, expected: str | int | bool | None
) -> None:
    resolved = value(text)
    assert resolved == expected
    assert type(resolved) is type(expected)


@pytest.mark.parametrize("text", ["1.5", "-0.5", ".5", "1.", "1e3", "1.5E-3", ".inf", ".nan"])
def test_fractions_are_errors_but_stay_text(text: str) -> None:
    rulebook, found = read(f"a: {text}\n")
    assert [item.code for item in found] == ["yaml-float"]
    assert place(found[0]) == (1, 4, 1, 4 + len(text))
    assert scalar(rulebook.blocks[0].get("a")).value == text


@pytest.mark.parametrize("text", ["9223372036854775808", "-9223372036854775809", "9" * 5000])
def test_numbers_must_fit_in_64_bits(text: str) -> None:
    assert only(f"a: {text}\n").code == "yaml-integer-range"


def test_quoting_and_style_are_kept() -> None:
    block = read_clean("a: x\nb: 'x'\nc: \"x\"\nd: |\n  x\ne: >\n  x\n")
    nodes = [scalar(node) for _, node in block.entries]
    assert [node.style for node in nodes] == ["plain", "single", "double", "literal", "folded"]
    assert [node.quoted for node in nodes] == [False, True, True, False, False]


def test_collections_end_where_their_text_ends() -> None:
    block = read_clean("a:\n  - x\n  - y: 1\n\n\nb: {c: [1, 2] }   # note\n")
    first, second = block.get("a"), block.get("b")
    assert isinstance(first, YList)
    assert isinstance(second, YMap)
    assert first.span == Span("game.yaml", 2, 3, 3, 9)
    assert not first.flow
    assert second.span == Span("game.yaml", 6, 4, 6, 16)
    assert second.flow


# --- Positions inside scalars ------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "content", "word", "expected"),
    [
        ("a: one two\n", "one two", "two", (1, 8)),
        ("a: one   \n   two\n\n   three\n", "one two\nthree", "three", (4, 4)),
        ("a:\n  one\n  two\n", "one two", "two", (3, 3)),
        ("a: 'it''s two'\n", "it's two", "two", (1, 11)),
        ("a: 'one\n\n   two'\n", "one\ntwo", "two", (3, 4)),
        ('a: "\\u0041\\t\\x42 two"\n', "A\tB two", "two", (1, 18)),
        ('a: "one \\\n   two"\n', "one two", "two", (2, 4)),
        ('a: "one\n   two"\n', "one two", "two", (2, 4)),
        ("a: |\n  one\n\n    two\n", "one\n\n  two\n", "two", (4, 5)),
        ("a: |2-\n    one\n   two\n", "  one\n two", "two", (3, 4)),
        ("a: | # note\n  one\n  two", "one\ntwo", "two", (3, 3)),
        ("a: >\n  one\n  three two\n", "one three two\n", "two", (3, 9)),
        ("a: >-\n\n  one\n\n  two\n", "\none\ntwo", "two", (5, 3)),
        ("a: >\n  one\n    more\n  two\n", "one\n  more\ntwo\n", "two", (4, 3)),
        ("a: >+\n  one\n  two\n\n\n", "one two\n\n\n", "two", (3, 3)),
    ],
)
def test_a_word_inside_text_is_found_in_the_source(
    text: str, content: str, word: str, expected: tuple[int, int]
) -> None:
    node = scalar(read_clean(text).get("a"))
    assert node.text == content
    start = content.index(word)
    assert position(node, start) == expected
    line, column = expected
    assert span_within(node, start, start + len(word)) == Span(
        "game.yaml", line, column, line, column + len(word)
    )


def test_positions_outside_the_text_stay_at_its_ends() -> None:
    node = scalar(read_clean("a: one\n").get("a"))
    assert position(node, -5) == (1, 4)
    assert position(node, 3) == (1, 7)
    assert position(node, 99) == (1, 7)


_LINE = st.text(alphabet="ab ()'\"\\#:é😀", max_size=6)


@settings(max_examples=150, deadline=None)
@given(
    st.sampled_from(["", "'", '"', "|", ">", "|-", ">-", "|+", ">+", ">2"]),
    st.lists(_LINE, min_size=1, max_size=6),
)
def test_every_character_of_any_scalar_comes_from_its_place(style: str, lines: list[str]) -> None:
    if style in ("'", '"', ""):
        body = "\n   ".join(lines)
        source = f"a: {style}{body}{style}\n"
    else:
        source = f"a: {style}\n" + "".join(f"  {line}\n" for line in lines)
    rulebook, _ = read(source)
    for node in [found for block in rulebook.blocks for found in all_scalars(block)]:
        offsets = node.offsets
        assert offsets is not None
        assert len(offsets) == len(node.text) + 1
        assert offsets == sorted(offsets)
        if node.style == "double":
            continue
        written = [f"{line}\n" for line in source.split("\n")]
        for at, character in enumerate(node.text):
            line, column = position(node, at)  # of the file, as its author sees it
            found = written[line - 1][column - 1]
            assert found == character or (character in " \n" and found in " \n\t")


# --- What YAML allows and the language does not ------------------------------------------


@pytest.mark.parametrize(
    ("text", "code", "where"),
    [
        ("a: 1\nb: 2\na: 3\n", "yaml-duplicate-key", (3, 1, 3, 2)),
        ("a: {b: 1, b: 2}\n", "yaml-duplicate-key", (1, 11, 1, 12)),
        ("a: !set x\n", "yaml-tag", (1, 4, 1, 8)),
        ("a: !!python/name:os.system x\n", "yaml-tag", (1, 4, 1, 27)),
        ("a: &x 1\n", "yaml-anchor", (1, 4, 1, 6)),
        ("a: *x\n", "yaml-alias", (1, 4, 1, 6)),
        ("a: *x + 1\n", "yaml-alias", (1, 4, 1, 6)),
        ("a:\n  <<: {b: 1}\n", "yaml-merge-key", (2, 3, 2, 5)),
        ("a:\n\tb: 1\n", "yaml-tab", (2, 1, 2, 2)),
        ("a:\n  \tb: 1\n", "yaml-tab", (2, 3, 2, 4)),
        ("a:\n\u00a0 b: 1\n", "yaml-odd-space", (2, 1, 2, 2)),
        ("a: 1\n---\nb: 2\n", "yaml-multiple-documents", (2, 1, 2, 4)),
        ("%YAML 1.2\n---\na: 1\n", "yaml-directive", (1, 1, 1, 10)),
        ("%FOO x\n---\na: 1\n", "yaml-directive", (1, 1, 1, 5)),
        ("a: {[1, 2]: x}\n", "yaml-key-not-text", (1, 5, 1, 11)),
        ("a:\n  ? [x]\n  : y\n", "yaml-key-not-text", (2, 5, 2, 8)),
        ("a: {: x}\n", "yaml-empty-key", (1, 5, 1, 6)),
        ("a:\n  : x\n", "yaml-empty-key", (2, 3, 2, 4)),
        ("- a\n- b\n", "yaml-not-mapping", (1, 1, 1, 2)),
        ("just text\n", "yaml-not-mapping", (1, 1, 1, 2)),
        ("a: b\x07c\n", "yaml-control-character", (1, 5, 1, 6)),
        ("a: b\u2028c\n", "yaml-control-character", (1, 5, 1, 6)),
        ("a: \u202eb\n", "yaml-control-character", (1, 4, 1, 5)),
        ("a: b\0c\n", "yaml-control-character", (1, 5, 1, 6)),
        ("a: b\ud800c\n", "yaml-control-character", (1, 5, 1, 6)),
    ],
)
def test_each_forbidden_thing_has_its_own_code(
    text: str, code: str, where: tuple[int, int, int, int]
) -> None:
    found = only(text)
    assert found.code == code
    assert place(found) == where


def test_a_single_document_mark_is_fine() -> None:
    assert scalar(read_clean("---\na: 1\n...\n").get("a")).value == 1


# --- Syntax errors -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "where", "hint"),
    [
        ("a: x if y: z\n", (1, 10, 1, 11), '"x if y: z"'),
        ("a: 1\n  b: 2\n", (2, 3, 2, 5), "same indentation"),
        ("a: [x for x in b] + [c]\n", (1, 4, 1, 24), '"[x for x in b] + [c]"'),
        ("a: {x} + 1\n", (1, 4, 1, 11), '"{x} + 1"'),
        ("a: * b\n", (1, 4, 1, 7), '"* b"'),
        ("a: & b\n", (1, 4, 1, 7), '"& b"'),
        ("a: %x # note\n", (1, 4, 1, 6), '"%x"'),
        ("a: @x\n", (1, 4, 1, 6), '"@x"'),
        ("a: `x`\n", (1, 4, 1, 7), '"`x`"'),
        ("a: > 5\n", (1, 4, 1, 7), '"> 5"'),
        ('a: "x" == y\n', (1, 4, 1, 12), "'\"x\" == y'"),
        ('a: "x\nb: 1\n', (1, 4, 1, 5), 'add " where'),
        ('a: "\\d"\n', (1, 5, 1, 7), "single quotes"),
        ("a: { if: did in [b, c], d: 1 }\n", (1, 17, 1, 18), '"did in [b, c]"'),
        ("a: { b: 1\n", (1, 4, 1, 5), "add `}`"),
        ("a: [1,\n", (1, 4, 1, 5), "add `]`"),
        ("a: [1]]\n", (1, 7, 1, 8), "delete it"),
        ("a: 1\nb:2\nc: 3\n", (2, 1, 2, 4), "`b: 2`"),
        ("a:\n    b: 1\n  c: 2\n", (3, 3, 3, 4), "indentation"),
        ("a:\n  - x\n  y: 1\n", (3, 3, 3, 4), "`- `"),
    ],
)
def test_syntax_errors_say_what_to_write(
    text: str, where: tuple[int, int, int, int], hint: str
) -> None:
    found = only(text)
    assert found.code == "yaml-syntax"
    assert place(found) == where
    assert found.suggestion is not None
    assert hint in found.suggestion


def test_reading_goes_on_with_the_next_section() -> None:
    rulebook, found = read("a: 1\nb: @x\n  more\nc: {d: 1\ne: 2\nf: x: y\ng: 3\n")
    assert [(item.code, place(item)[0]) for item in found] == [
        ("yaml-syntax", 2),
        ("yaml-syntax", 4),
        ("yaml-syntax", 6),
    ]
    assert [key.text for key, _ in rulebook.blocks[0].entries] == ["a", "e", "g"]


def test_the_pure_parser_finds_the_same_places(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = ["a: x if y: z\n", "a: @x\n", "a: [x] + y\n", "a: {b: 1\nc: 2\n", "a: [f(x, y)]\n"]
    with_c = [read(text) for text in texts]
    monkeypatch.delattr(yaml, "CSafeLoader", raising=False)
    without_c = [read(text) for text in texts]
    assert [found for _, found in with_c] == [found for _, found in without_c]
    assert [rulebook.blocks for rulebook, _ in with_c] == [
        rulebook.blocks for rulebook, _ in without_c
    ]


# --- Expressions split by YAML -----------------------------------------------------------


def test_a_comma_that_splits_a_list_item_is_mended_and_reported() -> None:
    rulebook, found = read("do: [pay(me, 3, f(x, y)), stop]\n")
    assert [item.code for item in found] == ["yaml-split-expression"]
    assert place(found[0]) == (1, 6, 1, 25)
    assert found[0].suggestion == 'write "pay(me, 3, f(x, y))"'
    items = rulebook.blocks[0].get("do")
    assert isinstance(items, YList)
    assert [scalar(item).text for item in items.items] == ["pay(me, 3, f(x, y))", "stop"]
    assert position(scalar(items.items[0]), 17) == (1, 23)


def test_a_comma_that_splits_a_value_or_key_is_mended_and_reported() -> None:
    rulebook, found = read("a: { when: f(x, y), g(b, c): 1, do: g(z, y) }\n")
    assert [place(item) for item in found] == [(1, 12, 1, 19), (1, 21, 1, 28), (1, 37, 1, 44)]
    inner = rulebook.blocks[0].get("a")
    assert isinstance(inner, YMap)
    assert [(key.text, scalar(node).text) for key, node in inner.entries] == [
        ("when", "f(x, y)"),
        ("g(b, c)", "1"),
        ("do", "g(z, y)"),
    ]


@pytest.mark.parametrize(
    "text", ["do:\n  - train(US, free: true)\n", "do: [train(US, free: true)]\n"]
)
def test_a_colon_that_splits_a_call_is_reported(text: str) -> None:
    found = only(text)
    assert found.code == "yaml-split-expression"
    assert found.suggestion == 'name arguments with `=`: "train(US, free=true)"'


def test_a_comment_sign_inside_an_expression_is_reported() -> None:
    found = only("a: f(x #1)\n")
    assert (found.code, place(found)) == ("yaml-split-expression", (1, 4, 1, 11))


def test_sound_flow_text_is_left_alone() -> None:
    read_clean("a: { b, c: (x), d: [ f(x), y ], e: '(', mine(z): 1 } # (note)\n")


# --- Hostile input -----------------------------------------------------------------------


def test_aliases_are_never_expanded() -> None:
    lines = ["a0: &a0 [x, x]"]
    lines += [f"a{i}: &a{i} [*a{i - 1}, *a{i - 1}]" for i in range(1, 30)]
    rulebook, found = read("\n".join(lines))
    assert {item.code for item in found} == {"yaml-anchor", "yaml-alias"}
    assert sum(len(all_scalars(block)) for block in rulebook.blocks) == 90


@pytest.mark.parametrize(
    "text",
    [
        "a: " + "[" * 10_000,
        "a: " + "[" * 10_000 + "]" * 10_000,
        "a: " + "{a: " * 10_000,
        "a:\n  " + "- " * 10_000,
        "\n".join(" " * depth + "a:" for depth in range(1_000)),
    ],
)
def test_deep_nesting_is_refused(text: str) -> None:
    assert only(text).code == "yaml-too-deep"


def test_sixty_four_levels_are_read() -> None:
    read_clean("a: " + "[" * 63 + "]" * 63)
    assert only("a: " + "[" * 64 + "]" * 64).code == "yaml-too-deep"


def test_too_many_nodes_are_refused() -> None:
    assert only("a: [" + "1," * 210_000 + "]").code == "yaml-too-many-nodes"


@pytest.mark.parametrize(
    "text", ["a: [" + "1.5," * 5_000 + "]", "a: @\n" * 5_000, "a: {" + "b: 1, " * 5_000 + "}"]
)
def test_a_flood_of_problems_is_cut_short(text: str) -> None:
    _, found = read(text)
    assert len(found) == 201
    assert found[-1].code == "too-many-problems"


def test_a_flood_of_lines_is_refused() -> None:
    assert only("- a\n" * 300_000, "game.md").code == "rulebook-too-large"


@settings(max_examples=150, deadline=None)
@given(st.text(alphabet="ab:-[]{}()'\"|>#&*!%@`?,\\ \t\n\r\0\ufeff😀1.", max_size=60))
def test_any_text_is_read_or_diagnosed(text: str) -> None:
    rulebook, found = read("```yaml\n" + text + "\n```\n", "game.md")
    lines = rulebook.sources["game.md"].split("\n")
    assert rulebook.blocks or found
    for item in found:
        if item.span is not None:
            assert 1 <= item.span.line <= item.span.end_line <= len(lines) + 1
            assert item.span.column >= 1

"""Whatever is written: no crash, and every problem has a place and a suggestion."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from ludwright.characters import unseen_in
from ludwright.diagnostics import Diagnostics, Span
from ludwright.language.canonical import from_json, to_json
from ludwright.language.parsing import parse_rulebook
from ludwright.language.parsing.effects import read_block
from ludwright.language.parsing.lexer import GRAMMAR_WORDS
from ludwright.language.parsing.longform import value
from ludwright.language.parsing.rulebook import SECTIONS
from ludwright.language.parsing.statements import STATEMENT_WORDS
from ludwright.language.parsing.types_text import parse_signature, read_type
from ludwright.language.reading import YList, YMap, YNode, YScalar

HERE = Span("rules.yaml", 1, 1, 1, 2)
WORDS = [
    *sorted(GRAMMAR_WORDS | STATEMENT_WORDS), "a", "b", "$x", "f", "1", "22", "+", "-", "*", "//", "%", "==", "!=",
    "<", "<=", ">", ">=", "=", "+=", "-=", "(", ")", "[", "]", ",", ".", "..", ":", "?", "list",
    "set", "clamp", "lambda", "where", "by", "up", "all", "next", "run", "phase", "end", "turn",
    "game", "win", "__x", "&", "é", "1.5", "'q'", ";", "{", "/",
]  # fmt: skip
KEYS = [
    *SECTIONS, "id", "when", "then", "do", "effects", "over", "bind", "options", "max", "n",
    "each", "params", "name", "domain", "op", "left", "right", "args", "ref", "query", "var",
    "zone", "filter", "prop", "type", "grid", "adjacent", "edges", "limits", "of", "states",
    "rows", "cols", "while", "change", "on", "resolution", "cost", "targeting", "branches",
    "fromTemplate", "phase", "onEnter", "keep", "win", "set", "f(a)", "in", "if", "forEach",
    "chooseN", "menu", "let", "setVar", "moveAll", "aggregate", "concat",
]  # fmt: skip


def scalar(text: str) -> YScalar:
    return YScalar(text, text, True, HERE)


texts = st.lists(st.sampled_from(WORDS), max_size=12).map(" ".join) | st.text(max_size=20)
scalars = texts.map(scalar) | st.sampled_from(
    [
        YScalar(3, "3", False, HERE),
        YScalar(True, "true", False, HERE),
        YScalar(None, "", False, HERE),
    ]
)


def _containers(children: st.SearchStrategy[YNode]) -> st.SearchStrategy[YNode]:
    lists = st.lists(children, max_size=3).map(lambda items: YList(tuple(items), HERE))
    keys = st.sampled_from(KEYS).map(scalar)
    maps = st.dictionaries(keys.map(lambda key: key.text), children, max_size=4).map(
        lambda entries: YMap(tuple((scalar(key), node) for key, node in entries.items()), HERE)
    )
    return lists | maps


nodes: st.SearchStrategy[YNode] = st.recursive(scalars, _containers, max_leaves=12)


def check(diagnostics: Diagnostics) -> None:
    assert all(item.span is not None and item.suggestion for item in diagnostics.items)


@settings(max_examples=400, deadline=None)
@given(texts)
def test_any_text(text: str) -> None:
    diagnostics = Diagnostics()
    value(scalar(text), diagnostics)
    read_block(scalar(text), diagnostics)
    read_type(scalar(text), diagnostics)
    parse_signature(scalar(text), diagnostics)
    check(diagnostics)


@settings(max_examples=300, deadline=None)
@given(st.dictionaries(st.sampled_from(list(SECTIONS)), nodes, max_size=5))
def test_any_blocks(blocks: dict[str, YNode]) -> None:
    game = (scalar("game"), YMap(((scalar("id"), scalar("x")),), HERE))
    entries = tuple((scalar(key), node) for key, node in blocks.items() if key != "game")
    diagnostics = Diagnostics()
    found = parse_rulebook([YMap((game, *entries), HERE)], diagnostics)
    check(diagnostics)
    if found is not None and unseen_in(to_json(found)) is None:  # those the reader would refuse
        assert from_json(to_json(found), Diagnostics()) == found

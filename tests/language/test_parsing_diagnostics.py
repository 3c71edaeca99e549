"""Every mistake has its own code and points at the exact spot, marked here with ⟦ ⟧."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import ludwright.language.canonical
import ludwright.language.parsing
from ludwright.diagnostics import Diagnostic
from ludwright.language.codes import CODES
from tests.language.parsing_support import parse

# code, and a rulebook with that one mistake
MISTAKES: list[tuple[str, str]] = [
    # --- sentences
    ("syntax-braces-in-text", "setup: ['say \"⟦{⟧a and b\"']"),
    ("syntax-sentence-colon", 'setup:\n  - ⟦say "the end⟧: all go home"'),
    # --- looks
    ("look-colour", "look: { background: ⟦grene⟧ }"),
    ("look-symbol", "look: { pieces: { man: { symbol: ⟦horse⟧ } } }"),
    # --- expressions
    ("syntax-single-equals", "score: a ⟦=⟧ b"),
    ("syntax-single-equals", "score: a ⟦+=⟧ b"),
    ("syntax-slash", "score: a ⟦/⟧ 2"),
    ("syntax-c-operator", "score: a ⟦&&⟧ b"),
    ("syntax-c-operator", "score: a ⟦||⟧ b"),
    ("syntax-c-operator", "score: f(⟦!⟧a)"),
    ("syntax-named-argument-colon", "score: 'train(US, ⟦free:⟧ true)'"),
    ("syntax-colon", "score: 'a ⟦:⟧ b'"),
    ("syntax-where", "score: x in spaces ⟦where⟧ x.big"),
    ("syntax-is", "score: a ⟦is⟧ none"),
    ("syntax-braces", "score: a in ⟦{⟧a, b}"),
    ("syntax-text-literal", "score: a == ⟦'red'⟧"),
    ("syntax-text-literal", "score: 'a == ⟦\"red\"⟧'"),
    ("syntax-float", "score: a + ⟦1.5⟧"),
    ("syntax-float", "score: a + ⟦.5⟧"),
    ("syntax-bad-number", "score: a + ⟦3x⟧"),
    ("syntax-number-too-large", "score: a + ⟦2147483648⟧"),
    ("syntax-number-too-large", "score: ⟦2147483648⟧"),
    ("syntax-chained-comparison", "score: 1 < a ⟦<⟧ 3"),
    ("syntax-chained-range", "score: 1..2⟦..⟧3"),
    ("syntax-unfinished", "score: a ⟦+⟧"),
    ("syntax-unfinished", "score: a ⟦and⟧"),
    ("syntax-unbalanced-bracket", "score: f⟦(⟧a"),
    ("syntax-unbalanced-bracket", "score: 'f(a⟦]⟧'"),
    ("syntax-unbalanced-bracket", "score: a⟦)⟧"),
    ("syntax-unknown-character", "score: a ⟦≤⟧ b"),
    ("syntax-unknown-character", "score: a + ⟦é⟧"),
    ("syntax-unknown-character", "score: a + ⟦$⟧"),
    ("syntax-unknown-character", "score: a ⟦~⟧ b"),
    ("syntax-reserved-word", "score: a + ⟦from⟧"),
    ("syntax-reserved-word", "score: x for ⟦to⟧ in a"),
    ("syntax-reserved-word", "score: a and ⟦or⟧ b"),
    ("syntax-lambda", "score: 'sort(a, ⟦lambda⟧ x: x)'"),
    ("syntax-lambda", "score: f(x ⟦=>⟧ x)"),
    ("syntax-lambda", "score: f(x ⟦->⟧ x)"),
    ("syntax-generator-brackets", "score: 1 + f(2, x ⟦for⟧ x in a)"),
    ("syntax-generator-brackets", "score: f(x ⟦for⟧ x in a, 2)"),
    ("syntax-generator-brackets", "score: (x ⟦for⟧ x in a)"),
    ("syntax-generator-brackets", "score: [⟦x for x in a⟧, b]"),
    ("syntax-missing-else", "score: a ⟦if⟧ b"),
    ("syntax-stray-else", "score: x for x in a if b ⟦else⟧ c"),
    ("syntax-not-callable", "score: f(a)⟦(⟧b)"),
    ("syntax-not-callable", "score: $x⟦(⟧b)"),
    ("syntax-positional-after-named", "score: f(a=1, ⟦b⟧)"),
    ("syntax-duplicate-argument", "score: f(a=1, ⟦a⟧=2)"),
    ("syntax-duplicate-name", "score: x for x, ⟦x⟧ in a"),
    ("syntax-unexpected", "score: a ⟦b⟧"),
    ("syntax-unexpected", "score: f(a,⟦)⟧"),
    ("syntax-empty", "score: ⟦''⟧"),
    ("reserved-name", "score: x for ⟦__x⟧ in a"),
    # --- statements
    ("syntax-unknown-statement", "setup: [⟦discard⟧ hand]"),
    ("syntax-unknown-statement", "setup: [⟦shufle⟧ deck]"),
    ("syntax-compare-as-statement", "setup: [x ⟦==⟧ 3]"),
    ("syntax-not-a-statement", "setup: [⟦x⟧]"),
    ("syntax-not-a-statement", "setup: [x⟦+⟧+]"),
    ("syntax-bad-target", "setup: [⟦f(a)⟧ = 3]"),
    ("syntax-semicolon", "setup: [x = 1⟦;⟧ y = 2]"),
    ("syntax-if-then", "setup: [if a ⟦do⟧ stop]"),
    ("syntax-for-do", "setup: [for x in a ⟦then⟧ stop]"),
    ("syntax-reserved-word", "setup: [let ⟦from⟧ = 3]"),
    ("syntax-unfinished", "setup: [move a ⟦to⟧]"),
    ("syntax-unfinished", "setup: [remove 2 ⟦man⟧]"),
    # --- types and signatures
    ("syntax-bad-type", "vars: { x: ⟦int⟧ }"),
    ("syntax-bad-type", "vars: { x: ⟦5⟧ }"),
    ("syntax-unexpected", "vars: { x: 0..5 ⟦often⟧ }"),
    ("syntax-reserved-word", "fns: { f(⟦to⟧): 1 }"),
    ("syntax-duplicate-name", "fns: { 'f(a, ⟦a⟧)': 1 }"),
    ("invalid-name", "fns: { ⟦$f⟧(a): 1 }"),
    ("invalid-name", "fns: { ⟦a.b⟧: 1 }"),
    # --- effects and nodes
    ("syntax-named-argument-colon", "setup:\n  - ? ⟦train(US, free⟧\n    : true"),
    ("unknown-effect", "setup: [ { ⟦chooseOn⟧: { bind: $x, options: a } } ]"),
    ("unknown-effect", "setup: [ { ⟦set⟧: x = 1 } ]"),
    ("effect-shape", "setup: [ ⟦{ if: a, then: [stop] }⟧ ]"),
    ("if-none", "setup: [{ menu: { options: { a: {} }, optional: true, ifNone: ⟦skip⟧ } }]"),
    ("choose-n-bounds", "setup: [ ⟦{ chooseN: { bind: $x, options: a, n: 1, max: 2 } }⟧ ]"),
    ("with-set", "setup: [ { with: { set: [⟦stop⟧], do: [] } } ]"),
    ("wrong-shape", "setup: [ ⟦[stop]⟧ ]"),
    ("unknown-key", "setup: [ { if: { when: a, ⟦than⟧: [stop], then: [stop] } } ]"),
    ("missing-key", "setup: [ { if: ⟦{ then: [stop] }⟧ } ]"),
    ("same-key-twice", "setup: [ { forEach: { bind: x, over: a, do: [stop], ⟦effects⟧: [] } } ]"),
    ("reserved-name", "setup: [ { chooseOne: { bind: ⟦$__x⟧, options: a } } ]"),
    ("runtime-name", "setup: [ { chooseOne: { bind: ⟦'$x-{$zone}'⟧, options: a } } ]"),
    ("runtime-name", "score: ⟦{ concat: [a, b] }⟧"),
    ("runtime-name", "score: { ref: zoneCount, zone: ⟦{ zoneExpr: a }⟧ }"),
    ("unknown-node", "score: ⟦{ op: plus, left: a, right: b }⟧"),
    ("unknown-node", "score: ⟦{ ref: gvr, var: a }⟧"),
    ("unknown-node", "score: ⟦{ query: token }⟧"),
    ("unknown-node", "score: ⟦{ sum: a }⟧"),
    ("unknown-key", "score: { ref: gvar, var: a, ⟦vra⟧: b }"),
    # --- blocks
    ("unknown-key", "⟦actoins⟧: []"),
    ("unknown-key", "zones: { deck: { ⟦ordre⟧: deck } }"),
    ("wrong-value", "zones: { deck: { order: ⟦pile⟧ } }"),
    ("wrong-value", "zones: { deck: { order: ⟦pile⟧ } }"),
    ("wrong-value", "history: { h: { of: '[a]', keep: ⟦many⟧ } }"),
    ("wrong-value", "triggers: [ { on: { ⟦change⟧: x }, effects: [] } ]"),
    ("wrong-shape", "zones: ⟦7⟧"),
    ("duplicate-name", "actions: [ { id: a }, { id: ⟦a⟧ } ]"),
    ("duplicate-name", "enums: { E: [a, ⟦a⟧] }"),
    ("variable-index", "vars: { ⟦'x[1..2][1..3]'⟧: 0..3 }"),
    ("reserved-name", "vars: { ⟦__x⟧: bool }"),
    ("invalid-name", "vars: { ⟦my-var⟧: bool }"),
    ("invalid-name", "spaces: { m: { spaces: { ⟦4-x⟧: {} } } }"),
    ("missing-key", "actions: [ ⟦{ pre: a }⟧ ]"),
    ("missing-key", "spaces: { ⟦board⟧: { keep: dark } }"),
    ("unknown-space", "spaces: { m: { spaces: [a, b], edges: [[⟦c⟧, a]] } }"),
    ("table-row", "tables: { t: { cols: [a, b], rows: [⟦[1]⟧] } }"),
    ("end-outcome", "end: [ ⟦{ when: a, reason: x }⟧ ]"),
    ("end-outcome", "end: [ ⟦{ win: a, draw: all }⟧ ]"),
    ("nothing-behind-key", "end: [{ when: a, ⟦win⟧: }]"),
    ("unknown-template", "phases: [ ⟦{ fromTemplate: street, name: flop }⟧ ]"),
    ("operation-action", "actions: [ { id: a } ]\noperations: [ { id: ⟦a⟧, pre: x } ]"),
    ("operation-action", "actions: [ { id: a, effects: [⟦n += 1⟧] } ]\noperations: [ { id: a } ]"),
    ("second-operation", "actions: [ { id: a } ]\noperations: [ { id: a }, { id: b, action: ⟦a⟧ } ]"),
    ("unknown-action", "actions: [ { id: a } ]\noperations: [ { id: b, action: ⟦aa⟧ } ]"),
    ("seat-count", "seats: [⟦a⟧, b, c]"),
    ("language-version", "language: ⟦2⟧"),
]  # fmt: skip


def unmarked(text: str) -> tuple[str, tuple[int, int, int, int]]:
    """The text without marks, and the span between them."""
    start = text.index("⟦")
    end = text.index("⟧") - 1
    plain = text.replace("⟦", "").replace("⟧", "")
    return plain, (*_position(plain, start), *_position(plain, end))


def _position(text: str, offset: int) -> tuple[int, int]:
    before = text[:offset]
    return before.count("\n") + 1, offset - (before.rfind("\n") + 1) + 1


def place(item: Diagnostic) -> tuple[int, int, int, int]:
    assert item.span is not None
    return item.span.line, item.span.column, item.span.end_line, item.span.end_column


@pytest.mark.parametrize(("code", "text"), MISTAKES)
def test_mistake_is_found_where_it_is(code: str, text: str) -> None:
    plain, span = unmarked(text)
    problems = parse(plain).problems
    assert [(item.code, place(item)) for item in problems] == [(code, span)]
    assert problems[0].suggestion


def test_a_rulebook_must_name_its_game() -> None:
    parsed = parse("vars: { x: bool }", game=False)
    assert parsed.game is None
    assert [item.code for item in parsed.problems] == ["missing-game"]


def test_blocks_of_different_shape_cannot_be_joined() -> None:
    problems = parse("setup: [stop]", "setup: stop").problems
    assert [item.code for item in problems] == ["duplicate-block"]
    assert "rules0.yaml:1:1" in problems[0].message


def test_a_name_declared_in_two_files_names_both_places() -> None:
    problems = parse("vars: { x: bool }", "vars:\n  x: 0..3").problems
    assert [(item.code, place(item)) for item in problems] == [("duplicate-name", (2, 3, 2, 4))]
    assert "rules0.yaml:1:9" in problems[0].message


def test_effects_nested_too_deeply() -> None:
    nested = "stop"
    for _ in range(25):
        nested = "{ do: [" + nested + "] }"
    assert [item.code for item in parse(f"setup: [{nested}]").problems] == ["effects-too-deep"]


def test_everything_wrong_is_reported_in_one_run() -> None:
    text = (
        "vars: { x: int }\nsetup:\n  - a = = b\n  - fine()\n  - move a\nend: [ { win: a = b } ]\n"
    )
    found = sorted((item.code, place(item)[0]) for item in parse(text).problems)
    assert found == [
        ("syntax-bad-type", 1),
        ("syntax-single-equals", 3),
        ("syntax-single-equals", 6),
        ("syntax-unfinished", 5),
    ]


def test_thousands_of_mistakes_end_in_one_more() -> None:
    text = "setup:\n" + "  - x = = 3\n" * 5000
    problems = parse(text).problems
    assert problems[-1].code == "too-many-problems"
    assert len(problems) < 1000


def test_every_code_of_the_parser_is_registered_and_tested() -> None:
    folder = Path(ludwright.language.parsing.__file__).parent
    sources = [*folder.glob("*.py"), Path(ludwright.language.canonical.__file__)]
    pattern = re.compile(r'"((?:syntax|[a-z]+)(?:-[a-z]+)+)"')
    written = {code for path in sources for code in pattern.findall(path.read_text("utf-8"))}
    tested = {code for code, _ in MISTAKES} | {
        "duplicate-block", "effects-too-deep", "json-shape", "json-too-deep", "missing-game",
        "syntax-too-deep", "syntax-too-long", "yaml-control-character",
    }  # fmt: skip
    assert written - set(CODES) == set()
    assert written - tested == set()

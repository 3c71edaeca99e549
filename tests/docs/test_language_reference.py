"""The language reference is executed: no page shows anything that does not work."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from ludwright.diagnostic_text import render_text
from ludwright.language.canonical import gamedef_bytes
from ludwright.language.codes import CODES
from ludwright.language.compiling.expressions.builtins import FUNCTIONS
from ludwright.language.parsing import (
    effects,
    lexer,
    long_effects,
    longform,
    rulebook,
    statements,
)
from ludwright.language.parsing.fields import Fields
from ludwright.language.world.clashes import KERNEL_NAMES
from ludwright.testing.examples import Written, run_written
from tests.docs.pages import (
    CODES_PAGE,
    Example,
    Fence,
    Play,
    both_spellings,
    codes_table,
    compiled,
    examples,
    fences,
    pages,
    rewrite_codes,
    steps,
    trouble_table,
)

EXAMPLES = [example for page in pages() for example in examples(page)]
PLAYS = [(example, play) for example in EXAMPLES for play in example.plays]


def text_of(name: str) -> str:
    return next(page for page in pages() if page.name == name).read_text(encoding="utf-8")


def whole_reference() -> str:
    return "\n".join(page.read_text(encoding="utf-8") for page in pages())


def shown_as_code() -> set[str]:
    """Every word that stands in code on some page, be it in a block or in the text."""
    found: set[str] = set()
    for page in pages():
        text = page.read_text(encoding="utf-8")
        blocks = [fence.text for fence in fences(page)]
        for code in [*blocks, *re.findall(r"`([^`\n]+)`", text)]:
            found.update(re.findall(r"[A-Za-z_]\w*", code))
    return found


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.name)
def test_every_fragment_compiles_or_gives_the_diagnostics_it_announces(example: Example) -> None:
    result = compiled(example)
    if example.codes is None:
        assert not result.diagnostics.errors, result.diagnostics.errors
    else:
        found = sorted({item.code for item in result.diagnostics.items})
        assert set(example.codes) <= set(found), found
        errors = {item.code for item in result.diagnostics.errors}
        assert errors <= set(example.codes), result.diagnostics.errors


@pytest.mark.parametrize(
    ("example", "play"), PLAYS, ids=[f"{example.page}:{play.line}" for example, play in PLAYS]
)
def test_every_play_goes_as_shown(example: Example, play: Fence) -> None:
    lines = steps(play)
    assert lines, "an empty play shows nothing"
    Play(example, play).run(lines)


@pytest.mark.parametrize(
    "example",
    [one for one in EXAMPLES if "\nexamples:" in "\n".join(one.blocks)],
    ids=lambda example: example.name,
)
def test_examples_of_rulebooks_hold(example: Example) -> None:
    result = compiled(example)
    written = Written(result.examples, dict(result.sources))
    outcomes = list(run_written(example.page, result, written))
    assert outcomes
    assert [str(one.failure) for one in outcomes if one.failure is not None] == []


@pytest.mark.parametrize(
    "example", [one for one in EXAMPLES if one.claims], ids=lambda example: example.name
)
def test_every_expression_has_the_value_in_its_table(example: Example) -> None:
    play = Play(example, example.plays[0] if example.plays else Fence("play", "", example.line))
    wrong = [
        f"{example.page}:{line}: {claim}" for claim, line in example.claims if not play.holds(claim)
    ]
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize(
    "example", [one for one in EXAMPLES if one.long_blocks], ids=lambda example: example.name
)
def test_long_and_short_spelling_give_the_same_game(example: Example) -> None:
    short, long = both_spellings(example)
    assert not long.diagnostics.errors, long.diagnostics.errors
    assert short.gamedef is not None
    assert long.gamedef is not None
    assert gamedef_bytes(short.gamedef) == gamedef_bytes(long.gamedef)


@pytest.mark.parametrize(
    "example", [one for one in EXAMPLES if one.message], ids=lambda example: example.name
)
def test_every_message_reads_as_shown(example: Example) -> None:
    result = compiled(example)
    assert render_text(result.diagnostics.errors, result.sources) == example.message


# -------------------------------------------------------------------- completeness


def test_every_built_in_function_is_explained() -> None:
    page = text_of("04-expressions.md")
    missing = [name for name in FUNCTIONS if f"`{name}(" not in page]
    assert not missing


@pytest.mark.parametrize(
    ("what", "words"),
    [
        ("statement words", statements.STATEMENT_WORDS),
        ("grammar words", lexer.GRAMMAR_WORDS),
        ("names of the kernel", KERNEL_NAMES),
        (
            "sections",
            {*rulebook.SECTIONS, *(a for many in rulebook.SECTIONS.values() for a in many)},
        ),
        ("blocks", effects._BLOCKS),
        ("long effects", long_effects.LONG_EFFECTS),
        ("long queries", longform._QUERIES),
        ("long references", longform._REFS),
        ("long operators", [op for op in longform._OPS if op.isalpha()]),
    ],
)
def test_every_word_of_the_language_is_in_the_reference(what: str, words: list[str]) -> None:
    shown = shown_as_code()
    assert not [word for word in words if word not in shown], what


def test_every_key_the_parser_knows_is_in_the_reference(monkeypatch: pytest.MonkeyPatch) -> None:
    """What the parser asks for while it reads all examples is what an author may write."""
    asked: set[str] = set()
    finish = Fields.finish

    def remember(self: Fields) -> None:
        asked.update(self.asked)
        finish(self)

    monkeypatch.setattr(Fields, "finish", remember)
    for example in EXAMPLES:
        compiled(example)
        if example.long_blocks is not None:
            both_spellings(example)
    missing = sorted(asked - shown_as_code())
    assert not missing


def test_the_table_of_codes_is_the_registry() -> None:
    """LUDWRIGHT_UPDATE=1 rewrites it."""
    if os.environ.get("LUDWRIGHT_UPDATE"):
        rewrite_codes()
    assert CODES_PAGE.read_text(encoding="utf-8").endswith(f"\n\n{codes_table()}")


@pytest.mark.parametrize("kind", ["fault", "refusal"])
def test_the_page_lists_all_that_can_go_wrong_in_play(kind: str) -> None:
    """LUDWRIGHT_UPDATE=1 rewrites it. `tests/program/test_faults.py` holds the table of faults to
    what the engines raise."""
    assert f"<!-- {kind}s -->\n{trouble_table(kind)}<!-- end -->" in text_of(CODES_PAGE.name)


def test_every_announced_code_is_in_the_registry() -> None:
    announced = {code for example in EXAMPLES for code in example.codes or ()}
    assert not sorted(announced - set(CODES))


def test_the_index_links_every_page() -> None:
    links = re.findall(r"\]\(([\w-]+\.md)\)", text_of("README.md"))
    assert sorted(set(links)) == sorted(page.name for page in pages() if page.name != "README.md")


def test_links_between_pages_lead_somewhere() -> None:
    for page in pages():
        for target in re.findall(r"\]\(([^)#]+\.md)", page.read_text(encoding="utf-8")):
            assert Path(page.parent / target).is_file(), f"{page.name} links to {target}"

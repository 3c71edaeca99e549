"""All 130 cards: each side has examples, which hold, and a text in the chapters.

What the examples expect was taken from the facts of the box, not from the rulebook.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

import ludwright as lw
from ludwright.diagnostics import Diagnostics
from ludwright.language.gamedef import GameDef
from ludwright.language.parsing.examples import ExampleDecl
from ludwright.language.tree import CallProc, IntLit
from ludwright.loading import Compilation, large_games
from ludwright.testing.examples import Written, all_examples, run_written
from tests.games.fire_in_the_lake.facts import EVENTS_1964, EVENTS_1965, EVENTS_1968
from tests.games.fire_in_the_lake.support import game
from tests.native.support import needs_native

FOLDER: Path = large_games()["fire-in-the-lake"]
EVENTS = EVENTS_1964 | EVENTS_1965 | EVENTS_1968
ONE_SIDED = {38, 41, 64, 69, 80, 94, 106, 115}
PIVOTAL, COUPS = range(121, 125), range(125, 131)
TITLE = re.compile(r"(\d+) .*, (unshaded|shaded|single)\b")
# how a side of an event is played, at the end of an answer or with more answers behind it
SIDES = {side: re.compile(rf": event; {side}(;|$)") for side in ("unshaded", "shaded")}
SIDES["single"] = re.compile(r": event(; (?!(un)?shaded)|$)")
PLAYED = re.compile(r": play(;|$)")


def compiled(played: lw.Game) -> Compilation:
    """The rules are read once in a process; see `support.game`."""
    gamedef = played.gamedef
    assert isinstance(gamedef, GameDef)
    return Compilation(Diagnostics(), {}, gamedef, played.program)


@cache
def written() -> Written:
    return all_examples(FOLDER, Compilation(Diagnostics(), {}))


def scene(example: ExampleDecl) -> int:
    """The card that an example begins with; 0 where it says none."""
    calls = (node for node in example.setup if isinstance(node, CallProc))
    numbers = [
        call.args[0].value
        for call in calls
        if call.proc in ("scene", "stack") and isinstance(call.args[0], IntLit)
    ]
    return numbers[-1] if numbers else 0


def reached(example: ExampleDecl) -> set[tuple[int, str]]:
    """The cards that an example plays, with their sides."""
    found = TITLE.match(example.title)
    assert found is not None, example.title
    number, side = int(found[1]), found[2]
    lines = [line.text for line in example.lines]
    if number in PIVOTAL:
        played = any(PLAYED.search(line) for line in lines)
    elif number in COUPS:
        played = scene(example) == number
    else:
        played = scene(example) == number and any(SIDES[side].search(line) for line in lines)
    return {(number, side)} if played else set()


def test_each_side_of_each_card_is_played_in_an_example() -> None:
    wanted = {(number, "single") for number in (*ONE_SIDED, *PIVOTAL, *COUPS)}
    wanted |= {(number, side) for number in EVENTS - ONE_SIDED for side in ("unshaded", "shaded")}
    assert len({number for number, _ in wanted}) == 130
    found: set[tuple[int, str]] = set()
    for example in written().examples:
        found |= reached(example)
    assert found == wanted


def failures(engine: str) -> list[str]:
    played = game(engine)
    outcomes = list(run_written(FOLDER, compiled(played), written(), engine))
    assert len(outcomes) > 300
    return [
        f"{item.example.title}: {item.failure}" for item in outcomes if item.failure is not None
    ]


def test_all_examples_of_the_cards_hold() -> None:
    assert failures("python") == []


@pytest.mark.long
@pytest.mark.timeout(3600)
@needs_native
def test_they_hold_on_the_native_engine() -> None:
    assert failures("native") == []


def test_each_card_has_a_text() -> None:
    chapters = sorted(FOLDER.glob("[0-9]*.md"))
    texts = {path.name: path.read_text() for path in chapters}
    cards = texts["60-cards.md"]
    events = "\n".join(text for name, text in texts.items() if "62" <= name[:2] <= "67")
    for number, title in re.findall(r"number: (\d+), .*title: \"(.*)\"", cards):
        if int(number) in COUPS:
            assert title.removeprefix("Nguyen ").lower() in texts["50-coup-rounds.md"].lower()
        else:
            assert re.search(rf"^- \*\*{number} {re.escape(title)}\b", events, re.MULTILINE), title

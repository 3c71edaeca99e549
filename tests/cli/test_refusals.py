"""What people are told who type what cannot be done: which rule it is, or what there is instead."""

from __future__ import annotations

import pytest

import ludwright as lw
from ludwright.cli.screen.menu import LINES, Item, Menu, show
from tests.cli.conversation import sit


def refused(game: lw.Game, entry: str, before: tuple[str, ...] = (), seed: int = 1) -> str:
    """What is said to an entry, and to the question why, which must be the same."""
    table, script = sit(game, [*before, entry, f"why {entry}"], None, seed)
    table.play()
    told = [said for said in script.said if said.startswith(f"`{entry}` ")]
    assert len(told) == 2
    assert told[0] == told[1]
    return " ".join(told[0].split()).removeprefix(f"`{entry}` is not possible: ")


@pytest.fixture(scope="module")
def chess() -> lw.Game:
    return lw.load("chess", engine="python")


def test_an_answer_outside_of_all_filters_is_told_what_there_is(chess: lw.Game) -> None:
    told = refused(chess, "e2e5")
    assert told.startswith("`e5` is not an option of `target`: there are only e3 and e4")


def test_a_move_in_another_spelling_is_explained_as_well(chess: lw.Game) -> None:
    assert "`f6` is not an option of `target`: there are only f3 and h3" in refused(chess, "Nf6")
    assert "there is nothing to choose for `target`" in refused(chess, "Qh5")


def test_what_fits_no_notation_is_not_taken_for_a_strange_place(chess: lw.Game) -> None:
    assert refused(chess, "Be2").startswith("no move is written like that here")


TRICKS = """# T
```yaml
game: { id: t, title: T, players: 2 }
seats: [ann, bob]
pieces: { card: { each: { rank: 1..4, suit: [C, D] }, notation: "{rank}{suit}" } }
zones: { hand: { of: card, each: seat, see: owner }, pile: { of: card, order: stack } }
setup:
  - for c in card if c.rank != 2 do move c to hand(ann)
  - for c in card if c.rank == 2 and c.suit == C do move c to pile
fns:
  led: pile.piece.suit
  follow(p): c for c in hand(p) if c.suit == led
  playable(p): "[c for c in follow(p)] if any(follow(p)) else [c for c in hand(p) if c.rank > 1]"
flow:
  - repeat:
      while: count(pile) < 6
      do:
        - chooseOne: { bind: $card, by: ann, options: playable(ann) }
        - move $card to pile
score: 1
```
"""


def test_the_filter_is_found_in_functions_and_branches() -> None:
    game = lw.load_text(TRICKS, engine="python")
    told = refused(game, "1d")
    assert "`1D` is not an option of `card`: it needs `c.suit == led`" in told
    assert "(c.suit is D, led is C)" in told
    told = refused(game, "1D", before=("1C", "3C"))  # no more clubs: the other branch decides
    assert "it needs `c.rank > 1` (c.rank is 1)" in told


BUILDING = """# T
```yaml
game: { id: t, title: T, players: 2 }
seats: [ann, bob]
tables: { Plan: [{ id: mill, cost: 3, title: the old mill }, { id: barn, cost: 2 }] }
pieces: { plan: { each: Plan, count: 2 } }
zones: { market: { of: plan, init: all }, built: { of: plan, each: seat } }
vars: { Seat.coins: 0..9 = 1 }
actions:
  - id: build
    params: { what: b for b in market if b.cost <= actor.coins }
    effects: [move what to built(actor)]
    notation: "build {what}"
  - { id: earn, effects: [actor.coins += 1] }
  - { id: rest }
```
"""


def test_an_action_without_any_option_says_why_the_named_one_is_none() -> None:
    game = lw.load_text(BUILDING, engine="python")
    told = refused(game, "build barn")
    assert "`barn` is not an option of `what`: it needs `b.cost <= actor.coins`" in told
    assert "(b.cost is 2, actor.coins is 1)" in told
    assert refused(game, "build").startswith("there is nothing to choose for `what`")


def test_reasons_are_broken_between_words() -> None:
    table, script = sit(lw.load_text(BUILDING, engine="python"), ["build barn"])
    table.play()
    told = next(said for said in script.said if "barn" in said and "possible" in said)
    assert "\n" in told
    assert all(len(line) <= script.width for line in told.split("\n"))


def test_what_would_be_taken_is_allowed() -> None:
    game = lw.load_text(BUILDING, engine="python")
    table, script = sit(game, ["why ea", "why earn"])
    table.play()
    assert "`ea` is allowed" in script.said
    assert "`earn` is allowed" in script.said


def test_a_list_is_not_cut_for_its_last_line() -> None:
    def lines(count: int) -> list[str]:
        wide = tuple(Item(f"{'x' * 60}{chr(65 + n)}", n) for n in range(count))
        return show(Menu("which?", wide), width=80).splitlines()

    assert len(lines(LINES + 1)) == 1 + LINES + 1
    assert lines(LINES + 2)[-1] == "  … and 2 more; type one, or `moves` to see them all"

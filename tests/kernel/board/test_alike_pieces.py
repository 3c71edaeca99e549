"""Pieces that are alike have no numbers outside, and positions do not tell them apart, except
while a move holds one of them."""

from __future__ import annotations

import ludwright as lw

BOOK = """
# Two men
```yaml
game: { id: two-men, title: Two men, players: 1 }
seats: [red]
spaces: { board: { track: 3 } }
pieces: { man: { count: 2 } }
setup: [place man at board1, place man at board2]
actions:
  - id: go
    params: { who: m for m in man if m.place in board, goal: s for s in board if s.piece == none }
    effects: [move who to goal]
  - { id: stop, effects: [end game draw] }
```
"""


def moved(game: lw.Game, state: lw.State, *answers: str) -> lw.State:
    for answer in answers:
        state = game.choose(state, answer).state
    return state


def test_a_man_that_is_chosen_counts_with_where_he_stands() -> None:
    game = lw.load_text(BOOK)
    first = game.initial_state()
    # Both men walk round each other: the same position, in which they have changed places.
    swapped = moved(
        game, first, "go", "man@board1", "board3", "go", "man@board2", "board1", "go",
        "man@board3", "board2",
    )  # fmt: skip
    assert swapped.to_bytes() != first.to_bytes()
    assert game.position_hash(swapped) == game.position_hash(first)
    # The man whose number is 1 is chosen in both, but he stands elsewhere.
    one = moved(game, first, "go", "man@board1")
    two = moved(game, swapped, "go", "man@board2")
    assert game.position_hash(one) != game.position_hash(two)


DECK = """
# Coins
```yaml
game: { id: coins, title: Coins, players: 1 }
seats: [red]
tables:
  Coins:
    copper: { count: 3 }
    silver: { count: 3 }
pieces: { coin: { each: Coins, count: count } }
zones:
  stock: { order: deck, init: all }
  purse: { each: seat, see: owner }
actions:
  - { id: take, effects: [draw 1 from stock to purse(red)] }
  - { id: stop, effects: [end game draw] }
```
"""


def test_one_of_several_alike_that_may_be_hidden_is_told_by_its_make() -> None:
    game = lw.load_text(DECK)
    step = game.choose(game.initial_state(1), "take")
    [moved_coin] = [event for event in step.events("red") if event.kind == "moved"]
    assert moved_coin.fields["piece"] in ("copper", "silver")
    assert moved_coin.fields["kind"] == "coin"


CROWD = """
# Crowd
```yaml
game: { id: crowd, title: Crowd, players: 1 }
seats: [red]
spaces: { board: { track: 3 } }
pieces: { man: { count: 3 }, boss: { each: { who: [ann, bob] } }, horse: { count: 2 } }
setup: [place man at board1, place man at board2, place horse at board2, "move first(b for b in boss if b.who == ann) to board3"]
actions:
  - id: look
    params: { one: m for m in man, two: b for b in boss, three: h for h in horse }
    effects: []
  - { id: stop, effects: [end game draw] }
```
"""


def test_options_name_kind_and_place_or_the_piece_itself() -> None:
    game = lw.load_text(CROWD)
    state, asked = game.choose(game.initial_state(), "look").state, []
    while (decision := game.decision(state)) is not None and decision.name != "action":
        asked.append(list(decision.options))
        state = game.choose(state, decision.options[0]).state
    assert asked == [
        ["man@board1", "man@board2", "man@out"], ["ann", "bob"], ["horse@board2", "horse@out"],
    ]  # fmt: skip

"""`say` and `ask`: who is told what, on both engines, and at no cost to the rules."""

from __future__ import annotations

from typing import Any

import pytest

import ludwright as lw
from ludwright.kernel.protocol.step import Step

BOOK = """
```yaml
game: {{ id: told, title: Told, players: 3 }}
seats: [red, blue, green]
pieces: {{ card: {{ each: {{ rank: 1..9 }} }}, stone: {{ count: 3 }} }}
zones:
  deck: {{ of: card, order: deck, see: none, init: all }}
  hand: {{ of: card, each: seat, see: owner, order: row }}
  pile: {{ of: card, order: stack, see: top }}
  box: {{ of: stone, init: all }}
vars: {{ n: 0..9, Seat.points: 0..9 }}
setup:
  - move first(c for c in deck if c.rank == 5) to hand(red)
  - move first(c for c in deck if c.rank == 2) to hand(red)
  - move first(c for c in deck if c.rank == 7) to hand(blue)
actions:
  - id: act
    params: {{ c: {{ options: x for x in hand(actor), ask: "Which of {{[x.rank for x in hand(actor)]}}?" }} }}
    effects:
{effects}
```
"""


def game(*effects: str) -> lw.Game:
    lines = "\n".join(f"      - '{effect}'" for effect in effects)
    return lw.load_text(BOOK.format(effects=lines))


def act(played: lw.Game, card: str = "5") -> Step:
    state = played.initial_state()
    if played.decision(state).name == "action":  # type: ignore[union-attr]
        state = played.choose(state, "act").state
    return played.choose(state, card)


def heard(step: Step, seat: str | None) -> list[Any]:
    return [event.fields["text"] for event in step.events(seat) if event.kind == "said"]


def test_a_hidden_piece_is_named_only_to_those_who_see_it() -> None:
    step = act(game('say "takes {c}, rank {c.rank}"', "move c to pile", 'say "plays {c}"'))
    assert heard(step, "red") == ["takes 5, rank 5", "plays 5"]
    assert heard(step, "blue") == ["takes a card, rank ?", "plays 5"]
    assert heard(step, None) == heard(step, "red")


def test_a_revealed_piece_is_named_to_those_it_was_shown_to() -> None:
    step = act(game("reveal c to blue", 'say "shows {c}"'))
    assert heard(step, "blue") == ["shows 5"]
    assert heard(step, "green") == ["shows a card"]


def test_whether_a_sentence_is_said_tells_nothing_of_a_hidden_piece() -> None:
    step = act(
        game('if c.rank > 3 then say "high"', "move c to pile", 'say "high now" if c.rank > 3')
    )
    assert heard(step, "red") == ["high", "high now"]
    assert heard(step, "blue") == ["high now"]


def test_collections_and_pieces_that_are_alike() -> None:
    step = act(game("move c to pile", 'say "{[x for x in box]} {set(seats)} {n == 1} {(1, red)}"'))
    assert heard(step, "blue") == ["stone, stone, stone red, blue, green no 1, red"]


def test_only_those_addressed_hear_it() -> None:
    step = act(game("move c to pile", 'say "psst" to actor', 'say "you two" to [red, green]'))
    assert heard(step, "red") == ["psst", "you two"]
    assert heard(step, "green") == ["you two"]
    assert heard(step, "blue") == []
    everything = [event.fields.get("to") for event in step.events() if event.kind == "said"]
    assert everything == [["red"], ["red", "green"]]


def test_a_value_that_cannot_be_computed_spoils_its_sentence_only() -> None:
    step = act(game("move c to pile", 'say "{1 // n} and {n}"', "n += 1", 'say "{n}"'))
    assert heard(step, "red") == ["– and –", "1"]


def test_sentences_change_no_state() -> None:
    with_words = act(game("move c to pile", 'say "{actor}"', "n += 1"))
    without = act(game("move c to pile", "n += 1"))
    cells = [step.state.to_bytes() for step in (with_words, without)]
    differing = sum(one != two for one, two in zip(*cells, strict=True))
    assert differing <= 4  # the cell that says where the program waits


def test_other_words_are_the_same_game_and_other_values_are_not() -> None:
    one, two, three = (
        game("n += 1", f'say "{text}"') for text in ("now {n}", "the number is {n}", "{n + 1}")
    )
    assert one.gamedef_hash == two.gamedef_hash != three.gamedef_hash
    assert two.state_from_bytes(one.initial_state().to_bytes()) == two.initial_state()


def test_what_is_said_has_no_number_of_its_own() -> None:
    step = act(game('say "one"', "move c to pile", 'say "two"', "n += 1"))
    numbers = {event.kind: event.number for event in step.events()}
    assert numbers["said"] == numbers["moved"] == numbers["changed"] - 1


def test_the_question_is_for_the_one_who_decides() -> None:
    played = game("move c to pile")
    state = played.initial_state()
    assert played.question(state) == "Which of 5, 2?"
    assert played.observe(state, "red")["decision"]["ask"] == "Which of 5, 2?"
    assert "ask" not in played.observe(state, "blue")["decision"]


@pytest.mark.parametrize(
    "effect",
    [
        'say "{count(x for x in hand(blue) if x.rank > 3)}"',
        'say "{[x for x in hand(blue)]}"',
        'say "{n}" if any(x for x in hand(blue) if x.rank == 1)',
    ],
)
def test_secrets_of_others_are_refused(effect: str) -> None:
    with pytest.raises(lw.RulebookError) as refused:
        game("move c to pile", effect)
    assert [item.code for item in refused.value.diagnostics] == ["hidden-read"]


def test_what_was_read_from_a_chosen_piece_before_is_refused() -> None:
    with pytest.raises(lw.RulebookError):
        game("let r = c.rank", 'say "{r}"')
    step = act(game("let r = c.rank", 'say "{r}" to actor', "move c to pile"))
    assert heard(step, "red") == ["5"]


@pytest.mark.parametrize("effect", ['say "psst" to deck', "reveal c to [1, 2]", 'say "psst" to []'])
def test_only_seats_can_be_told(effect: str) -> None:
    with pytest.raises(lw.RulebookError, match="seats are needed here"):
        game(effect)

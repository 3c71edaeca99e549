"""What a seat may not see changes nothing that it is told, and `determinize` gives what it could see.

`LUDWRIGHT_WALKS=20` looks at twenty times as many games as the usual run.
"""

from __future__ import annotations

import os
import random
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import pytest

import ludwright as lw
from ludwright import program as ir
from ludwright.agents.answers import Answers
from ludwright.kernel.interpreter.machine import ChanceMode
from ludwright.kernel.play.agent_dice import Dice
from ludwright.kernel.play.answers import Answering
from ludwright.kernel.play.game import Game, core_of
from ludwright.kernel.play.notation import Notation
from ludwright.kernel.protocol.state import State
from ludwright.kernel.views import determinize
from ludwright.kernel.views.determinize import Determinizer
from ludwright.kernel.views.observation import Projection
from ludwright.testing.walks import dealt_anew
from tests.engines import engine, under_test
from tests.native.rulebooks.writing import rulebook
from tests.properties.den import DEN
from tests.properties.twins import Leak, check, check_determinize, other_histories
from tests.semantics.books import book

__all__ = ["engine"]

MORE = int(os.environ.get("LUDWRIGHT_WALKS", "1"))


def hides(game: Game) -> bool:
    """Whether a game has anything that not everybody sees."""
    program = game.program
    return (
        any(place.see != "all" for place in program.world.places)
        or any(variable.see != "all" for variable in program.variables)
        or any(choice.together for choice in program.choices)
    )


HIDDEN = [name for name in sorted(lw.shipped_games()) if hides(lw.load(name, engine="python"))]


@cache
def loaded(name: str, chance: ChanceMode, engine: str) -> Game:
    return lw.load(name, chance=chance, engine=engine)


def test_the_games_with_secrets_are_known() -> None:
    assert HIDDEN == [
        "delta", "flea-market", "goofspiel", "harvest-fair", "hearts", "kuhn-poker", "leduc-poker",
        "liars-dice", "masked-ball", "mill-valley", "nomination-whist", "rock-pools",
        "texas-holdem",
    ]  # fmt: skip


@pytest.mark.parametrize("chance", ["generator", "explicit"])
@pytest.mark.parametrize("name", HIDDEN)
def test_every_seat_is_told_the_same_in_twin_worlds(name: str, chance: ChanceMode) -> None:
    game = loaded(name, chance, under_test())
    # with explicit chance a step ends where the next card is drawn, before anything new is seen
    limit = {"hearts": 60, "texas-holdem": 16}.get(name, 16) if chance == "explicit" else 6
    if name == "delta":  # only the order of events is hidden, and its moves take long to list
        limit = 2
        if under_test() == "python":
            pytest.skip("takes minutes; what a seat is told is made by the same code")
    compared = sum(check(game, seed, limit) for seed in range(MORE))
    assert compared > 1


@pytest.mark.parametrize("chance", ["generator", "explicit"])
def test_every_kind_of_secret_is_kept(chance: ChanceMode) -> None:
    game = lw.load_text(DEN, chance=chance, engine=under_test())
    assert sum(check(game, seed, 24) for seed in range(2 * MORE)) > 80 * MORE


def test_generated_rulebooks_keep_their_secrets() -> None:
    """Rulebooks that nobody wrote, with hands, decks, stacks, hidden variables and sealed choices."""
    compared = played = 0
    for seed in range(400 * MORE):
        chance: ChanceMode = "explicit" if seed % 2 else "generator"
        try:
            game = lw.load_text(rulebook(random.Random(seed)), chance=chance, engine=under_test())
        except lw.RulebookError:
            continue
        if not core_of(game).machine.pieces.can_hide:
            continue
        try:
            compared += check(game, seed, 6)
        except lw.RulebookFault:
            continue  # a mistake of the generated rules
        played += 1
        if played == (10 if under_test() == "python" else 4) * MORE:
            break
    assert compared > 20


# ---------------------------------------------------------------------- determinizing


@pytest.mark.parametrize(
    ("name", "steps"), [("kuhn-poker", 6), ("leduc-poker", 8), ("liars-dice", 6)]
)
def test_determinize_gives_exactly_the_states_that_a_seat_could_be_in(
    name: str, steps: int
) -> None:
    """The states of all games in which the seat observes the same, and no others."""
    game = loaded(name, "explicit", under_test())
    dice = Dice(3)
    state, answers = game.initial_state(), list[Any]()
    for _ in range(steps):
        decision = game.decision(state)
        if decision is None:
            break
        answers.append(Answers(decision)[dice.pick(len(Answers(decision)))])
        following = game.choose(state, answers[-1]).state
        if game.decision(following) is None:
            answers.pop()
            break
        state = following
    for seat in game.seats_in_play(state):
        possible = {
            game.position_hash(path[-1]) for path in other_histories(game, answers, seat, 500)
        }
        found = Counter(
            game.position_hash(game.determinize(state, seat, seed))
            for seed in range(40 * len(possible))
        )
        assert set(found) == possible
        assert len(possible) > 1, "there is something to deal anew"


def test_determinize_gives_passes_that_could_have_been_made() -> None:
    """Three seats have passed under seal; in the worlds that the fourth imagines it gets others."""
    game = loaded("hearts", "generator", under_test())
    state = game.initial_state(seed=4)
    rng = random.Random(1)
    for seat in ("North", "South", "West"):
        decision = game.decision(state, seat)
        assert decision is not None
        state = game.choose(state, rng.sample(list(decision.options), 3), seat).state
    received = set()
    for seed in range(12):
        check_determinize(game, state, "East", seed)
        other = game.determinize(state, "East", seed)
        decision = game.decision(other, "East")
        assert decision is not None
        before = _hand(game, other, "East")
        after = _hand(game, game.choose(other, list(decision.options)[:3], "East").state, "East")
        received.add(frozenset(after - before))
    assert len(received) > 6


def _hand(game: Game, state: State, seat: str) -> set[str]:
    return {
        piece["name"] for piece in game.observe(state, seat)["places"][f"hand:{seat}"]["pieces"]
    }


def test_determinize_in_the_middle_of_picks() -> None:
    """One pick under seal of two is made; the other seat's world holds one that can go on."""
    game = lw.load_text(DEN, engine=under_test())
    state = game.choose(game.initial_state(seed=2), "vote").state
    decision = game.decision(state, "green")
    assert decision is not None
    state = game.choose(state, decision.options[0], "green").state
    seen = set()
    for seed in range(20):
        other = game.determinize(state, "red", seed)
        asked = game.decision(other, "green")
        assert asked is not None
        assert len(asked.picked) == 1
        assert asked.picked[0] in _hand(game, other, "green")
        assert asked.can_stop
        seen.add(asked.picked[0])
    assert len(seen) > 3


def test_a_chosen_card_stays_in_the_hand_it_was_chosen_from() -> None:
    """Blue decides while red's card is still in its hand: in blue's worlds it is another one."""
    game = lw.load_text(DEN, engine=under_test())
    state = game.initial_state(seed=2)
    state = game.choose(
        game.choose(state, "hide").state, sorted(_hand(game, state, "red"))[0]
    ).state
    assert game.current_seat(state) == "blue"
    hidden = set()
    for seed in range(20):
        other = game.determinize(state, "blue", seed)
        held = _hand(game, other, "red")
        after = _hand(game, game.choose(other, 1).state, "red")
        assert len(held - after) == 1
        hidden |= held - after
    assert len(hidden) > 3


def test_hidden_dice_are_rolled_anew() -> None:
    game = lw.load("liars-dice", engine=under_test(), dice=3)
    state = game.initial_state(seed=1)
    faces = set()
    for seed in range(30):
        other = game.determinize(state, "p1", seed)
        cups = game.observe(other, None)["places"]
        assert cups["cup:p1"] == game.observe(state, None)["places"]["cup:p1"]
        faces.add(tuple(die["face"] for die in cups["cup:p2"]["pieces"]))
    assert len(faces) > 20


# ------------------------------------------------------------------------- the log


def test_the_order_of_a_log_tells_nothing_of_hidden_cards() -> None:
    """When all cards go back to the deck, a seat hears how many came from where."""
    game = loaded("texas-holdem", "explicit", under_test())
    dice = Dice(1)
    state = game.initial_state(players=2)
    while game.current_seat(state) == "chance":
        decision = game.decision(state)
        assert decision is not None
        state = game.choose(state, decision.options[dice.pick(len(decision.options))]).state
    told, held = set(), set()
    for seed in range(8):
        twin = dealt_anew(game, state, "p1", seed)
        assert twin is not None
        held.add(frozenset(_hand(game, twin, "p2")))
        step = game.choose(twin, "fold")
        told.add(str([event.to_json() for event in step.events("p1")]))
        folded = [e.fields for e in step.events("p1") if e.fields.get("from") == "hand:p2"]
        assert [(e["piece"], e["count"], e["to"]) for e in folded] == [(None, 2, "deck")]
    assert len(held) > 5
    assert len(told) == 1


def test_the_shuffle_of_a_hidden_stack_is_not_told() -> None:
    game = book("""
pieces: { card: { each: { rank: 1..6 } } }
zones: { heap: { of: card, order: stack, see: none, init: all } }
vars: { die: 0..6 }
actions: [{ id: mix, effects: [shuffle heap, roll die in 1..6] }]
""")
    step = game.choose(game.initial_state(), "mix")
    assert [e.fields["name"] for e in step.events() if e.kind == "rolled"] == ["shuffle"] * 5 + [
        "die"
    ]
    assert [e.fields["name"] for e in step.events("red") if e.kind == "rolled"] == ["die"]


def test_how_many_were_picked_under_seal_is_not_told() -> None:
    """Whether a seat stops after one or takes all it may: the others are told that it answered."""
    game = lw.load_text(DEN, engine=under_test())
    state = game.choose(game.initial_state(seed=2), "vote").state
    decision = game.decision(state, "green")
    assert decision is not None
    one, two = (game.choose(state, list(decision.options)[:n], "green") for n in (1, 2))
    assert one.events("red") == two.events("red")
    assert one.state.cells[ir.LOG] == two.state.cells[ir.LOG]


def test_alike_pieces_have_no_numbers_where_pieces_can_be_hidden() -> None:
    game = lw.load_text(DEN, engine=under_test())
    state = game.choose(game.initial_state(seed=2), "pay").state
    option = _first(game, state)
    step = game.choose(state, option)
    moved = [e.fields for e in step.events("red") if e.fields.get("to") == "bank"]
    assert [(e["piece"], e["kind"], e["count"]) for e in moved] in (
        [("tin", "coin", 1)], [("iron", "coin", 1)],
    )  # fmt: skip
    assert not any("#" in str(event.to_json()) for event in step.events("red"))
    assert any("#" in str(event.to_json()) for event in step.events()), "from above they have"
    # and a name with a number is taken for what the piece is, wherever that one lies
    purse = {coin["metal"] for coin in game.observe(state, "red")["places"]["purse:red"]["pieces"]}
    for number in range(1, 6):
        for metal in ("tin", "iron"):
            assert _taken(game, state, f"{metal}#{number}") == (metal in purse)


def _first(game: Game, state: State) -> Any:
    decision = game.decision(state)
    assert decision is not None
    return decision.options[0]


def _taken(game: Game, state: State, answer: Any) -> bool:
    try:
        game.choose(state, answer)
    except lw.IllegalMove:
        return False
    return True


def test_a_changed_property_is_told_to_those_who_saw_the_piece_then() -> None:
    game = book("""
pieces: { card: { each: { rank: 1..3 }, mark: 0..9 } }
zones: { deck: { of: card, see: none, init: all }, pile: { of: card } }
actions:
  - id: act
    effects:
      - let c = first(x for x in card if x.rank == 2)
      - c.mark = 4
      - move c to pile
      - c.mark = 7
""")
    step = game.choose(game.initial_state(), "act")
    marks = [e.fields for e in step.events("red") if e.kind == "changed"]
    assert [(e["old"], e["new"]) for e in marks] == [(4, 7)]
    assert len([e for e in step.events() if e.kind == "changed"]) == 2


def test_a_reveal_lasts_until_the_piece_moves() -> None:
    game = book("""
pieces: { card: { each: { rank: 1..3 } } }
zones: { hand: { of: card, each: seat, see: owner, order: row } }
setup: [move all of card to hand(red)]
actions:
  - { id: show, effects: [reveal hand(red)] }
  - { id: pass_on, effects: [move first(hand(red)) to hand(blue)] }
  - { id: pass_back, effects: [move first(hand(blue)) to hand(red)] }
""")
    state = game.choose(game.initial_state(), "show").state
    assert len(game.observe(state, "blue")["places"]["hand:red"]["pieces"]) == 3
    state = game.replay(state, ["pass_on", "pass_back"])
    shown = game.observe(state, "blue")["places"]["hand:red"]["pieces"]
    assert [card and card["rank"] for card in shown] == [2, 3, None]


# ------------------------------------------------------------------- planted leaks


def _returning(value: Any) -> Callable[..., Any]:
    return lambda *given, **named: value


def _saying(what: Callable[..., str]) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """A text with something added that it should not hold."""
    return lambda old: lambda *given: f"{old(*given)}{what(*given)}"


def _hand_size(self: Any, state: State, *_: Any) -> str:
    return f" ({sum(state.cells)})"


def _told_where(old: Callable[..., Any]) -> Callable[..., Any]:
    def refusal(self: Any, cells: Any, stop: Any, decision: Any, option: Any) -> Any:
        error = old(self, cells, stop, decision, option)
        place = cells[self._program.piece_place + hash(str(option)) % 12]
        return lw.IllegalMove(error.code, error.rule, f"{error.reason} {place}", error.span)

    return refusal


def _always(value: Any) -> Callable[[Any], Callable[..., Any]]:
    return lambda old: _returning(value)


def _chosen_openly(old: Callable[..., Any]) -> Callable[..., Any]:
    return lambda self, seat, by, point, answer: old(self, by, by, point, answer)


def _seen_by_all(old: Callable[..., Any]) -> Callable[..., Any]:
    return lambda self, seat, *given: old(self, seat, *given[:-1], -1)


def _from_above(old: Callable[..., Any]) -> Callable[..., Any]:
    return lambda self, cells, seat, *given: old(self, cells, None, *given)


def _to_nobody(old: Callable[..., Any]) -> Callable[..., Any]:
    """In particular: so, to everyone."""
    return lambda self, seat, *given: old(self, None, *given)


def _numbered(old: Callable[..., Any]) -> Callable[..., Any]:
    return lambda self, seat, piece: self._values.piece_names[piece]


def _told_at_once(old: Callable[..., Any]) -> Callable[..., Any]:
    return lambda self, record, seat: True


def _dealt_as_it_was(old: Callable[..., Any]) -> Callable[..., Any]:
    def deal(self: Any, memory: Any, *given: Any) -> list[int]:
        return list(range(self._program.world.piece_count))

    return deal


def _by_own_name(old: Callable[..., Any]) -> Callable[..., Any]:
    return lambda self, cells, type_, name, pieces: self._alike(cells, type_, name, pieces)


# What is broken, and how; each by itself.
PLANTED: dict[str, tuple[Any, str, Callable[[Any], Callable[..., Any]]]] = {
    "hidden pieces are observed": (Projection, "_sees", _always(True)),
    "hidden variables are observed": (Projection, "_variables", _from_above),
    "options are shown to everyone": (Projection, "_decision", _from_above),
    "moves are told one by one": (Projection, "_identified", _told_at_once),
    "hidden moves name the piece": (Projection, "_moved", _seen_by_all),
    "hidden changes are told": (Projection, "_changed", _to_nobody),
    "alike pieces have numbers in the log": (Projection, "_piece_name", _numbered),
    "sealed answers are told": (Projection, "_chose", _chosen_openly),
    "sentences name hidden pieces": (Projection, "_said", _to_nobody),
    "hidden rolls are told": (Projection, "_rolls_secretly", _always(False)),
    "refusals say where a piece lies": (Answering, "_refusal", _told_where),
    "notation tells of the state": (Notation, "write", _saying(_hand_size)),
    "sealed answers are not given anew": (determinize, "_answer_again", _always(True)),
}


@pytest.fixture(params=sorted(PLANTED))
def planted(request: pytest.FixtureRequest) -> Iterator[str]:
    where, name, breaking = PLANTED[request.param]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(where, name, breaking(getattr(where, name)))
        yield request.param


def test_a_planted_leak_is_found(planted: str) -> None:
    if under_test() != "python":
        pytest.skip("what is broken is shared by both engines")
    with pytest.raises(Leak):
        for seed in range(4):
            check(lw.load_text(DEN, chance="explicit", engine="python"), seed, 24)


# Leaks that show only to a test that knows what to look for.
SUBTLE: dict[str, tuple[Any, str, Callable[[Any], Callable[..., Any]], Callable[[], None]]] = {
    "the deal is not made anew": (
        Determinizer, "_deal_hidden_pieces", _dealt_as_it_was,
        lambda: test_determinize_gives_exactly_the_states_that_a_seat_could_be_in("kuhn-poker", 6),
    ),
    "hidden dice are not rolled anew": (
        Determinizer, "_roll_again", _always(None), test_hidden_dice_are_rolled_anew,
    ),
    "locals do not follow the deal": (
        Determinizer, "_rename", _always(None),
        test_a_chosen_card_stays_in_the_hand_it_was_chosen_from,
    ),
    "alike pieces can be asked for by number": (
        Answering, "named", _by_own_name,
        test_alike_pieces_have_no_numbers_where_pieces_can_be_hidden,
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", sorted(SUBTLE))
def test_a_subtle_leak_is_found(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    where, attribute, breaking, test = SUBTLE[name]
    monkeypatch.setattr(where, attribute, breaking(getattr(where, attribute)))
    with pytest.raises(AssertionError):
        test()


@pytest.mark.parametrize("engine", ["python", "native"])
@pytest.mark.parametrize("name", ["hearts", "texas-holdem", "delta", "goofspiel"])
def test_a_seat_that_is_not_asked_is_told_of_no_options(name: str, engine: str) -> None:
    game, pick = lw.load(name, engine=engine), random.Random(name)
    state = game.initial_state(seed=4)
    for _ in range(30):
        decision = game.decision(state)
        if decision is None:
            return
        for seat in game.seats_in_play(state):
            if not decision.asks(seat):
                assert game.decision(state, seat) is None
                assert game.question(state, seat) == ""
                assert game.option_texts(state, seat) == []
                assert game.legal_moves(state, seat) == []
            else:
                asked = game.decision(state, seat)
                assert asked is not None
                assert asked.seat == seat
        state = game.choose(state, pick.choice(decision.answers), decision.seat).state


@pytest.mark.parametrize("engine", ["python", "native"])
def test_a_seat_that_does_not_exist_is_no_seat(engine: str) -> None:
    game = lw.load("hearts", engine=engine)
    state = game.initial_state(seed=1)
    for asked in (game.decision, game.question, game.option_texts, game.legal_moves):
        with pytest.raises(ValueError, match="there is no seat `Esat`"):
            asked(state, "Esat")
    assert game.decision(state, lw.SPECTATOR) is None

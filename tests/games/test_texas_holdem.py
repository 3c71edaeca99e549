"""Texas hold'em against PokerKit: the same cards and actions, the same ranges, the same stacks."""

from __future__ import annotations

import random
import re
from itertools import combinations
from math import comb
from typing import Any

import pytest

import ludwright as lw
from ludwright.kernel.play.game import Game
from ludwright.kernel.protocol.state import State
from tests.games.lockstep import games, peer

pytestmark = pytest.mark.usefixtures("engine")

TOURNAMENTS = 18
BLINDS = [
    (10, 20, 0), (15, 30, 0), (25, 50, 5), (50, 100, 10), (75, 150, 15),
    (100, 200, 25), (150, 300, 50), (200, 400, 50), (300, 600, 75), (500, 1000, 100),
]  # fmt: skip


class Table:
    """One tournament on both sides, hand by hand."""

    def __init__(self, game: Game, players: int, pace: int, seed: int) -> None:
        self.pokerkit = peer("pokerkit")
        self.game = game
        self.pace = pace
        self.rng = random.Random(seed)
        self.state = game.initial_state(players=players)
        self.hands = 0

    def variables(self) -> dict[str, Any]:
        found: dict[str, Any] = self.game.observe(self.state, None)["variables"]
        return found

    def play(self, most: int = 10**9) -> int:
        """Until the tournament is over, or for so many hands; gives the hands played."""
        while self.game.result(self.state) is None and self.hands < most:
            self.hand()
        return self.hands

    def hand(self) -> None:
        self.hands += 1
        known = self.variables()
        stacks = {seat: n for seat, n in known["stack"].items() if n}
        seats = list(stacks)
        at = seats.index(known["button"])
        order = seats[at + 1 :] + seats[: at + 1]  # the button comes last
        small, big, ante = BLINDS[min((self.hands - 1) // self.pace, len(BLINDS) - 1)]
        other = self.other([stacks[seat] for seat in order], small, big, ante)
        held = {seat: self.draw(2) for seat in seats}
        for seat in order:
            other.deal_hole(held[seat])
        while other.status:
            if other.can_burn_card():
                other.burn_card("??")
            elif other.can_deal_board():
                other.deal_board(self.draw(other.board_dealing_count))
            else:
                self.act(other, order)
        after = dict(zip(order, other.stacks, strict=True))
        found = {seat: n for seat, n in self.variables()["stack"].items() if seat in after}
        assert found == after, f"hand {self.hands}"

    def other(self, stacks: list[int], small: int, big: int, ante: int) -> Any:
        pokerkit = self.pokerkit
        automation = pokerkit.Automation
        return pokerkit.NoLimitTexasHoldem.create_state(
            (
                automation.ANTE_POSTING,
                automation.BET_COLLECTION,
                automation.BLIND_OR_STRADDLE_POSTING,
                automation.HOLE_CARDS_SHOWING_OR_MUCKING,
                automation.HAND_KILLING,
                automation.CHIPS_PUSHING,
                automation.CHIPS_PULLING,
            ),
            True,  # a short ante wins no more than its like from each other player
            ante,
            (small, big),
            big,
            stacks,
            len(stacks),
        )

    def draw(self, count: int) -> str:
        """So many random cards, dealt here and told to the other side."""
        found = ""
        for _ in range(count):
            decision = self.game.decision(self.state)
            assert decision is not None
            assert decision.seat == "chance"
            card = self.rng.choice(decision.options)
            found += card
            self.state = self.game.choose(self.state, card).state
        return found

    def act(self, other: Any, order: list[str]) -> None:
        game, rng = self.game, self.rng
        decision = game.decision(self.state)
        assert decision is not None
        assert decision.seat == order[other.actor_index]
        free = other.checking_or_calling_amount == 0
        legal = {"check" if free else "call"}
        legal |= {"fold"} if other.can_fold() else set()
        lowest = other.min_completion_betting_or_raising_to_amount
        highest = other.max_completion_betting_or_raising_to_amount
        legal |= {"raise"} if lowest is not None else set()
        assert set(decision.options) == legal, f"hand {self.hands}"
        raised: State | None = None
        if lowest is not None:
            raised = game.choose(self.state, "raise").state
            amounts = game.decision(raised)
            assert amounts is not None
            assert (amounts.options[0], amounts.options[-1]) == (lowest, highest)
        choice = rng.choices(("fold", "check", "call", "raise"), (2, 6, 6, 5))[0]
        if choice == "raise" and raised is not None and lowest is not None:
            amount = self.amount(lowest, highest)
            self.state = game.choose(raised, amount).state
            other.complete_bet_or_raise_to(amount)
        elif choice == "fold" and "fold" in legal:
            self.state = game.choose(self.state, "fold").state
            other.fold()
        else:
            self.state = game.choose(self.state, "check" if free else "call").state
            other.check_or_call()

    def amount(self, lowest: int, highest: int) -> int:
        """All-in, the least, or something between, mostly small."""
        way = self.rng.random()
        if way < 0.15:
            return highest
        if way < 0.4:
            return lowest
        return min(highest, lowest + int(self.rng.expovariate(1 / (lowest + 1))))


SETTINGS = [(1000, 4), (300, 10), (5000, 1), (137, 3)]


@pytest.mark.parametrize(("chips", "pace"), SETTINGS)
def test_lockstep_against_pokerkit(chips: int, pace: int) -> None:
    game = lw.load("texas-holdem", chance="explicit", chips=chips, pace=pace)
    for seed in games(TOURNAMENTS):
        Table(game, 2 + seed % 9, pace, seed + chips).play()


def test_odd_chips_of_pots_with_the_same_winners_against_pokerkit() -> None:
    game = lw.load("texas-holdem", chance="explicit", chips=1000, pace=4)
    Table(game, 9, 4, 1915).play(2)  # in the second hand two of four players share both pots


@pytest.mark.long
@pytest.mark.timeout(3600)
def test_twenty_thousand_hands_against_pokerkit() -> None:
    tables = [(pace, lw.load("texas-holdem", chance="explicit", chips=chips, pace=pace)) for chips, pace in SETTINGS]  # fmt: skip
    hands = seed = 0
    while hands < 20_000:
        pace, game = tables[seed % len(tables)]
        hands += Table(game, 2 + seed % 9, pace, 10_000 + seed).play()
        seed += 1


def begin(players: int, chips: int = 1000) -> tuple[Game, State]:
    game = lw.load("texas-holdem", chips=chips)
    return game, game.initial_state(seed=5, players=players)


def test_with_two_players_the_button_pays_the_small_blind_and_begins() -> None:
    game, state = begin(2)
    known = game.observe(state, None)["variables"]
    assert game.current_seat(state) == known["button"] == "p1"
    assert known["bet"] == {"p1": 10, "p2": 20}
    state = game.choose(state, "call").state
    assert game.current_seat(state) == "p2"
    state = game.choose(state, "check").state
    assert game.current_seat(state) == "p2"  # after the flop the button is last
    assert game.observe(state, None)["places"]["board"]["count"] == 3


def test_a_short_all_in_does_not_reopen_the_betting() -> None:
    game, state = begin(3)
    cells = {"p1": 1000, "p2": 130, "p3": 1000}
    data = game.state_to_json(state)
    at = next(v for v in game.program.variables if v.name == "stack").addr
    for index, (seat, chips) in enumerate(cells.items()):
        bet = game.observe(state, None)["variables"]["bet"][seat]
        data["cells"][at + index] = chips - bet
    state = game.state_from_json(data)
    state = game.choose(game.choose(state, "raise").state, 100).state  # p1, by 80
    state = game.choose(game.choose(state, "raise").state, 130).state  # p2 all-in, by 30
    asked = game.decision(state)
    assert asked is not None
    assert (asked.seat, asked.options) == ("p3", ("fold", "call", "raise"))
    state = game.choose(state, "call").state
    asked = game.decision(state)
    assert asked is not None
    assert (asked.seat, asked.options) == ("p1", ("fold", "call"))


def test_a_hand_won_without_a_call_is_not_shown() -> None:
    game, state = begin(2)
    step = game.choose(state, "fold")
    assert not [event for event in step.events("p1") if event.kind == "revealed"]


def test_the_last_one_wins_and_the_order_of_elimination_counts() -> None:
    game, state = begin(5, chips=50)
    rng = random.Random(2)
    while (decision := game.decision(state)) is not None:
        state = game.choose(state, rng.choice(decision.answers)).state
    result = game.result(state)
    assert result is not None
    assert sorted(result.scores.values())[-1] == 4
    assert len(result.winners) == 1
    assert game.observe(state, None)["variables"]["stack"][result.winners[0]] == 250


# ------------------------------------------------------------------- the ranking of hands

KINDS = [1302540, 1098240, 123552, 54912, 10200, 5108, 3744, 624, 40]
RANKING = re.compile(r"## Hands.*?(```yaml.*?```)", re.S)


def ranking(extra: str) -> Game:
    """A game that has nothing but the functions of the section on hands."""
    text = lw.shipped_games()["texas-holdem"].read_text(encoding="utf-8")
    found = RANKING.search(text)
    assert found is not None
    block = "\n".join(line for line in found[1].splitlines() if "best(p)" not in line)
    return lw.load_text(f"""
```yaml
game: {{ id: ranking, title: Ranking, players: 2 }}
pieces:
  card: {{ each: {{ rank: 2..14, suit: [c, d, h, s] }}, notation: "{{rank:23456789TJQKA}}{{suit}}" }}
zones: {{ deck: {{ of: card, order: row, init: all }} }}
{extra}
actions: [{{ id: pass }}]
```
{block}
""")


def test_sampled_hands_rank_as_in_pokerkit() -> None:
    pokerkit = peer("pokerkit")
    game = ranking(
        """
vars: { points: 0..10000000 }
flow:
  - repeat:
      while: true
      do:
        - chooseN: { bind: $five, by: p1, options: deck, n: 5 }
        - points = worth([x for x in $five])
""",
    )
    rng = random.Random(7)
    cards = [rank + suit for rank in "23456789TJQKA" for suit in "cdhs"]
    hands = [rng.sample(cards, 5) for _ in range(200)]
    hands += [["Ah", "2c", "3d", "4s", "5h"], ["Ah", "2h", "3h", "4h", "5h"], ["Ah", "Kh", "Qh", "Jh", "Th"]]  # fmt: skip
    hands += [["9c", "9d", "9h", "9s", "2c"], ["9c", "9d", "9h", "2s", "2c"]]
    state = game.initial_state()
    found = []
    for hand in hands:
        state = game.choose(state, hand).state
        points = game.observe(state, None)["variables"]["points"]
        found.append((pokerkit.StandardHighHand("".join(hand)), points))
    for (theirs, ours), (other, points) in combinations(found, 2):
        assert (theirs < other, theirs == other) == (ours < points, ours == points)


@pytest.mark.long
@pytest.mark.timeout(7200)
def test_all_five_card_hands_occur_as_often_as_they_should() -> None:
    game = ranking(
        """
vars: { tally: "list[(0..9, 0..3000000), 9]" }
setup:
  - tally = group(kind(groups(five), flush(five)) for five in combos([x for x in deck], 5))
""",
    )
    tally = dict(game.observe(game.initial_state(), None)["variables"]["tally"])
    assert sum(tally.values()) == comb(52, 5)
    assert [tally[kind] for kind in range(9)] == KINDS

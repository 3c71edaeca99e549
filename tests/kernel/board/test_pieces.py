"""Pieces in places: orders, decks, visibility, classes."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from ludwright import program as ir
from ludwright.errors import RulebookFault
from ludwright.kernel.interpreter.machine import Machine
from ludwright.kernel.interpreter.run import Run
from ludwright.program.types import Type
from ludwright.program.world import PieceKind, Place
from tests.kernel.assembler import Assembler, const, integer, load, upto

CARDS = PieceKind("card", 0, 6, (), tuple(f"card {i}" for i in range(6)), individual=True)
ZONES = (
    Place("bag", "bag", order="bag"),
    Place("row", "row", order="row"),
    Place("stack", "stack", order="stack"),
    Place("deck", "deck", order="deck", see="none"),
    Place("hand:white", "hand", owner=0, see="owner"),
    Place("hand:black", "hand", owner=1, see="owner"),
)
BAG, ROW, STACK, DECK, WHITE, BLACK = range(6)


def table(**more: Any) -> Assembler:
    asm = Assembler(zones=ZONES, kinds=(CARDS,), **more)
    asm.mark("start")
    return asm


def cells_of(asm: Assembler) -> tuple[Machine, list[Any]]:
    asm.emit(ir.Finish(asm.end()))
    machine = Machine(asm.program())
    return machine, machine.scratch(machine.fresh(0, 2, 0), Run())


def within(asm: Assembler, place: int) -> list[int]:
    machine, S = cells_of(asm)
    machine.start(S)
    return machine.pieces.within(S, place)


def test_bags_leave_no_trace_of_arrival() -> None:
    for order in ((0, 1, 2), (2, 0, 1), (1, 2, 0)):
        asm = table()
        for piece in order:
            asm.emit(ir.MovePiece(const(piece), const(BAG)))
        assert within(asm, BAG) == [0, 1, 2]


def test_rows_append_and_stacks_pile_up() -> None:
    for place, expected in ((ROW, [0, 1, 2]), (STACK, [2, 1, 0])):
        asm = table()
        for piece in range(3):
            asm.emit(ir.MovePiece(const(piece), const(place)))
        assert within(asm, place) == expected


@pytest.mark.parametrize(
    ("where", "at", "expected"),
    [("top", 0, [3, 0, 1, 2]), ("bottom", 0, [0, 1, 2, 3]), ("at", 1, [0, 3, 1, 2])],
)
def test_a_piece_can_be_put_anywhere_in_a_row(where: Any, at: int, expected: list[int]) -> None:
    asm = table()
    for piece in range(3):
        asm.emit(ir.MovePiece(const(piece), const(ROW)))
    asm.emit(ir.MovePiece(const(3), const(ROW), where, const(at)))
    assert within(asm, ROW) == expected


def test_decks_know_their_ends_and_sort_their_middle() -> None:
    asm = table()
    for piece in (4, 2, 5):
        asm.emit(ir.MovePiece(const(piece), const(DECK)))
    asm.emit(ir.MixDeck(const(DECK)))
    asm.emit(ir.MovePiece(const(3), const(DECK), "top"))
    asm.emit(ir.MovePiece(const(0), const(DECK), "bottom"))
    asm.emit(ir.MovePiece(const(1), const(DECK), "middle"))
    machine, S = cells_of(asm)
    machine.start(S)
    assert machine.pieces.within(S, DECK) == [3, 1, 2, 4, 5, 0]
    top, bottom = machine.pieces.deck_top[DECK], machine.pieces.deck_bottom[DECK]
    assert (S[top], S[bottom]) == (1, 1)
    machine.pieces.take(S, 4)
    assert (S[top], S[bottom]) == (1, 1), "a piece of the middle was taken"
    machine.pieces.take(S, 3)
    machine.pieces.take(S, 0)
    assert (S[top], S[bottom]) == (0, 0)
    assert machine.pieces.within(S, DECK) == [1, 2, 5]


def test_swapping_and_mixing_an_empty_place_is_harmless() -> None:
    asm = table()
    for piece in range(3):
        asm.emit(ir.MovePiece(const(piece), const(STACK)))
    asm.emit(ir.SwapInPlace(const(STACK), const(0), const(2)), ir.MixDeck(const(DECK)))
    assert within(asm, STACK) == [0, 1, 2]


ORDERS = [
    (BAG, "default"), (ROW, "default"), (ROW, "top"), (STACK, "default"), (STACK, "bottom"),
    (DECK, "default"), (DECK, "bottom"), (DECK, "middle"), (-1, "default"),
]  # fmt: skip


@pytest.mark.parametrize(("place", "where"), ORDERS)
@pytest.mark.parametrize("pieces", [(), (3,), (5, 0, 3, 4), (1, 4, 1)])
def test_moving_all_is_moving_each(place: int, where: ir.Side, pieces: tuple[int, ...]) -> None:
    """In the same order, with the same events."""
    found = []
    for together in (True, False):
        asm = table()
        for piece, start in enumerate((ROW, ROW, STACK, DECK, DECK, BAG)):
            asm.emit(ir.MovePiece(const(piece), const(start)))
        head = asm.head("$x", "choice")
        asm.emit(ir.HeadEnter(head))
        asm.choose("$x", const(0), asm.cells(), integer(0, 9), options=upto(0, 1))
        if together:
            asm.emit(ir.MoveAll(ir.Const(pieces), const(place), where))
        else:
            for piece in pieces:
                asm.emit(ir.MovePiece(const(piece), const(place), where))
        asm.emit(ir.HeadExit(head), ir.Finish(asm.end()))
        game = asm.game()
        step = game.choose(game.initial_state(), 0)
        views = [game.observe(step.state, seat)["places"] for seat in ("white", "black")]
        found.append((views, step.events(), step.events("white")))
    assert found[0] == found[1]


def test_moving_a_list_with_nothing_in_it_is_a_fault() -> None:
    asm = table()
    asm.emit(ir.MoveAll(ir.Const((2, -1)), const(BAG)), ir.Finish(asm.end()))
    with pytest.raises(RulebookFault) as caught:
        asm.game().initial_state()
    assert caught.value.code == "none"


@pytest.mark.parametrize(
    ("place", "mixed", "moves", "outcomes"),
    [
        (BAG, False, [(2, "default"), (0, "default")], [0, 2]),
        (ROW, False, [(2, "default"), (0, "default")], [2]),
        (STACK, False, [(2, "default"), (0, "default")], [0]),
        (DECK, True, [(3, "default"), (1, "default"), (4, "default")], [1, 3, 4]),
        (DECK, True, [(3, "default"), (1, "default"), (4, "top")], [4]),
        (DECK, True, [(3, "default"), (1, "default"), (0, "bottom")], [1, 3]),
        (DECK, False, [(3, "bottom"), (1, "bottom")], [3]),
    ],
)
def test_a_draw_takes_what_the_order_of_the_place_says(
    place: int, mixed: bool, moves: list[tuple[int, ir.Where]], outcomes: list[int]
) -> None:
    """A deck: what is known on top, else any of the middle; its known bottom comes last."""
    asm = table()
    *first, last = moves
    for piece, where in first:
        asm.emit(ir.MovePiece(const(piece), const(place), where))
    if mixed and last[1] != "default":
        asm.emit(ir.MixDeck(const(place)))
    asm.emit(ir.MovePiece(const(last[0]), const(place), last[1]))
    if mixed and last[1] == "default":
        asm.emit(ir.MixDeck(const(place)))
    drawn = asm.cells()
    asm.emit(ir.Chance(drawn, ir.DrawFrom(const(place)), Type("piece", "card", 0, 5), "card"))
    asm.emit(ir.MovePiece(load(drawn), const(WHITE)), ir.Finish(asm.end()))
    game = asm.game(chance="explicit")
    state = game.initial_state()
    if (decision := game.decision(state)) is not None:
        assert list(decision.options) == [f"card {piece}" for piece in outcomes]
        state = game.choose(state, decision.options[-1]).state
    (piece,) = game.observe(state, "white")["places"]["hand:white"]["pieces"]
    assert piece["name"] == f"card {outcomes[-1]}"
    assert len(outcomes) > 1 or decision is None


@pytest.mark.parametrize("place", [BAG, STACK, DECK, -1])
def test_a_draw_from_nothing_is_a_fault(place: int) -> None:
    asm = table()
    drawn = asm.cells()
    asm.emit(ir.Chance(drawn, ir.DrawFrom(const(place)), Type("piece", "card", 0, 5), "card"))
    asm.emit(ir.Finish(asm.end()))
    with pytest.raises(RulebookFault) as caught:
        asm.game().initial_state()
    assert caught.value.code == "empty"


def test_moving_nothing_is_a_fault() -> None:
    asm = table()
    asm.emit(ir.MovePiece(const(-1), const(BAG)), ir.Finish(asm.end()))
    with pytest.raises(RulebookFault) as caught:
        asm.game().initial_state()
    assert caught.value.code == "none"


def deal(reveal: bool = False) -> Assembler:
    """Six cards drawn at random, three to each hand; then white decides."""
    asm = table(reveals=True)
    drawn, index = asm.cells(), asm.cells()
    for piece in range(6):
        asm.emit(ir.MovePiece(const(piece), const(DECK)))
    asm.emit(ir.MixDeck(const(DECK)))
    asm.mark("top")
    asm.emit(ir.Branch(ir.Compare("<", load(index), const(6)), asm.at("dealt")))
    asm.emit(ir.Chance(drawn, ir.PiecesSource(const(DECK)), Type("piece", "card", 0, 5), "card"))
    hand = ir.Arith("+", const(WHITE), ir.Arith("%", load(index), const(2)))
    asm.emit(ir.MovePiece(load(drawn), hand))
    asm.emit(ir.Store(index, ir.Arith("+", load(index), const(1)), integer()))
    asm.emit(ir.Jump(asm.at("top")))
    asm.mark("dealt")
    asm.emit(ir.Zero(((drawn, 1), (index, 1))))
    head = asm.head("$x", "choice")
    asm.emit(ir.HeadEnter(head))
    asm.choose("$x", const(0), asm.cells(), integer(0, 9), options=upto(0, 1))
    if reveal:
        first = ir.Aggregate("first", ir.PiecesSource(const(WHITE)))
        asm.emit(ir.RevealPiece(first, const(0b10)))
    asm.choose("$y", const(0), asm.cells(), integer(0, 9), options=upto(0, 1))
    asm.emit(ir.HeadExit(head), ir.Finish(asm.end()))
    return asm


def test_hands_are_seen_by_their_owners_only() -> None:
    game = deal().game()
    state = game.initial_state(seed=3)
    white, black = game.observe(state, "white"), game.observe(state, "black")
    assert white["places"]["hand:white"]["count"] == 3
    assert len(white["places"]["hand:white"]["pieces"]) == 3
    assert white["places"]["hand:black"] == {"count": 3}
    assert black["places"]["hand:white"] == {"count": 3}
    assert "card" not in repr(white["places"]["hand:black"])


def test_what_is_hidden_can_be_dealt_anew_without_a_trace() -> None:
    game = deal().game()
    state = game.initial_state(seed=3)
    hands = set()
    for seed in range(30):
        other = game.determinize(state, "white", seed)
        assert game.observe(other, "white") == game.observe(state, "white")
        assert game.decision(other) == game.decision(state)
        hands.add(repr(game.observe(other, "black")["places"]["hand:black"]))
    assert len(hands) == 1, "white knows his own cards, so black's are known as well"


def test_explicit_draws_have_the_weights_of_the_generator() -> None:
    game = deal().game(chance="explicit")
    decision = game.decision(game.initial_state())
    assert decision is not None
    assert decision.weights == (1,) * 6
    counts: Counter[str] = Counter()
    free = deal().game()
    for seed in range(600):
        view = free.observe(free.initial_state(seed), "white")
        counts.update(piece["name"] for piece in view["places"]["hand:white"]["pieces"])
    assert all(abs(count - 300) < 60 for count in counts.values())


def test_alike_outcomes_are_merged_with_their_weight() -> None:
    kind = PieceKind("stone", 0, 5, (), tuple(f"stone {i}" for i in range(5)))
    asm = Assembler(zones=(Place("a", "a"), Place("b", "b")), kinds=(kind,))
    asm.mark("start")
    for piece, place in ((0, 0), (1, 0), (2, 0), (3, 1), (4, 1)):
        asm.emit(ir.MovePiece(const(piece), const(place)))
    drawn = asm.cells()
    asm.emit(ir.Chance(drawn, upto(0, 4), Type("piece", "stone", 0, 4), "stone"))
    asm.emit(ir.Finish(asm.end()))
    decision = asm.game(chance="explicit").decision(asm.game(chance="explicit").initial_state())
    assert decision is not None
    assert list(decision.options) == ["stone@a", "stone@b"]
    assert decision.weights == (3, 2)


def test_revealing_ends_the_part_and_shows_the_piece() -> None:
    game = deal(reveal=True).game()
    state = game.initial_state(seed=1)
    step = game.choose(state, 0)
    assert step.part_ended
    assert step.barrier == "reveal"
    shown = game.observe(step.state, "black")["places"]["hand:white"]
    assert len(shown["pieces"]) == 1
    plain = deal().game()
    assert not plain.choose(plain.initial_state(1), 0).part_ended


def test_position_hash_does_not_tell_alike_pieces_apart() -> None:
    kind = PieceKind("stone", 0, 2, (), ("stone 1", "stone 2"))

    def placed(first: int, second: int) -> str:
        asm = Assembler(spaces=("a", "b", "c"), kinds=(kind,))
        asm.mark("start")
        asm.emit(ir.MovePiece(const(first), const(0)), ir.MovePiece(const(second), const(1)))
        asm.choose("$x", const(0), asm.cells(), integer(), options=upto(0, 1))
        asm.emit(ir.Finish(asm.end()))
        game = asm.game()
        return game.position_hash(game.initial_state())

    assert placed(0, 1) == placed(1, 0)


def test_individual_pieces_are_told_apart() -> None:
    def placed(first: int, second: int) -> str:
        asm = table()
        asm.emit(ir.MovePiece(const(first), const(BAG)), ir.MovePiece(const(second), const(ROW)))
        asm.choose("$x", const(0), asm.cells(), integer(), options=upto(0, 1))
        asm.emit(ir.Finish(asm.end()))
        game = asm.game()
        return game.position_hash(game.initial_state())

    assert placed(0, 1) != placed(1, 0)

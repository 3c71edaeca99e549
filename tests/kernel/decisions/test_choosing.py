"""Decisions: picks in order, sealed answers, searches, chance, calls and ids."""

from __future__ import annotations

from dataclasses import replace
from math import comb
from typing import Any

import pytest

from ludwright import program as ir
from ludwright.errors import IllegalMove, RulebookFault
from ludwright.kernel.interpreter.stop import STOP
from ludwright.kernel.play.game import core_of
from ludwright.kernel.play.session import Session
from ludwright.kernel.protocol.decision import CHANCE, Range
from ludwright.kernel.protocol.move import Move
from ludwright.program.types import Type
from ludwright.program.world import PieceKind
from tests.kernel.assembler import REGISTER, Assembler, const, integer, load, upto
from tests.kernel.six_spaces import SPACE, board, choose_many, finish

# --------------------------------------------------------------------- chooseN


def test_picks_ascend_so_that_each_set_has_one_path() -> None:
    game = choose_many().game()
    state = game.initial_state()
    decision = game.decision(state)
    assert decision is not None
    assert (decision.kind, decision.min, decision.max) == ("chooseN", 1, 2)
    assert not decision.can_stop
    after = game.choose(state, "c").state
    following = game.decision(after)
    assert following is not None
    assert list(following.options) == ["d", "e", "f"]
    assert following.picked == ("c",)
    assert following.can_stop
    assert game.perft(state, 1) == comb(6, 1) + comb(6, 2)


def test_the_last_option_ends_the_picks() -> None:
    game = choose_many().game()
    state = game.choose(game.initial_state(), "f").state
    assert game.decision(state) is None, "nothing is left behind f"


def test_a_whole_list_in_any_order_is_one_set() -> None:
    game = choose_many().game()
    state = game.initial_state()
    one = game.choose(state, ["d", "b"]).state
    assert one == game.choose(game.choose(state, "b").state, "d").state
    assert game.choose(state, ["b"]).state == game.replay(state, ["b", STOP])
    assert game.observe(one, None)["variables"]["picked"] == ["b", "d"]


@pytest.mark.parametrize(
    ("answer", "code"),
    [
        ([], "too-few"),
        (["a", "b", "c"], "too-many"),
        (["a", "a"], "not-an-option"),
        (["a", "z"], "not-an-option"),
        (STOP, "too-few"),
        (None, "too-few"),
        (3, "wrong-type"),
    ],
)
def test_wrong_picks_are_told(answer: object, code: str) -> None:
    game = choose_many().game()
    state = game.initial_state()
    with pytest.raises(IllegalMove) as caught:
        game.choose(state, answer)
    assert caught.value.code == code
    assert game.choose(state, "a").state, "the state is still good"


@pytest.mark.parametrize("kind", ["one", "many"])
def test_none_and_repetitions_are_no_options(kind: str) -> None:
    listed = ir.ItemsSource((const(2), const(-1), const(0), const(2), const(-1)))
    type_ = replace(SPACE, optional=True)
    one: dict[str, Any] = {"kind": "one", "type": type_, "result_type": type_}
    game = choose_many(options=listed, **(one if kind == "one" else {})).game()
    decision = game.decision(game.initial_state())
    assert decision is not None
    assert list(decision.options) == ["c", "a"]


def test_a_list_of_many_options_is_offered_whole() -> None:
    """More than sixty-four, which is as many as fit into a word of bits."""
    number = integer(0, 300)
    wanted = ir.Stream(
        (ir.Loop((REGISTER,), upto(1, 100)),), ir.Arith("*", load(REGISTER), const(3))
    )
    listed = ir.ListSource(ir.MakeList(wanted, 100, False, 0))
    asm = board()
    chosen = asm.variable("chosen", number)
    asm.choose("$x", const(0), chosen, number, options=listed)
    finish(asm)
    game = asm.game()
    state = game.initial_state()
    decision = game.decision(state)
    assert decision is not None
    assert list(decision.options) == list(range(3, 301, 3))
    assert game.observe(game.choose(state, 297).state, None)["variables"]["chosen"] == 297


def test_minimum_keeps_enough_options_back() -> None:
    game = choose_many(minimum=const(5), maximum=None).game()
    decision = game.decision(game.initial_state())
    assert decision is not None
    assert list(decision.options) == ["a", "b"]
    assert game.perft(game.initial_state(), 1) == 7


def test_as_many_as_possible_never_stops_early() -> None:
    game = choose_many(minimum=None, maximum=const(4), as_many=True).game()
    state = game.initial_state()
    assert game.perft(state, 1) == comb(6, 4)
    decision = game.decision(game.choose(state, "a").state)
    assert decision is not None
    assert not decision.can_stop


def test_sequences_keep_their_order() -> None:
    listed = Type("list", items=(SPACE,), cap=6)
    game = choose_many(result_type=listed, sequence=True, minimum=const(2)).game()
    state = game.initial_state()
    assert game.perft(state, 1) == 30
    assert game.choose(state, ["d", "b"]).state != game.choose(state, ["b", "d"]).state


def test_nothing_to_choose_is_not_asked() -> None:
    game = choose_many(options=ir.ConstSource(()), minimum=const(0)).game()
    assert game.decision(game.initial_state()) is None


def test_a_mandatory_choice_without_options_at_a_head_is_the_rulebooks_fault() -> None:
    game = choose_many(options=ir.ConstSource(())).game()
    with pytest.raises(RulebookFault) as caught:
        game.initial_state()
    assert caught.value.code == "no-option"


def test_alike_pieces_are_one_option_each_time() -> None:
    kind = PieceKind("troop", 0, 4, (), ("troop 1", "troop 2", "troop 3", "troop 4"))
    asm = board(kinds=(kind,))
    for piece, place in ((0, 0), (1, 0), (2, 0), (3, 1)):
        asm.emit(ir.MovePiece(const(piece), const(place)))
    piece_type = Type("piece", "troop", 0, 3)
    set_type = Type("set", items=(piece_type,))
    picked = asm.variable("picked", set_type)
    asm.choose("$t", const(0), picked, piece_type, kind="many", result_type=set_type,
               options=upto(0, 3), minimum=const(2), maximum=const(2))  # fmt: skip
    finish(asm)
    game = asm.game()
    state = game.initial_state()
    decision = game.decision(state)
    assert decision is not None
    assert list(decision.options) == ["troop@a"], "troop@b alone could not be completed to two"
    assert game.perft(state, 1) == 2  # two from a; one from each
    assert game.choose(state, ["troop@b", "troop@a"]).state == game.replay(
        state, ["troop@a", "troop@b"]
    )
    assert game.choose(state, ["troop 3", "troop 1"]).state == game.replay(
        state, ["troop@a", "troop@a"]
    )


# ---------------------------------------------------------------------- choices


def test_ranges_are_offered_as_ranges() -> None:
    asm = board()
    x = asm.variable("x", integer(0, 10**6))
    asm.choose("$x", const(0), x, integer(0, 10**6), options=upto(1, 10**6))
    finish(asm)
    game = asm.game()
    state = game.initial_state()
    decision = game.decision(state)
    assert decision is not None
    assert decision.options == Range(1, 10**6)
    assert game.observe(game.choose(state, 77).state, None)["variables"]["x"] == 77
    for wrong, code in ((0, "not-an-option"), ("a", "wrong-type"), (True, "wrong-type")):
        with pytest.raises(IllegalMove) as caught:
            game.choose(state, wrong)
        assert caught.value.code == code
    assert game.legal_moves(state) == [Move("x", {})]


def test_optional_choices_take_none() -> None:
    asm = board()
    x = asm.variable("x", Type("place", "space", 0, 5, optional=True), 3)
    type_ = Type("place", "space", 0, 5, optional=True)
    asm.choose("$x", const(0), x, SPACE, result_type=type_, options=upto(0, 5), optional=True)
    finish(asm)
    game = asm.game()
    state = game.initial_state()
    assert game.observe(game.choose(state, None).state, None)["variables"]["x"] is None
    assert game.perft(state, 1) == 7


def test_labels_show_only_what_their_guards_allow() -> None:
    asm = board()
    label = asm.cells()
    labels = (ir.Label("pay", const(0)), ir.Label("fight", const(1)), ir.Label("run"))
    asm.labels["l"] = ("pay", "fight", "run")
    head = asm.head("menu", "menu")
    asm.emit(ir.HeadEnter(head))
    asm.choose("$menu", const(1), label, Type("label", "l"), kind="labels", role="menu",
               labels=labels)  # fmt: skip
    finish(asm, head)
    game = asm.game()
    state = game.initial_state()
    assert game.current_seat(state) == "black"
    assert game.legal_moves(state) == [Move("fight"), Move("run")]
    assert game.apply_move(state, Move("run")).part_ended
    request = game.legal_choices(state, Move("pay"))
    assert (request.complete, request.legal) == (True, False)
    with pytest.raises(IllegalMove) as caught:
        game.apply_move(state, Move("pay"))
    assert caught.value.code == "refused"


# --------------------------------------------------------------- calls and ids


def test_decisions_in_called_procedures_resume_where_they_stopped() -> None:
    """One procedure called at two sites inside a loop of two: four ids, all answers kept."""
    asm = board()
    index, ret, x = asm.cells(), asm.cells(), asm.cells()
    total = asm.variable("total", integer(0, 10_000))
    small = integer(0, 9)
    asm.emit(ir.Store(index, const(0), small))
    asm.mark("top")
    asm.emit(ir.Branch(ir.Compare("<", load(index), const(2)), asm.at("out")))
    asm.mark("first")
    asm.emit(ir.CallProc(asm.at("proc"), ret))
    asm.mark("second")
    asm.emit(ir.CallProc(asm.at("proc"), ret))
    asm.emit(ir.Store(index, ir.Arith("+", load(index), const(1)), small), ir.Jump(asm.at("top")))
    asm.mark("out")
    finish(asm)
    asm.mark("proc")
    asm.choose("$x", const(0), x, small, options=upto(0, 9))
    digits = ir.Arith("+", ir.Arith("*", load(total), const(10)), load(x))
    asm.emit(ir.Store(total, digits, integer(0, 10_000), variable=0), ir.Return(ret))
    calls = {
        "first": ir.CallSite((index,), "proc", ("$x",)),
        "second": ir.CallSite((index,), "proc@2", ("$x",)),
    }
    asm.procedure("main", "start", "proc", -1, calls)
    asm.procedure("proc", "proc", "end-of-code", ret)
    game = asm.game()
    state = game.initial_state()
    ids = []
    for answer in (4, 3, 2, 1):
        state = game.state_from_bytes(state.to_bytes())  # nothing lives outside the cells
        decision = game.decision(state)
        assert decision is not None
        ids.append(decision.decision_id)
        state = game.choose(state, answer).state
    assert ids == ["proc.$x[0]", "proc@2.$x[0]", "proc.$x[1]", "proc@2.$x[1]"]
    assert game.observe(state, None)["variables"]["total"] == 4321


# ----------------------------------------------------------------------- sealed


def sealed() -> Assembler:
    asm = board(seats=("white", "black", "red"))
    bids = asm.variable("bid", integer(0, 9), scope="seat", count=3)
    answered, chooser = asm.cells(), asm.reg(0)
    head = asm.head("bid", "choice")
    asm.emit(ir.HeadEnter(head))
    high = ir.Arith("+", load(chooser), const(2))
    asm.choose("$bid", const(0b111), bids, integer(0, 9),
               options=ir.RangeSource(const(1), high), together=True, chooser=chooser,
               answered=answered)  # fmt: skip
    finish(asm, head)
    return asm


def test_sealed_answers_may_come_in_any_order() -> None:
    game = sealed().game()
    start = game.initial_state()
    decision = game.decision(start)
    assert decision is not None
    assert decision.together == ("white", "black", "red")
    red = game.decision(start, "red")
    assert red is not None
    assert red.options == Range(1, 4)
    finals = set()
    for order in (("white", "black", "red"), ("red", "white", "black"), ("black", "red", "white")):
        state = start
        for seat in order:
            assert game.result(state) is None
            state = game.choose(state, {"white": 1, "black": 2, "red": 4}[seat], seat).state
        finals.add(state.to_bytes())
    assert len(finals) == 1
    with pytest.raises(IllegalMove) as caught:
        game.choose(game.choose(start, 1, "white").state, 2, "white")
    assert caught.value.code == "not-your-turn"


def test_a_sealed_answer_can_be_withdrawn_until_the_last_one() -> None:
    game = sealed().game()
    start = game.initial_state()
    answered = game.choose(start, 2, "black").state
    assert game.withdraw(answered, "black") == start
    with pytest.raises(IllegalMove) as caught:
        game.withdraw(answered, "white")
    assert caught.value.code == "no-undo"


def test_sealed_answers_are_nobody_elses_business() -> None:
    game = sealed().game()
    start = game.initial_state()
    one, two = game.choose(start, 1, "white"), game.choose(start, 2, "white")
    assert one.events("black") == two.events("black")
    assert one.events("white") != two.events("white")
    moves = game.apply_move(start, Move("bid", {"$bid": 3}), seat="black")
    assert moves.state == game.choose(start, 3, "black").state


def test_determinizing_changes_sealed_answers_and_reseeds() -> None:
    game = sealed().game()
    state = game.choose(game.initial_state(), 4, "red").state
    seen = {game.determinize(state, "white", seed).to_bytes() for seed in range(20)}
    assert len(seen) > 3
    own = game.choose(game.initial_state(), 2, "white").state
    for seed in range(5):
        again = game.determinize(own, "white", seed)
        assert game.decision(again) == game.decision(own)


# ----------------------------------------------------------------------- chance


def dice() -> Assembler:
    asm = board()
    die, x = asm.variable("die", integer(0, 6)), asm.variable("x", integer(0, 6))
    head = asm.head("turn")
    asm.emit(ir.HeadEnter(head))
    asm.choose("$x", const(0), x, integer(0, 6), options=upto(1, 3))
    asm.emit(ir.Chance(die, upto(1, 6), integer(1, 6), "die", site=0))
    asm.choose("$y", const(0), x, integer(0, 6), options=ir.RangeSource(const(1), load(die)))
    finish(asm, head)
    return asm


def test_generator_answers_chance_at_once() -> None:
    game = dice().game()
    seen = set()
    for seed in range(40):
        step = game.choose(game.initial_state(seed), 1)
        assert step.part_ended
        assert step.barrier == "chance"
        rolled = [event for event in step.events() if event.kind == "rolled"]
        seen.add(rolled[0].fields["value"])
        assert game.observe(step.state, None)["variables"]["die"] == rolled[0].fields["value"]
    assert seen == {1, 2, 3, 4, 5, 6}


def test_explicit_chance_is_a_decision_with_weights() -> None:
    game = dice().game(chance="explicit")
    state = game.choose(game.initial_state(seed=5), 1).state
    decision = game.decision(state)
    assert decision is not None
    assert (decision.seat, decision.kind, decision.weights) == (CHANCE, "chance", (1,) * 6)
    assert game.initial_state(seed=1) == game.initial_state(seed=2)
    after = game.choose(state, 4).state
    following = game.decision(after)
    assert following is not None
    assert following.options == Range(1, 4)
    assert game.perft(game.initial_state(), 2) == 18
    assert game.legal_moves(state)[3] == Move(CHANCE, {"die": 4})
    assert game.apply_move(state, Move(CHANCE, {"die": 4}), CHANCE).state == after


def test_both_modes_reach_the_same_position() -> None:
    free, fixed = dice().game(), dice().game(chance="explicit")
    step = free.choose(free.initial_state(3), 2)
    value = next(event for event in step.events() if event.kind == "rolled").fields["value"]
    replayed = fixed.replay(fixed.initial_state(), [2, value])
    assert free.position_hash(step.state) == fixed.position_hash(replayed)


def test_a_move_walks_up_to_the_roll_and_no_further() -> None:
    game = dice().game()
    state = game.initial_state()
    request = game.legal_choices(state, Move("turn", {"$x": 2}))
    assert request.complete
    assert request.stops_at == "chance"
    step = game.apply_move(state, Move("turn", {"$x": 2}))
    assert game.legal_moves(step.state) == [Move("turn", {})]
    assert not game.legal_choices(step.state, Move("turn", {})).complete


def test_a_roll_cannot_be_undone_but_a_choice_can() -> None:
    game = choose_many(minimum=const(3), maximum=const(3)).game()
    session = Session(game, game.initial_state())
    states = [session.state]
    for answer in "ab":
        session.choose(answer)
        states.append(session.state)
    assert session.undo().to_bytes() == states[1].to_bytes()
    assert session.choose("b").state == states[2]
    session.undo()
    session.undo()
    assert session.state is states[0]
    assert not session.can_undo
    assert [event.kind for event in session.events("black")].count("undone") == 3
    rolled = Session(dice().game(), dice().game().initial_state())
    rolled.choose(1)
    assert not rolled.can_undo


# --------------------------------------------------------------------- searches


def subset_sum(target: int, safe: bool = False, **more: Any) -> Assembler:
    """Two picks of 0..5 in turn whose sum must be `target`."""
    asm = board()
    a, b = asm.cells(), asm.variable("b", integer(0, 9))
    head = asm.head("turn")
    asm.emit(ir.HeadEnter(head))
    asm.choose("$a", const(0), a, integer(0, 9), options=upto(0, 5), safe=safe, **more)
    asm.choose("$b", const(0), b, integer(0, 9), options=upto(0, 5), safe=safe)
    total = ir.Arith("+", load(a), load(b))
    asm.emit(ir.Require(ir.Compare("==", total, const(target)), 0))
    finish(asm, head)
    return asm


def test_only_what_can_be_finished_is_offered() -> None:
    game = subset_sum(8).game()
    state = game.initial_state()
    decision = game.decision(state)
    assert decision is not None
    assert list(decision.options) == [3, 4, 5]
    assert decision.legality == ("legal",) * 3
    after = game.decision(game.choose(state, 3).state)
    assert after is not None
    assert list(after.options) == [5]
    assert after.forced
    assert game.perft(state, 1) == 3


def test_the_rule_that_takes_an_option_away_is_named() -> None:
    game = subset_sum(8).game()
    state = game.choose(game.initial_state(), 3).state
    with pytest.raises(IllegalMove) as caught:
        game.choose(state, 2)
    assert caught.value.code == "refused"
    assert caught.value.rule == "a rule"


def test_budget_of_one_leaves_everything_open_but_playable() -> None:
    game = subset_sum(8).game(search_budget=1)
    state = game.initial_state()
    decision = game.decision(state)
    assert decision is not None
    assert list(decision.options) == [0, 1, 2, 3, 4, 5]
    assert set(decision.legality) == {"unknown"}
    after = game.decision(game.choose(state, 3).state)
    assert after is not None
    assert 5 in after.options
    with pytest.raises(IllegalMove) as caught:
        game.choose(game.choose(state, 3).state, 4)
    assert caught.value.code == "refused"


def test_a_dead_end_behind_an_unknown_option_says_so() -> None:
    game = subset_sum(8).game(search_budget=6)
    state = game.initial_state()
    decision = game.decision(state)
    assert decision is not None
    assert "unknown" in decision.legality
    dead = game.decision(game.choose(state, 1).state)
    assert dead is not None
    assert dead.dead_end
    assert list(dead.options) == []
    copy = game.state_from_bytes(game.choose(state, 1).state.to_bytes())
    assert game.decision(copy) == dead


def test_unsatisfiable_choices_go_elsewhere() -> None:
    asm = subset_sum(99)
    asm.choices[0] = replace(asm.choices[0], empty=asm.at("none"))
    asm.mark("none")
    asm.emit(ir.Finish(asm.end("draw", "nothing fits")))
    game = asm.game()
    result = game.result(game.initial_state())
    assert result is not None
    assert result.reason == "nothing fits"


def test_search_remembers_states_it_has_seen() -> None:
    """Twelve of thirty with an impossible sum: hopeless without a memo."""
    spaces = tuple(f"s{i}" for i in range(16))
    asm = Assembler(spaces=spaces)
    asm.mark("start")
    count, total, x, label = asm.cells(), asm.cells(), asm.cells(), asm.cells()
    head = asm.head("turn")
    asm.labels["l"] = ("go",)
    asm.emit(ir.HeadEnter(head))
    asm.choose("go", const(0), label, Type("label", "l"), kind="labels", role="menu", silent=True,
               labels=(ir.Label("go"),), safe=False, empty=asm.at("none"))  # fmt: skip
    asm.mark("top")
    asm.emit(ir.Branch(ir.Compare("<", load(count), const(16)), asm.at("check")))
    asm.choose("$x", const(0), x, integer(0, 1), options=upto(0, 1), safe=False)
    asm.emit(ir.Store(total, ir.Arith("+", load(total), load(x)), integer()))
    asm.emit(ir.Store(count, ir.Arith("+", load(count), const(1)), integer()))
    asm.emit(ir.Zero(((x, 1),)), ir.Jump(asm.at("top")))
    asm.mark("check")
    asm.emit(ir.Require(ir.Compare("==", load(total), const(99)), 0))
    finish(asm, head)
    asm.mark("none")
    asm.emit(ir.Finish(asm.end("draw", "none")))
    game = asm.game()
    assert game.result(game.initial_state()) is not None
    assert core_of(game).machine.search.nodes < 400


def test_best_keeps_only_the_largest() -> None:
    asm = board()
    best, a, b = asm.cells(), asm.cells(), asm.variable("b", integer(0, 9))
    head = asm.head("turn")
    asm.emit(ir.HeadEnter(head), ir.BestBegin(0, best, integer()))
    asm.choose("$a", const(0), a, integer(0, 9), options=upto(0, 3), safe=False)
    asm.choose("$b", const(0), b, integer(0, 9), safe=False,
               options=ir.RangeSource(const(0), ir.Arith("-", const(3), load(a))))  # fmt: skip
    twice = ir.Arith("*", ir.Arith("+", load(a), load(b)), load(b))
    asm.emit(ir.BestEnd(0, best, integer(), ir.Arith("min", twice, const(6)), 0))
    finish(asm, head)
    game = asm.game()
    state = game.initial_state()
    decision = game.decision(state)
    assert decision is not None
    # (a + b) * b with a + b <= 3, at most 6: (0,3) gives 9 -> 6, (1,2) gives 6
    assert list(decision.options) == [0, 1]
    assert game.perft(state, 1) == 2
    after = game.decision(game.choose(state, 1).state)
    assert after is not None
    assert list(after.options) == [2]


def test_refusing_after_a_roll_is_the_rulebooks_fault() -> None:
    asm = board()
    die = asm.cells()
    head = asm.head("turn")
    asm.emit(ir.HeadEnter(head))
    asm.choose("$x", const(0), asm.cells(), integer(0, 9), options=upto(0, 1))
    asm.emit(ir.Chance(die, upto(1, 6), integer(1, 6), "die"), ir.Require(const(0), 0))
    finish(asm, head)
    game = asm.game()
    state = game.initial_state()
    before = state.to_bytes()
    with pytest.raises(RulebookFault) as caught:
        game.choose(state, 0)
    assert caught.value.code == "late-refusal"
    assert state.to_bytes() == before

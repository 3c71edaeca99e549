"""Generator, storage, states and the plain course of a game."""

from __future__ import annotations

import json
import pickle

import pytest

from ludwright import program as ir
from ludwright.errors import IllegalMove
from ludwright.kernel.play.game import core_of
from ludwright.kernel.play.session import Session
from ludwright.kernel.protocol.move import Move
from ludwright.program.cells import decoder, encoder, set_members
from ludwright.program.position_key import position_key
from ludwright.program.rng import Generator, cell_seed, draw, mix, seed_cells
from ludwright.program.types import Type
from tests.kernel.boards import tic_tac_toe


def test_generator_gives_the_published_numbers() -> None:
    generator = Generator(1234567)
    assert [generator.next(), generator.next()] == [6457827717110365317, 3203168211198807973]
    assert mix(1234567) == 6457827717110365317


def test_generator_in_cells_equals_the_one_outside() -> None:
    cells = [0, 0]
    seed_cells(cells, 0xFEDCBA9876543210)
    assert cell_seed(cells) == 0xFEDCBA9876543210
    outside = Generator(0xFEDCBA9876543210)
    for n in (2, 6, 52, 1000):
        assert draw(cells, n) == outside.below(n)
    assert cell_seed(cells) == outside.state


def test_bounded_draws_are_even() -> None:
    generator = Generator(1)
    counts = [0] * 6
    for _ in range(6000):
        counts[generator.below(6)] += 1
    assert min(counts) > 850
    assert max(counts) < 1150


@pytest.mark.parametrize(
    ("type_", "value"),
    [
        (Type("int"), 7),
        (Type("set", items=(Type("place", lo=0, hi=80),)), (1 << 80) | (1 << 31) | 5),
        (Type("tuple", items=(Type("int"), Type("seat"))), (4, 1)),
        (Type("tuple", items=(Type("int"), Type("seat")), optional=True), -1),
        (Type("list", items=(Type("int"),), cap=5), (3, 1, 2)),
        (Type("list", items=(Type("tuple", items=(Type("int"), Type("int"))),), cap=3), ((1, 2),)),
    ],
)
def test_values_come_back_from_cells(type_: Type, value: object) -> None:
    cells = [9] * (type_.width + 2)
    encoder(type_)(cells, 1, value)
    assert decoder(type_)(cells, 1) == value
    assert (cells[0], cells[-1]) == (9, 9), "neighbours stay untouched"
    assert all(-(2**31) <= cell < 2**31 for cell in cells)


def test_set_members_ascend() -> None:
    assert set_members(0b1010001, 10) == [10, 14, 16]


def test_position_keys_differ_where_positions_do() -> None:
    keys = {position_key(values) for values in ([1, 2], [2, 1], [(1, 2)], [-1], [1 << 40], [])}
    assert len(keys) == 6


def test_position_keys_show_where_a_set_ends() -> None:
    """The same words, shared out differently between two sets."""
    sets = ([1, 2 | 3 << 64], [1 | 2 << 64, 3], [1 | 2 << 64 | 3 << 128])
    assert len({position_key(values) for values in sets}) == 3


def test_position_keys_count_the_words_before_the_first_member() -> None:
    """One piece on the first space of a board, and on the first of every 64 behind it."""
    for before in ([], [0], [0, 0]):
        keys = {position_key([*before, 1 << 64 * word]) for word in range(4)}
        assert len(keys) == 4
    assert len({position_key([0] * count) for count in range(5)}) == 5


def test_perft_of_tic_tac_toe() -> None:
    game = tic_tac_toe().game()
    state = game.initial_state()
    assert [game.perft(state, depth) for depth in range(6)] == [1, 9, 72, 504, 3024, 15120]


def test_finished_games_leave_no_longer_sequences() -> None:
    game = tic_tac_toe().game()
    state = game.replay(game.initial_state(), ["a1", "a2", "b1", "b2"])
    assert game.perft(state, 1) == 5
    assert game.perft(state, 2) == 16  # one of the five moves wins


def test_a_line_wins_and_says_so() -> None:
    game = tic_tac_toe().game()
    state = game.replay(game.initial_state(), ["a1", "a2", "b1", "b2", "c1"])
    result = game.result(state)
    assert result is not None
    assert result.winners == ("white",)
    assert result.ranking == [("white",), ("black",)]
    assert result.scores == {"white": 1, "black": -1}
    assert result.reason == "three in a row"
    assert game.decision(state) is None
    assert game.legal_moves(state) == []
    assert game.current_seat(state) is None
    with pytest.raises(IllegalMove) as caught:
        game.choose(state, "c3")
    assert caught.value.code == "game-over"


def test_states_are_values() -> None:
    game = tic_tac_toe().game()
    start = game.initial_state()
    before = start.to_bytes()
    one = game.choose(start, "b2").state
    other = game.choose(start, "b2").state
    assert one == other
    assert hash(one) == hash(other)
    assert one != start
    game.legal_moves(start)
    game.observe(start, "white")
    game.position_hash(start)
    assert start.to_bytes() == before == game.initial_state().to_bytes()


def test_states_survive_every_form_of_saving() -> None:
    game = tic_tac_toe().game()
    state = game.choose(game.initial_state(), "b2").state
    for copy in (
        game.state_from_bytes(state.to_bytes()),
        game.state_from_json(json.loads(json.dumps(game.state_to_json(state)))),
        pickle.loads(pickle.dumps(state)),
    ):
        assert copy == state
        assert game.decision(copy) == game.decision(state)
        assert game.choose(copy, "a1").state == game.choose(state, "a1").state


def test_state_of_another_game_is_refused() -> None:
    one, other = tic_tac_toe().game(), tic_tac_toe().game(chance="explicit")
    with pytest.raises(ValueError, match="another game"):
        other.decision(one.initial_state())


def test_moves_of_a_simple_action_are_listed_and_applied() -> None:
    game = tic_tac_toe().game()
    state = game.initial_state()
    moves = game.legal_moves(state)
    assert moves[0] == Move("place", {"cell": "a1"})
    assert len(set(moves)) == 9
    applied = game.apply_move(state, moves[4], seat="white")
    assert applied.state == game.choose(state, "b2").state
    assert applied.part_ended
    assert [event.kind for event in applied.events()] == ["chose", "changed"]
    assert applied.events()[1].fields == {
        "variable": "mark", "of": "b2", "old": None, "new": "white",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("move", "seat", "code"),
    [
        (Move("place", {"cell": "b2"}), "black", "not-your-turn"),
        (Move("jump", {}), None, "unknown-action"),
        (Move("place", {}), None, "missing-choice"),
        (Move("place", {"cell": "z9"}), None, "not-an-option"),
        (Move("place", {"cell": 4}), None, "wrong-type"),
        (Move("place", {"cell": None}), None, "not-an-option"),
        (Move("place", {"cell": "b2", "more": 1}), None, "unknown-param"),
    ],
)
def test_refusals_have_stable_codes(move: Move, seat: str | None, code: str) -> None:
    game = tic_tac_toe().game()
    state = game.initial_state()
    with pytest.raises(IllegalMove) as caught:
        game.apply_move(state, move, seat)
    assert caught.value.code == code
    why = game.why(state, move, seat)
    assert (why.legal, why.code) == (False, code)
    assert game.why(state, Move("place", {"cell": "b2"})).legal
    with pytest.raises(ValueError, match="there is no seat `nobody`"):
        game.apply_move(state, move, "nobody")


def test_legal_choices_walk_a_move_to_its_end() -> None:
    game = tic_tac_toe().game()
    state = game.initial_state()
    request = game.legal_choices(state, Move("place"))
    assert not request.complete
    assert (request.decision_id, request.kind, request.seat) == ("cell", "chooseOne", "white")
    assert list(request.options)[:3] == ["a1", "b1", "c1"]
    done = game.legal_choices(state, Move("place", {"cell": "a1"}))
    assert done.complete
    assert done.legal
    assert done.stops_at == "end"


def test_notation_is_written_and_read() -> None:
    game = tic_tac_toe().game()
    state = game.initial_state()
    move = Move("place", {"cell": "c3"})
    assert game.notation(state, move) == "c3"
    assert game.parse_move(state, " c3 ") == move
    with pytest.raises(IllegalMove) as caught:
        game.parse_move(state, "z9")
    assert caught.value.code == "unreadable"


def test_observation_is_plain_json() -> None:
    game = tic_tac_toe().game()
    state = game.choose(game.initial_state(), "b2").state
    black, white = game.observe(state, "black"), game.observe(state, "white")
    assert json.loads(json.dumps(black)) == black
    assert black["variables"]["mark"]["b2"] == "white"
    assert "options" in black["decision"]
    assert "options" not in white["decision"]


def test_undo_stops_at_the_start_of_the_part() -> None:
    game = tic_tac_toe().game()
    session = Session(game, game.initial_state())
    assert not session.can_undo
    session.choose("b2")
    assert not session.can_undo, "the other seat has the word now"
    with pytest.raises(IllegalMove) as caught:
        session.undo()
    assert caught.value.code == "no-undo"


def test_position_hash_leaves_out_clocks() -> None:
    game = tic_tac_toe().game()
    one = game.replay(game.initial_state(seed=1), ["a1", "b2", "c3"])
    two = game.replay(game.initial_state(seed=2), ["c3", "b2", "a1"])
    assert game.position_hash(one) == game.position_hash(two)
    assert one.state_hash != two.state_hash
    other = game.replay(game.initial_state(), ["a1", "b2", "c2"])
    assert game.position_hash(other) != game.position_hash(one)


def test_set_up_can_be_told() -> None:
    game = tic_tac_toe().game()
    step = core_of(game).start(seed=4)
    assert step.state == game.initial_state(seed=4)
    assert step.events() == []


def test_number_of_players_is_checked() -> None:
    game = tic_tac_toe().game()
    with pytest.raises(ValueError, match="players"):
        game.initial_state(players=3)
    with pytest.raises(ValueError, match="scenario"):
        game.initial_state(scenario="short")
    assert game.initial_state(players=2).cells[ir.PLAYERS] == 2

"""The promises of the kernel as checks of one random game each."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from ludwright.agents.answers import Answers, unproven
from ludwright.errors import IllegalMove
from ludwright.kernel.play.agent_dice import Dice
from ludwright.kernel.play.game import Game, core_of
from ludwright.kernel.play.session import Session
from ludwright.kernel.protocol.decision import CHANCE, Decision
from ludwright.kernel.protocol.state import State
from ludwright.kernel.views.position_hash import Positions
from ludwright.kernel.views.state_check import pieces_problem, variables_problem
from ludwright.simulate.recorder import Recorder, outcomes
from ludwright.simulate.replay import replay
from ludwright.simulate.trace import trace_from_json
from ludwright.testing.moves import MoveProtocol
from ludwright.testing.walks import Walk, dealt_anew, random_walk, readable

Check = Callable[[Walk, int], None]


def conformance(
    game: Game,
    *,
    games: int = 2,
    seed: int = 0,
    limit: int = 200,
    sample: int = 12,
    players: int | None = None,
    checks: Mapping[str, Check] | None = None,
) -> None:
    """Play random games and check every promise on them; raises at the first that is broken.

    `limit` is the number of decisions in a game, `sample` the number of states that the dearer
    checks look at in each.
    """
    for number in range(games):
        walk = random_walk(game, seed + number, limit, players)
        for check in (checks or CHECKS).values():
            check(walk, sample)


# ------------------------------------------------------------------------------ states


def round_trips(walk: Walk, sample: int) -> None:
    """Bytes and JSON hold all there is to a state."""
    game = walk.game
    for at, state in enumerate(walk.states):
        if game.state_from_bytes(state.to_bytes()) != state:
            walk.fail(at, "a state comes back from its bytes as another")
    for at, state, decision in walk.stops(sample):
        text = json.dumps(game.state_to_json(state))
        for copy in (
            game.state_from_bytes(state.to_bytes()),
            game.state_from_json(json.loads(text)),
        ):
            if copy.to_bytes() != state.to_bytes() or hash(copy) != hash(state):
                walk.fail(at, "a state comes back from its JSON as another")
            if game.decision(copy) != decision:
                walk.fail(at, "a restored state asks something else")
            if game.position_hash(copy) != game.position_hash(state):
                walk.fail(at, "a restored state is another position")


def nothing_changes(walk: Walk, sample: int) -> None:
    """No state changes after it was returned, whatever was done with it since."""
    for at, (state, data) in enumerate(zip(walk.states, walk.recorded, strict=True)):
        fresh = State(state.game_id, state.cells)
        if fresh.to_bytes() != data or state.to_bytes() != data:
            walk.fail(at, "a state has changed after it was returned")


def deterministic(walk: Walk, sample: int) -> None:
    """The same seed and the same answers give the same bytes."""
    again = walk.game.initial_state(seed=walk.seed, players=walk.players)
    for at, answer in enumerate(walk.answers):
        if again.to_bytes() != walk.recorded[at]:
            walk.fail(at, "the same answers lead to other bytes")
        again = walk.game.choose(again, answer).state
    if again.to_bytes() != walk.recorded[-1]:
        walk.fail(len(walk.answers), "the same answers lead to other bytes")


def in_range(walk: Walk, sample: int) -> None:
    """Every variable holds a value of its type."""
    for at, state in enumerate(walk.states):
        found = variables_problem(walk.game.program, state.cells)
        if found is not None:
            walk.fail(at, found)


def pieces_conserved(walk: Walk, sample: int) -> None:
    """Every piece is in one place or none, and every place knows its pieces."""
    for at, state in enumerate(walk.states):
        found = pieces_problem(walk.game.program, state.cells)
        if found is not None:
            walk.fail(at, found)


# ----------------------------------------------------------------------------- options


def options_complete(walk: Walk, sample: int) -> None:
    """Whatever is offered can be finished, however one goes on."""
    game = walk.game
    dice = Dice(walk.seed)
    for at, state, decision in walk.stops(sample):
        answers = Answers(decision)
        if not answers and not decision.dead_end:
            walk.fail(at, "a decision without options")
        for index in dice.sample(len(answers), 6):
            _complete(walk, at, game, state, decision, answers[index], dice)


def _complete(
    walk: Walk, at: int, game: Game, state: State, decision: Decision, answer: Any, dice: Dice
) -> None:
    proven = not unproven(decision)
    for _ in range(10_000):
        try:
            step = game.choose(state, answer, decision.seat)
        except IllegalMove as error:
            if proven:
                walk.fail(at, f"`{answer}` was offered for `{decision.decision_id}`, but: {error}")
            return
        state = step.state
        following = game.decision(state)
        if step.part_ended or following is None:
            return
        decision = following
        answers = Answers(decision)
        if not answers:
            if proven:
                walk.fail(at, f"nothing can be answered to `{decision.decision_id}`")
            return
        proven = proven and not unproven(decision)
        answer = answers[dice.pick(len(answers))]
    walk.fail(at, "a move without end")


def moves_complete(walk: Walk, sample: int) -> None:
    """Moves that are listed can be completed, what is complete applies, and all questions about
    them agree; the wrong seat cannot make them."""
    game = walk.game
    for at, state, decision in walk.stops(sample):
        protocol = MoveProtocol(game, Dice(walk.seed + at), partial(walk.fail, at))
        protocol.check(state, 2)
        if protocol.count["faults"]:
            walk.fail(at, "a move ends in a fault")
        for move in [] if decision.dead_end else game.legal_moves(state)[:2]:
            for seat in walk.seats():
                theirs = seat == decision.seat or seat in decision.together
                if not theirs and game.why(state, move, seat).legal:
                    walk.fail(at, f"`{seat}` may make a move of `{decision.seat}`")


# ----------------------------------------------------------------------------- secrets


def secrets_kept(walk: Walk, sample: int) -> None:
    """Nothing that a seat can read depends on what it cannot see."""
    game = walk.game
    for at, state, decision in walk.stops(sample):
        for seat in walk.seats():
            _could_be(walk, at, state, game.determinize(state, seat, seed=walk.seed + at), seat)
            other = dealt_anew(game, state, seat, walk.seed + at)
            if other is None or other.to_bytes() == state.to_bytes():
                continue
            if readable(game, state, seat) != readable(game, other, seat):
                walk.fail(at, f"`{seat}` can tell what it does not see")
            if seat == decision.seat:
                _same_after_answers(walk, at, state, other, decision)


def _could_be(walk: Walk, at: int, state: State, other: State, seat: str) -> None:
    """What `determinize` gives is a state in which the seat observes the same."""
    game = walk.game
    if game.state_from_bytes(other.to_bytes()) != other:
        walk.fail(at, "`determinize` gives a state that comes back from its bytes as another")
    if game.observe(state, seat) != game.observe(other, seat):
        walk.fail(at, f"`determinize` gives a state in which `{seat}` would observe something else")
    decision = game.decision(other)
    if decision is not None and not Answers(decision) and not decision.dead_end:
        walk.fail(at, "`determinize` gives a state in which nothing can be answered")


def _same_after_answers(
    walk: Walk, at: int, state: State, other: State, decision: Decision
) -> None:
    """The same holds after every answer that brings nothing new, and for every wrong one."""
    game, seat = walk.game, decision.seat
    answers = Answers(decision)
    wrong: list[Any] = ["nothing of the kind", -1, None, [], True]
    chosen = [answers[index] for index in Dice(at).sample(len(answers), 4)]
    for answer in [*chosen, *wrong]:
        results: list[Any] = []
        for one in (state, other):
            try:
                step = game.choose(one, answer, seat)
            except IllegalMove as error:
                results.append(str(error))
                continue
            if step.part_ended:
                results.append("part ended")
            elif step.learned:
                results.append("learned")
            else:
                events = [event.to_json() for event in step.events(seat)]
                results.append((readable(game, step.state, seat), json.dumps(events)))
        if results[0] != results[1]:
            walk.fail(at, f"`{seat}` can tell what it does not see by answering `{answer}`")


# ------------------------------------------------------------------- chance, undo, traces


def undo_restores(walk: Walk, sample: int) -> None:
    """Undo gives the exact state before, redo the exact state after."""
    game = walk.game
    session = Session(game, walk.states[0])
    for at, answer in enumerate(walk.answers):
        session.choose(answer)
        if session.can_undo:
            if session.undo().to_bytes() != walk.recorded[at]:
                walk.fail(at, "undo leads to another state")
            session.choose(answer)
        if session.state.to_bytes() != walk.recorded[at + 1]:
            walk.fail(at, "redo leads to another state")


def chance_agrees(walk: Walk, sample: int) -> None:
    """With the outcomes of the generator, explicit chance leads to the same positions."""
    free = walk.game
    if free.chance != "generator":
        return
    fixed = Game(free.program, free.gamedef_json, "explicit", gamedef=free.gamedef)
    fallen = list(outcomes(core_of(free).start(walk.seed, walk.players).events()))
    state = fixed.initial_state(players=walk.players)
    for at in range(len(walk.states)):
        while fixed.current_seat(state) == CHANCE:
            if not fallen:
                walk.fail(at, "the generator drew less than explicit chance asks for")
            state = fixed.choose(state, fallen.pop(0)).state
        if fallen:
            walk.fail(at, "the generator drew more than explicit chance asks for")
        if not _same_position(fixed, state, free, walk.states[at]):
            walk.fail(at, "the generator and explicit chance lead to different positions")
        if at < len(walk.answers):
            state = fixed.choose(state, walk.answers[at]).state
            fallen += outcomes(walk.steps[at].events())


def _same_position(fixed: Game, state: State, free: Game, other: State) -> bool:
    """While something holds one of several alike pieces, its number counts, and that depends on
    what was drawn. What can be seen is still the same."""
    positions = Positions(core_of(free).machine)
    if any(positions.holds_pieces(one.shared_cells) for one in (state, other)):
        return fixed.observe(state, None) == free.observe(other, None)
    return fixed.position_hash(state) == free.position_hash(other)


def traces_replay(walk: Walk, sample: int) -> None:
    """A trace that was written and read again leads through the same states."""
    game = walk.game
    if game.chance != "generator":
        return
    recorder = Recorder(game, walk.states[0])
    for state, answer, step in zip(walk.states, walk.answers, walk.steps, strict=False):
        decision = game.decision(state)
        assert decision is not None
        recorder.add(decision, answer, step)
    players = len(walk.seats())
    trace = recorder.trace("walk", game.gamedef_hash, {}, players, walk.seed)
    found = replay(game, game.gamedef_hash, trace_from_json(json.loads(trace.to_json())))
    if found.difference is not None:
        walk.fail(len(walk.answers), f"the trace cannot be replayed: {found.difference}")


CHECKS: Mapping[str, Check] = {
    "round trips": round_trips,
    "deterministic": deterministic,
    "in range": in_range,
    "pieces conserved": pieces_conserved,
    "options complete": options_complete,
    "moves complete": moves_complete,
    "secrets kept": secrets_kept,
    "undo restores": undo_restores,
    "chance agrees": chance_agrees,
    "traces replay": traces_replay,
    "nothing changes": nothing_changes,
}

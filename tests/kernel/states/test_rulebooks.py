"""The kernel on compiled rulebooks: promises that hold for every game, at every stop."""

from __future__ import annotations

import json
import random

import pytest

import ludwright as lw
from ludwright.kernel.play.game import Game
from ludwright.kernel.protocol.move import ChoiceRequest, Move
from ludwright.kernel.protocol.state import State

GOOFSPIEL = """
# Goofspiel
```yaml
game: { id: goofspiel, title: Goofspiel, players: 2 }
vars: { "Seat.held": "set[1..4] = all", "Seat.points": 0..91, prizes: "set[1..4] = all" }
flow:
  - repeat:
      while: any(prizes)
      max: 13
      do:
        - roll prize in prizes
        - chooseOne: { bind: $bid, by: seats, together: true, options: chooser.held, ifNone: fault }
        - forEach: { bind: p, over: seats, do: ["p.held = p.held - [$bid[p]]"] }
        - let top = max($bid[p] for p in seats)
        - let tied = [p for p in seats if $bid[p] == top]
        - if: { when: count(tied) == 1, then: ["tied[0].points += prize"] }
        - prizes = prizes - [prize]
  - end game draw
```
"""

DRAUGHTS = """
# Draughts
```yaml
game: { id: draughts, title: Draughts, players: 2 }
seats: [white, black]
spaces: { board: { grid: [8, 8], keep: dark } }
pieces: { man: { owner: seat, king: bool } }
vars: { jumped: bool }
fns:
  forward(me): "[northeast, northwest] if me == white else [southeast, southwest]"
  dirs(x): "diagonal if x.king else forward(x.owner)"
  emptyAt(c): c != none and c.piece == none
  enemyAt(c, me): c != none and c.piece != none and c.piece.owner != me
  jumps(c): >
    (step(c, d), step(step(c, d), d)) for d in dirs(c.piece)
    if enemyAt(step(c, d), c.piece.owner) and emptyAt(step(step(c, d), d))
  walks(c): step(c, d) for d in dirs(c.piece) if emptyAt(step(c, d))
  lastRank(me): 8 if me == white else 1
actions:
  - id: jump
    params: { origin: c for c in board if c.piece.owner == actor and any(jumps(c)) }
    effects:
      - jumped = true
      - let here = origin
      - let crowned = false
      - repeat:
          while: not crowned and any(jumps(here))
          max: 12
          do:
            - chooseOne: { bind: $to, options: "t for o, t in jumps(here)" }
            - remove between(here, $to).piece
            - move here.piece to $to
            - here = $to
            - if:
                when: rank(here) == lastRank(actor) and not here.piece.king
                then: [crowned = true, here.piece.king = true]
    notation: "{origin}x{$to*}"
  - id: walk
    params: { origin: c for c in board if c.piece.owner == actor, target: walks(origin) }
    effects:
      - jumped = false
      - move origin.piece to target
      - if rank(target) == lastRank(actor) then target.piece.king = true
    notation: "{origin}-{target}"
turn: { offer: [jump, walk], best: "1 if jumped else 0" }
noMoves: [{ win: opponent(active), reason: no moves }]
setup:
  - for c in board do if rank(c) <= 3 then place man of white at c
  - for c in board do if rank(c) >= 6 then place man of black at c
```
"""

TEXTS = {"goofspiel": GOOFSPIEL, "draughts": DRAUGHTS}
STOPS = 60  # looked at in each game


def games() -> list[str]:
    return [*TEXTS, *lw.shipped_games()]


def built(name: str, **options: str) -> Game:
    chance = "explicit" if options.get("chance") == "explicit" else "generator"
    if name in TEXTS:
        return lw.load_text(TEXTS[name], chance=chance)  # type: ignore[arg-type]
    return lw.load(name, chance=chance)  # type: ignore[arg-type]


def stops(game: Game, seed: int) -> list[State]:
    """States of one random game, up to a limit."""
    rng = random.Random(seed)
    state = game.initial_state(seed=seed)
    found = [state]
    while len(found) < STOPS and (decision := game.decision(state)) is not None:
        state = game.choose(state, rng.choice(decision.answers)).state
        found.append(state)
    return found


def completed(game: Game, state: State, move: Move, rng: random.Random) -> Move:
    """A template filled with random answers."""
    for _ in range(200):
        request: ChoiceRequest = game.legal_choices(state, move)
        if request.complete:
            return move
        assert request.decision_id is not None
        if request.kind == "chooseN":
            assert request.min is not None
            answer: object = list(request.options)[: request.min]
        else:
            answer = rng.choice(list(request.options))
        move = move.with_param(request.decision_id, answer)
    raise AssertionError("a move without end")


@pytest.mark.parametrize("name", games())
def test_states_hold_all_there_is(name: str) -> None:
    game = built(name)
    for state in stops(game, 1):
        data = state.to_bytes()
        copy = game.state_from_bytes(data)
        assert game.decision(copy) == game.decision(state)
        for seat in game.seats[: state.cells[12]]:
            json.dumps(game.observe(state, seat))
        game.position_hash(state)
        game.legal_moves(state)
        assert state.to_bytes() == data


@pytest.mark.parametrize("name", games())
def test_every_listed_move_can_be_applied(name: str) -> None:
    game = built(name)
    rng = random.Random(7)
    for state in stops(game, 2)[:25]:
        decision = game.decision(state)
        if decision is None:
            continue
        moves = game.legal_moves(state)
        assert moves
        assert len(set(moves)) == len(moves)
        for move in rng.sample(moves, min(4, len(moves))):
            whole = completed(game, state, move, rng)
            game.validate_move(state, whole, decision.seat)
            assert game.why(state, whole).legal


@pytest.mark.parametrize("name", games())
def test_same_seed_and_answers_give_the_same_bytes(name: str) -> None:
    one, two = built(name), built(name)
    assert [s.to_bytes() for s in stops(one, 3)] == [s.to_bytes() for s in stops(two, 3)]


@pytest.mark.parametrize("name", games())
def test_a_generator_game_replays_with_explicit_chance(name: str) -> None:
    free, fixed = built(name), built(name, chance="explicit")
    rng = random.Random(5)
    state, other = free.initial_state(seed=5), fixed.initial_state()
    rolls: list[object] = []
    for _ in range(30):
        decision = free.decision(state)
        if decision is None:
            break
        if fixed.current_seat(other) == "chance":
            break  # rolls of the set-up are not told as events of a step
        answer = rng.choice(decision.answers)
        step = free.choose(state, answer)
        state = step.state
        rolls += [e.fields["value"] for e in step.events() if e.kind == "rolled"]
        other = fixed.choose(other, answer).state
        while fixed.current_seat(other) == "chance":
            other = fixed.choose(other, rolls.pop(0)).state
        assert free.position_hash(state) == fixed.position_hash(other)


@pytest.mark.parametrize("name", games())
def test_nothing_hidden_shows(name: str) -> None:
    game = built(name)
    for state in stops(game, 4)[:15]:
        for seat in game.seats[: state.cells[12]]:
            other = game.determinize(state, seat, 11)
            assert game.observe(other, seat) == game.observe(state, seat)


def test_perft_of_draughts() -> None:
    game = built("draughts")
    assert [game.perft(game.initial_state(), depth) for depth in (1, 2, 3)] == [7, 49, 302]


def test_a_chain_of_jumps_is_one_move_with_indexed_answers() -> None:
    game = built("draughts")
    rng = random.Random(1)
    for seed in range(40):
        state = game.initial_state(seed=seed)
        for _ in range(60):
            decision = game.decision(state)
            if decision is None:
                break
            if decision.decision_id == "$to[1]":
                assert decision.action == "jump"
                assert not decision.head
                return
            state = game.choose(state, rng.choice(decision.answers)).state
    raise AssertionError("no double jump in forty games")

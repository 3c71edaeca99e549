"""Twin worlds: pairs of states that differ only in what a seat does not see.

Whatever a seat is told must be the same in both: what it observes, is asked and offered, how moves
and refusals read, what the screen shows, and the log of every step after which it still observes the
same. Twins are made in two ways that know nothing of each other:

- `dealt_anew` changes everything hidden in one state;
- `other_histories` plays the game again with other outcomes of chance and other hidden answers, as
  long as the seat has observed the same all the way. Any state they lead to is one the seat could be
  in, so they also say what `determinize` may give.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import ludwright as lw
from ludwright.agents.answers import Answers
from ludwright.cli.screen.move_log import Line
from ludwright.cli.screen.record import Record
from ludwright.kernel.play.agent_dice import Dice
from ludwright.kernel.play.game import Game, core_of
from ludwright.kernel.play.played_moves import move_of, move_text
from ludwright.kernel.play.session import Session
from ludwright.kernel.protocol.decision import Decision
from ludwright.kernel.protocol.state import State
from ludwright.kernel.protocol.step import Step
from ludwright.testing.walks import dealt_anew
from tests.cli.conversation import sit

CHANCE = "chance"


class Leak(AssertionError):
    """A seat can tell two states apart that look the same to it, or `determinize` goes astray."""


# ------------------------------------------------------------------------- messages


def asked(game: Game, state: State, seat: str) -> Decision | None:
    """The decision that a seat is asked, if it is."""
    decision = game.decision(state, seat)
    if decision is None or seat not in (decision.seat, *decision.together):
        return None
    return decision


def message(game: Game, state: State, seat: str, dice: Dice) -> list[str]:
    """Everything that a seat can get to read in a state."""
    seen = game.observe(state, seat)
    parts = [json.dumps(seen), game.draw(state, seat)]
    decision = asked(game, state, seat)
    if decision is not None:
        parts += [repr(decision), str(decision), screen(game, state, seat, decision)]
    if decision is not None and game.current_seat(state) == seat:
        moves = game.legal_moves(state)
        parts.append(repr(moves))
        whole = True
        for index in dice.sample(len(moves), 4):
            text = game.notation(state, moves[index])
            request = game.legal_choices(state, moves[index])
            parts += [text, repr(request)]
            whole = whole and request.complete
            parts.append(repr(game.why(state, moves[index], seat)))
            if request.complete:
                parts.append(_outcome(lambda text=text: game.parse_move(state, text)))
        if whole:  # otherwise every completion of every template would be written down
            parts.append(_outcome(lambda: game.parse_move(state, "nothing of the kind")))
    for wrong in _wrong_answers(game, dice):
        parts.append(_outcome(lambda wrong=wrong: game.choose(state, wrong, seat) and "taken"))
    return parts


def screen(game: Game, state: State, seat: str, decision: Decision) -> str:
    """What `ludwright play` shows to a person who is asked and types this and that."""
    table, script = sit(game, ["moves", "log", "board", "why nothing", "99", "undo"], [seat])
    table.record = Record(game, table.record.setting, state)
    try:
        table.ask(table.question(seat))
        table.ask(table.question(seat))
    except EOFError:
        pass
    return script.text


def _outcome(call: Any) -> str:
    try:
        return repr(call())
    except lw.IllegalMove as error:
        return f"{error} | {error!r} | {error.code} {error.rule} {error.reason} {error.span}"


def _wrong_answers(game: Game, dice: Dice) -> Iterator[Any]:
    """Answers that are hardly ever right, and the names of pieces wherever they lie."""
    yield from ("nothing of the kind", -1, None, [], True, lw.STOP, 10**6, ["x", "y"])
    names = core_of(game).values.piece_names
    for index in dice.sample(len(names), 6):
        yield names[index]
        yield [names[index]]
    places = game.program.world.places
    for index in dice.sample(len(places), 2):
        yield f"{game.program.world.kinds[0].name if names else ''}@{places[index].name}"


def log(game: Game, state: State, step: Step, decision: Decision, answer: Any, seat: str) -> str:
    """What a seat reads of a step: its events, its part of a session's log, the line on the screen."""
    events = [event.to_json() for event in step.events(seat)]
    if game.observe(state, seat)["decision"] is not None and decision.seat != CHANCE:
        move = move_text(game, state, move_of([(decision, answer)]))
        told = Line(decision.seat, move, (step,)).text(seat)
    else:
        told = ""
    session = Session(game, state)
    session.took(step, decision.seat)
    return json.dumps([events, told, [event.to_json() for event in session.events(seat)]])


# ------------------------------------------------------------------- dealt anew


def check(game: Game, seed: int, limit: int, players: int | None = None) -> int:
    """One random game; every seat, at every decision. Gives the number of twins compared."""
    dice = Dice(seed)
    state = game.initial_state(seed=seed, players=players)
    compared = 0
    for at in range(limit):
        decision = game.decision(state)
        if decision is None or not Answers(decision):
            break
        answer = Answers(decision)[dice.pick(len(Answers(decision)))]
        try:
            step = game.choose(state, answer)
        except lw.IllegalMove:
            break  # an option of unknown legality
        for number, seat in enumerate(game.seats_in_play(state)):
            check_determinize(game, state, seat, seed + at)
            twin = dealt_anew(game, state, seat, 1000 * seed + 10 * at + number)
            if twin is not None:
                twin = _same_generator(game, twin, state)
                compared += 1
                _compare(game, state, twin, seat, at)
                _compare_step(game, (state, twin), (decision, answer, step), seat, at)
        state = step.state
    return compared


def _same_generator(game: Game, twin: State, state: State) -> State:
    cells = [*state.cells[:2], *twin.cells[2:]]
    return game.state_from_json({**game.state_to_json(twin), "cells": cells})


def _compare(game: Game, one: State, two: State, seat: str, at: int) -> None:
    pairs = zip(message(game, one, seat, Dice(at)), message(game, two, seat, Dice(at)), strict=True)
    for here, there in pairs:
        if here != there:
            raise Leak(f"`{seat}` is told\n{here}\nwhere another world tells\n{there}")


def _compare_step(
    game: Game, worlds: tuple[State, State], done: tuple[Decision, Any, Step], seat: str, at: int
) -> None:
    one, two = worlds
    decision, answer, step = done
    there = game.decision(two)
    assert there is not None
    twin_answer = answer if answer in list(Answers(there)) else Answers(there)[0]
    try:
        twin_step = game.choose(two, twin_answer)
    except (lw.IllegalMove, lw.RulebookFault):
        if decision.seat == seat:
            raise Leak(f"`{seat}` may answer {answer!r} in one world only") from None
        return
    if game.observe(step.state, seat) != game.observe(twin_step.state, seat):
        return  # the rules have shown it something
    if _open_answers(game, step) != _open_answers(game, twin_step):
        return  # so has another seat: what it picked before in this step is now known
    if _values_on_the_way(game, step, seat) != _values_on_the_way(game, twin_step, seat):
        return  # so has a variable in its sight, which has changed again since
    pair = (
        log(game, one, step, decision, answer, seat),
        log(game, two, twin_step, there, twin_answer, seat),
    )
    if pair[0] != pair[1]:
        raise Leak(f"after {answer!r} `{seat}` reads\n{pair[0]}\nin another world\n{pair[1]}")


def _values_on_the_way(game: Game, step: Step, seat: str) -> list[Any]:
    """What the variables that everybody sees have held during a step."""
    seen = {each.name for each in game.program.variables if each.scope == "global"}
    told = (event.to_json() for event in step.events(seat))
    return [
        (event["variable"], event["new"])
        for event in told
        if event["event"] == "changed" and event["variable"] in seen
    ]


def _open_answers(game: Game, step: Step) -> list[Any]:
    """Answers that are neither sealed nor pieces, which everybody hears of; and those whose seal
    is open now."""
    told = (raw for raw in step.raw_events if raw[0] == "chose")
    found = [(by, game.program.choice_at(pc), answer) for _, by, pc, answer in told]
    opened = [event.to_json() for event in step.events() if event.kind == "opened"]
    return [
        (by, answer)
        for by, choice, answer in found
        if not choice.together and not choice.type.holds_pieces
    ] + opened


# --------------------------------------------------------------------- determinizing


def check_determinize(game: Game, state: State, seat: str, seed: int) -> None:
    """The result is sound, observed alike, and every sealed answer in it can be given again."""
    other = game.determinize(state, seat, seed)
    if game.determinize(state, seat, seed) != other:
        raise Leak("`determinize` depends on more than its seed")
    if game.observe(other, seat) != game.observe(state, seat):
        raise Leak(f"`{seat}` observes something else in a determinized state")
    other = game.state_from_bytes(other.to_bytes())
    decision = game.decision(other)
    if decision is None:
        return
    for one in game.seats_in_play(other):
        if one != seat:
            _answers_again(game, other, one)
    for _ in range(3):  # play goes on
        decision = game.decision(other)
        if decision is None or not Answers(decision):
            break
        try:
            other = game.choose(other, Answers(decision)[seed % len(Answers(decision))]).state
        except lw.IllegalMove:
            break


def _among(game: Game, state: State, seat: str, name: str, words: str) -> str:
    """What an option is called beside the others: one of several alike pieces has a longer name
    there. People read the same words for it."""
    decision = game.decision(state, seat)
    assert decision is not None
    texts = game.option_texts(state, seat)
    if name in decision.options or texts.count(words) != 1:
        return name
    return str(decision.options[texts.index(words)])


def _answers_again(game: Game, state: State, seat: str) -> None:
    """What a seat has answered under seal is one of its answers."""
    core, index = core_of(game), game.seats.index(seat)
    stop = core.machine.stop_at(list(state.cells))
    if stop.choice is None or not stop.choice.together:
        return
    point = core.machine.choices[stop.pc]
    if not state.cells[point.choice.answered] >> index & 1:
        return
    try:
        open_again = game.withdraw(state, seat)
    except lw.IllegalMove:
        return  # it had nothing to choose from, and is not asked
    cells, type_ = list(state.cells), point.choice.type
    if point.choice.kind == "many":
        picked = point.picks(cells, index)
        names = [core_of(game).values.options(cells, type_, [pick])[0] for pick in picked]
        answer: Any = [*names] if names else lw.STOP
    else:
        at = point.choice.result + index * point.choice.result_type.width
        value = cells[at]
        answer = None
        if value != point.choice.result_type.none:
            answer = core_of(game).values.options(cells, type_, [value])[0]
            answer = _among(game, open_again, seat, answer, core.wording.value(type_, value))
    try:
        again = game.choose(open_again, answer, seat).state
    except lw.IllegalMove as error:
        raise Leak(f"`{seat}` could not have answered {answer!r}: {error}") from None
    if again != state:
        raise Leak(f"the sealed answer {answer!r} of `{seat}` is stored in another way")


# ------------------------------------------------------------------- other histories


def other_histories(game: Game, answers: list[Any], seat: str, most: int) -> list[list[State]]:
    """All games with explicit chance in which a seat observes the same as in the game with these
    answers: the states of each, up to `most` games."""
    truth = [game.initial_state()]
    for answer in answers:
        truth.append(game.choose(truth[-1], answer).state)
    seen = [game.observe(state, seat) for state in truth]
    found: list[list[State]] = []
    stack: list[list[State]] = [[game.initial_state()]]
    while stack and len(found) < most:
        path = stack.pop()
        if len(path) == len(truth):
            found.append(path)
            continue
        decision = game.decision(path[-1])
        assert decision is not None
        free = decision.seat == CHANCE or bool(decision.together and decision.seat != seat)
        free = free or (decision.seat != seat and _secret(game, path[-1]))
        for answer in list(Answers(decision)) if free else [answers[len(path) - 1]]:
            try:
                following = game.choose(path[-1], answer).state
            except lw.IllegalMove:
                continue
            if game.observe(following, seat) == seen[len(path)]:
                stack.append([*path, following])
    return found


def _secret(game: Game, state: State) -> bool:
    choice = core_of(game).machine.stop_at(list(state.cells)).choice
    return choice is not None and choice.type.holds_pieces

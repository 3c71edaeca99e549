"""Whatever is done to a trace is noticed, with the entry it was done to."""

from __future__ import annotations

import copy
import json
from functools import cache
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ludwright as lw
from ludwright.agents import RandomAgent
from ludwright.simulate import Recorder, Trace, TraceError, play_out, replay
from ludwright.simulate.trace import _plain, _seals, trace_from_json

GAMES = ["pig", "nim", "harvest-fair", "kuhn-poker", "hearts", "goofspiel", "delta"]
VALUES: list[Any] = [
    None,
    True,
    False,
    0,
    1,
    -1,
    2**70,
    1.5,
    "",
    "p1",
    "chance",
    "__stop",
    [],
    [1],
    {},
    "0" * 32,
]


@cache
def played(name: str) -> tuple[lw.Game, Trace]:
    game = lw.load(name, engine="python")
    state = game.initial_state(seed=5)
    recorder = Recorder(game, state)
    agents = {seat: RandomAgent(7) for seat in game.seats_in_play(state)}
    play_out(game, state, agents, limit=60, recorder=recorder)
    players = len(game.seats_in_play(state))
    trace = recorder.trace(name, game.gamedef_hash, {}, players, 5)
    assert len(trace.entries) > 1
    return game, trace


def changed_somewhere(data: Any, draw: st.DrawFn) -> Any:
    """One value in the data replaced, removed or repeated."""
    at = data
    while isinstance(at, dict | list) and at:
        key = draw(st.sampled_from(sorted(at) if isinstance(at, dict) else range(len(at))))
        if isinstance(at[key], dict | list) and at[key] and draw(st.integers(0, 4)):
            at = at[key]
            continue
        kind = draw(st.sampled_from(["replace", "remove", "add"]))
        if kind == "replace":
            at[key] = draw(st.sampled_from(VALUES))
        elif kind == "remove":
            del at[key]
        elif isinstance(at, list):
            at.insert(draw(st.integers(0, len(at))), copy.deepcopy(at[key]))
        else:
            at["more"] = at[key]
        return data
    return data


REARRANGED = ["remove", "repeat", "swap", "cut"]


def rearrange(entries: list[Any], how: str, one: int, two: int) -> None:
    match how:
        case "remove":
            del entries[one]
        case "repeat":
            entries.insert(two, copy.deepcopy(entries[one]))
        case "swap":
            entries[one], entries[two] = entries[two], entries[one]
        case "cut":
            del entries[one:]


@st.composite
def mutants(draw: st.DrawFn) -> tuple[str, Any]:
    """A trace as JSON, with entries or single values changed."""
    name = draw(st.sampled_from(GAMES))
    data = json.loads(played(name)[1].to_json())
    entries = data["entries"]
    one, two = (draw(st.integers(0, len(entries) - 1)) for _ in range(2))
    match draw(st.sampled_from(["value", "value", *REARRANGED, "splice"])):
        case "splice":
            entries[one]["params"], entries[two]["params"] = (
                entries[two]["params"], entries[one]["params"],
            )  # fmt: skip
        case "value":
            changed_somewhere(data, draw)
        case how:
            rearrange(entries, how, one, two)
    return name, data


@settings(max_examples=400, deadline=None, derandomize=True)
@given(mutants())
def test_a_changed_file_is_noticed_and_the_entry_named(mutant: tuple[str, Any]) -> None:
    name, data = mutant
    game, trace = played(name)
    try:
        found = trace_from_json(data)
    except TraceError as error:
        told = str(error)
        assert any(word in told for word in ("entry ", "`", "not an object")), told
        return
    # nothing that means anything was changed
    assert found == trace
    assert replay(game, game.gamedef_hash, found).ok


def number_of_first_change(data: Any, trace: Trace) -> int:
    """The first entry, from 1, that is not as it was; 0 for the set-up."""
    before = json.loads(trace.to_json())
    if any(data[key] != before[key] for key in before if key not in ("entries", "stopped", "end")):
        return 0
    for number, (one, two) in enumerate(zip(data["entries"], before["entries"], strict=False), 1):
        if one != two:
            return number
    return 1 + min(len(data["entries"]), len(before["entries"]))


@settings(max_examples=200, deadline=None, derandomize=True)
@given(st.sampled_from(GAMES), st.data())
def test_the_first_changed_entry_is_the_one_that_is_named(name: str, data: st.DataObject) -> None:
    """Entries removed, repeated, exchanged and cut off."""
    _, trace = played(name)
    saved = json.loads(trace.to_json())
    entries = saved["entries"]
    one, two = (data.draw(st.integers(0, len(entries) - 1)) for _ in range(2))
    rearrange(entries, data.draw(st.sampled_from(REARRANGED)), one, two)
    number = number_of_first_change(saved, trace)
    if saved == json.loads(trace.to_json()):
        return
    with pytest.raises(TraceError, match=rf"entry {number}\b"):
        trace_from_json(saved)


def sealed_anew(data: dict[str, Any]) -> dict[str, Any]:
    """As a forger would do it."""
    head = {
        key: value
        for key, value in data.items()
        if key not in ("entries", "stopped", "seal", "end")
    }
    entries = [
        {key: value for key, value in entry.items() if key != "seal"} for entry in data["entries"]
    ]
    first, *seals, last = _seals(head, entries, data["stopped"])
    found = [{**entry, "seal": seal} for entry, seal in zip(entries, seals, strict=True)]
    return {**data, "seal": first, "entries": found, "end": last}


@settings(max_examples=400, deadline=None, derandomize=True)
@given(mutants())
def test_a_forged_trace_is_held_to_the_rules(mutant: tuple[str, Any]) -> None:
    """With seals that fit again: a game as the rules have it, or a difference with its entry."""
    name, data = mutant
    game, trace = played(name)
    try:
        sealed = sealed_anew(data)
    except (AttributeError, TypeError, KeyError):  # the forger could not seal it
        return
    try:
        forged = trace_from_json(sealed)
    except TraceError:
        return
    try:
        found = replay(game, game.gamedef_hash, forged)
    except TraceError:
        assert _plain(forged)[0] != _plain(trace)[0], "only the set-up is refused as a whole"
        return
    difference = found.difference
    if difference is not None:
        assert 0 <= difference.step <= len(forged.entries) + 1
        return
    assert len(found.states) == len(forged.entries) + 1
    for entry, state in zip(forged.entries, found.states[1:], strict=True):
        assert game.state_hash(state) == entry.state_hash
    # what is left is a beginning of the same game
    assert forged.entries == trace.entries[: len(forged.entries)]

"""For designers: what is behind a position, and the position as a test.

Shows everything, hidden things included. It exists only where the server was started with
`--develop`, for whoever writes the rulebook.
"""

from __future__ import annotations

import pprint
from pathlib import Path
from typing import Any

from ludwright.kernel.views.observation import SPECTATOR
from ludwright.loading import known_games
from ludwright.table.match import Match


def behind(match: Match, at: int | None) -> dict[str, Any]:
    """The observations of all seats at a position, and the events on the way to it."""
    last = len(match.positions) - 1
    here = last if at is None else max(0, min(at, last))
    position = match.positions[here]
    viewers = [*match.seats, SPECTATOR]
    return {
        "at": here,
        "views": {
            "everything": match.game.observe(position.state, None),
            **{seat.strip("_"): match.game.observe(position.state, seat) for seat in viewers},
        },
        "events": [event.to_json() for event in position.step.events()],
        "before": match.game.observe(match.positions[here - 1].state, None) if here else None,
        "test": as_test(match, here),
    }


def as_test(match: Match, at: int) -> str:
    """A test in Python that plays to a position and says what is asked there."""
    rules, record = match.rules, match.record
    answers = [(p.seat, p.answer) for p in match.positions[1 : at + 1] if p.decision is not None]
    given = "".join(f", {name}={value}" for name, value in rules.record.parameters.items())
    scenario = f", scenario={record.scenario!r}" if record.scenario else ""
    state = match.positions[at].state
    decision = match.game.decision(state)
    if decision is not None:
        expected = f"    assert game.current_seat(state) == {decision.seat!r}\n"
    else:
        expected = "    assert game.decision(state) is None\n"
    return (
        "import ludwright as lw\n\n"
        f"ANSWERS = {pprint.pformat(answers, width=88)}\n\n\n"
        "def test_position() -> None:\n"
        f"    game = lw.load({_loaded_as(match)!r}{given})\n"
        f"    state = game.initial_state(seed={record.seed}, players={record.players}{scenario})\n"
        "    for seat, answer in ANSWERS:\n"
        "        state = game.choose(state, answer, seat).state\n"
        f"{expected}"
        f"    assert state.state_hash == {state.state_hash!r}\n"
    )


def _loaded_as(match: Match) -> str:
    """What `load` is given for the rules of a match: a shipped game by its name, else the file, or
    the folder where there are several."""
    books = [Path(name) for name in match.rules.record.sources if name.endswith(".md")]
    first = books[0] if books else Path(f"{match.rules.gamedef.id}.md")
    for name, path in known_games().items():
        if path in (first, first.parent):
            return name
    return first.name if len(books) < 2 else first.parent.name

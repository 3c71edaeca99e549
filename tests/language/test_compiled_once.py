"""One version of code for several ways to call it; and lists that are made once."""

from __future__ import annotations

from collections import Counter

import ludwright as lw
from ludwright import program as ir
from ludwright.kernel.interpreter.machine import Machine
from ludwright.loading import compile_text
from ludwright.program.nodes import walk
from tests.native.support import needs_native

BOOK = """
```yaml
game: { id: both, title: Both, players: 2 }
seats: [red, blue]
spaces: { land: { track: 3 } }
pieces: { man: { owner: seat, count: 6 } }
tables: { Card: [{ id: storm, bad: true }, { id: feast, bad: false }] }
vars: { total: 0..99, current: Card = storm, turns: 0..9 }
setup: ["for p in seats do place 4 man of p at land1"]
procs:
  give(n):
    - chooseOne: { bind: $much, options: 1..n }
    - total += $much
  march(p):
    - chooseN: { bind: $x, options: "x for s in land for x in s if x.owner == p", by: class, min: 1, max: 2 }
    - move all of $x to land2
events:
  - id: storm
    unshaded: [total += 1, give(2)]
    shaded: ["give(3, by=blue)", march(red)]
  - id: feast
    unshaded: [total += 2]
    shaded: [march(blue)]
actions:
  - id: play
    effects: [turns += 1, resolve current]
  - id: trade
    effects: [turns += 1, give(2)]
flow:
  - repeat:
      while: turns < 4
      max: 9
      do:
        - offer: { by: red }
        - resolve current
        - current = feast
        - resolve current
  - end game
end: [{ draw: true, reason: over }]
```
"""


def _program() -> ir.Program:
    made = compile_text(BOOK)
    assert made.ok, made.diagnostics.items
    assert made.program is not None
    return made.program


def test_an_event_and_what_others_decide_have_one_version() -> None:
    names = Counter(procedure.name for procedure in _program().procedures)
    assert names["card storm"] == names["card feast"] == 1
    assert names["give"] == names["march"] == 1


@needs_native
def test_both_ways_to_call_play_alike_on_both_engines() -> None:
    from ludwright.native.machine import NativeMachine
    from ludwright.testing.lockstep import lockstep

    program = _program()
    plain, native = Machine(program), NativeMachine(program)
    for seed in range(5):
        made, difference = lockstep(plain, native, seed, 2, 60)
        assert difference is None
        assert made > 10


def test_in_the_flow_an_event_is_a_move_of_its_own() -> None:
    game = lw.load_text(BOOK, engine="python")
    state = game.choose(game.initial_state(), "trade").state
    step = game.choose(state, 1)
    decision = game.decision(step.state)
    assert decision is not None
    assert step.part_ended
    assert (decision.name, decision.options) == ("side", ("unshaded", "shaded"))


def test_a_choice_by_class_looks_for_the_pieces_once() -> None:
    chosen = [choice for choice in _program().choices if choice.name == "$x"]
    assert chosen
    for choice in chosen:
        assert sum(isinstance(node, ir.PiecesSource) for node in walk(choice.options)) == 1


def test_an_observation_belongs_to_the_caller() -> None:
    game = lw.load_text(BOOK, engine="python")
    state = game.initial_state()
    first = game.observe(state, "red")
    first["places"]["land1"]["pieces"][0]["kind"] = "scribbled"
    first["variables"]["total"] = -1
    again = game.observe(state, "red")
    assert {piece["kind"] for piece in again["places"]["land1"]["pieces"]} == {"man"}
    assert again["variables"]["total"] == 0

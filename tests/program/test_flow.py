"""The control-flow graph: it knows every instruction, and no run leaves it."""

from __future__ import annotations

import random
from contextlib import suppress
from dataclasses import replace
from typing import Any

import pytest

import ludwright as lw
from ludwright import program as ir
from ludwright.kernel.interpreter.instructions import Instructions
from ludwright.loading import game_from
from ludwright.program import instructions
from ludwright.program.flow import (
    SEQUENTIAL,
    Exits,
    effects_only,
    ends_part,
    exits,
    leaders,
    suspending,
    within_procedures,
)
from tests.kernel.assembler import Assembler, const, integer, upto
from tests.native.rulebooks.writing import rulebook

INSTRUCTIONS = {
    kind
    for kind in vars(instructions).values()
    if isinstance(kind, type) and issubclass(kind, ir.Instr) and kind is not ir.Instr
}
NUMBER = integer(0, 9)
PLAIN = ir.Choice("$a", "choice", "one", NUMBER, 30, NUMBER, const(0), options=upto(0, 2))
CHOICES = (PLAIN, replace(PLAIN, empty=7), replace(PLAIN, together=True))
ELSEWHERE: list[tuple[ir.Instr, Exits]] = [
    (ir.Jump(4), Exits(False, (4,))),
    (ir.Branch(const(1), 4), Exits(True, (4,))),
    (ir.Switch(const(1), (4, 5), 6), Exits(False, (4, 5, 6))),
    (ir.Return(30), Exits(False)),
    (ir.Choose(0), Exits(True)),
    (ir.Choose(1), Exits(True, (7,))),
    (ir.Finish(0), Exits(False)),
    (ir.FaultHere("no-moves", 0), Exits(False)),
]


@pytest.mark.parametrize(("instr", "expected"), ELSEWHERE, ids=lambda item: type(item).__name__)
def test_how_control_leaves_an_instruction(instr: ir.Instr, expected: Exits) -> None:
    assert exits(instr, CHOICES) == expected


def test_every_instruction_has_a_place_in_the_graph() -> None:
    branching = {type(instr) for instr, _ in ELSEWHERE}
    assert set(SEQUENTIAL).isdisjoint(branching)
    assert SEQUENTIAL | branching == INSTRUCTIONS


def test_an_unknown_instruction_is_refused() -> None:
    class Unheard(ir.Instr):
        __slots__ = ()

    with pytest.raises(TypeError, match="Unheard has no place"):
        exits(Unheard(), ())


def test_every_barrier_ends_a_part() -> None:
    barriers = {
        kind
        for kind in INSTRUCTIONS
        if "barrier" in kind.__dataclass_fields__  # type: ignore[attr-defined]
    }
    examples: list[Any] = [
        ir.Store(30, const(1), NUMBER),
        ir.Branch(const(1), 4),
        ir.Switch(const(1), (4,), 5),
        ir.MovePiece(const(0), const(0)),
        ir.MoveAll(ir.Const((0,)), const(0)),
    ]
    assert barriers == {type(instr) for instr in examples}
    for instr in examples:
        assert not ends_part(instr, CHOICES)
        assert ends_part(replace(instr, barrier=True), CHOICES)
    assert not ends_part(ir.Choose(0), CHOICES)
    assert ends_part(ir.Choose(2), CHOICES), "a sealed decision shows what others answered"


def test_blocks_begin_at_targets_entries_and_returns() -> None:
    code = [ir.Branch(const(1), 3), ir.CallProc(5, 30), ir.Tick(), ir.Choose(1), ir.Finish(0)]
    assert leaders(code, CHOICES) == {3, 5, 2, 7}


def test_a_procedure_suspends_if_one_that_it_calls_does() -> None:
    bodies: dict[int, list[ir.Instr]] = {
        0: [ir.CallProc(1, 30)],
        1: [ir.CallProc(2, 31)],
        2: [ir.Chance(30, upto(0, 2), NUMBER, "die")],
        3: [ir.CallProc(4, 32)],
        4: [ir.Tick()],
    }
    assert suspending(bodies) == {0, 1, 2}


# ------------------------------------------------------------------- against the engine


def _games(monkeypatch: pytest.MonkeyPatch, steps: set[tuple[int, int]]) -> Any:
    """Makes the interpreter tell which instruction followed which."""
    compile_ = Instructions.compile

    def watched(self: Instructions) -> list[Any]:
        def watch(pc: int, step: Any) -> Any:
            def run(cells: Any) -> int:
                following: int = step(cells)
                steps.add((pc, following))
                return following

            return run

        return [watch(pc, step) for pc, step in enumerate(compile_(self))]

    monkeypatch.setattr(Instructions, "compile", watched)


def _outside(program: ir.Program, steps: set[tuple[int, int]]) -> list[tuple[int, int]]:
    """The steps that the graph does not know."""
    code = program.code
    graph = within_procedures(code, program.choices)
    after_calls = {pc + 1 for pc, instr in enumerate(code) if isinstance(instr, ir.CallProc)}
    unknown: list[tuple[int, int]] = []
    for pc, following in sorted(steps):
        instr = code[pc]
        if isinstance(instr, ir.CallProc):
            known = following == instr.entry
        elif isinstance(instr, ir.Return):
            known = following in after_calls
        else:
            known = following in graph[pc]
        if following >= 0 and not known:
            unknown.append((pc, following))
    return unknown


@pytest.mark.parametrize("name", ["chess", "backgammon", "draughts", "harvest-fair", "delta"])
def test_no_run_leaves_the_graph(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    steps: set[tuple[int, int]] = set()
    _games(monkeypatch, steps)
    game = lw.load(name, engine="python")
    _play(game, 60)
    assert len(steps) > 20
    assert _outside(game.program, steps) == []


def test_no_run_of_a_generated_rulebook_leaves_the_graph(monkeypatch: pytest.MonkeyPatch) -> None:
    steps: set[tuple[int, int]] = set()
    _games(monkeypatch, steps)
    played = 0
    for seed in range(7):
        found = lw.compile_text(rulebook(random.Random(seed)))
        if not found.ok:
            continue
        steps.clear()
        game = game_from(found, engine="python")
        with suppress(lw.LudwrightError):  # generated rules may fault; what ran until then counts
            _play(game, 12)
        played += 1
        assert _outside(game.program, steps) == []
    assert played > 4


def _play(game: Any, decisions: int) -> None:
    rng = random.Random(1)
    state = game.initial_state(seed=1)
    for _ in range(decisions):
        decision = game.decision(state)
        if decision is None or not decision.options:
            return
        state = game.choose(state, rng.choice(decision.options)).state


# ------------------------------------------------------------------------ effects only


def test_only_the_end_of_its_own_move_leaves_effects_only() -> None:
    asm = Assembler(spaces=("a",))
    asm.mark("start")
    outer, inner = asm.head("outer"), asm.head("inner")
    cells = [asm.cells() for _ in range(3)]
    asm.emit(ir.HeadEnter(outer))
    asm.choose("$a", const(0), cells[0], integer(0, 9), options=upto(0, 2))
    asm.emit(ir.HeadEnter(inner))
    asm.choose("$b", const(0), cells[1], integer(0, 9), options=upto(0, 2))
    asm.emit(ir.HeadExit(inner))
    asm.choose("$c", const(0), cells[2], integer(0, 9), options=upto(0, 2))
    asm.emit(ir.HeadExit(outer), ir.Finish(asm.end()))
    program = replace(asm.program(), refusing=())
    of_outer, of_inner = effects_only(program)
    b, c = 3, 5
    assert b + 1 not in of_outer, "$c is still to come"
    assert c + 1 in of_outer
    assert b + 1 in of_inner


def test_effects_are_left_after_the_last_choice() -> None:
    program = lw.load("chess", engine="python").program
    (left,) = effects_only(program)
    last = {
        choice.name: pc + 1 in left
        for pc, instr in enumerate(program.code)
        if isinstance(instr, ir.Choose) and (choice := program.choices[instr.choice])
    }
    assert last == {"action": False, "origin": False, "target": False, "promote": True}

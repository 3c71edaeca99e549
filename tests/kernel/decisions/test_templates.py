"""Actions that are listed as templates, and completed one answer after another."""

from __future__ import annotations

import pytest

from ludwright import program as ir
from ludwright.errors import IllegalMove
from ludwright.kernel.interpreter.stop import STOP
from ludwright.kernel.protocol.move import Move
from ludwright.program.types import Type
from tests.kernel.assembler import Assembler, const, integer, load, upto
from tests.kernel.six_spaces import SPACE, board, choose_many, finish


def operation(options: ir.Source, guard: ir.Expr | None = None) -> Assembler:
    """An offer of an action that pays 3, listed as a template, and of passing."""
    asm = board()
    money = asm.variable("money", integer(0, 9), 5)
    label, x = asm.cells(), asm.variable("x", SPACE)
    asm.labels["offer"] = ("train", "pass")
    asm.actions += [
        ir.ActionInfo("train", (), None, template=True, site=0),
        ir.ActionInfo("pass", (), None),
    ]
    head = asm.head("turn")
    asm.emit(ir.HeadEnter(head))
    labels = (ir.Label("train", guard, 0), ir.Label("pass", None, 1))
    asm.choose("offer", const(0), label, Type("label", "offer"), kind="labels", role="action",
               labels=labels, safe=False)  # fmt: skip
    asm.emit(ir.Branch(ir.Compare("==", load(label), const(0)), asm.at("done")))
    asm.choose("$x", const(0), x, SPACE, options=options)
    paid = ir.Arith("-", load(money), const(3))
    asm.emit(ir.Store(money, paid, integer(0, 9), overflow="refuse", variable=0))
    asm.mark("done")
    finish(asm, head)
    return asm


def test_operations_are_templates_completed_step_by_step() -> None:
    game = operation(upto(0, 2)).game()
    state = game.initial_state()
    template = Move("train", {})
    assert game.legal_moves(state) == [template, Move("pass", {})]
    request = game.legal_choices(state, template)
    assert (request.complete, request.name, list(request.options)) == (False, "$x", ["a", "b", "c"])
    complete = template.with_param("$x", "b")
    assert game.legal_choices(state, complete).complete
    after = game.apply_move(state, complete).state
    assert game.observe(after, None)["variables"] == {"money": 2, "x": "b"}
    with pytest.raises(IllegalMove) as caught:
        game.apply_move(state, template)
    assert caught.value.code == "missing-choice"
    with pytest.raises(IllegalMove) as wrong:
        game.legal_choices(state, template.with_param("$x", "f"))
    assert wrong.value.code == "not-an-option"
    assert game.parse_move(state, "train($x=b)") == complete


def test_a_chooseN_of_a_move_takes_a_list() -> None:
    game = choose_many().game()
    state = game.initial_state()
    assert game.why(state, Move("x", {"$x": "a"})).code == "wrong-type"
    assert game.apply_move(state, Move("x", {"$x": ["b", "a"]})).state == game.replay(
        state, ["a", "b"]
    )
    single = Move("x", {"$x#0": "a", "$x#1": STOP})
    assert game.apply_move(state, single).state == game.replay(state, ["a", STOP])


def test_operations_that_cannot_be_completed_are_not_offered() -> None:
    game = operation(ir.ConstSource(())).game()
    state = game.initial_state()
    assert game.legal_moves(state) == [Move("pass", {})]
    request = game.legal_choices(state, Move("train"))
    assert not request.complete
    assert list(request.options) == []
    why = game.why(state, Move("train"))
    assert not why.legal


def test_a_failing_condition_makes_the_move_complete_but_illegal() -> None:
    game = operation(upto(0, 2), guard=const(0)).game()
    request = game.legal_choices(game.initial_state(), Move("train"))
    assert (request.complete, request.legal) == (True, False)
    assert request.reason

"""Which function compiles which node of the tree: every construct of the language, in one table."""

from __future__ import annotations

from typing import Any

from ludwright.language import tree
from ludwright.language.compiling.code import Code
from ludwright.language.compiling.effects import (
    assignments,
    bindings,
    chance,
    choices,
    control,
    decks,
    histories,
    menus,
    pieces,
    procedures,
    sentences,
    swaps,
)
from ludwright.language.compiling.expressions import (
    access,
    calls,
    comprehensions,
    literals,
    names,
    operators,
)
from ludwright.language.compiling.lowering import EffectCompiler, EffectCompilers, Lowering
from ludwright.language.compiling.rules import actions, endings, events, operations, phases
from ludwright.language.compiling.unit import ExpressionCompilers, Scope

EXPRESSIONS: ExpressionCompilers = {
    tree.IntLit: literals.integer,
    tree.BoolLit: literals.boolean,
    tree.NoneLit: literals.none,
    tree.TupleLit: literals.tuple_literal,
    tree.ListLit: literals.list_literal,
    tree.Cond: literals.conditional,
    tree.Name: names.name,
    tree.Attr: access.attribute,
    tree.Index: access.item,
    tree.Call: calls.call,
    tree.Unary: operators.unary,
    tree.Binary: operators.binary,
    tree.Comp: comprehensions.comprehension,
    tree.Where: calls.where,
}


def _interruptible(compiled: EffectCompiler) -> EffectCompiler:
    """An effect that may ask for interrupt phases; in a flow they follow it."""

    def then_interrupts(lowering: Lowering, code: Code, node: Any, scope: Scope) -> None:
        compiled(lowering, code, node, scope)
        phases.serve_in_flow(lowering, code)

    return then_interrupts


EFFECTS: EffectCompilers = {
    tree.SetVar: assignments.set_variable,
    tree.AddVar: assignments.add,
    tree.ShiftMarker: assignments.shift,
    tree.With: assignments.with_values,
    tree.Let: bindings.let,
    tree.Do: control.do,
    tree.IfEffect: control.if_effect,
    tree.ForEach: control.for_each,
    tree.Repeat: control.repeat,
    tree.Require: control.require,
    tree.Say: sentences.say,
    tree.Fault: control.fault,
    tree.Return: control.return_value,
    tree.Stop: control.stop,
    tree.CallProc: _interruptible(procedures.call),
    tree.RollRandom: chance.roll,
    tree.Record: histories.change,
    tree.Clear: histories.change,
    tree.ChooseOne: choices.choose_one,
    tree.ChooseN: choices.choose_many,
    tree.Menu: _interruptible(menus.menu),
    tree.Offer: _interruptible(actions.offer_effect),
    tree.GotoPhase: phases.phase_effect,
    tree.AdvancePhase: phases.phase_effect,
    tree.RunPhase: phases.phase_effect,
    tree.PushPhase: _interruptible(phases.phase_effect),
    tree.EndTurn: phases.phase_effect,
    tree.EndGame: endings.end_game,
    tree.Resolve: _interruptible(events.resolve),
    tree.Window: operations.window,
    tree.MoveToken: pieces.move,
    tree.MoveCount: pieces.move_count,
    tree.MoveTokenAdjacent: pieces.move_adjacent,
    tree.CreateToken: pieces.create,
    tree.DestroyToken: pieces.destroy,
    tree.Draw: decks.draw,
    tree.Shuffle: decks.shuffle,
    tree.Reverse: decks.reverse,
    tree.Swap: swaps.swap,
    tree.Reveal: decks.reveal,
    tree.Conceal: decks.conceal,
}

"""Choices at the level of a flow that take from a place all seats share.

Such a choice is a move of its own and cannot be refused: where nothing is left, the game ends in
the fault `no-option`. A hand from which everybody plays is seldom empty when it is asked for; a row
on the table from which one seat after the other takes a card often is.
"""

from __future__ import annotations

from ludwright import program as ir
from ludwright.language.compiling.code import Code
from ludwright.language.compiling.lowering import Lowering
from ludwright.language.compiling.proofs.demands import Demands
from ludwright.language.compiling.proofs.facts import Facts


def check(lowering: Lowering, facts: Facts) -> None:
    found = [
        (code, index, lowering.choices[instr.choice])
        for code in lowering.codes
        if not code.in_move
        for index, instr in enumerate(code.instrs)
        if isinstance(instr, ir.Choose)
    ]
    demands = Demands(lowering, facts)
    for code, index, choice in found:
        if choice.together or not _opens_move(code, index) or not _shared(lowering, facts, choice):
            continue
        if facts.reached(code, index) and demands.finding(code, index) is not None:
            lowering.unit.diagnostics.warning(
                "may-be-empty",
                lowering.unit.sites[choice.site].span,
                f"there may be nothing left to choose for `{choice.name}`, and the game could not "
                "go on",
                "say what happens then: `ifNone: skip`, or statements; `ifNone: fault` says that "
                "the rules never lead to that",
            )


def _opens_move(code: Code, index: int) -> bool:
    heads = [i for i in code.instrs[:index] if isinstance(i, ir.HeadEnter | ir.HeadExit)]
    return bool(heads) and isinstance(heads[-1], ir.HeadEnter)


def _shared(lowering: Lowering, facts: Facts, choice: ir.Choice) -> bool:
    """Whether pieces are chosen that lie in zones of nobody."""
    if choice.options is None or choice.type.kind != "piece":
        return False
    clauses, _ = facts.normal.clauses(choice.options)
    sources = [clause.source for clause in clauses if isinstance(clause, ir.Loop)]
    if len(sources) != 1 or not isinstance(sources[0], ir.PiecesSource):
        return False
    places = [lowering.unit.world.places[at] for at in facts.contents.places_of(sources[0].place)]
    return all(place.zone is not None and place.owner < 0 for place in places)

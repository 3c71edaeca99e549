"""Every seat of a sealed choice has an option, or the rulebook says what happens otherwise.

The seats of a sealed choice decide on the same state, and one that has nothing to choose cannot
make the move impossible: that would tell the others what it holds. So each of them needs an option
when the choice is reached. What is known of one of them is what let it into `by`, and what holds
for all seats; otherwise the proof is tried for one seat after the other.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ludwright import program as ir
from ludwright.language.compiling.code import Code
from ludwright.language.compiling.lowering import Lowering
from ludwright.language.compiling.proofs.answerable import Proof
from ludwright.language.compiling.proofs.fact_kinds import Fact, Is
from ludwright.language.compiling.proofs.facts import Facts
from ludwright.language.compiling.proofs.normal_forms import TRUE, both, conjuncts, negated
from ludwright.language.compiling.proofs.refusals import always_possible
from ludwright.language.compiling.proofs.value_sets import members


def check(lowering: Lowering, facts: Facts) -> None:
    told: set[object] = set()
    for code in lowering.codes:
        for index, instr in enumerate(code.instrs):
            if not isinstance(instr, ir.Choose) or instr.choice not in lowering.sealed:
                continue
            span, choice = lowering.sealed[instr.choice].span, lowering.choices[instr.choice]
            if span in told or always_possible(replace(choice, together=False)):
                continue
            if facts.reached(code, index) and not _certain(facts, code, index, instr.choice):
                told.add(span)
                lowering.unit.error(
                    "sealed-without-option",
                    span,
                    f"a seat may have nothing to choose for `{choice.name}`"
                    if choice.kind == "one"
                    else f"a seat may not have enough to choose from for `{choice.name}`",
                    "say what happens then: `ifNone: skip` (it is not asked, its answer is none) "
                    "or `ifNone: fault` (the rules never lead to that); or ask only the others: "
                    "`by: p for p in seats if any(…)`",
                )


def _certain(facts: Facts, code: Code, index: int, number: int) -> bool:
    lowering = facts.lowering
    choice, seats = lowering.choices[number], lowering.sealed[number].seats
    known = facts.at(code, index)
    learned = frozenset(
        (*facts.member(choice.chooser, seats), *_of_all(facts, known, choice.chooser))
    )

    def answers(*more: Fact) -> bool:
        proof = Proof(lowering, facts.contents, known | learned | set(more))
        return proof.answerable(choice)

    if answers():
        return True
    possible = facts.contents.possible.elements(seats, {})
    if possible is None:
        return False
    return all(answers(Is(choice.chooser, ir.Const(seat))) for seat in members(possible & ~1))


def _of_all(facts: Facts, known: frozenset[Fact], chooser: int) -> Iterator[ir.Expr]:
    """What holds for one seat because there is none for which it does not."""
    for fact in known:
        match fact:
            case ir.Not(
                arg=ir.Aggregate(
                    op="exists",
                    stream=ir.Stream(
                        clauses=(ir.Loop(regs=(reg,), source=ir.SeatsSource()), *tests)
                    ),
                )
            ) if all(isinstance(test, ir.Filter) for test in tests):
                met: ir.Expr = TRUE
                for test in tests:
                    assert isinstance(test, ir.Filter)
                    met = both(met, facts.normal.expr(test.when, {reg: ir.Load(chooser)}))
                yield from conjuncts(negated(met))
            case _:
                pass

"""How a game ended, in the words of its rulebook, and how well a seat stands."""

from __future__ import annotations

from ludwright import program as ir
from ludwright.kernel.interpreter.machine import Machine
from ludwright.kernel.interpreter.run import Cells, Run
from ludwright.kernel.protocol.result import Result
from ludwright.kernel.views.naming import Values
from ludwright.kernel.views.plurals import fitting


def result(machine: Machine, values: Values, cells: Cells) -> Result | None:
    number = cells[ir.OVER]
    if not number:
        return None
    program = machine.program
    end = program.ends[number - 1]
    seats = program.world.seats[: cells[ir.PLAYERS]]
    ranks = cells[program.ranks : program.ranks + len(seats)]
    scores = cells[program.scores : program.scores + len(seats)]
    ranking = [
        tuple(seat for seat, own in zip(seats, ranks, strict=True) if own == rank)
        for rank in sorted(set(ranks))
    ]
    winners = () if end.outcome == "draw" and len(ranking) <= 1 else ranking[0] if ranking else ()
    return Result(
        outcome=end.outcome,
        winners=winners,
        scores=dict(zip(seats, map(int, scores), strict=True)),
        ranking=ranking,
        reason=_reason(machine, values, cells, end),
    )


def _reason(machine: Machine, values: Values, cells: Cells, end: ir.EndInfo) -> str:
    memory = machine.scratch(cells, Run())
    parts: list[str] = []
    number: int | None = None
    for part in end.reason:
        if isinstance(part, str):
            parts.append(part if number is None else fitting(part, number))
        else:
            expr, type_ = part
            value = machine.expressions.expr(expr)(memory)
            number = value if type_.kind == "int" else number
            told = values.outside(type_, value)
            parts.append("none" if told is None else str(told))
    return "".join(parts)


def score(machine: Machine, cells: Cells, seat: int) -> int | None:
    measure = machine.program.score
    if measure is None:
        return None
    register, expr = measure
    memory = machine.scratch(cells, Run())
    memory[register] = seat
    value: int = machine.expressions.expr(expr)(memory)
    return value

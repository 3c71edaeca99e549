"""`move all of …`: a whole list of pieces changes its place in one pass.

Taken one by one, each piece would be looked for in the list it leaves, and a bag or row would be
walked for each piece that comes. In one pass, every place that pieces leave is relinked once.

This relies on the shape of the loop that the compiler writes, on its registers being read by nobody
else, and on no place that shows only its top piece. Code falls back to moving the pieces one by one
where each move is to be noted as an event, the ticks may run out, or a piece is listed twice.
"""

from __future__ import annotations

from dataclasses import dataclass

from ludwright import program as ir


@dataclass(frozen=True, slots=True)
class BulkMove:
    """The loop of a `move all of …`, from its first instruction to where it goes on."""

    listed: int  # register of the pieces
    index: int  # and of the position in them
    item: int
    place: ir.Expr
    out: int


def bulk_move_at(program: ir.Program, pc: int) -> BulkMove | None:
    """The loop that begins here, if it moves pieces and does nothing else."""
    if any(place.see == "top" for place in program.world.places):
        return None  # the first piece that leaves may bring another to light
    match program.code[pc : pc + 6]:
        case (
            ir.Branch(
                when=ir.Compare(
                    op="<", left=ir.Load(addr=index), right=ir.Length(of=ir.Load(addr=listed))
                ),
                target=out,
                barrier=False,
            ),
            ir.Store(addr=item, index=None, variable=-1) as taken,
            ir.MovePiece(piece=ir.Load(addr=moved), where="default", barrier=False) as move,
            ir.Store(addr=stepped, index=None, variable=-1) as step,
            ir.Tick(ticks=1),
            ir.Jump(target=again),
        ) if again == pc and moved == item and stepped == index:
            pass
        case _:
            return None
    exact = (
        taken.value == ir.ListItem(ir.Load(listed), ir.Load(index), _site(taken.value))
        and isinstance(step.value, ir.Arith)
        and (step.value.op, step.value.left, step.value.right) == ("+", ir.Load(index), ir.Const(1))
    )
    match move.place:
        case ir.Const():
            steady = True
        case ir.Load(addr=addr):
            steady = addr >= program.cells and addr not in (item, index)
        case _:
            steady = False
    # In cells they could be seen by others.
    hidden = min(listed, index, item) >= program.cells
    return BulkMove(listed, index, item, move.place, out) if exact and steady and hidden else None


def _site(node: ir.Expr) -> int:
    return node.site if isinstance(node, ir.ListItem) else -1

"""Drawing a card from the unordered part of a deck looks up only the card that is drawn.

The compiler lists the pieces of the deck and draws from the list; instead, a position is drawn, and
the piece at that position is looked up.

This relies on the shape of the source that the compiler writes: the elements of the list are the
pieces at a range of positions, so the outcomes are the same, in the same order.
"""

from __future__ import annotations

from ludwright import program as ir


def positions_in_place(outcomes: ir.Source) -> tuple[int, ir.RangeSource] | None:
    """The place and the range of positions, if the outcomes are the pieces at these positions."""
    match outcomes:
        case ir.BindSource(
            reg=listed,
            value=ir.MakeList(stream=ir.PiecesSource(place=ir.Const(value=int(place)))),
            body=ir.Stream(
                clauses=(ir.Loop(regs=(at,), source=ir.RangeSource() as numbers),),
                head=ir.ListItem(of=ir.Load(addr=list_), index=ir.Load(addr=index)),
            ),
        ) if list_ == listed and index == at:
            return place, numbers
        case _:
            return None

"""Another state that looks the same to a seat: hidden pieces dealt anew, the generator reseeded."""

from __future__ import annotations

from ludwright.kernel import program as ir
from ludwright.kernel.context import Cells, Run
from ludwright.kernel.generator import Generator, mix, seed_cells
from ludwright.kernel.machine import Machine


def resample(machine: Machine, cells: Cells, seat: int, seed: int) -> Cells:
    """Deterministic in the seed; `cells` stays as it is."""
    generator = Generator(mix(seed))
    S = machine.scratch(cells, Run(seat))
    _deal_hidden_pieces(machine, S, seat, generator)
    _change_sealed_answers(machine, S, seat, generator)
    if machine.chance == "generator":
        seed_cells(S, generator.next())
    return machine.settled(S)


def _deal_hidden_pieces(machine: Machine, S: Cells, seat: int, generator: Generator) -> None:
    """Pieces of one kind that the seat does not see change places among themselves."""
    pieces = machine.pieces
    count = len(machine.program.world.places)
    layout = [pieces.within(S, place) for place in range(count)]
    for kind in machine.program.world.kinds:
        slots = [
            (place, at)
            for place, within in enumerate(layout)
            for at, piece in enumerate(within)
            if piece in kind.pieces and not pieces.viewers(S, piece) >> seat & 1
        ]
        hidden = [layout[place][at] for place, at in slots]
        masks = {
            slot: S[pieces.revealed + piece] if pieces.revealed >= 0 else 0
            for slot, piece in zip(slots, hidden, strict=True)
        }
        for last in range(len(hidden) - 1, 0, -1):
            other = generator.below(last + 1)
            hidden[last], hidden[other] = hidden[other], hidden[last]
        for slot, piece in zip(slots, hidden, strict=True):
            layout[slot[0]][slot[1]] = piece
            if pieces.revealed >= 0:
                S[pieces.revealed + piece] = masks[slot]
    for place, within in enumerate(layout):
        order = pieces.orders[place]
        if order == "bag":
            within.sort()
        elif order == "deck":
            top = S[pieces.deck_top[place]]
            end = len(within) - S[pieces.deck_bottom[place]]
            within[top:end] = sorted(within[top:end])
        pieces.relink(S, place, within)


def _change_sealed_answers(machine: Machine, S: Cells, seat: int, generator: Generator) -> None:
    """What other seats have answered under seal could be anything they were offered."""
    point = machine.choices.get(S[ir.PC])
    if point is None or not point.choice.together or point.choice.kind != "one":
        return
    for other in range(S[ir.PLAYERS]):
        if other != seat and S[point.choice.answered] >> other & 1:
            options = point.view(S, other).answers
            if options:
                point.replace_sealed(S, other, options[generator.below(len(options))])

"""Whether a block of cells can be a state of a game at all.

States come from files and from other programs. Cells that no play could have left behind, a circle
of pieces or a jump to nowhere, must be refused before anything runs on them. The native engine
relies on more than declared types say, and checks that too: see `native.analysis.cell_ranges`.
"""

from __future__ import annotations

from collections.abc import Sequence

from ludwright import program as ir
from ludwright.kernel.views.call_frames import Frames
from ludwright.program.cells import holds
from ludwright.program.types import INT_MAX

Cells = Sequence[int]


def problem(program: ir.Program, frames: Frames, cells: Cells) -> str | None:
    """What is wrong with these cells, in words; None if nothing is."""
    if len(cells) != program.cells:
        return f"a state of this game has {program.cells} cells"
    if not _words(cells):
        return "a cell is not a whole number of 32 bits"
    return (
        _header(program, cells)
        or pieces_problem(program, cells)
        or variables_problem(program, cells)
        or _histories(program, cells)
        # Where a game ends, some return addresses are in registers, which are gone.
        or (None if cells[ir.OVER] else frames.problem(cells))
    )


def _words(cells: Cells) -> bool:
    """Whether all of these are whole numbers of 32 bits."""
    if not all(issubclass(kind, int) for kind in set(map(type, cells))):
        return False
    return min(cells, default=0) >= -(2**31) and max(cells, default=0) <= INT_MAX


def header_bounds(program: ir.Program) -> dict[int, tuple[int, int]]:
    """The lowest and the highest number of each cell of the header."""
    world = program.world
    seats = len(world.seats)
    return {
        ir.LOG: (0, INT_MAX - 1),
        ir.PC: (0, len(program.code) - 1),
        ir.HEAD: (0, len(program.heads)),
        ir.ANSWERED: (0, 1),
        ir.ACTION: (0, len(program.actions)),
        ir.ACTOR: (0, seats - 1),
        ir.ACTIVE: (0, seats - 1),
        ir.PHASE: (-1, max(-1, len(program.phases) - 1)),
        ir.TURN: (0, INT_MAX),
        ir.OVER: (0, len(program.ends)),
        ir.PLAYERS: (world.min_players, seats),
        ir.SCENARIO: (0, max(0, len(program.scenarios) - 1)),
        ir.PENDING_PHASE: (0, program.last_request),
        ir.PENDING_TURN: (0, 1),
    }


def _header(program: ir.Program, cells: Cells) -> str | None:
    for cell, (low, high) in header_bounds(program).items():
        if not low <= cells[cell] <= high:
            return f"cell {cell} of the header holds {cells[cell]}, outside {low}..{high}"
    return stands_wrong(program, cells)


def stands_wrong(program: ir.Program, cells: Cells) -> str | None:
    """Why a state cannot stand at this instruction, in words."""
    if not cells[ir.HEAD] and (cells[ir.ANSWERED] or cells[ir.ACTION]):
        return "an action is under way, but no move"
    stop = program.code[cells[ir.PC]]
    if not cells[ir.OVER] and not isinstance(stop, ir.Choose | ir.Chance):
        return "it does not stand at a decision"
    if cells[ir.OVER] and stop != ir.Finish(cells[ir.OVER] - 1):
        return "it does not stand where its game ended"
    return None


def pieces_problem(program: ir.Program, cells: Cells) -> str | None:
    """Every piece is in one place or none that takes its kind, and every place knows its pieces."""
    count, seats = program.world.piece_count, len(program.world.seats)
    home: dict[int, int] = {}
    for number in range(len(program.world.places)):
        found = place_problem(program, cells, number, home)
        if found is not None:
            return found
    said = cells[program.piece_place : program.piece_place + count]
    for piece, place_said in enumerate(said):
        if place_said != home.get(piece, -1):
            return f"piece {piece} is not where it says"
        if place_said == -1 and cells[program.piece_next + piece] != -1:
            return f"piece {piece} is out of the game, yet before another"
    if program.revealed >= 0:
        for piece, seen in enumerate(cells[program.revealed : program.revealed + count]):
            if not 0 <= seen < 1 << seats:
                return f"piece {piece} is revealed to seats that do not exist"
    return None


def place_problem(
    program: ir.Program, cells: Cells, number: int, home: dict[int, int]
) -> str | None:
    """What is wrong with the pieces in a place. `home` are those in others, by their places; the
    pieces of this one join them."""
    place, count = program.world.places[number], program.world.piece_count
    piece = cells[program.place_head + number]
    within: list[int] = []
    while piece != -1:
        if not 0 <= piece < count:
            return f"`{place.name}` holds a piece that does not exist"
        if piece in home:
            return f"piece {piece} is in two places, or twice in one"
        home[piece] = number
        within.append(piece)
        piece = cells[program.piece_next + piece]
    size = len(within)
    if size != cells[program.place_count + number]:
        return f"`{place.name}` has lost count of its pieces"
    top, bottom = 0, 0 if place.order == "bag" else size
    if number in program.deck_top:
        top, bottom = cells[program.deck_top[number]], cells[program.deck_bottom[number]]
        if top < 0 or bottom < 0 or top + bottom > size:
            return f"`{place.name}` knows more cards than it has"
    unordered = within[top : size - bottom]
    if unordered and unordered != sorted(unordered):
        return f"`{place.name}` shows in which order its pieces came"
    if place.kinds and within:
        lowest, highest = min(within), max(within)
        for kind in program.world.kinds:
            near = lowest < kind.first + kind.count and kind.first <= highest
            if near and not place.takes(kind) and any(piece in kind.pieces for piece in within):
                return f"`{place.name}` is not for pieces of the kind `{kind.name}`"
    return None


def variables_problem(program: ir.Program, cells: Cells) -> str | None:
    """Every variable holds a value of its type."""
    for variable in program.variables:
        width = variable.type.width
        if variable.type.is_scalar:
            held_all = cells[variable.addr : variable.addr + variable.count]
            low, high = min(held_all, default=0), max(held_all, default=0)
            if variable.type.lo <= low and high <= variable.type.hi:
                continue  # the usual case, at once
        for at in range(variable.addr, variable.addr + variable.count * width, width):
            if not holds(cells, at, variable.type):
                held = cells[at] if width == 1 else list(cells[at : at + width])
                return f"`{variable.name}` holds {held}, which it cannot"
    return None


def _histories(program: ir.Program, cells: Cells) -> str | None:
    for history in program.histories:
        count = cells[history.addr]
        if not 0 <= count <= (INT_MAX if history.last else history.keep):
            return f"`{history.name}` has recorded {count} positions"
    return None

"""Whether a block of cells can be a state of a game at all.

States come from files and from other programs. Cells that no play could have left behind, a circle
of pieces or a jump to nowhere, must be refused before anything runs on them. Locals of suspended
procedures have no declared ranges and are taken as they are; the native engine, which relies on
what its code can leave in them, checks them too.
"""

from __future__ import annotations

from collections.abc import Sequence

from ludwright.kernel import program as ir
from ludwright.kernel.storage import decoder
from ludwright.kernel.types import INT_MAX, Type

Cells = Sequence[int]


def problem(program: ir.Program, cells: Cells) -> str | None:
    """What is wrong with these cells, in words; None if nothing is."""
    if len(cells) != program.cells:
        return f"a state of this game has {program.cells} cells"
    if not all(isinstance(cell, int) and -(2**31) <= cell <= INT_MAX for cell in cells):
        return "a cell is not a whole number of 32 bits"
    return (
        _header(program, cells)
        or pieces_problem(program, cells)
        or variables_problem(program, cells)
        or (None if cells[ir.OVER] else _returns(program, cells) or _picks(program, cells))
    )


def _header(program: ir.Program, cells: Cells) -> str | None:
    world = program.world
    seats = len(world.seats)
    bounds = {
        ir.LOG: (0, INT_MAX),
        ir.PC: (0, len(program.code) - 1),
        ir.HEAD: (0, len(program.heads)),
        ir.ANSWERED: (0, 1),
        ir.ACTION: (0, len(program.actions)),
        ir.ACTOR: (-1, seats - 1),
        ir.ACTIVE: (0, seats - 1),
        ir.PHASE: (-1, max(-1, len(program.phases) - 1)),
        ir.TURN: (0, INT_MAX),
        ir.OVER: (0, len(program.ends)),
        ir.PLAYERS: (world.min_players, seats),
        ir.SCENARIO: (0, max(0, len(program.scenarios) - 1)),
        ir.PENDING_PHASE: (0, len(program.phases)),
        ir.PENDING_TURN: (0, 1),
        ir.FREE: (0, 1),
        ir.GRANT: (0, 1),
    }
    for cell, (low, high) in bounds.items():
        if not low <= cells[cell] <= high:
            return f"cell {cell} of the header holds {cells[cell]}, outside {low}..{high}"
    waits = isinstance(program.code[cells[ir.PC]], ir.Choose | ir.Chance)
    if not cells[ir.OVER] and not waits:
        return "it does not stand at a decision"
    return None


def pieces_problem(program: ir.Program, cells: Cells) -> str | None:
    """Every piece is in one place or none, and every place knows its pieces."""
    places, count = program.world.places, program.world.piece_count
    home: dict[int, int] = {}
    for number, place in enumerate(places):
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
        if unordered != sorted(unordered):
            return f"`{place.name}` shows in which order its pieces came"
    for piece in range(count):
        if cells[program.piece_place + piece] != home.get(piece, -1):
            return f"piece {piece} is not where it says"
        if piece not in home and cells[program.piece_next + piece] != -1:
            return f"piece {piece} is out of the game, yet before another"
    return None


def variables_problem(program: ir.Program, cells: Cells) -> str | None:
    """Every variable holds a value of its type."""
    block = list(cells)
    for variable in program.variables:
        read = decoder(variable.type)
        for index in range(variable.count):
            value = read(block, variable.addr + index * variable.type.width)
            if not fits(value, variable.type):
                return f"`{variable.name}` holds {value}, which it cannot"
    return None


def fits(value: object, type_: Type) -> bool:
    """Whether a value is one of its type."""
    if type_.kind == "list":
        return (
            isinstance(value, tuple)
            and len(value) <= type_.cap
            and all(fits(item, type_.items[0]) for item in value)
        )
    if type_.kind == "tuple":
        return isinstance(value, tuple) and all(
            fits(item, of) for item, of in zip(value, type_.items, strict=True)
        )
    if not isinstance(value, int):
        return False
    if type_.kind == "set":
        item = type_.items[0]
        return 0 <= value < 1 << (item.hi - item.lo + 1)
    return type_.lo <= value <= type_.hi or (type_.optional and value == type_.none)


def _picks(program: ir.Program, cells: Cells) -> str | None:
    """What has been picked so far, or answered under seal, at the choice where the game waits."""
    instr = program.code[cells[ir.PC]]
    if not isinstance(instr, ir.Choose):
        return None
    choice = program.choices[instr.choice]
    seats = len(program.world.seats)
    if choice.together and not 0 <= cells[choice.answered] < 1 << seats:
        return f"seats have answered `{choice.name}` that do not exist"
    type_ = choice.result_type
    if choice.kind != "many" or choice.result >= program.cells:
        return None
    block, read = list(cells), decoder(type_)
    for number in range(seats if choice.together else 1):
        at = choice.result + number * type_.width
        most = type_.cap if type_.kind == "list" else INT_MAX
        if not 0 <= cells[at] <= most:
            return f"`{choice.name}` holds {cells[at]}, which it cannot"
        if type_.kind == "set" and not fits(read(block, at), type_):
            return f"`{choice.name}` holds picks that do not exist"
    return None


def _returns(program: ir.Program, cells: Cells) -> str | None:
    """The chain of calls that is under way leads back to the main program."""
    if not program.procedures:
        return None  # assembled by hand
    at = cells[ir.PC]
    for _ in program.procedures:
        owner = next((p for p in program.procedures if p.entry <= at < p.end), None)
        if owner is None:
            return "it stands outside of all procedures"
        if owner is program.procedures[0]:
            return None
        back = cells[owner.ret] if 0 <= owner.ret < program.cells else 0
        call = program.code[back - 1] if 0 < back <= len(program.code) else None
        if not isinstance(call, ir.CallProc) or call.ret != owner.ret:
            return f"`{owner.name}` does not know where it was called from"
        at = back
    return "its calls go round in a circle"

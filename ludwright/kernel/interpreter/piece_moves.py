"""Instructions that move, swap, mix and reveal pieces. What lies where is kept by `pieces`."""

from __future__ import annotations

from ludwright import program as ir
from ludwright.kernel.interpreter.expressions import Expressions
from ludwright.kernel.interpreter.pieces import Pieces
from ludwright.kernel.interpreter.run import COMPLETE, RUN, Memory, Run, Step, fault, spend
from ludwright.program import faults
from ludwright.program.events import EventKind


class PieceMoves:
    """Compiles these instructions of one Program."""

    def __init__(self, program: ir.Program, expressions: Expressions, pieces: Pieces) -> None:
        self.program = program
        self.expressions = expressions
        self.pieces = pieces

    def move(self, instr: ir.MovePiece, pc: int) -> Step:
        piece_of, place_of = self.expressions.expr(instr.piece), self.expressions.expr(instr.place)
        at_of = self.expressions.expr(instr.at) if instr.at is not None else None
        where, site, following = instr.where, instr.site, pc + 1

        def move(memory: Memory) -> int:
            piece = piece_of(memory)
            place = place_of(memory)
            if piece < 0:
                raise fault(self.program, faults.NO_PIECE_TO_MOVE, site)
            position = at_of(memory) if at_of is not None else 0
            complete = self._moved(memory, piece, place, where, position)
            return COMPLETE if complete else following

        return move

    def move_all(self, instr: ir.MoveAll, pc: int) -> Step:
        pieces_of, place_of = (
            self.expressions.expr(instr.pieces),
            self.expressions.expr(instr.place),
        )
        where, site, following = instr.where, instr.site, pc + 1

        def move_all(memory: Memory) -> int:
            pieces, place = pieces_of(memory), place_of(memory)
            for piece in pieces:
                if piece < 0:
                    raise fault(self.program, faults.NO_PIECE_TO_MOVE, site)
                if self._moved(memory, piece, place, where, 0):
                    return COMPLETE
                spend(self.program, memory, 1, site)
            return following

        return move_all

    def _moved(self, memory: Memory, piece: int, place: int, where: str, position: int) -> bool:
        """Move a piece; whether a search is complete with it, because another one came to light."""
        pieces, program = self.pieces, self.program
        run: Run = memory[RUN]
        origin = memory[program.piece_place + piece]
        before = pieces.viewers(memory, piece) if run.events is not None else 0
        beneath = pieces.beneath(memory, origin) if pieces.shows_top else -1
        pieces.take(memory, piece)
        pieces.put(memory, piece, place, where, position)
        if program.revealed >= 0:
            memory[program.revealed + piece] = 0
        memory[ir.LOG] += 1
        if run.events is not None:
            after = pieces.viewers(memory, piece)
            if run.seat >= 0 and after & ~before & 1 << run.seat:
                run.learned = True
            run.events.append((EventKind.MOVED, piece, origin, place, before | after))
        return (
            beneath >= 0
            and memory[pieces.head + origin] == beneath
            and self._uncovered(memory, beneath)
        )

    def _uncovered(self, memory: Memory, beneath: int) -> bool:
        """Another piece has become visible: a `reveal` to those who did not see it before. Whether
        a search ends with it."""
        seen = memory[self.program.revealed + beneath] if self.program.revealed >= 0 else 0
        if seen == self.pieces.everyone:
            return False
        run: Run = memory[RUN]
        if run.searching:
            return True
        run.end("reveal")
        if run.events is not None and run.seat >= 0 and not seen >> run.seat & 1:
            run.learned = True
        return False

    def swap(self, instr: ir.SwapInPlace, pc: int) -> Step:
        place, following, pieces = self.expressions.expr(instr.place), pc + 1, self.pieces
        first, second = self.expressions.expr(instr.first), self.expressions.expr(instr.second)

        def swap(memory: Memory) -> int:
            pieces.swap(memory, place(memory), first(memory), second(memory))
            return following

        return swap

    def mix(self, instr: ir.MixDeck, pc: int) -> Step:
        place, following, pieces = self.expressions.expr(instr.place), pc + 1, self.pieces

        def mix(memory: Memory) -> int:
            at = place(memory)
            pieces.mix(memory, at)
            memory[ir.LOG] += 1
            run: Run = memory[RUN]
            if run.events is not None:
                run.events.append((EventKind.SHUFFLED, at))
            return following

        return mix

    def reveal(self, instr: ir.RevealPiece, pc: int) -> Step:
        piece_of, seats_of = self.expressions.expr(instr.piece), self.expressions.expr(instr.seats)
        hide, revealed, following = instr.hide, self.program.revealed, pc + 1
        program, site = self.program, instr.site

        def reveal(memory: Memory) -> int:
            piece = piece_of(memory)
            seats = seats_of(memory)
            if piece < 0:
                raise fault(program, faults.NO_PIECE_TO_REVEAL, site)
            if revealed < 0:
                return following
            before = memory[revealed + piece]
            after = before & ~seats if hide else before | seats
            if after == before:
                return following
            run: Run = memory[RUN]
            if run.searching:
                return COMPLETE
            memory[revealed + piece] = after
            memory[ir.LOG] += 1
            run.end("reveal")
            if run.events is not None:
                kind = EventKind.CONCEALED if hide else EventKind.REVEALED
                run.events.append((kind, piece, before ^ after, before | after))
            return following

        return reveal

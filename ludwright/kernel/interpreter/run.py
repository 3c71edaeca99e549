"""What a run of the program carries besides the cells, and how it can end.

A run works on one list: the state's cells, then the registers, then two slots of its own, the
ticks left and the `Run`. Everything compiled is a function of that list alone, so that runs on
different copies never meet.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ludwright.errors import IllegalMove, RulebookFault
from ludwright.kernel.interpreter.stop import Stop
from ludwright.program import Program, faults
from ludwright.program.faults import Trouble

Cells = list[Any]  # of a state
Memory = list[Any]  # of a run: cells, registers, ticks, `Run`
Fn = Callable[[Memory], Any]
Step = Callable[[Memory], int]  # an instruction: runs and gives the next one

# Where a run ended, in place of a next instruction.
STOPPED = -1  # at a decision, explicit chance, or the end of the game
COMPLETE = -2  # a search reached the end of the part
BEST_END = -3  # a search for the best reached the end of its block

TICKS = -2  # slots at the end of the list
RUN = -1


class Refused(Exception):
    """This path cannot be taken; prunes a search, otherwise becomes an `IllegalMove`."""

    def __init__(self, trouble: Trouble, site: int) -> None:
        super().__init__(trouble.code)
        self.code, self.reason = trouble
        self.site = site


class Run:
    """One call of the machine: from an answer (or the start) to the next stop.

    This is the run of the game itself. The other modes run on scratch copies:

    |               | `Run` | `Unfiltered` | `Completion` | `Best` | `Count` |
    |---------------|-------|--------------|--------------|--------|---------|
    | filters       | yes   |              | yes          | yes    | yes     |
    | searching     |       |              | yes          | yes    | yes     |
    | leaves_part   | yes   | yes          |              | yes    |         |
    | trusts_proofs |       |              | yes          |        |         |
    | binds_best    | yes   | yes          |              |        | yes     |
    """

    __slots__ = ("barrier", "ended", "events", "learned", "seat", "stop")

    filters = True  # what cannot be finished is not offered, and a choice of nothing is refused
    searching = False  # it publishes nothing, and ends where something new would become known
    leaves_part = True  # it goes on after the move, and to the decisions of other seats
    trusts_proofs = False  # it ends where the compiler has proven that nothing can refuse
    binds_best = True  # `best` blocks refuse all but the best way

    def __init__(self, seat: int = -1, events: list[tuple[Any, ...]] | None = None) -> None:
        self.seat = seat  # whose part it is
        self.events = events
        self.ended = False  # the part ended: a barrier, the end of the move, the end of the game
        self.barrier = ""  # what ended the part: "chance", "reveal", "decision", "end", "over"
        self.learned = False  # the seat saw a piece that it had not seen before
        self.stop: Stop | None = None

    def end(self, barrier: str) -> None:
        """The part is over: what happened cannot be taken back."""
        if not self.ended:
            self.ended = True
            self.barrier = barrier

    def takes(self, best: int, value: Any) -> bool:
        """Whether this run looks for the value at the end of a `best` block."""
        return False


class Unfiltered(Run):
    """Looks into an action that nobody can finish: an empty domain stops it, and is no refusal."""

    __slots__ = ()

    filters = False


class Completion(Run):
    """Searches for any way to finish the part."""

    __slots__ = ()

    searching = True
    leaves_part = False
    trusts_proofs = True
    binds_best = False


class Best(Run):
    """Searches for the largest value at the end of one `best` block."""

    __slots__ = ("number", "value")

    searching = True
    binds_best = False

    def __init__(self, number: int) -> None:
        super().__init__()
        self.number = number
        self.value: Any = None  # at the end that was reached last

    def takes(self, best: int, value: Any) -> bool:
        if best != self.number:
            return False
        self.value = value
        return True


class Count(Run):
    """Follows every way to finish the part, so nothing may be taken for granted."""

    __slots__ = ()

    searching = True
    leaves_part = False


def fault(program: Program, trouble: Trouble, site: int) -> RulebookFault:
    code, reason = trouble
    if 0 <= site < len(program.sites):
        known = program.sites[site]
        return RulebookFault(code, known.rule, reason, known.span)
    return RulebookFault(code, "", reason, None)


def spend(program: Program, memory: Memory, ticks: int, site: int) -> None:
    """Count work. Too much of it without a decision is a fault."""
    memory[TICKS] -= ticks
    if memory[TICKS] < 0:
        raise fault(program, faults.TICKS, site)


def late_refusal(program: Program, refused: Refused) -> RulebookFault:
    """A refusal after the part has ended: nothing can be taken back, so the rulebook is wrong."""
    code, reason = faults.TOO_LATE
    if refused.code == "no-option":
        code = refused.code
    return fault(program, Trouble(code, refused.reason or reason), refused.site)


def illegal_move(program: Program, refused: Refused) -> IllegalMove:
    reason = refused.reason or faults.NOT_ALLOWED
    if 0 <= refused.site < len(program.sites):
        known = program.sites[refused.site]
        return IllegalMove(refused.code, known.rule, reason, known.span)
    return IllegalMove(refused.code, "", reason, None)

"""What one run of the program carries besides the cells, and what it can come to.

A run works on one list: the state's cells, then the registers, then two slots of its own, the
ticks left and the `Run`. Everything compiled is a function of that list alone, so that runs on
different copies never meet.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ludwright.errors import IllegalMove, RulebookFault
from ludwright.kernel.program import Program

if TYPE_CHECKING:
    from ludwright.kernel.choosing import Stop

Cells = list[Any]
Fn = Callable[[Cells], Any]
Step = Callable[[Cells], int]  # an instruction: runs and gives the next one

# Where a run ended, in place of a next instruction.
STOPPED = -1  # at a decision, explicit chance, or the end of the game
COMPLETE = -2  # a search reached the end of the part
BEST_END = -3  # a search for the best reached the end of its block

TICKS = -2  # slots at the end of the list
RUN = -1


class Refused(Exception):
    """This path cannot be taken; prunes a search, otherwise becomes an `IllegalMove`."""

    def __init__(self, site: int, code: str = "refused", reason: str = "") -> None:
        super().__init__(code)
        self.site = site
        self.code = code
        self.reason = reason


class Run:
    """One call of the machine: from an answer (or the start) to the next stop."""

    __slots__ = (
        "barrier", "best", "counting", "ended", "events",
        "learned", "probing", "seat", "stop", "value",
    )  # fmt: skip

    def __init__(self, seat: int = -1, events: list[tuple[Any, ...]] | None = None) -> None:
        self.seat = seat  # whose part it is
        self.events = events
        self.ended = False  # the part ended: a barrier, the end of the move, the end of the game
        self.barrier = ""  # what ended it first: "chance", "reveal", "decision", "end", "over"
        self.learned = False  # the seat came to see a piece it had not seen
        self.probing = False  # nothing is filtered, and an empty domain stops instead of refusing
        self.best = -1  # the block whose best value is sought
        self.counting = False  # every path is wanted, so nothing may be taken for granted
        self.value: Any = None  # and the value found at its end
        self.stop: Stop | None = None

    def end(self, barrier: str) -> None:
        """The part is over: what happened cannot be taken back."""
        if not self.ended:
            self.ended = True
            self.barrier = barrier


class SearchRun(Run):
    """A run on scratch that stops at the end of the part and never searches itself."""

    __slots__ = ()


# The code, site and reason of the fault where events can no longer be numbered.
LOG_FULL = ("log-full", -1, "more has happened in this game than events can be numbered")

# What a rulebook left open, and how to say it.
_LEFT_OPEN = {
    "no-moves": "the seat to move has no move; say what happens then under `noMoves:`",
    "flow-ended": "the flow ran out; end it with `end game`, or give the game a `score:`",
    "no-result": "a procedure that returns a value ended without `return`",
}


def fault_words(code: str) -> str:
    return _LEFT_OPEN.get(code, code.replace("-", " "))


def uncounted(history: str) -> str:
    return f"`{history}` has recorded more positions than can be counted"


def fault(program: Program, code: str, site: int, reason: str) -> RulebookFault:
    if 0 <= site < len(program.sites):
        known = program.sites[site]
        return RulebookFault(code, known.rule, reason, known.span)
    return RulebookFault(code, "", reason, None)


def too_much(program: Program, site: int) -> RulebookFault:
    """A run has used up its ticks."""
    return fault(program, "ticks", site, "this goes on and on without a decision")


def late(program: Program, refused: Refused) -> RulebookFault:
    """A refusal where nothing can be taken back any more: the rulebook is wrong."""
    reason = refused.reason or "a rule refuses what can no longer be taken back"
    code = "no-option" if refused.code == "no-option" else "late-refusal"
    return fault(program, code, refused.site, reason)


def illegal(program: Program, refused: Refused) -> IllegalMove:
    reason = refused.reason or "the rules do not allow this here"
    if 0 <= refused.site < len(program.sites):
        known = program.sites[refused.site]
        return IllegalMove(refused.code, known.rule, reason, known.span)
    return IllegalMove(refused.code, "", reason, None)

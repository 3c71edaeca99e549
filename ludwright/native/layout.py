"""What native code and Python share: the slots of a context, and the table of errors.

A context is an array of 64-bit words that one run works with besides the state.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from ludwright.native.interface import NativeError

# ------------------------------------------------------------ context slots
MODE = 0  # how the run ends: see below
TICKS = 1  # back edges allowed before a run counts as endless
SEAT = 2  # whose part it is
ENDED = 3  # what ended the part first (index into BARRIERS), 0 while it lasts
STOP_KIND = 4  # index into STOPS
STOP_SEAT = 5
COUNT = 6  # answers offered
RANGE = 7  # 1 if the answers are FIRST .. FIRST + COUNT - 1, with nothing in the buffer
FIRST = 8
DECLINE = 9  # 1 if nothing may be answered
CAN_STOP = 10  # 1 if the picks may end here
MINIMUM = 11
MAXIMUM = 12
PENDING = 13  # sealed: the set of seats that have not answered
DEAD_END = 14
UNKNOWN = 15  # answers the search left open
ERROR = 16  # index into the errors + 1; 0: none
ERROR_A = 17
ERROR_B = 18
ANSWERS = 19  # pointer: words of the answers
ANSWER_ROOM = 20  # how many words fit
MARKS = 21  # pointer: per answer 1 if unknown (bytes)
GIVEN = 22  # what is answered: see GIVEN_*
GIVEN_AT = 23  # pointer: the words of the answer
POLICY = 24  # state of the generator behind random play
DECISIONS = 25  # decisions made by random play
BUDGET = 26  # nodes a search may visit
NODES = 27
SEARCH = 28  # pointer: the context of searches, or 0
MEMO = 29  # pointer: table of states a search has seen
MEMO_BITS = 30
MEMO_AGE = 31
HALT = 32  # pointer: the words of HALT_*, by which a caller can stop a run
EXPLICIT = 33  # chance is a decision
BEST = 34  # search for the best: the block's number + 1, else 0
TRUST = 35  # random play: what is known of the rest of this part, see below
LINK = 36  # the cell that leads to the piece drawn last, plus one; 0: none
LIMIT = 37  # decisions of one random game
TRIES = 38  # dead ends met in this part of a random game
PART = 39  # pointer: the state at the start of the part
PART_DECISIONS = 40
PART_ENDED = 41  # ENDED and SEAT when random play came to the start of the part
PART_SEAT = 42
PART_MOVES = 43
VALUE = 44  # pointer: words of the value a search for the best found
REGISTERS = 45  # pointer: registers handed over to a search for the best
MOVES = 46  # begun in random play
MARKED = 47  # 1 while PART holds the start of this part
TICKS_LEFT = 48  # of this run
EVENTS = 49  # pointer: words of the events noted; 0: none are wanted
EVENTS_AT = 50
EVENTS_ROOM = 51
LEARNED = 52
SPARE = 53  # pointer: frames of searches that are free to use again
MEMO_ON = 54  # 1 while a search remembers the states it has seen
COUNTING = 55  # 1: every way to finish the part is wanted, its effects are not
PLAY = 56  # pointer: the context in which a count plays on
COUNTS = 57  # pointer: table of positions a count has met
COUNTS_BITS = 58
COUNTS_ENTRY = 3  # words of an entry in it: hash, hash, count
OBJECTS = 59  # pointer: the words of `objects`
MEMO_USED = 60  # as MEMO_BITS: of the part of the table that the search under way uses
SPOILED = 61  # 1: what a search for the best finds is of no use to later decisions
RECALL = 62  # the age of what the last search for the best left in the memo, 0: nothing
RECALL_BITS = 63
RECALL_AT = 64  # the cells of the best value
RECALL_WIDTH = 65
EPOCH = 66  # see `keeping`
KEPT_OF = 67  # pointer: the cells that what is kept belongs to; 0: it is not known
EXACT = 68  # 1: the nodes of a search are counted as the interpreter counts them
PROVEN = 69  # 1: the answer that began this run can be finished
BLOCK_SEAT = 70  # who decides in the block whose best is sought; -1: nobody yet
PART_TICKS = 71  # TICKS_LEFT at the start of the part
SLOTS = 72  # behind them: what functions keep

# Behind HALT: see `ticking`
HALT_NOW = 0  # not 0 once the caller wants to stop
HALT_LEFT = 1  # how often it may still be asked before the clock is looked at
HALT_SINCE = 2  # when that was done first, or Python was asked last; 0: not yet
HALT_ASK = 3  # 1: Python is asked for signals now and then; 0: a run that lasts long ends
HALT_RAISED = 4  # three words: what a signal handler raised
HALT_WORDS = 7

STEP, RANDOM, SEARCHING = 0, 1, 2  # modes
# TRUST: nothing is known; whatever is left is tried without a test; that led nowhere; it is known
# that the part can be finished
UNSURE, TRYING, IN_VAIN, SURE = 0, 1, 2, 3
GIVEN_VALUE, GIVEN_DECLINE, GIVEN_STOP, GIVEN_ELSEWHERE = 0, 1, 2, 3
GIVEN_POSITION = 4  # from Python only: which of the answers, instead of the answer
RECORD_WORDS = UNKNOWN - ENDED + 1  # the slots that say what a state waits for
BARRIERS = ("", "chance", "reveal", "decision", "end", "over")
STOPS = ("", "decision", "chance", "over")

NO_MEMORY = "no-memory"  # the code of a search for which the system has none
TOO_LARGE = "too-large"  # the code of a count that does not fit into a word

# what `run` gives back
STOPPED, COMPLETE, BEST_END, FAILED = -1, -2, -3, -4

GAME_LIMIT = 100_000  # decisions of one random game, unless the caller says otherwise


@dataclass(slots=True)
class ErrorTable:
    items: list[NativeError] = field(default_factory=list)
    _known: dict[NativeError, int] = field(default_factory=dict)

    def _add(self, error: NativeError) -> int:
        """Twice its number, plus one unless it is a refusal, so that a search can tell."""
        if error not in self._known:
            self._known[error] = len(self.items)
            self.items.append(error)
        return 2 * self._known[error] + (error.kind != "refusal")

    def refusal(self, site: int, code: str = "refused", reason: str = "") -> int:
        return self._add(NativeError("refusal", code, site, reason))

    def fault(self, code: str, site: int, reason: str) -> int:
        return self._add(NativeError("fault", code, site, reason))

    def engine(self, code: str, reason: str) -> int:
        return self._add(NativeError("engine", code, -1, reason))

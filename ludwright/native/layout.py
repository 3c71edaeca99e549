"""What native code and Python share: the slots of a context, and the numbers that stand in them.

A context is an array of 64-bit words that one run works with besides the state.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import count


class Slot(int):
    """The number of a word in a context or in a frame."""

    type = "i64"


class Pointer(Slot):
    """The same for a word that is an address."""

    type = "ptr"


_numbers = count()


def _word() -> Slot:
    return Slot(next(_numbers))


def _pointer() -> Pointer:
    return Pointer(next(_numbers))


def _words(count: int) -> Slot:
    """The first of some words."""
    first, *_ = [_word() for _ in range(count)]
    return first


LEVELS = 8  # answers of one part that random play gives without a test

# ------------------------------------------------------------------ a context
MODE = _word()  # how the run ends: see below
TICKS = _word()  # back edges allowed before a run counts as endless
SEAT = _word()  # whose part it is; -1: nobody's; -2: a state found again is published
# The record of a stop: what a state waits for.
ENDED = _word()  # what ended the part first (index into BARRIERS), 0 while it lasts
STOP_KIND = _word()  # index into STOPS
STOP_SEAT = _word()
COUNT = _word()  # answers offered
RANGE = _word()  # 1 if the answers are FIRST .. FIRST + COUNT - 1, with nothing in the buffer
FIRST = _word()
DECLINE = _word()  # 1 if nothing may be answered
CAN_STOP = _word()  # 1 if the picks may end here
MINIMUM = _word()
MAXIMUM = _word()
PENDING = _word()  # sealed: the set of seats that have not answered
DEAD_END = _word()
UNKNOWN = _word()  # answers the search left open
# Errors, answers.
ERROR = _word()  # number of an error (see `codegen.llvm.error_table`) + 1; 0: none
ERROR_A = _word()
ERROR_B = _word()
ANSWERS = _pointer()  # words of the answers
ANSWER_ROOM = _word()  # how many words fit
MARKS = _pointer()  # per answer 1 if unknown (bytes)
GIVEN = _word()  # what is answered: see GIVEN_*
GIVEN_AT = _pointer()  # the words of the answer
EXPLICIT = _word()  # 1: chance is a decision
TICKS_LEFT = _word()  # of this run
LINK = _word()  # the cell that leads to the piece drawn last, plus one; 0: none
REGISTERS = _pointer()  # registers that several functions use, or a search for the best
HALT = _pointer()  # the words of HALT_*, by which a caller can stop a run
OBJECTS = _pointer()  # the words of `python.object_table`
EPOCH = _word()  # of memoised results: see `passes.memoize`
MEMO_CELLS = _pointer()  # the cells that memoised results belong to; 0: unknown
FACTS_OF = _pointer()  # the cells that facts belong to; 0: none (see `passes.space_sets`)
FACTS_GIVEN = _pointer()  # the same for the run that begins next
# Events.
EVENTS = _pointer()  # words of the events noted; 0: none are wanted
EVENTS_AT = _word()
EVENTS_ROOM = _word()
LEARNED = _word()  # 1: the seat whose part it is has come to see something
# Random play.
POLICY = _word()  # state of the generator behind random play
DECISIONS = _word()  # made so far
MOVES = _word()  # begun so far
LIMIT = _word()  # decisions of one random game
TRIES = _word()  # dead ends met in this part
UNSETTLED = _word()  # 1: no test settled whether the last answer can be finished
MARKED = _word()  # 1 while the slots of PART hold the start of this part
REPLAYED = _word()  # 1: the part begins once more
RETREATS = _word()  # how often it has begun once more because of a refusal
FACTS_CHANGED = _word()  # 1: facts are not those of the start of the part
LEVEL = _word()  # answers of this part that were given without a test: see `runtime.open_answers`
REFUSED = _words(LEVELS + 1)  # by level: how many answers were given before, and refused
PART = _pointer()  # the state
PART_POLICY = _word()
PART_DECISIONS = _word()
PART_ENDED = _word()
PART_SEAT = _word()
PART_MOVES = _word()
PART_TICKS = _word()
PART_BEST_IS_OPEN = _word()
# Searches.
SEARCH = _pointer()  # the context of searches, or 0
BUDGET = _word()  # nodes a search may visit
NODES = _word()
EXACT_NODES = _word()  # 1: nodes are counted as the interpreter counts them
MEMO = _pointer()  # table of states a search has seen
MEMO_BITS = _word()
MEMO_USED = _word()  # as MEMO_BITS: of the part of the table that the search under way uses
MEMO_AGE = _word()
MEMO_ON = _word()  # 1 while a search remembers the states it has seen
FREE_FRAMES = _pointer()  # frames of searches that can be used again
BLOCK = _word()  # whose best is sought
BLOCK_SEAT = _word()  # who decides in that block; -1: nobody yet
VALUE = _pointer()  # words of the value a search for the best found
BEST_MEMO_VOID = _word()  # 1: later decisions cannot use what a search for the best finds
BEST_MEMO_AGE = _word()  # of what the last search for the best left in the memo, 0: nothing
BEST_MEMO_BITS = _word()
BEST_MEMO_AT = _word()  # the cells of the best value
BEST_MEMO_WIDTH = _word()
BEST_IS_OPEN = _word()  # 1: the last search for the best ended at its bound, and saw few answers
# Counts.
PLAY = _pointer()  # the context in which a count plays on
COUNTS = _pointer()  # table of positions a count has met
COUNTS_BITS = _word()
SLOTS = next(_numbers)  # behind them: memoised results, then facts

COUNTS_ENTRY = 3  # words of an entry in COUNTS: hash, hash, count
RECORD_WORDS = UNKNOWN - ENDED + 1

# Behind HALT: see `codegen.state.ticks`
HALT_NOW = Slot(0)  # not 0 once the caller wants to stop: loaded as volatile
HALT_LEFT = Slot(1)  # how often it may still be asked before the clock is looked at
HALT_SINCE = Slot(2)  # when that was done first, or Python was asked last; 0: not yet
HALT_ASK = Slot(3)  # 1: Python is asked for signals now and then; 0: a run that lasts long ends
HALT_RAISED = Slot(4)  # three words: what a signal handler raised
HALT_WORDS = 7

# -------------------------------------------------------- what stands in slots
# MODE: step by step, random play, or a kind of search (see `codegen.instructions.search_modes`)
STEP, RANDOM, COMPLETION, BEST, COUNT_WAYS = 1, 2, 4, 8, 16
# REFUSED: no answer is left
EXHAUSTED = 1 << 40
# GIVEN: the kind of answer, and a bit for one that was not asked for. Only Python gives a position,
# which is the number of one of the answers.
GIVEN_VALUE, GIVEN_DECLINE, GIVEN_STOP, GIVEN_ELSEWHERE, GIVEN_POSITION = range(5)
GIVEN_KIND, GIVEN_SILENT_BIT = 7, 3
BARRIERS = ("", "chance", "reveal", "decision", "end", "over")
STOPS = ("", "decision", "chance", "over")

# ------------------------------------------------- what functions give back
# `run`
STOPPED, COMPLETE, BEST_END, FAILED = -1, -2, -3, -4
# `publish`: the number of an answer, FAILED, or one of these. LIST: the answers have to be listed.
# The last two are passed on to `run`: play the part again after a dead end, or with tests.
STOP_NOW, NOTHING_LEFT, LIST, TO_PART_START, TEST_PART = -1, -2, -7, -5, -6
# Verdicts of searches. BROKEN: an error has been noted; VALUED: the end of a `best` block has been
# reached; WAITS: there is another decision; UNSEEN: nothing is known yet; RESTART: begin again and
# count nodes exactly.
NO, YES, OPEN, VALUED, WAITS = range(5)
BROKEN, UNSEEN, RESTART = -1, -2, -3

# what a batch does with a state instead of giving it the answer with a number
START, LIST_AGAIN, LEAVE = -1, -2, -3

OPTIONAL, STOPPABLE = 1, 2  # what may be answered besides the options of a choice

NO_MEMORY = "no-memory"  # the code of a search for which the system has none
TOO_LARGE = "too-large"  # the code of a count that does not fit into a word


@dataclass(frozen=True, slots=True)
class Entries:
    """Where `run` may go on, as numbers: instructions, then answers, then offers."""

    size: int  # of the Program, in instructions

    def answer(self, pc: int) -> int:
        """With the answer, or the outcome, that an instruction waited for."""
        return self.size + pc

    def offer(self, pc: int) -> int:
        """Where a choice is offered once more."""
        return 2 * self.size + pc

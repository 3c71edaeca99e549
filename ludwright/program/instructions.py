"""Instructions of a Program: stores, jumps, calls, and the two that may stop it."""

from __future__ import annotations

from typing import Literal

from ludwright.program.expressions import Expr, Sentence, Source
from ludwright.program.types import Overflow, Type
from ludwright.quick_records import dataclass

Side = Literal["default", "top", "bottom", "middle"]  # of a place, where pieces come
Where = Literal[Side, "at"]


class Instr:
    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Store(Instr):
    """Write a value.

    `index` None: at `addr` (a cell, cells of a wide type, or a register). Otherwise at
    `addr + index * stride` with 0 <= index < size; a negative index (none) is a Fault "none".
    An int outside lo..hi is clamped, a Refusal, or a Fault, as `overflow` says; inside of a list
    or tuple it is a Fault, and so is a list longer than `cap`. `variable` is an index into
    `variables` (an event is emitted if the value changes) or -1 for locals.
    """

    addr: int
    value: Expr
    type: Type
    index: Expr | None = None
    stride: int = 1
    size: int = 0
    overflow: Overflow = "fault"
    variable: int = -1
    site: int = -1
    barrier: bool = False  # shows the chooser something hidden: ends the part, as a reveal does


@dataclass(frozen=True, slots=True)
class Zero(Instr):
    """Clear dead locals so that equal positions have equal cells: (address, cells) pairs."""

    ranges: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Jump(Instr):
    target: int


@dataclass(frozen=True, slots=True)
class Branch(Instr):
    """Go on if `when` holds, else jump."""

    when: Expr
    target: int
    barrier: bool = False  # as in Store


@dataclass(frozen=True, slots=True)
class Switch(Instr):
    """Jump to targets[value]; outside: to `default`."""

    value: Expr
    targets: tuple[int, ...]
    default: int
    barrier: bool = False  # as in Store


@dataclass(frozen=True, slots=True)
class CallProc(Instr):
    """Arguments have been stored before. `ret` is the callee's return cell (or register).

    `ticks` are counted as by `Tick`: for procedures that do much without a loop.
    """

    entry: int
    ret: int
    ticks: int = 0
    site: int = -1


@dataclass(frozen=True, slots=True)
class Return(Instr):
    ret: int


@dataclass(frozen=True, slots=True)
class Tick(Instr):
    """Counts work at every back edge; past the run's limit it is a Fault "ticks".

    `passes`: how often the loop can be gone through at most, as far as a rulebook says so.
    """

    site: int = -1
    ticks: int = 1
    passes: int = 1


@dataclass(frozen=True, slots=True)
class Choose(Instr):
    choice: int  # index into `choices`


@dataclass(frozen=True, slots=True)
class Chance(Instr):
    """A uniformly random element of `outcomes` is stored at `addr`.

    Nothing to choose from is a Fault "empty"; a single outcome neither draws nor stops. `name` is
    what the outcome is called in events and explicit decisions. `arranges`: it says where in the
    order of a place a piece comes to lie, which is no news to anyone who may not see the place.
    """

    addr: int
    outcomes: Source
    type: Type
    name: str
    variable: int = -1
    site: int = -1
    # loop indices around it, for the decision id
    loops: tuple[int, ...] = ()
    arranges: bool = False


@dataclass(frozen=True, slots=True)
class MovePiece(Instr):
    """Put a piece into a place (-1: out of the game).

    where: "default" (bag: kept sorted by piece number; row: at the end; stack and deck: on top),
    "top", "bottom", "middle" (deck: among the unordered), "at" (position `at` from the top).
    A piece of none is a Fault "none". Moving a piece takes back what was revealed of it.
    """

    piece: Expr
    place: Expr
    where: Where = "default"
    at: Expr | None = None
    site: int = -1
    barrier: bool = False  # as in Store


@dataclass(frozen=True, slots=True)
class MoveAll(Instr):
    """Put all pieces of a list into a place (-1: out of the game), one after the other.

    It is as many `MovePiece`, and each of them costs a tick.
    """

    pieces: Expr
    place: Expr
    where: Side = "default"
    site: int = -1
    barrier: bool = False  # as in Store


@dataclass(frozen=True, slots=True)
class SwapInPlace(Instr):
    """Exchange the pieces at two positions (from the top) of an ordered place."""

    place: Expr
    first: Expr
    second: Expr


@dataclass(frozen=True, slots=True)
class MixDeck(Instr):
    """Everything in a deck becomes its unordered middle."""

    place: Expr


@dataclass(frozen=True, slots=True)
class RevealPiece(Instr):
    """Let the seats (a set) see a piece wherever it lies, or (`hide`) no longer."""

    piece: Expr
    seats: Expr
    hide: bool = False
    site: int = -1


@dataclass(frozen=True, slots=True)
class Require(Instr):
    """A Refusal where `when` fails (`fault`: a Fault instead)."""

    when: Expr
    site: int
    fault: bool = False


@dataclass(frozen=True, slots=True)
class HeadEnter(Instr):
    """Opens a move unless one is under way."""

    head: int  # index into `heads`


@dataclass(frozen=True, slots=True)
class HeadExit(Instr):
    """Closes the move this head opened: HEAD, ANSWERED and ACTION become 0."""

    head: int


@dataclass(frozen=True, slots=True)
class BestBegin(Instr):
    """Finds, by search on a scratch copy, the largest value of the matching `BestEnd` over all
    completions of this part, and stores it at `addr`."""

    best: int  # number that joins begin and end
    addr: int
    type: Type


@dataclass(frozen=True, slots=True)
class BestEnd(Instr):
    """A Refusal where `value` is less than what `BestBegin` found; clears it."""

    best: int
    addr: int
    type: Type
    value: Expr
    site: int = -1


@dataclass(frozen=True, slots=True)
class RecordPosition(Instr):
    history: int
    site: int = -1


@dataclass(frozen=True, slots=True)
class ClearHistory(Instr):
    history: int


@dataclass(frozen=True, slots=True)
class Emit(Instr):
    """A structured event that no store or move makes by itself (phase entered, turn, stage, …)."""

    event: str
    fields: tuple[tuple[str, Expr, Type], ...] = ()


@dataclass(frozen=True, slots=True)
class Say(Instr):
    """Tells the seats in `to` (all without it) a sentence, if `when` holds.

    It changes no cell and counts no work. All of it is evaluated only where somebody listens; what
    cannot be evaluated spoils the sentence and nothing else.
    """

    sentence: Sentence
    to: Expr | None = None  # a set of seats
    when: Expr | None = None
    site: int = -1


@dataclass(frozen=True, slots=True)
class Finish(Instr):
    """The game is over: OVER = end + 1; the result has been stored. The program stops here."""

    end: int


@dataclass(frozen=True, slots=True)
class FaultHere(Instr):
    code: str
    site: int

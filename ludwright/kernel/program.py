"""The Program: what a rulebook is lowered to, and all that an engine knows.

A Program is one flat array of instructions over one flat block of integer cells. Actions, phases,
operations, events and triggers are gone; what is left are stores, jumps, calls and the two places
where the program may stop: `Choose` (a seat decides) and `Chance`.

*State.* `cells` ints of 32 bits. Procedures do not recurse, so every local, loop index and return
address has a fixed cell, and a suspended game is just its cells with `PC` saying where it stopped.
*Registers.* Addresses from `cells` up are scratch registers: they hold one whole value (an int, or
a tuple / set as in `kernel.types`) and are dead at every suspension.
*Control.* `CallProc` writes the return address into the procedure's return cell and jumps;
`Return` jumps back and clears it. Jump targets are indices into `code`.
*Time.* Expressions are pure and never suspend. Streams are lazy: elements are computed in order,
only as far as the consumer needs.
*Errors.* A `Refusal` means "this cannot be chosen" and prunes a search; a `Fault` is a mistake of
the rulebook and is always raised. Both name a `Site`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from ludwright.cached import cached_property
from ludwright.diagnostics import Span
from ludwright.kernel.expression_nodes import (
    UNSTATED,
    Aggregate,
    AggregateOp,
    And,
    Arith,
    ArithOp,
    Bind,
    BindSource,
    CallFn,
    CombosSource,
    Compare,
    CompareOp,
    ConcatSource,
    Const,
    ConstSource,
    Expr,
    Filter,
    Function,
    Group,
    InSet,
    InStream,
    Item,
    ItemsSource,
    Length,
    ListItem,
    ListSource,
    Load,
    LoadAt,
    LoadWide,
    Lookup,
    Loop,
    MakeList,
    MakeSet,
    MakeTuple,
    Not,
    Or,
    PiecesSource,
    RangeSource,
    Reach,
    RowSource,
    SeatsSource,
    Select,
    SelectSource,
    SetOp,
    SetSource,
    Sorted,
    Source,
    Spend,
    Stream,
    Times,
    Until,
)
from ludwright.kernel.types import Type
from ludwright.kernel.world import World

# ------------------------------------------------------------- header cells
RNG_LO = 0  # the generator's state, low and high 32 bits (as signed ints)
RNG_HI = 1
LOG = 2  # number of events so far
PC = 3  # index of the instruction the program stopped at (a Choose or Chance); see `run`
HEAD = 4  # the head whose move is under way (index into `heads` + 1), 0 between moves
ANSWERED = 5  # 1 once a decision of this move has been answered
ACTION = 6  # the action under way (index into `actions` + 1), 0 otherwise
ACTOR = 7  # the seat whose action or choice it is (`actor`); -1 before the first move
ACTIVE = 8  # the seat whose turn it is (`active`)
PHASE = 9  # index of the phase, -1 without phases
TURN = 10  # turns begun
OVER = 11  # 0 while the game runs, else index into `ends` + 1
PLAYERS = 12  # seats in play: 0 .. PLAYERS-1
SCENARIO = 13
PENDING_PHASE = 14  # request: 0 none, phase + 1
PENDING_TURN = 15  # request: 0 none, 1 end of turn
FREE = 16  # 1 while a free operation is under way (`__freeOperation`)
GRANT = 17  # 1 while the state grants the seat to act a free operation
HEADER = 18  # first free cell


@dataclass(frozen=True, slots=True)
class Site:
    """Where in the rulebook an instruction comes from, for errors and `why`."""

    span: Span | None
    rule: str  # in the author's words: "action place, param cell"


# -------------------------------------------------------------- instructions


Overflow = Literal["clamp", "refuse", "fault"]
Where = Literal["default", "top", "bottom", "middle", "at"]


class Instr:
    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Store(Instr):
    """Write a value.

    `index` None: at `addr` (a cell, cells of a wide type, or a register). Otherwise at
    `addr + index * stride` with 0 <= index < size; a negative index (none) is a Fault "none".
    An int outside lo..hi is clamped, a Refusal, or a Fault, as `overflow` says. `variable` is an
    index into `variables` (an event is emitted if the value changes) or -1 for locals.
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
class Finish(Instr):
    """The game is over: OVER = end + 1; the result has been stored. The program stops here."""

    end: int


@dataclass(frozen=True, slots=True)
class FaultHere(Instr):
    code: str
    site: int


# ----------------------------------------------------------------- decisions


@dataclass(frozen=True, slots=True)
class Label:
    """An alternative of a menu or offer; `action` is an index into `actions` or -1.

    A guard of several tests is `(a and b) and c`; `sites` says where each of them stands.
    """

    name: str
    guard: Expr | None = None
    action: int = -1
    sites: tuple[int, ...] = ()

    @property
    def tests(self) -> tuple[Expr, ...]:
        """The tests of the guard, in the order of the sites."""
        found: list[Expr] = []
        guard = self.guard
        for _ in self.sites[1:]:
            assert isinstance(guard, And)
            found.append(guard.right)
            guard = guard.left
        return (*((guard,) if guard is not None else ()), *reversed(found))


HeadKind = Literal["offer", "menu", "choice"]
Role = Literal["param", "choice", "action", "menu", "side", "branch", "special"]


@dataclass(frozen=True, slots=True)
class Choice:
    """Everything about one place where a seat decides.

    Reached with nothing to choose: `optional` (or min 0) stores none / nothing and goes on; an
    `empty` target is jumped to; otherwise it is a Refusal.

    kind "one": one option (`optional`: or none) → stored at `result` (result_type).
    kind "many": picked one at a time in ascending option order (`sequence`: any order; `repeats`:
      an option may return), at least `minimum`, at most `maximum` (None: no bound; clamped to the
      domain). `as_many`: stopping is allowed only when nothing is left to pick. Picks collect at
      `result`: a set, or a list where the element has no finite universe, or sequence/repeats.
    kind "labels": one of `labels` whose guard holds (and which can be completed); its index is
      stored at `result`. An offer with one label (`silent`) is not asked, only tested.

    `together`: `by` is a set of seats, each decides sealed; `chooser` is the register that holds
      the seat while options, minimum and maximum are evaluated. Answers are stored at
      result + seat * result_type.width; the set of seats that have answered at `answered`.
    """

    name: str
    role: Role
    kind: Literal["one", "many", "labels"]
    type: Type
    result: int
    result_type: Type
    by: Expr
    options: Source | None = None
    labels: tuple[Label, ...] = ()
    minimum: Expr | None = None
    maximum: Expr | None = None
    optional: bool = False
    as_many: bool = False
    sequence: bool = False
    repeats: bool = False
    silent: bool = False
    empty: int | None = None
    loops: tuple[int, ...] = ()  # cells of the loop indices around it, outermost first
    together: bool = False
    chooser: int = -1
    answered: int = -1
    # no completion search is needed: nothing that follows in this part can refuse
    safe: bool = False
    # a register, and what holds if an answer in it can be finished; None: only a search tells
    finish: tuple[int, Expr] | None = None
    site: int = -1
    # how this decision is called within its procedure, where it is not by its name
    path: str = ""


@dataclass(frozen=True, slots=True)
class CallSite:
    """A call, as the ids of the decisions behind it tell of it."""

    loops: tuple[int, ...] = ()  # cells of the loop indices around it, outermost first
    segment: str = ""  # "pick@2": how the call is written
    names: tuple[str, ...] = ()  # of the decisions whose ids need it


@dataclass(frozen=True, slots=True)
class Head:
    """A statement that opens a move: an offer, a menu, a choice at the level of the flow."""

    name: str
    kind: HeadKind


# A text template: literal text, or the path of a value ("origin", "promote.letter", "$to*").
# A path may begin with quoted text, which is written only where there is a value: ("'x'", "$to*").
Template = tuple[str | tuple[str, ...], ...]


def slot(part: tuple[str, ...]) -> tuple[str, tuple[str, ...]]:
    """The text before the value of a template, and the path of the value."""
    return (part[0][1:-1], part[1:]) if part[0].startswith("'") else ("", part)


@dataclass(frozen=True, slots=True)
class ActionInfo:
    name: str
    params: tuple[str, ...]
    notation: Template | None
    operation: bool = False  # has a profile: offered as a template
    site: int = -1


@dataclass(frozen=True, slots=True)
class EndInfo:
    """How a finished game is told. Reason: literal text and (expression, type) parts."""

    outcome: Literal["win", "lose", "draw", "score"]
    reason: tuple[str | tuple[Expr, Type], ...]
    site: int = -1


@dataclass(frozen=True, slots=True)
class Variable:
    """A declared variable, marker, or piece property, for events, observation and hashes."""

    name: str
    scope: Literal["global", "seat", "space", "piece"]
    type: Type
    addr: int  # cell of index 0
    count: int  # 1, or the number of seats, spaces or pieces
    see: Literal["all", "owner", "none"] = "all"
    history: bool = False


@dataclass(frozen=True, slots=True)
class History:
    """A ring of 64-bit position hashes in cells: count, then (low, high) pairs."""

    name: str
    addr: int
    keep: int
    last: bool
    values: tuple[Expr, ...]  # the scalars and wide values that make a position


@dataclass(frozen=True, slots=True)
class Local:
    """A local that is kept in cells while the program is stopped: `count` values in a row."""

    name: str
    addr: int
    type: Type
    count: int = 1


@dataclass(frozen=True, slots=True)
class Procedure:
    name: str
    entry: int
    end: int
    ret: int
    calls: Mapping[int, CallSite] = field(default_factory=dict)  # by the index of the instruction
    action: int = -1
    # its frame, the return cell included; frames of procedures that never call each other overlay
    frame: tuple[Local, ...] = ()
    # where the program can wait in this code (a stop, or a call of code with one): the locals that
    # then hold pieces
    references: Mapping[int, tuple[Local, ...]] = field(default_factory=dict)


@dataclass(frozen=True)
class Program:
    world: World
    cells: int
    registers: int
    initial: tuple[int, ...]  # the cells before set-up
    code: tuple[Instr, ...]
    tables: tuple[tuple[int, ...], ...]
    rows: tuple[tuple[tuple[object, ...], ...], ...]
    functions: tuple[Function, ...]
    choices: tuple[Choice, ...]
    heads: tuple[Head, ...]
    actions: tuple[ActionInfo, ...]
    ends: tuple[EndInfo, ...]
    variables: tuple[Variable, ...]
    histories: tuple[History, ...]
    procedures: tuple[Procedure, ...]  # [0] is the main program, entered at code[entry]
    phases: tuple[str, ...]
    scenarios: tuple[str, ...]
    sites: tuple[Site, ...]
    labels: Mapping[str, tuple[str, ...]]  # label sets of menus, by Type.name
    entry: int
    # pieces: place (or -1) and next piece in the place (or -1), one cell per piece
    piece_place: int
    piece_next: int
    # places: first piece (or -1), number of pieces; for decks: known pieces on top, at the bottom
    place_head: int
    place_count: int
    deck_top: Mapping[int, int]
    deck_bottom: Mapping[int, int]
    revealed: int  # per piece a set of seats in one cell, or -1 if nothing is ever revealed
    scores: int  # the result: one score per seat
    ranks: int  # and one rank per seat, 1 = best
    # the declared (or a default) measure of how well a seat stands: register of the seat, value
    score: tuple[int, Expr] | None
    # how many choices and frames the deepest chain needs is in `cells`; all else is code
    fixed_properties: Mapping[str, int]  # fixed piece property -> table over all pieces
    refusing: tuple[int, ...]  # the instructions that can refuse

    @cached_property
    def fingerprint(self) -> str:
        """A name for what the Program does; see `kernel.fingerprint`."""
        # Imported late: it reads the records of this module.
        from ludwright.kernel.fingerprint import fingerprint

        return fingerprint(self)


__all__ = [
    "ACTION",
    "ACTIVE",
    "ACTOR",
    "ANSWERED",
    "FREE",
    "GRANT",
    "HEAD",
    "HEADER",
    "LOG",
    "OVER",
    "PC",
    "PENDING_PHASE",
    "PENDING_TURN",
    "PHASE",
    "PLAYERS",
    "RNG_HI",
    "RNG_LO",
    "SCENARIO",
    "TURN",
    "UNSTATED",
    "ActionInfo",
    "Aggregate",
    "AggregateOp",
    "And",
    "Arith",
    "ArithOp",
    "BestBegin",
    "BestEnd",
    "Bind",
    "BindSource",
    "Branch",
    "CallFn",
    "CallProc",
    "Chance",
    "Choice",
    "Choose",
    "ClearHistory",
    "CombosSource",
    "Compare",
    "CompareOp",
    "ConcatSource",
    "Const",
    "ConstSource",
    "Emit",
    "EndInfo",
    "Expr",
    "FaultHere",
    "Filter",
    "Finish",
    "Function",
    "Group",
    "Head",
    "HeadEnter",
    "HeadExit",
    "HeadKind",
    "History",
    "InSet",
    "InStream",
    "Instr",
    "Item",
    "ItemsSource",
    "Jump",
    "Label",
    "Length",
    "ListItem",
    "ListSource",
    "Load",
    "LoadAt",
    "LoadWide",
    "Lookup",
    "Loop",
    "MakeList",
    "MakeSet",
    "MakeTuple",
    "MixDeck",
    "MovePiece",
    "Not",
    "Or",
    "Overflow",
    "PiecesSource",
    "Procedure",
    "Program",
    "RangeSource",
    "Reach",
    "RecordPosition",
    "Require",
    "Return",
    "RevealPiece",
    "Role",
    "RowSource",
    "SeatsSource",
    "Select",
    "SelectSource",
    "SetOp",
    "SetSource",
    "Site",
    "Sorted",
    "Source",
    "Spend",
    "Store",
    "Stream",
    "SwapInPlace",
    "Switch",
    "Template",
    "Tick",
    "Times",
    "Until",
    "Variable",
    "Where",
    "Zero",
]

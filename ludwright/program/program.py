"""The Program as one record: its code, its choices, and what its cells mean."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from ludwright.cached import cached_property
from ludwright.program.choices import CallSite, Choice, Head
from ludwright.program.expressions import Expr, Function
from ludwright.program.fingerprint import fingerprint
from ludwright.program.header import PENDING_PHASE
from ludwright.program.instructions import Choose, Instr, Store
from ludwright.program.site import Condition, Site
from ludwright.program.types import Type
from ludwright.program.world import World

# A text template: literal text, or the path of a value ("origin", "promote.letter", "$to*").
# A path may begin with quoted text, which is written only where there is a value: ("'x'", "$to*").
Template = tuple[str | tuple[str, ...], ...]


def slot(part: tuple[str, ...]) -> tuple[str, tuple[str, ...]]:
    """The text before the value of a template, and the path of the value."""
    return (part[0][1:-1], part[1:]) if part[0].startswith("'") else ("", part)


@dataclass(frozen=True, slots=True)
class Provided:
    """Text of a spelling that is written only where a condition over the move holds."""

    text: str
    when: Function
    names: tuple[str, ...]  # the answers that are its arguments, and `actor`


# Another way to write a move: like a template, and texts with conditions.
Spelling = tuple[str | tuple[str, ...] | Provided, ...]


@dataclass(frozen=True, slots=True)
class ActionInfo:
    name: str
    params: tuple[str, ...]
    notation: Template | None
    template: bool = False  # listed without its answers, however few there are
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
    count: int  # 1, or the number of seats, spaces or pieces that have it
    first: int = 0  # the space or piece of index 0
    see: Literal["all", "owner", "none"] = "all"
    history: bool = False

    @property
    def owners(self) -> range:
        """The numbers of the seats, spaces or pieces that have it."""
        return range(self.first, self.first + self.count)

    def cell_of(self, owner: int) -> int:
        """Where the value of a seat, space or piece lies."""
        return self.addr + (owner - self.first) * self.type.width


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


@dataclass(frozen=True, slots=True)
class Shown:
    """A computed value that people look at; `seat` is the register of the seat, or None."""

    name: str
    value: Expr
    type: Type
    seat: int | None = None


@dataclass(frozen=True, slots=True)
class Words:
    """What people read of something declared; all of it stands outside of the rules."""

    title: str = ""
    symbol: str = ""  # a glyph
    text: str = ""  # what it is, or does
    hidden: bool = False  # bookkeeping that nobody needs to look at
    spellings: tuple[Spelling, ...] = ()  # of an action: other ways in which its moves are typed


@dataclass(frozen=True, slots=True)
class Hints:
    """What a rulebook tells bots; no rule reads it. The value they go by is `Program.score`."""

    skip: tuple[int, ...]  # choices that are not worth thinking about
    cutoff: int  # decisions of a playout; 0: to the end


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
    shown: tuple[Shown, ...] = ()
    # conditions that a test of the rulebook asks for, each by its parts, all of which must hold
    checks: tuple[tuple[Condition, ...], ...] = ()
    # by what it is ("seat", "space", "zone", "kind", "row", "variable", "action", …) and its name
    words: Mapping[tuple[str, str], Words] = field(default_factory=dict)
    hints: Hints | None = None  # only in a Program that is made for searches

    def choice_at(self, pc: int) -> Choice:
        """The choice of the `Choose` instruction at an index."""
        instr = self.code[pc]
        assert isinstance(instr, Choose)
        return self.choices[instr.choice]

    @cached_property
    def last_request(self) -> int:
        """The largest number that `PENDING_PHASE` may hold: a phase, or, past the last of them, the
        phase below an interrupt."""
        written = (
            instr.type.hi
            for instr in self.code
            if isinstance(instr, Store) and instr.addr == PENDING_PHASE
        )
        return max(written, default=0)

    @cached_property
    def fingerprint(self) -> str:
        """A name for what the Program does; see `program.fingerprint`."""
        return fingerprint(self)

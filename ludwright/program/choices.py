"""Choices: all that a Program says about the places where a seat decides."""

from __future__ import annotations

from typing import Literal

from ludwright.program.expressions import And, Expr, Sentence, Source
from ludwright.program.types import Type
from ludwright.quick_records import dataclass


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
# "param": its answer belongs to the name of a move, so moves are listed with it.
Role = Literal["param", "choice", "action", "menu"]


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
    ask: Sentence | None = None  # the question in words; only the one who decides reads it


@dataclass(frozen=True, slots=True)
class CallSite:
    """A call, as the ids of the decisions behind it tell of it."""

    loops: tuple[int, ...] = ()  # cells of the loop indices around it, outermost first
    segment: str = ""  # "pick@2": how the call is written
    names: tuple[str, ...] = ()  # of the decisions whose ids need it
    ask: Sentence | None = None  # of an offer that has only this action: asks its first decision


@dataclass(frozen=True, slots=True)
class Head:
    """A statement that opens a move: an offer, a menu, a choice at the level of the flow."""

    name: str
    kind: HeadKind

"""The syntax tree of expressions and effects: what both spellings of the language become.

The long node form (`{op: '+', left: …}`) and the short text form (`a + b`) are read into these
same nodes, so they give the identical GameDef. `span` never takes part in equality or JSON.
"""

from __future__ import annotations

from dataclasses import field
from typing import Literal

from ludwright.diagnostics import Span
from ludwright.quick_records import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Node:
    span: Span | None = field(default=None, compare=False, repr=False)


# ---------------------------------------------------------------- expressions


@dataclass(frozen=True, slots=True)
class Expr(Node):
    pass


@dataclass(frozen=True, slots=True)
class IntLit(Expr):
    value: int


@dataclass(frozen=True, slots=True)
class BoolLit(Expr):
    value: bool


@dataclass(frozen=True, slots=True)
class NoneLit(Expr):
    pass


@dataclass(frozen=True, slots=True)
class Name(Expr):
    """Any bare name: local, `$binding`, variable, seat, space, enum value, … (resolved later)."""

    id: str


@dataclass(frozen=True, slots=True)
class Attr(Expr):
    of: Expr
    name: str


@dataclass(frozen=True, slots=True)
class Index(Expr):
    of: Expr
    index: Expr


@dataclass(frozen=True, slots=True)
class Call(Expr):
    """`fn(args, name=value)`. `fn` may be dotted (`sweep.max`)."""

    fn: str
    args: tuple[Expr, ...] = ()
    named: tuple[tuple[str, Expr], ...] = ()


@dataclass(frozen=True, slots=True)
class Unary(Expr):
    op: Literal["-", "not"]
    arg: Expr


BinaryOp = Literal[
    "+", "-", "*", "//", "%", "==", "!=", "<", "<=", ">", ">=", "in", "not in", "and", "or", ".."
]


@dataclass(frozen=True, slots=True)
class Binary(Expr):
    op: BinaryOp
    left: Expr
    right: Expr


@dataclass(frozen=True, slots=True)
class Cond(Expr):
    when: Expr
    then: Expr
    other: Expr


@dataclass(frozen=True, slots=True)
class TupleLit(Expr):
    items: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class ListLit(Expr):
    items: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class For(Node):
    names: tuple[str, ...]
    source: Expr


@dataclass(frozen=True, slots=True)
class If(Node):
    when: Expr


@dataclass(frozen=True, slots=True)
class Until(Node):
    when: Expr


Clause = For | If | Until


@dataclass(frozen=True, slots=True)
class Comp(Expr):
    """`head for x in A if c until d`."""

    head: Expr
    clauses: tuple[Clause, ...]


@dataclass(frozen=True, slots=True)
class Text(Node):
    """A sentence for people: words with values between them, `words[0] values[0] words[1] …`.

    The words are no rules: they stand outside of the hash of a game.
    """

    words: tuple[str, ...]  # one more than values
    values: tuple[Expr, ...] = ()


@dataclass(frozen=True, slots=True)
class Where(Expr):
    """`value where a = e, b = f`: names for parts; later ones may use earlier ones."""

    value: Expr
    names: tuple[tuple[str, Expr], ...]


# -------------------------------------------------------------------- effects


@dataclass(frozen=True, slots=True)
class Effect(Node):
    pass


Block = tuple[Effect, ...]


@dataclass(frozen=True, slots=True)
class SetVar(Effect):
    """`target = value`: a local, variable, `seat.var`, `space.var`, `piece.prop` or marker."""

    target: Expr
    value: Expr


@dataclass(frozen=True, slots=True)
class AddVar(Effect):
    """`target += delta` (`-=` is a negative delta)."""

    target: Expr
    delta: Expr


@dataclass(frozen=True, slots=True)
class Let(Effect):
    """`let a, b = value`: visible to the end of the enclosing block."""

    names: tuple[str, ...]
    value: Expr


@dataclass(frozen=True, slots=True)
class Do(Effect):
    """A nested block with its own scope (from the long form's `let … in`)."""

    body: Block


@dataclass(frozen=True, slots=True)
class CallProc(Effect):
    proc: str
    args: tuple[Expr, ...] = ()
    named: tuple[tuple[str, Expr], ...] = ()


@dataclass(frozen=True, slots=True)
class MoveToken(Effect):
    """`move X to Z [at top|bottom|random]`: X is a piece, or a collection when `all`."""

    what: Expr
    to: Expr
    all: bool = False
    position: Literal["top", "bottom", "random"] | None = None
    origin: Expr | None = None  # the long form's `from`: must be where the piece is


@dataclass(frozen=True, slots=True)
class MoveCount(Effect):
    """`move [up to] n KIND [of SEAT] [with prop=e, …] from Z to Z`: n interchangeable pieces.

    `move all KIND …`: the count is Name('all'). `remove n KIND … from Z` has no `to`.
    """

    count: Expr
    kind: Expr
    owner: Expr | None
    origin: Expr
    to: Expr | None
    up_to: bool = False
    props: tuple[tuple[str, Expr], ...] = ()


@dataclass(frozen=True, slots=True)
class MoveTokenAdjacent(Effect):
    token: Expr
    direction: Expr | None = None
    origin: Expr | None = None


@dataclass(frozen=True, slots=True)
class CreateToken(Effect):
    """`place [n] KIND [of SEAT] at Z [with prop=e, …]`."""

    kind: Expr
    to: Expr
    count: Expr | None = None
    owner: Expr | None = None
    props: tuple[tuple[str, Expr], ...] = ()


@dataclass(frozen=True, slots=True)
class DestroyToken(Effect):
    """`remove X`, `remove all of C`."""

    what: Expr
    all: bool = False


@dataclass(frozen=True, slots=True)
class Draw(Effect):
    """`draw n from Z to Z`; `draw up to n …` takes fewer when the zone runs out."""

    count: Expr
    origin: Expr
    to: Expr
    up_to: bool = False


@dataclass(frozen=True, slots=True)
class Shuffle(Effect):
    zone: Expr


@dataclass(frozen=True, slots=True)
class Reverse(Effect):
    """`reverse Z`: the last piece of a stack or row becomes the first."""

    zone: Expr


@dataclass(frozen=True, slots=True)
class Swap(Effect):
    """`swap X with Y`: two pieces exchange places, two places what lies there, or two variables
    their values."""

    left: Expr
    right: Expr


@dataclass(frozen=True, slots=True)
class Reveal(Effect):
    """`reveal X [to seats]`; X is a piece, a place or a collection of pieces."""

    what: Expr
    to: Expr | None = None


@dataclass(frozen=True, slots=True)
class Conceal(Effect):
    what: Expr
    origin: Expr | None = None  # from which seats; all when absent


@dataclass(frozen=True, slots=True)
class ShiftMarker(Effect):
    """`shift space.marker by n`, clamped to the lattice."""

    target: Expr
    delta: Expr


@dataclass(frozen=True, slots=True)
class RollRandom(Effect):
    """`roll x in A`: a uniformly random member; x is an existing variable or a new local.

    In `roll p.x in A`, `x` is a variable of the seat, space or piece `of`.
    """

    bind: str
    source: Expr
    of: Expr | None = None


@dataclass(frozen=True, slots=True)
class Record(Effect):
    history: str


@dataclass(frozen=True, slots=True)
class Clear(Effect):
    history: str


@dataclass(frozen=True, slots=True)
class Require(Effect):
    """`require c else "…"`: the words are for whoever is refused."""

    when: Expr
    words: str = ""


@dataclass(frozen=True, slots=True)
class Say(Effect):
    """`say "…" [to SEATS] [if c]`: tell the seats (all when absent) a sentence."""

    text: Text
    to: Expr | None = None
    when: Expr | None = None


@dataclass(frozen=True, slots=True)
class Fault(Effect):
    """`ifNone: fault`: to come here is a mistake of the rulebook."""


@dataclass(frozen=True, slots=True)
class Return(Effect):
    value: Expr | None = None


@dataclass(frozen=True, slots=True)
class Stop(Effect):
    """Leave the innermost loop."""


@dataclass(frozen=True, slots=True)
class Resolve(Effect):
    """`resolve CARD [SIDE]`: play an event card's text."""

    card: Expr
    side: Expr | None = None


@dataclass(frozen=True, slots=True)
class Window(Effect):
    name: str


@dataclass(frozen=True, slots=True)
class GotoPhase(Effect):
    phase: str


@dataclass(frozen=True, slots=True)
class AdvancePhase(Effect):
    pass


@dataclass(frozen=True, slots=True)
class RunPhase(Effect):
    phase: str


@dataclass(frozen=True, slots=True)
class PushPhase(Effect):
    """`push phase P`: when the move is over, an interrupt phase on top of the current one."""

    phase: str


@dataclass(frozen=True, slots=True)
class EndTurn(Effect):
    pass


@dataclass(frozen=True, slots=True)
class EndGame(Effect):
    """`end game` (result by the `score`/`end` block), `end game win SEATS`, `end game draw`."""

    outcome: Literal["win", "lose", "draw"] | None = None
    seats: Expr | None = None


@dataclass(frozen=True, slots=True)
class IfEffect(Effect):
    when: Expr
    then: Block
    other: Block = ()


@dataclass(frozen=True, slots=True)
class ForEach(Effect):
    bind: tuple[str, ...]
    over: Expr
    body: Block
    index: str | None = None
    limit: Expr | None = None
    count_bind: str | None = None  # long form: iterations done, bound for `after`
    after: Block = ()


@dataclass(frozen=True, slots=True)
class Repeat(Effect):
    when: Expr
    body: Block
    max: Expr | None = None


@dataclass(frozen=True, slots=True)
class ChooseOne(Effect):
    bind: str
    options: Expr
    by: Expr | None = None
    when: Expr | None = None  # `if`: not asked (binds none) where it fails
    optional: bool = False
    together: bool = False
    if_none: Block | None = None  # done where nothing can be chosen; without it that is refused
    ask: Text | None = None  # the question, as the one who chooses reads it


@dataclass(frozen=True, slots=True)
class ChooseN(Effect):
    """`n` is read as min = max = n. `min: all` / `max: all` are Name('all')."""

    bind: str
    options: Expr
    by: Expr | None = None
    when: Expr | None = None
    min: Expr | None = None
    max: Expr | None = None
    repeats: bool = False
    ordering: Literal["set", "sequence"] = "set"
    as_many_as_possible: bool = False
    each: Block | None = None
    together: bool = False
    if_none: Block | None = None
    by_class: bool = False  # alike pieces are chosen by their number
    ask: Text | None = None


@dataclass(frozen=True, slots=True)
class MenuOption(Node):
    label: str
    when: Expr | None = None
    body: Block = ()


@dataclass(frozen=True, slots=True)
class Menu(Effect):
    options: tuple[MenuOption, ...]
    by: Expr | None = None
    bind: str | None = None
    if_none: Block | None = None
    ask: Text | None = None


@dataclass(frozen=True, slots=True)
class Offer(Effect):
    """The seat takes one of the actions; `none` runs when nothing can be completed."""

    by: Expr | None = None
    actions: tuple[str, ...] | None = None  # all actions of the phase when absent
    none: Block | None = None
    ensure: Expr | None = None
    best: Expr | None = None
    free: bool = False  # actions taken here are free operations
    ask: Text | None = None
    within: Expr | None = None  # every space that is chosen in the action lies in here
    acts_as: Expr | None = None  # `as`: the seat that acts, where another one decides for it
    decline: tuple[str, ...] = ()  # `pass`: actions that are offered beside others only …
    always: bool = False  # … or by themselves
    then: Block = ()  # done after an action has been taken that is not the pass
    # Where the names of the actions stand; like every span no part of the rules.
    actions_span: tuple[Span, ...] = field(default=(), compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class With(Effect):
    """Variables hold these values during the block, then are restored."""

    sets: tuple[SetVar, ...]
    body: Block

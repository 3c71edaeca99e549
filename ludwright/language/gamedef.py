"""GameDef: the canonical compiled game, as plain data.

The reader turns every block of a rulebook, long or short, into these records. Their canonical
JSON (see `canonical`) is what is hashed, saved and published; spans stay outside of it.
Order is the order of the text wherever order has meaning (seats, spaces, options, actions).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field, replace
from typing import Literal

from ludwright.diagnostics import Span
from ludwright.language.look import LookDecl
from ludwright.language.tree import Block, Expr, Node, Text
from ludwright.quick_records import dataclass

# ----------------------------------------------------------------------- types


@dataclass(frozen=True, slots=True)
class TypeExpr(Node):
    """A type as written.

    kind: "name"  -> name (bool, Seat, Space, Zone, Piece, Direction, an enum, a table, a piece
                    kind, a space group, …), "range" -> lo, hi, "enum" -> values (an inline list),
          "list"  -> items[0], cap, "set" -> items[0], "tuple" -> items.
    """

    kind: Literal["name", "range", "enum", "list", "set", "tuple"]
    name: str = ""
    lo: Expr | None = None
    hi: Expr | None = None
    values: tuple[str, ...] = ()
    items: tuple[TypeExpr, ...] = ()
    cap: Expr | None = None
    optional: bool = False


# ---------------------------------------------------------------- declarations


@dataclass(frozen=True, slots=True)
class Parameter(Node):
    """`parameters: { size: 3 }` or `{ size: { default: 3, min: 2, max: 19, doc: … } }`."""

    name: str
    default: int | bool
    min: int | None = None
    max: int | None = None
    doc: str = ""


@dataclass(frozen=True, slots=True)
class SeatDecl(Node):
    """A seat and its constant attributes (`seats: { white: { home: 1 } }`)."""

    name: str
    attributes: tuple[tuple[str, Expr], ...] = ()


@dataclass(frozen=True, slots=True)
class EnumDecl(Node):
    name: str
    values: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class VarDecl(Node):
    """`vars: { quiet: 0..150, Seat.castle: bool = true, Seat.gems[Gem]: 0..7 clamp }`."""

    name: str  # may be dotted: `mom.adsid`
    scope: Literal["global", "seat", "space"]
    type: TypeExpr
    default: Expr | None = None
    overflow: Literal["clamp", "refuse", "fault"] = "fault"
    history: bool = False  # a clock or counter that does not make two positions different
    see: Literal["all", "owner", "none"] = "all"
    each: TypeExpr | None = None  # one value for each member: `gems[Gem]`
    on: str | None = None  # the group of spaces that has it, of a variable of spaces; all when None


@dataclass(frozen=True, slots=True)
class SpaceItem(Node):
    """One explicitly declared space of a group."""

    name: str
    adjacent: tuple[str, ...] = ()
    directions: tuple[tuple[str, str], ...] = ()  # (direction, space)
    attributes: tuple[tuple[str, Expr], ...] = ()
    title: str = ""  # what people call it, where that is not its name
    point: tuple[int, int] | None = None  # where a map draws it (`at`), in any scale; no rule


@dataclass(frozen=True, slots=True)
class SpaceGroup(Node):
    """`spaces: { board: { grid: [8, 8] } }`.

    shape: "grid" (size = columns, rows), "hex" (its `form` says which), "track" (size = length),
    "list" (items; a map), "corners" or "sides" (of the cells of the board `base`).
    """

    name: str
    shape: Literal["grid", "hex", "track", "list", "corners", "sides"]
    size: tuple[Expr, ...] = ()
    items: tuple[SpaceItem, ...] = ()
    adjacency: Literal["orthogonal", "diagonal", "all"] = "orthogonal"
    keep: Literal["all", "dark", "light"] = "all"
    loop: bool = False  # a track whose end joins its start
    one_way: bool = False  # listed adjacency is not mirrored
    names: Literal["chess", "numbers"] = "chess"
    attributes: tuple[tuple[str, Expr], ...] = ()  # computed per space, over `it`
    limits: tuple[LimitDecl, ...] = ()
    of: tuple[str, ...] = ()  # piece kinds allowed; all when empty
    form: Literal["rhombus", "rectangle", "hexagon"] = "rhombus"  # hexagon: size = (side,)
    keep_if: Expr | None = None  # only the cells for which this holds, over `it`
    base: str = ""
    order: Literal["bag", "row", "stack"] = "bag"
    layout: tuple[str, ...] = ()  # a drawing: its rows, the highest first, signs apart by a blank
    legend: tuple[SignDecl, ...] = ()
    top: Literal["pointed", "flat"] = "pointed"  # how a hexagon stands: on a corner, or on a side


@dataclass(frozen=True, slots=True)
class SignDecl(Node):
    """What a sign in the drawing of a board means: properties of the space `it`, its set-up."""

    sign: str
    attributes: tuple[tuple[str, Expr], ...] = ()
    setup: Block = ()
    left_out: bool = False  # there is no space here


@dataclass(frozen=True, slots=True)
class LimitDecl(Node):
    """At most `max` pieces (for which `of`, a condition over `it`, holds) in one place.

    In a space group `where` (a condition over the space, `here`) says which spaces.
    """

    max: Expr
    of: Expr | None = None
    where: Expr | None = None


@dataclass(frozen=True, slots=True)
class ZoneDecl(Node):
    name: str
    each: Literal["none", "seat"] = "none"
    of: tuple[str, ...] = ()  # piece kinds allowed; all when empty
    order: Literal["bag", "row", "stack", "deck"] = "bag"
    see: Literal["all", "owner", "none", "top", "count"] = "all"
    limits: tuple[LimitDecl, ...] = ()
    init: Literal["none", "all"] = "none"  # `all`: every piece of the `of` kinds starts here
    index: TypeExpr | None = None  # one for each member: `pile: { each: 1..6 }`


@dataclass(frozen=True, slots=True)
class PieceDecl(Node):
    """A kind of piece.

    Without `each`: `count` interchangeable pieces (per seat where `owner` is seat and a count is
    given; without a count as many as there are spaces, their owner set when placed).
    With `each` (properties, or the name of a table): one piece for each combination or row, times
    `count` (which may name a column of the table).
    """

    name: str
    owner: str | None = None  # "seat", a seat's name, or None
    props: tuple[tuple[str, TypeExpr, Expr | None], ...] = ()  # changeable; with default
    each: tuple[tuple[str, TypeExpr], ...] = ()  # fixed; one piece per combination
    rows: str | None = None  # the table whose rows they are
    count: Expr | None = None
    notation: str | None = None
    individual: bool = False  # offered one by one even if alike
    # what happens to numbers outside of the range of a property, where that is no fault
    overflows: tuple[tuple[str, Literal["clamp", "refuse"]], ...] = ()


@dataclass(frozen=True, slots=True)
class MarkerConstraint(Node):
    when: Expr  # over the space, `here`
    allowed: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class MarkerDecl(Node):
    """A lattice of states on every space of `on` (a group; all spaces when None), or one global."""

    name: str
    states: tuple[str, ...]
    default: str
    on: str | None = None
    is_global: bool = False
    constraints: tuple[MarkerConstraint, ...] = ()


@dataclass(frozen=True, slots=True)
class TableRow(Node):
    key: str | None  # the row's name, if it has one
    cells: tuple[tuple[str, Expr], ...]
    title: str = ""  # what people call it, where that is not its name


@dataclass(frozen=True, slots=True)
class TableDecl(Node):
    """Rows of constants. `{US: 50, NVA: 18}` is rows keyed US, NVA with the one column `value`."""

    name: str
    rows: tuple[TableRow, ...]
    keyed: bool = False  # written as a mapping: looked up by key (`threshold[US]`)


@dataclass(frozen=True, slots=True)
class ParamDecl(Node):
    """A parameter of a function or procedure: `me`, `n: 0..6`, `free=false`."""

    name: str
    type: TypeExpr | None = None
    default: Expr | None = None


@dataclass(frozen=True, slots=True)
class FunctionDecl(Node):
    name: str  # may be dotted under `values:`
    params: tuple[ParamDecl, ...]
    body: Expr
    modifiable: bool = False  # declared under `values:`


@dataclass(frozen=True, slots=True)
class ProcDecl(Node):
    name: str
    params: tuple[ParamDecl, ...]
    body: Block
    returns: TypeExpr | None = None
    ensure: Expr | None = None
    best: Expr | None = None


@dataclass(frozen=True, slots=True)
class Change(Node):
    target: str
    params: tuple[str, ...]
    body: Expr  # over `it`


@dataclass(frozen=True, slots=True)
class ModifierDecl(Node):
    changes: tuple[Change, ...]
    when: Expr | None = None  # `while`
    priority: int = 0
    id: str = ""


@dataclass(frozen=True, slots=True)
class Limit(Node):
    scope: Literal["turn", "phase", "game"]
    max: Expr


@dataclass(frozen=True, slots=True)
class ActionParam(Node):
    name: str
    options: Expr
    when: Expr | None = None
    ask: Text | None = None
    optional: bool = False


@dataclass(frozen=True, slots=True)
class ActionDecl(Node):
    id: str
    actor: Expr | None = None  # a seat or set of seats that may take it; anyone to act when None
    phases: tuple[str, ...] = ()  # all when empty
    params: tuple[ActionParam, ...] = ()
    pre: Expr | None = None
    cost: Block = ()
    effects: Block = ()
    limits: tuple[Limit, ...] = ()
    ensure: Expr | None = None
    best: Expr | None = None
    notation: str | None = None
    declassify: bool = False
    pre_words: str = ""  # for whoever `pre` refuses
    spellings: tuple[str, ...] = ()  # other notations in which a move may be typed
    notation_span: Span | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Stage(Node):
    name: str
    effects: Block


@dataclass(frozen=True, slots=True)
class OperationDecl(Node):
    """An operation profile: an action (`action`, same id when it stands alone) with stages."""

    id: str
    action: str
    legality: Expr | None = None
    cost_validate: Expr | None = None
    cost_spend: Block = ()
    stages: tuple[Stage, ...] = ()
    partial: Literal["allow", "forbid"] = "forbid"
    windows: tuple[str, ...] = ()  # linkedSpecialActivityWindows
    decisions: Literal["snapshot", "live"] = "snapshot"
    # constraint between operation and special activity: (operation bind, special bind)
    same_space: tuple[tuple[str, str], ...] = ()
    disjoint_spaces: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class SpecialDecl(Node):
    """A special activity: an action offered only inside operations, at its windows."""

    id: str
    accompanies: tuple[str, ...]  # operation ids; all with a window of its name when empty
    timing: tuple[str, ...]  # before, after, during, or a stage's name (after that stage)
    pre: Expr | None = None
    effects: Block = ()
    actor: Expr | None = None


@dataclass(frozen=True, slots=True)
class EventBranch(Node):
    id: str
    effects: Block
    when: Expr | None = None


@dataclass(frozen=True, slots=True)
class EventSide(Node):
    name: str  # "unshaded", "shaded", or "effects" for a card with one side
    effects: Block = ()
    branches: tuple[EventBranch, ...] = ()
    when: Expr | None = None


@dataclass(frozen=True, slots=True)
class EventDecl(Node):
    """The text of one card; `id` names the row or piece that carries it."""

    id: str
    sides: tuple[EventSide, ...]
    title: str = ""


@dataclass(frozen=True, slots=True)
class TriggerDecl(Node):
    """`on: { changed: trail }`; event is changed/entered/left/stage/resolved/phase/turn."""

    id: str
    event: Literal["changed", "entered", "left", "stage", "resolved", "phase", "turn"]
    subject: str  # the variable, place or group, stage, action, phase; "" for turn
    effects: Block
    when: Expr | None = None
    immediate: bool = False
    priority: int = 0


@dataclass(frozen=True, slots=True)
class PhaseDecl(Node):
    id: str
    on_enter: Block = ()
    on_exit: Block = ()
    default_pre: Expr | None = None
    default_after: Block = ()
    actions: tuple[str, ...] | None = None  # None: the actions that name this phase or none
    next: str | None = None  # the phase that `next phase` enters; the following one when None
    interrupt: bool = False  # pushed on top of another phase; not one of those that follow
    actions_span: tuple[Span, ...] = field(default=(), compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class TurnDecl(Node):
    """Who acts after whom: `turn: { order: roundRobin | [seats] | programmed }`."""

    order: Literal["roundRobin", "fixed", "programmed"] = "roundRobin"
    seats: tuple[str, ...] = ()
    offer: tuple[str, ...] | None = None
    ensure: Expr | None = None
    best: Expr | None = None
    offer_span: tuple[Span, ...] = field(default=(), compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class HistoryDecl(Node):
    name: str
    of: Expr  # a list of what makes a position: places, groups, variables
    keep: int
    last: bool = False  # `keep: last n`: the oldest is forgotten


@dataclass(frozen=True, slots=True)
class EndDecl(Node):
    """One way the game ends. Exactly one outcome; `score` is a comprehension over seats."""

    outcome: Literal["win", "lose", "draw", "score"]
    seats: Expr | None  # who wins / loses / draws (Name('all') for all); None for score
    score: Expr | None
    reason: str
    when: Expr | None = None  # always, when None (noMoves)
    at: tuple[str, ...] = ()  # only after these actions or phases


@dataclass(frozen=True, slots=True)
class ScenarioDecl(Node):
    id: str
    setup: Block
    title: str = ""


@dataclass(frozen=True, slots=True)
class WordsDecl(Node):
    """What people read of something declared; no rule knows it."""

    subject: str  # "seat", "zone", "kind", "row", "space", "variable", "action", "choice", …
    name: str
    title: str = ""
    symbol: str = ""
    text: str = ""
    hidden: bool = False  # a variable that nobody needs to look at


@dataclass(frozen=True, slots=True)
class ShowDecl(Node):
    """A computed value that people look at: of the game, or of each seat (`it`)."""

    name: str
    value: Expr


@dataclass(frozen=True, slots=True)
class DrawingDecl(Node):
    """How a position is read from a text: what each sign, and each word behind the board, sets up.

    Statements are kept as texts; in them `it` is the space of the sign, or the word itself.
    """

    on: str = ""  # a group of spaces; the first with coordinates when empty
    first: tuple[str, ...] = ()  # done before anything is set up
    signs: tuple[tuple[str, tuple[str, ...]], ...] = ()  # as the table is drawn, when empty
    # one for each further word: by word (or letter); a key "" stands for any
    fields: tuple[tuple[tuple[str, tuple[str, ...]], ...], ...] = ()


@dataclass(frozen=True, slots=True)
class SkipDecl(Node):
    """A choice that is not worth thinking about, by its name."""

    name: str


@dataclass(frozen=True, slots=True)
class BotDecl(Node):
    """What bots are told about the game; no rule reads it."""

    value: Expr | None = None  # how well a seat (`it`) stands, where a playout is cut off
    cutoff: int = 0  # decisions of a playout before that; 0: as many as is usual
    skip: tuple[SkipDecl, ...] = ()


@dataclass(frozen=True, slots=True)
class GameDef(Node):
    id: str
    title: str
    min_players: int
    max_players: int
    summary: str = ""
    parameters: tuple[Parameter, ...] = ()
    seats: tuple[SeatDecl, ...] = ()
    enums: tuple[EnumDecl, ...] = ()
    vars: tuple[VarDecl, ...] = ()
    spaces: tuple[SpaceGroup, ...] = ()
    zones: tuple[ZoneDecl, ...] = ()
    pieces: tuple[PieceDecl, ...] = ()
    markers: tuple[MarkerDecl, ...] = ()
    tables: tuple[TableDecl, ...] = ()
    functions: tuple[FunctionDecl, ...] = ()  # `fns` and `values`
    procs: tuple[ProcDecl, ...] = ()
    modifiers: tuple[ModifierDecl, ...] = ()
    triggers: tuple[TriggerDecl, ...] = ()
    actions: tuple[ActionDecl, ...] = ()
    operations: tuple[OperationDecl, ...] = ()
    specials: tuple[SpecialDecl, ...] = ()
    events: tuple[EventDecl, ...] = ()
    phases: tuple[PhaseDecl, ...] = ()
    turn: TurnDecl | None = None
    flow: Block = ()
    history: tuple[HistoryDecl, ...] = ()
    end: tuple[EndDecl, ...] = ()
    no_moves: tuple[EndDecl | Block, ...] = ()  # end entries, or effects (a pass)
    score: Expr | None = None  # what agents maximise and `end game` ranks by, per seat (`it`)
    setup: Block = ()
    scenarios: tuple[ScenarioDecl, ...] = ()
    show: tuple[ShowDecl, ...] = ()
    drawing: DrawingDecl | None = None
    bot: BotDecl | None = None
    words: tuple[WordsDecl, ...] = ()
    look: LookDecl | None = None
    # the parameters that are not at their defaults, sorted by name; see `with_values`
    parameter_values: tuple[tuple[str, int | bool], ...] = field(default=())

    def with_values(self, overrides: Mapping[str, int | bool]) -> GameDef:
        """The same rules with other parameters; equal choices give an equal GameDef."""
        defaults = {parameter.name: parameter.default for parameter in self.parameters}
        chosen = {**dict(self.parameter_values), **overrides}
        kept = {name: value for name, value in chosen.items() if defaults.get(name) != value}
        return replace(self, parameter_values=tuple(sorted(kept.items())))

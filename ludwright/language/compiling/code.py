"""Code under construction: one procedure's instructions with symbolic labels and slots."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace

from ludwright import program as ir
from ludwright.diagnostics import Span
from ludwright.language.compiling.addresses import Label, LocalCell
from ludwright.language.compiling.narrowing import Flow, Range
from ludwright.language.compiling.sites import placed
from ludwright.language.compiling.unit import Scope, Unit
from ludwright.language.compiling.values import INT, none_of
from ludwright.program.flow import exits
from ludwright.program.types import INT_MAX, Type


@dataclass
class Frame:
    """A local's cells. Whether they are state or a register is decided when frames are placed."""

    addr: int
    type: Type
    count: int
    name: str

    @property
    def cells(self) -> int:
        return self.type.width * self.count


@dataclass
class LoopScope:
    exit: Label
    unwinds: int  # how many `with` blocks were open when the loop began


@dataclass(frozen=True)
class Passage:
    """Pieces go from somewhere to somewhere: `count` of them at most, and none of them has gone
    before the instruction `start`."""

    start: int
    count: ir.Expr


@dataclass(frozen=True)
class Room:
    """A test that a place is not overfull, directly after a piece has come to it."""

    name: str  # of the zone, or the group of spaces
    limit: int  # the function that tells whether what lies in a place is within the limit
    place: ir.Expr
    passage: Passage
    piece: ir.Expr | None  # the one that comes, where it comes alone


@dataclass(frozen=True)
class Stock:
    """A test that there is a piece to take."""

    what: str
    pieces: ir.Source
    passage: Passage
    supply: bool = False  # pieces that are not in play


@dataclass
class Code:
    """`in_move`: everything here happens inside a move that was opened by a caller."""

    unit: Unit
    choices: Sequence[ir.Choice]  # of the whole game
    name: str
    in_move: bool
    decider: ir.Expr  # who decides where no `by` is given
    decider_is_actor: bool = True
    action: int = -1
    instrs: list[ir.Instr] = field(default_factory=list)
    marks: dict[int, int] = field(default_factory=dict)  # label -> instruction index
    frames: dict[int, Frame] = field(default_factory=dict)
    loops: list[int] = field(default_factory=list)  # slots of the loop indices around us
    head_depth: int = 0  # loops outside the head of the move do not count in decision ids
    loop_scopes: list[LoopScope] = field(default_factory=list)
    unwinds: list[Callable[[], None]] = field(default_factory=list)
    calls: dict[int, ir.CallSite] = field(default_factory=dict)
    specials: list[range] = field(default_factory=list)  # where special activities are written
    prefix: str = ""  # of the names of decisions
    exit: Label = field(init=False)
    entry: int = field(init=False)  # a label too; instructions name it by number
    ret: LocalCell = field(init=False)
    result: int | None = None  # register of the returned value
    result_type: Type | None = None
    # `return` with a value, by instruction, where no type is declared
    returned: list[int] = field(default_factory=list)
    must_return: bool = False  # whether some `return` of this procedure gives a value
    chances: list[int] = field(default_factory=list)  # rolls inside a move, by instruction
    demands: list[int] = field(default_factory=list)  # `require` and `ensure`, by instruction
    fits: list[int] = field(default_factory=list)  # tests of a zone's `of`, by instruction
    reversals: dict[int, Span | None] = field(default_factory=dict)  # swaps that `reverse` makes
    rooms: dict[int, Room] = field(default_factory=dict)  # tests of limits, by instruction
    stocks: dict[int, Stock] = field(default_factory=dict)  # tests that pieces are left
    # places of which all pieces are shown, and the set of seats to which, by the first instruction
    shown: dict[int, tuple[ir.Expr, ir.Expr]] = field(default_factory=dict)
    passage: Passage | None = None  # of the statement that is compiled, if it moves several pieces

    flow: Flow = field(init=False)  # what is known at the point where code is emitted next

    def __post_init__(self) -> None:
        self.flow = Flow(self.unit.narrowing)
        self.entry, self.exit = self.label(), self.label()
        self.ret = self.slot(Type("int", hi=INT_MAX), "return")
        self.mark(self.entry)

    # -- labels and slots

    def label(self) -> Label:
        self.unit.frames += 1
        return Label.numbered(self.unit.frames)

    def scope(self) -> Scope:
        """The outermost scope of this procedure, in which its facts are known."""
        return Scope(flow=self.flow)

    def mark(self, label: int, changes: Iterable[Range] | None = None) -> None:
        """`changes`: of the top of a loop, the cells that its body can change."""
        self.marks[label] = len(self.instrs)
        self.flow.mark(label, changes)

    def target(self, label: int) -> int:
        """Where a label leads; past the last instruction if a mistake kept it from being placed."""
        return self.marks.get(label, len(self.instrs))

    def successors(self, index: int) -> list[int]:
        """The instructions of this procedure that can follow one of them; a call is one step."""
        ways = exits(self.instrs[index], self.choices)
        found = [index + 1] if ways.falls_through else []
        found += [self.target(label) for label in ways.targets]
        return [following for following in found if following < len(self.instrs)]

    def slot(self, type_: Type, name: str, count: int = 1) -> LocalCell:
        self.unit.frames += 1
        addr = LocalCell.numbered(self.unit.frames)
        self.frames[addr] = Frame(addr, type_, count, name)
        return addr

    def here(self) -> Passage:
        """The passage of one piece, or of several in the statement that is compiled."""
        return self.passage or Passage(len(self.instrs), ir.Const(1))

    # -- emitting

    def emit(self, instr: ir.Instr) -> None:
        if isinstance(instr, ir.Chance) and self.in_move:
            self.chances.append(len(self.instrs))
        self.instrs.append(placed(instr, self.unit.origin))
        self.flow.follow(instr, exits(instr, self.choices))

    def store(self, addr: int, value: ir.Expr, type_: Type) -> None:
        self.emit(ir.Store(addr, value, type_))

    def jump(self, label: Label) -> None:
        self.emit(ir.Jump(label))

    def branch(self, when: ir.Expr, otherwise: Label) -> None:
        if isinstance(when, ir.Const):
            if not when.value:
                self.jump(otherwise)
            return
        self.emit(ir.Branch(when, otherwise))

    def call(self, callee: Code, ask: ir.Sentence | None = None) -> None:
        """`ask`: words for the first decision there, if it has none of its own."""
        self.calls[len(self.instrs)] = ir.CallSite(self.move_loops(), ask=ask)
        self.emit(ir.CallProc(callee.entry, callee.ret))

    def move_loops(self) -> tuple[int, ...]:
        """The indices of the loops around this point, as far as they belong to the move."""
        return tuple(self.loops[self.head_depth :])

    def finish(self) -> None:
        self.settle_results()
        self.mark(self.exit)
        self.emit(ir.Return(self.ret))

    def settle_results(self) -> None:
        """Have every `return` store the type that has turned out to hold what all of them give."""
        type_ = self.result_type
        if type_ is None or type_.kind == "none":  # nothing else is ever returned
            self.result, self.result_type = None, None
            type_ = INT
        for index in self.returned:
            store = self.instrs[index]
            assert isinstance(store, ir.Store)
            value = ir.Const(none_of(type_)) if store.type.kind == "none" else store.value
            self.instrs[index] = replace(store, value=value, type=type_)
        self.returned.clear()

    def drop(self, gone: set[int]) -> None:
        """Take instructions out that a later proof has made needless."""
        if not gone:
            return
        moved = [0]
        for index in range(len(self.instrs)):
            moved.append(moved[-1] + (index not in gone))
        self.instrs = [instr for index, instr in enumerate(self.instrs) if index not in gone]
        self.marks = {label: moved[index] for label, index in self.marks.items()}
        self.calls = {moved[index]: loops for index, loops in self.calls.items()}
        self.reversals = {moved[index]: span for index, span in self.reversals.items()}
        self.shown = {moved[index]: what for index, what in self.shown.items()}
        for numbers in (self.chances, self.demands, self.fits):
            numbers[:] = [moved[index] for index in numbers if index not in gone]

        def shifted(passage: Passage) -> Passage:
            return replace(passage, start=moved[passage.start])

        self.rooms = {
            moved[index]: replace(room, passage=shifted(room.passage))
            for index, room in self.rooms.items()
        }
        self.stocks = {
            moved[index]: replace(stock, passage=shifted(stock.passage))
            for index, stock in self.stocks.items()
        }

    def load(self, addr: int, type_: Type) -> ir.Expr:
        return ir.Load(addr) if type_.is_scalar else ir.LoadWide(addr, type_)

    @contextmanager
    def loop(self, index: int, exit_label: Label) -> Iterator[None]:
        self.loops.append(index)
        self.loop_scopes.append(LoopScope(exit_label, len(self.unwinds)))
        yield
        self.loop_scopes.pop()
        self.loops.pop()

    def unwind(self, down_to: int) -> None:
        """Leave `with` blocks early: restore what they hold, innermost first."""
        for restore in reversed(self.unwinds[down_to:]):
            restore()


@dataclass
class Procedure:
    """A procedure compiled for one combination of argument types."""

    code: Code
    params: list[tuple[str, int, Type]]
    by: int | None  # slot of the decider, where the caller's is not `actor`
    done: bool = False

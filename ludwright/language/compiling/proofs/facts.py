"""What is known to hold at each instruction: a forward data-flow analysis over all procedures.

A fact is a condition in normal form (see `normal_forms`), or that a cell holds the value of an
expression (`Is`). Conditions of branches, guards of chosen alternatives, stores, answers and moves
of pieces add facts; writing what a fact reads removes it; where paths meet, only what all of them
know is left. A call keeps what the called procedure does not write, so every call returns to its
own caller, and a procedure begins with what all its callers know.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import field
from heapq import heappop, heappush

from ludwright import program as ir
from ludwright.language.compiling.addresses import first_of, is_local
from ludwright.language.compiling.code import Code
from ludwright.language.compiling.lowering import Lowering
from ludwright.language.compiling.proofs.contents import Contents
from ludwright.language.compiling.proofs.fact_kinds import Fact, Is, LiesAmong, LiesIn, Shown
from ludwright.language.compiling.proofs.normal_forms import (
    FALSE,
    Clause,
    Normalizer,
    conjuncts,
    negated,
)
from ludwright.language.compiling.proofs.value_sets import NOTHING, Env, Values
from ludwright.program.cells import set_members
from ludwright.program.flow import callees, callers_first, exits
from ludwright.program.nodes import children, size
from ludwright.quick_records import dataclass

LARGE = 60  # records of a value that is not remembered
OTHER = -2  # the region of cells that no rule names
POSITIONS = -3  # what a history remembers
SIGHT = -4  # what has been revealed
ALL_PLACES = -1  # as a set of places: every bit is on


Known = int  # a set of facts, as the bits of their numbers: most steps only mask some of them
NOTHING_KNOWN: Known = 0


@dataclass(frozen=True, slots=True)
class Touched:
    """Cells (by region) and places that an expression reads or an instruction writes."""

    cells: frozenset[int] = frozenset()
    places: int = 0  # bit of each place; see `value_sets`

    def __or__(self, other: Touched) -> Touched:
        if other is NOWHERE or self is NOWHERE:  # most expressions read little
            return self if other is NOWHERE else other
        return Touched(self.cells | other.cells, self.places | other.places)

    def meets(self, other: Touched) -> bool:
        return bool(self.places & other.places) or not self.cells.isdisjoint(other.cells)


NOWHERE = Touched()


@dataclass
class Facts:
    """`before[code.entry][index]` is known before the instruction; None where nothing comes."""

    lowering: Lowering
    contents: Contents
    before: dict[int, list[Known | None]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.normal = Normalizer(self.lowering.unit)
        self._codes = {code.entry: code for code in self.lowering.codes}
        self._facts: list[Fact] = []
        self._numbers: dict[Fact, int] = {}
        self._present: dict[int, int] = {}  # facts that a cell does not hold none -> the cell
        self._some_present: Known = 0  # the same facts as a set
        # facts that say what a cell holds, by cell and by value; where a piece lies, by piece
        self._cell_is: dict[int, Known] = {}
        self._value_is: dict[ir.Expr, Known] = {}
        self._piece_lies: dict[ir.Expr, Known] = {}
        # facts that a write may spoil, of so many as there were; facts by what they read
        self._spoilt: dict[Touched, tuple[int, Known]] = {}
        self._read_cell: dict[int, Known] = {}
        self._read_places: dict[int, Known] = {}
        self._assumed: dict[int, tuple[object, Known]] = {}
        self._opposites: dict[int, tuple[object, ir.Expr]] = {}
        self._answered_choices: dict[int, Known] = {}
        self._stored_values: dict[int, tuple[object, ir.Expr | None]] = {}
        self._cells: dict[int, Touched] = {}  # by region
        self._functions: dict[int, Touched] = {}
        self._calls: dict[int, Touched] = {}

    # ------------------------------------------------------------ what is touched

    def region(self, addr: int) -> int:
        """Cells that are written together have one name."""
        if is_local(addr):
            return first_of(addr)
        if addr < ir.HEADER:
            return addr
        variable = self.contents.possible.variable(addr)
        return OTHER if variable is None else variable.addr

    def numbers(self, facts: Iterable[Fact]) -> Known:
        found: Known = 0
        for fact in facts:
            found |= 1 << self._number(fact)
        return found

    def _number(self, fact: Fact) -> int:
        number = self._numbers.setdefault(fact, len(self._facts))
        if number == len(self._facts):
            self._facts.append(fact)
            self._index_reads(self.reads(fact), 1 << number)
            self._index(fact, number)
        return number

    def _index_reads(self, reads: Touched, bit: int) -> None:
        for cell in reads.cells:
            self._read_cell[cell] = self._read_cell.get(cell, 0) | bit
        if reads.places:
            self._read_places[reads.places] = self._read_places.get(reads.places, 0) | bit

    def _index(self, fact: Fact, number: int) -> None:
        bit = 1 << number
        match fact:
            case ir.Not(arg=ir.Compare(op="==", left=ir.Load(addr=addr), right=ir.Const(-1))):
                self._present[number] = addr
                self._some_present |= bit
            case Is(addr=addr, value=value):
                self._cell_is[addr] = self._cell_is.get(addr, 0) | bit
                self._value_is[value] = self._value_is.get(value, 0) | bit
            case LiesIn(piece=piece) | LiesAmong(piece=piece):
                self._piece_lies[piece] = self._piece_lies.get(piece, 0) | bit
            case _:
                pass

    def reads(self, fact: Fact) -> Touched:
        match fact:
            case Is(addr=addr, value=value):
                return self._cell(addr) | self._read(value, {})
            case LiesIn(piece=piece, place=place):
                return self._read((piece, place), {}) | self._place(place, {})
            case LiesAmong(piece=piece, places=places):
                return self._read(piece, {}) | Touched(places=places)
            case Shown(place=place, seats=seats):
                read = self._read((place, seats), {}) | self._place(place, {})
                return read | Touched(frozenset((SIGHT,)))
            case _:
                return self._read(fact, {})

    def _read(self, node: object, env: Env) -> Touched:
        possible, layout = self.contents.possible, self.lowering.unit.layout
        match node:
            case ir.Load(addr=addr):
                return NOWHERE if addr in env or addr < 0 else self._cell(addr)
            case ir.LoadAt(addr=addr, index=index) if addr in (
                layout.place_head,
                layout.place_count,
            ):
                return self._read(index, env) | self._place(index, env)
            case ir.PiecesSource(place=place) | ir.DrawFrom(place=place):
                return self._read(place, env) | self._place(place, env)
            case ir.LoadAt(addr=addr, index=index) if addr == layout.piece_place:
                return self._read(index, env) | Touched(places=ALL_PLACES)
            case ir.LoadAt(addr=addr, index=index):
                return self._read(index, env) | self._cell(addr)
            case ir.LoadWide(addr=addr, index=index):
                return self._read(index, env) | self._cell(addr)
            case ir.CallFn(fn=fn, args=args):
                return self._read(args, env) | self._function(fn)
            case ir.Times():
                return Touched(frozenset((POSITIONS,)))
            case (
                ir.Bind(reg=reg, value=value, body=body)
                | ir.BindSource(reg=reg, value=value, body=body)
            ):
                inner = {**env, reg: possible.value(value, env)}
                return self._read(value, env) | self._read(body, inner)
            case ir.Stream(clauses=clauses, head=head):
                found, inner = NOWHERE, dict(env)
                for clause in clauses:
                    found |= self._read(clause, inner)
                    if isinstance(clause, ir.Loop):
                        inner.update(possible.bound(clause, inner))
                return found | self._read(head, inner)
            case tuple():
                found = NOWHERE
                for item in node:
                    found |= self._read(item, env)
                return found
            case ir.Expr() | ir.Source() | ir.Loop() | ir.Filter() | ir.Until():
                return self._read(tuple(children(node)), env)
            case _:
                return NOWHERE

    def _cell(self, addr: int) -> Touched:
        region = self.region(addr)
        if region not in self._cells:
            self._cells[region] = Touched(frozenset((region,)))
        return self._cells[region]

    def _place(self, place: ir.Expr, env: Env) -> Touched:
        values = self.contents.possible.value(place, env)
        return Touched(places=ALL_PLACES if values is None else values & ~1)

    def _function(self, fn: int) -> Touched:
        if fn not in self._functions:
            function = self.lowering.unit.functions[fn]
            self._functions[fn] = self._read(function.body, dict.fromkeys(function.params))
        return self._functions[fn]

    def writes(self, instr: ir.Instr) -> Touched:
        """What an instruction may change; of a call: all that the procedure may change."""
        match instr:
            case ir.Store(addr=addr) | ir.Chance(addr=addr) | ir.BestBegin(addr=addr):
                return self._cell(addr)
            case ir.Choose(choice=number):
                choice = self.lowering.choices[number]
                changed = {self.region(choice.result), ir.ANSWERED, ir.ACTION}
                if choice.together:
                    changed |= {self.region(choice.answered), choice.chooser}
                return Touched(frozenset(changed))
            case ir.Zero(ranges=ranges):
                return Touched(frozenset(self.region(addr) for addr, _ in ranges))
            case ir.MovePiece() | ir.MoveAll():
                return Touched(places=self._origins(instr) | self._targets(instr.place))
            case ir.SwapInPlace() | ir.MixDeck():
                return Touched(places=ALL_PLACES)
            case ir.RevealPiece(hide=True):
                return Touched(frozenset((SIGHT,)))
            case ir.HeadEnter() | ir.HeadExit():
                return Touched(frozenset((ir.HEAD, ir.ANSWERED, ir.ACTION)))
            case ir.RecordPosition() | ir.ClearHistory():
                return Touched(frozenset((POSITIONS,)))
            case ir.CallProc(entry=entry):
                self._solve_once()
                return self._calls[entry]
            case _:
                return NOWHERE

    def _origins(self, move: ir.MovePiece | ir.MoveAll) -> int:
        return self.contents.possible.where(self.contents.moved_by(move))

    def _targets(self, place: ir.Expr) -> int:
        values = self.contents.possible.value(place, {})
        return ALL_PLACES if values is None else values & ~1

    def _writes_of_calls(self) -> dict[int, Touched]:
        """Per procedure: all that it and what it calls may write, its own locals included."""
        self._calls = dict.fromkeys(self._codes, NOWHERE)
        bodies = {entry: code.instrs for entry, code in self._codes.items()}
        cells: dict[int, set[int]] = {}
        places: dict[int, int] = {}
        for entry, code in self._codes.items():
            cells[entry], places[entry] = {*code.frames, code.result or code.ret}, 0
            for instr in code.instrs:
                if not isinstance(instr, ir.CallProc):
                    written = self.writes(instr)
                    cells[entry] |= written.cells
                    places[entry] |= written.places
        called = {entry: callees(body) for entry, body in bodies.items()}
        order = callers_first(bodies, bodies)[::-1]  # what is called is known first
        grown = True
        while grown:
            grown = False
            for entry in order:
                before = len(cells[entry]), places[entry]
                for callee in called[entry]:
                    cells[entry] |= cells[callee]
                    places[entry] |= places[callee]
                grown = grown or before != (len(cells[entry]), places[entry])
        return {entry: Touched(frozenset(cells[entry]), places[entry]) for entry in bodies}

    # -------------------------------------------------------------------- the flow

    def _solve_once(self) -> None:
        """Most games never ask, so nothing is done before the first question."""
        if not self.before:
            self._calls = self._writes_of_calls()
            self._solve()

    def _solve(self) -> None:
        for code in self.lowering.codes:
            self.before[code.entry] = [None] * len(code.instrs)
        called = callees(instr for code in self.lowering.codes for instr in code.instrs)
        roots = [code.entry for code in self.lowering.codes if code.entry not in called]
        # Callers are done before what they call: all that a procedure begins with is known then.
        order = callers_first(roots, {entry: code.instrs for entry, code in self._codes.items()})
        ranks = {entry: rank for rank, entry in enumerate(order)}
        work: list[tuple[int, int]] = []  # a heap: what comes first is done first
        for entry in roots:
            self._reach(self._codes[entry], 0, NOTHING_KNOWN, work, ranks)
        while work:
            rank, index = heappop(work)
            if work and work[0] == (rank, index):
                continue
            code = self._codes[order[rank]]
            known = self.before[code.entry][index]
            assert known is not None
            for target, following, facts in self._step(code, index, known):
                self._reach(target, following, facts, work, ranks)

    def _reach(
        self, code: Code, index: int, facts: Known, work: list[tuple[int, int]],
        ranks: dict[int, int],
    ) -> None:  # fmt: skip
        states = self.before[code.entry]
        if index >= len(states):
            return
        known = states[index]
        met = facts if known is None else known & facts
        if met != known:
            states[index] = met
            heappush(work, (ranks[code.entry], index))

    def _step(self, code: Code, index: int, known: Known) -> Iterator[tuple[Code, int, Known]]:
        """Where an instruction goes on, and what is known there."""
        instr = code.instrs[index]
        if isinstance(instr, ir.CallProc):
            yield self._codes[instr.entry], 0, known
        ways = exits(instr, code.choices)
        if ways.falls_through:
            after = self._after(instr, known)
            if index in code.shown:
                place, seats = code.shown[index]
                after |= self.numbers((Shown(self.normal.expr(place), seats),))
            yield code, index + 1, after
        if ways.targets:
            learned = self._learned_by_jumping(code, index)
            left = self.without(known, self.writes(instr))
            for number, label in enumerate(ways.targets):
                yield code, code.target(label), left | learned.get(number, NOTHING_KNOWN)

    def _learned_by_jumping(self, code: Code, index: int) -> dict[int, Known]:
        """What follows from a jump, by the number of the target."""
        match code.instrs[index]:
            case ir.Branch(when=when):
                return {0: self.assume(self._opposite(when))}
            case ir.Switch(value=value):
                return self._guards(code, index, value)
            case _:
                return {}

    def without(self, known: Known, written: Touched) -> Known:
        if written is NOWHERE:
            return known
        count, spoilt = self._spoilt.get(written, (0, NOTHING_KNOWN))
        if count < len(self._facts):
            for cell in written.cells:
                spoilt |= self._read_cell.get(cell, 0)
            if written.places:
                for places, facts in self._read_places.items():
                    if places & written.places:
                        spoilt |= facts
            self._spoilt[written] = len(self._facts), spoilt
        return known & ~spoilt

    def _guards(self, code: Code, index: int, value: ir.Expr) -> dict[int, Known]:
        """What the guards of alternatives say, where a switch directly follows their choice."""
        asked = code.instrs[index - 1] if index else None
        if not isinstance(asked, ir.Choose) or index in code.marks.values():
            return {}
        choice = self.lowering.choices[asked.choice]
        if choice.kind != "labels" or value != ir.Load(choice.result):
            return {}
        return {
            number: self.without(self.assume(label.guard), self.writes(asked))
            for number, label in enumerate(choice.labels)
        }

    # ------------------------------------------------------------- what is learned

    def assume(self, when: ir.Expr | None) -> Known:
        """What follows if a condition holds."""
        if when is None:
            return NOTHING_KNOWN
        known = self._assumed.get(id(when))
        if known is None:
            facts = self.numbers(self._unfold(self.normal.expr(when)))
            known = self._assumed[id(when)] = (when, facts)  # kept alive: its id is the key
        return known[1]

    def _opposite(self, when: ir.Expr) -> ir.Expr:
        known = self._opposites.get(id(when))
        if known is None:
            known = self._opposites[id(when)] = (when, ir.Not(when))
        return known[1]

    def _answers(self, instr: ir.Choose, choice: ir.Choice) -> Known:
        if instr.choice not in self._answered_choices:
            self._answered_choices[instr.choice] = self.numbers(self._answered(choice))
        return self._answered_choices[instr.choice]

    def _unfold(self, when: ir.Expr) -> Iterator[ir.Expr]:
        for part in conjuncts(when):
            if size(part) > 4 * LARGE:
                continue
            yield part
            holds = not isinstance(part, ir.Not)
            call = part.arg if isinstance(part, ir.Not) else part
            if isinstance(call, ir.CallFn):
                function = self.lowering.unit.functions[call.fn]
                names = dict(zip(function.params, call.args, strict=True))
                body = self.normal.expr(function.body, names)
                yield from self._unfold(body if holds else negated(body))

    def _after(self, instr: ir.Instr, known: Known) -> Known:
        """What is known before the next instruction."""
        left = self.without(known, self.writes(instr))
        match instr:
            case ir.Branch(when=when) | ir.Require(when=when):
                return left | self.assume(when)
            case ir.Choose(choice=number):
                return left | self._answers(instr, self.lowering.choices[number])
            case ir.Store(addr=addr, index=None, overflow="fault" | "refuse"):
                stored = self._stored_value(instr)
                if stored is not None:
                    return left | self.numbers(self._stored(addr, stored, left))
            case ir.Chance(addr=addr, outcomes=outcomes):
                return left | self.numbers(self.member(addr, outcomes))
            case ir.MovePiece() | ir.MoveAll():
                return self._moved(instr, known)
            case _:
                pass
        return left

    def _stored_value(self, store: ir.Store) -> ir.Expr | None:
        """What a cell holds after a store, where that is worth remembering."""
        known = self._stored_values.get(id(store))
        if known is None:
            known = self._stored_values[id(store)] = (store, self._worth_keeping(store))
        return known[1]

    def _worth_keeping(self, store: ir.Store) -> ir.Expr | None:
        if not store.type.is_scalar and not isinstance(store.value, ir.Const):
            return None
        stored = self.normal.expr(store.value)
        if isinstance(stored, ir.Bind) or size(stored) > LARGE:
            return None
        return None if self.region(store.addr) in self._read(stored, {}).cells else stored

    def _stored(self, addr: int, stored: ir.Expr, left: Known) -> Iterator[Fact]:
        yield Is(addr, stored)
        if self._is_some(stored, left):
            yield self._some(addr)
        match stored:
            case ir.LoadAt(addr=array, index=place) if (
                array == self.lowering.unit.layout.place_head
            ):
                yield LiesIn(ir.Load(addr), place)
            case ir.Aggregate(
                op="first",
                stream=ir.Stream(
                    clauses=(ir.Loop(regs=(reg,), source=ir.PiecesSource(place=place)), *_),
                    head=ir.Load(addr=shown),
                ),
            ) if reg == shown:
                yield LiesIn(ir.Load(addr), place)
            case _:
                pass
        for fact in self._known(left & self._value_is.get(stored, 0)):
            assert isinstance(fact, Is)
            yield Is(addr, ir.Load(fact.addr))

    def _known(self, numbers: Known) -> list[Fact]:
        return [self._facts[number] for number in set_members(numbers, 0)]

    def _answered(self, choice: ir.Choice) -> Iterator[Fact]:
        if choice.together or choice.options is None or choice.optional or choice.kind != "one":
            return
        yield from self.member(choice.result, choice.options)
        clauses, _ = self.normal.clauses(choice.options)
        some = self.normal.exists(clauses)
        if self._lasting(some, choice.result):
            yield some

    def _lasting(self, fact: ir.Expr, addr: int) -> bool:
        """Whether something read before an answer is still so when the answer is stored."""
        changed = {self.region(addr), ir.ANSWERED, ir.ACTION}
        read = self._read(fact, {addr: None}).cells
        return size(fact) <= LARGE and read.isdisjoint(changed)

    def member(self, addr: int, source: ir.Source) -> Iterator[Fact]:
        """What is known of an element of a stream, once it is stored."""
        clauses, head = self.normal.clauses(source)
        loops = [clause for clause in clauses if isinstance(clause, ir.Loop)]
        if len(loops) > 1:
            yield from self._met(addr, clauses, head)
        if len(loops) != 1 or head != ir.Load(loops[0].regs[0]) or len(loops[0].regs) != 1:
            return
        element = {loops[0].regs[0]: ir.Load(addr)}
        facts: list[ir.Expr] = []
        compare = self.normal.compare
        match loops[0].source:
            case ir.RangeSource(lo=lo, hi=hi):
                facts += [compare(">=", ir.Load(addr), lo), compare("<=", ir.Load(addr), hi)]
            case ir.PiecesSource(place=place) | ir.DrawFrom(place=place):
                if self._lasting(place, addr):
                    yield LiesIn(ir.Load(addr), place)
            case ir.ConstSource(values=values):
                numbers = [value for value in values if isinstance(value, int)]
                if numbers and len(numbers) == len(values):
                    facts.append(compare(">=", ir.Load(addr), ir.Const(min(numbers))))
                    facts.append(compare("<=", ir.Load(addr), ir.Const(max(numbers))))
            case _:
                pass
        for clause in clauses:
            if isinstance(clause, ir.Filter):
                facts += conjuncts(self.normal.expr(clause.when, element))
        yield from (fact for fact in facts if self._lasting(fact, addr))

    def _met(self, addr: int, clauses: tuple[Clause, ...], head: ir.Expr) -> Iterator[Fact]:
        """Where a piece was found that a loop inside of others gives."""
        possible, env = self.contents.possible, dict[int, Values]()
        for clause in clauses:
            match clause:
                case ir.Loop(regs=(reg,), source=ir.PiecesSource(place=place)):
                    places = possible.value(place, env)
                    if head == ir.Load(reg) and places is not None:
                        yield LiesAmong(ir.Load(addr), places & ~NOTHING)
                case _:
                    pass
            env = dict(possible.looped((clause,), env))

    def _moved(self, move: ir.MovePiece | ir.MoveAll, known: Known) -> Known:
        """Pieces leave their places and lie in another, which holds something if one came."""
        place = self.normal.expr(move.place)
        origins = self._origins(move)
        if isinstance(move, ir.MovePiece):
            piece = self.normal.expr(move.piece)
            for fact in self._known(known & self._piece_lies.get(piece, 0)):
                assert isinstance(fact, LiesIn | LiesAmong)
                known_places = (
                    self._targets(fact.place) if isinstance(fact, LiesIn) else fact.places
                )
                origins &= known_places
        written = Touched(places=origins | self._targets(move.place))
        left = self.without(known, written)
        gained: set[Fact] = set()
        if isinstance(move, ir.MovePiece) and self._is_some(move.place, known):
            gained = {self._occupied(name) for name in {place, *self._values_of(place, known)}}
        for fact in self._known(known & ~left):  # what comes to a place does not empty it
            match fact:
                case ir.Compare(left=ir.LoadAt(index=index)) if fact == self._occupied(
                    index
                ) and not origins & self._targets(index):
                    gained.add(fact)
                case _:
                    pass
        kept = (fact for fact in gained if not self._names_places(fact).meets(written))
        return left | self.numbers(kept)

    def _values_of(self, cell: ir.Expr, known: Known) -> Iterator[ir.Expr]:
        """What a cell is known to hold."""
        if isinstance(cell, ir.Load):
            for fact in self._known(known & self._cell_is.get(cell.addr, 0)):
                assert isinstance(fact, Is)
                yield fact.value

    def _occupied(self, place: ir.Expr) -> ir.Expr:
        return ir.Compare(">", self.normal.held(place), FALSE)

    def _names_places(self, occupied: Fact) -> Touched:
        """What the place itself depends on, where that is found by looking at other places."""
        assert isinstance(occupied, ir.Compare)
        assert isinstance(occupied.left, ir.LoadAt)
        return self._read(occupied.left.index, {})

    def _some(self, addr: int) -> ir.Expr:
        """The cell does not hold none (of a piece, place or seat)."""
        return self.normal.compare("!=", ir.Load(addr), ir.Const(-1))

    def _is_some(self, expr: ir.Expr, known: Known) -> bool:
        """Whether the value of an expression is a piece, place or seat, and not none."""
        possible = self.contents.possible
        env: dict[int, Values] = {}
        for number in set_members(known & self._some_present, 0):
            addr = self._present[number]
            values = possible.cell(addr)
            env[addr] = values if values is None else values & ~NOTHING
        values = possible.value(expr, env)
        return values is not None and not values & NOTHING

    # ------------------------------------------------------------------- questions

    def at(self, code: Code, index: int) -> frozenset[Fact]:
        """What is known before an instruction."""
        self._solve_once()
        return frozenset(self._known(self.before[code.entry][index] or NOTHING_KNOWN))

    def reached(self, code: Code, index: int) -> bool:
        self._solve_once()
        return self.before[code.entry][index] is not None

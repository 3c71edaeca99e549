"""What is known to hold at each instruction: a forward data-flow analysis over all procedures.

A fact is a condition in normal form (see `normal`), or that a cell holds the value of an expression
(`Is`). Conditions of branches, guards of chosen alternatives, stores, answers and moves of pieces
add facts; writing what a fact reads removes it; where paths meet, only what all of them know is
left. A call keeps what the called procedure does not write, so every call returns to its own
caller, and a procedure begins with what all its callers know.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, fields, is_dataclass

from ludwright.kernel import program as ir
from ludwright.kernel.expression_nodes import inside
from ludwright.language.compiling.code import Code
from ludwright.language.compiling.contents import Contents
from ludwright.language.compiling.lowering import Lowering
from ludwright.language.compiling.normal import (
    FALSE,
    Normalizer,
    conjuncts,
    negated,
)
from ludwright.language.compiling.possible import NOTHING, Env, Values, frame_of
from ludwright.language.compiling.unit import REGISTER

LARGE = 60  # records of a value that is not remembered
OTHER = -2  # the region of cells that no rule names
POSITIONS = -3  # what a history remembers
ALL_PLACES = -1  # as a set of places: every bit is on


@dataclass(frozen=True, slots=True)
class Is:
    """The cell holds the value of an expression."""

    addr: int
    value: ir.Expr


@dataclass(frozen=True, slots=True)
class LiesIn:
    """The piece, if it is one, lies in the place."""

    piece: ir.Expr
    place: ir.Expr


Fact = ir.Expr | Is | LiesIn
Known = frozenset[int]  # facts by their numbers: sets of numbers are compared much faster


@dataclass(frozen=True, slots=True)
class Touched:
    """Cells (by region) and places that an expression reads or an instruction writes."""

    cells: frozenset[int] = frozenset()
    places: int = 0  # bit of each place; see `possible`

    def __or__(self, other: Touched) -> Touched:
        return Touched(self.cells | other.cells, self.places | other.places)

    def meets(self, other: Touched) -> bool:
        return bool(self.places & other.places) or not self.cells.isdisjoint(other.cells)


NOWHERE = Touched()


@dataclass
class Facts:
    """`before[code.entry][index]` is known before the instruction; None where nothing comes."""

    game: Lowering
    contents: Contents
    before: dict[int, list[Known | None]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.normal = Normalizer(self.game.unit)
        self._codes = {code.entry: code for code in self.game.codes}
        self._facts: list[Fact] = []
        self._numbers: dict[Fact, int] = {}
        self._reads: list[Touched] = []
        self._present: dict[int, int] = {}  # facts that a cell does not hold none -> the cell
        self._assumed: dict[int, tuple[object, Known]] = {}
        self._opposites: dict[int, tuple[object, ir.Expr]] = {}
        self._answered_choices: dict[int, Known] = {}
        self._stored_values: dict[int, tuple[object, ir.Expr | None]] = {}
        self._functions: dict[int, Touched] = {}
        self._calls: dict[int, Touched] = {}

    # ------------------------------------------------------------ what is touched

    def region(self, addr: int) -> int:
        """Cells that are written together have one name."""
        if addr >= REGISTER:
            return frame_of(addr)
        if addr < ir.HEADER:
            return addr
        variable = self.contents.possible.variable(addr)
        return OTHER if variable is None else variable.addr

    def numbers(self, facts: Iterable[Fact]) -> Known:
        return frozenset(self._number(fact) for fact in facts)

    def _number(self, fact: Fact) -> int:
        number = self._numbers.setdefault(fact, len(self._facts))
        if number == len(self._facts):
            self._facts.append(fact)
            self._reads.append(self.reads(fact))
            match fact:
                case ir.Not(arg=ir.Compare(op="==", left=ir.Load(addr=addr), right=ir.Const(-1))):
                    self._present[number] = addr
                case _:
                    pass
        return number

    def reads(self, fact: Fact) -> Touched:
        match fact:
            case Is(addr=addr, value=value):
                return self._cell(addr) | self._read(value, {})
            case LiesIn(piece=piece, place=place):
                return self._read((piece, place), {}) | self._place(place, {})
            case _:
                return self._read(fact, {})

    def _read(self, node: object, env: Env) -> Touched:
        possible, layout = self.contents.possible, self.game.unit.layout
        match node:
            case ir.Load(addr=addr):
                return NOWHERE if addr in env or addr < 0 else self._cell(addr)
            case ir.LoadAt(addr=addr, index=index) if addr in (
                layout.place_head,
                layout.place_count,
            ):
                return self._read(index, env) | self._place(index, env)
            case ir.PiecesSource(place=place):
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
                assert is_dataclass(node)
                return self._read(tuple(getattr(node, f.name) for f in fields(node)), env)
            case _:
                return NOWHERE

    def _cell(self, addr: int) -> Touched:
        return Touched(frozenset((self.region(addr),)))

    def _place(self, place: ir.Expr, env: Env) -> Touched:
        values = self.contents.possible.value(place, env)
        return Touched(places=ALL_PLACES if values is None else values & ~1)

    def _function(self, fn: int) -> Touched:
        if fn not in self._functions:
            function = self.game.unit.functions[fn]
            self._functions[fn] = self._read(function.body, dict.fromkeys(function.params))
        return self._functions[fn]

    def writes(self, instr: ir.Instr) -> Touched:
        """What an instruction may change; of a call: all that the procedure may change."""
        match instr:
            case ir.Store(addr=addr) | ir.Chance(addr=addr) | ir.BestBegin(addr=addr):
                return self._cell(addr)
            case ir.Choose(choice=number):
                choice = self.game.choices[number]
                changed = {self.region(choice.result), ir.ANSWERED, ir.ACTION, ir.FREE}
                if choice.together:
                    changed |= {self.region(choice.answered), choice.chooser}
                return Touched(frozenset(changed))
            case ir.Zero(ranges=ranges):
                return Touched(frozenset(self.region(addr) for addr, _ in ranges))
            case ir.MovePiece():
                return Touched(places=self._origins(instr.piece) | self._targets(instr.place))
            case ir.SwapInPlace() | ir.MixDeck():
                return Touched(places=ALL_PLACES)
            case ir.HeadEnter() | ir.HeadExit():
                return Touched(frozenset((ir.HEAD, ir.ANSWERED, ir.ACTION)))
            case ir.RecordPosition() | ir.ClearHistory():
                return Touched(frozenset((POSITIONS,)))
            case ir.CallProc(entry=entry):
                self._solve_once()
                return self._calls[entry]
            case _:
                return NOWHERE

    def _origins(self, piece: ir.Expr) -> int:
        possible = self.contents.possible
        return possible.where(possible.value(piece, {}))

    def _targets(self, place: ir.Expr) -> int:
        values = self.contents.possible.value(place, {})
        return ALL_PLACES if values is None else values & ~1

    def _writes_of_calls(self) -> dict[int, Touched]:
        """Per procedure: all that it and what it calls may write, its own locals included."""
        self._calls = dict.fromkeys(self._codes, NOWHERE)
        own = {}
        callees = {}
        for entry, code in self._codes.items():
            touched = Touched(frozenset((*code.frames, code.result or code.ret)))
            for instr in code.instrs:
                if not isinstance(instr, ir.CallProc):
                    touched |= self.writes(instr)
            own[entry] = touched
            callees[entry] = {i.entry for i in code.instrs if isinstance(i, ir.CallProc)}
        result = dict(own)
        grown = True
        while grown:
            grown = False
            for entry, called in callees.items():
                total = result[entry]
                for callee in called:
                    total |= result[callee]
                if total != result[entry]:
                    result[entry], grown = total, True
        return result

    # -------------------------------------------------------------------- the flow

    def _solve_once(self) -> None:
        """Most games never ask, so nothing is done before the first question."""
        if not self.before:
            self._calls = self._writes_of_calls()
            self._solve()

    def _solve(self) -> None:
        for code in self.game.codes:
            self.before[code.entry] = [None] * len(code.instrs)
        instrs = [instr for code in self.game.codes for instr in code.instrs]
        called = {instr.entry for instr in instrs if isinstance(instr, ir.CallProc)}
        work: list[tuple[Code, int]] = []
        for code in self.game.codes:
            if code.entry not in called:
                self._reach(code, 0, frozenset(), work)
        while work:
            code, index = work.pop()
            known = self.before[code.entry][index]
            assert known is not None
            for target, following, facts in self._step(code, index, known):
                self._reach(target, following, facts, work)

    def _reach(self, code: Code, index: int, facts: Known, work: list[tuple[Code, int]]) -> None:
        states = self.before[code.entry]
        if index >= len(states):
            return
        known = states[index]
        met = facts if known is None else known & facts
        if met != known:
            states[index] = met
            work.append((code, index))

    def _step(self, code: Code, index: int, known: Known) -> Iterator[tuple[Code, int, Known]]:
        """Where an instruction goes on, and what is known there."""
        instr = code.instrs[index]
        match instr:
            case ir.Return() | ir.Finish() | ir.FaultHere():
                return
            case ir.Jump(target=target):
                yield code, code.target(target), known
            case ir.Branch(when=when, target=target):
                yield code, index + 1, known | self.assume(when)
                yield code, code.target(target), known | self.assume(self._opposite(when))
            case ir.Switch(value=value, targets=targets, default=default):
                guards = self._guards(code, index, value)
                for number, target in enumerate(targets):
                    yield code, code.target(target), known | guards.get(number, frozenset())
                yield code, code.target(default), known
            case ir.CallProc(entry=entry):
                yield self._codes[entry], 0, known
                yield code, index + 1, self.without(known, self.writes(instr))
            case ir.Choose(choice=number):
                choice = self.game.choices[number]
                left = self.without(known, self.writes(instr))
                if choice.empty is not None:
                    yield code, code.target(choice.empty), left
                yield code, index + 1, left | self._answers(instr, choice)
            case ir.Require(when=when):
                yield code, index + 1, known | self.assume(when)
            case _:
                yield code, index + 1, self._after(instr, known)

    def without(self, known: Known, written: Touched) -> Known:
        if written is NOWHERE:
            return known
        reads = self._reads
        return frozenset(number for number in known if not reads[number].meets(written))

    def _guards(self, code: Code, index: int, value: ir.Expr) -> dict[int, Known]:
        """What the guards of alternatives say, where a switch directly follows their choice."""
        asked = code.instrs[index - 1] if index else None
        if not isinstance(asked, ir.Choose) or index in code.marks.values():
            return {}
        choice = self.game.choices[asked.choice]
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
            return frozenset()
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
            if _size(part) > 4 * LARGE:
                continue
            yield part
            holds = not isinstance(part, ir.Not)
            call = part.arg if isinstance(part, ir.Not) else part
            if isinstance(call, ir.CallFn):
                function = self.game.unit.functions[call.fn]
                names = dict(zip(function.params, call.args, strict=True))
                body = self.normal.expr(function.body, names)
                yield from self._unfold(body if holds else negated(body))

    def _after(self, instr: ir.Instr, known: Known) -> Known:
        left = self.without(known, self.writes(instr))
        match instr:
            case ir.Store(addr=addr, index=None, overflow="fault" | "refuse"):
                stored = self._stored_value(instr)
                if stored is not None:
                    return left | self.numbers(self._stored(addr, stored, left))
            case ir.Chance(addr=addr, outcomes=outcomes):
                drawn = (*self._member(addr, outcomes), *self._drawn(addr, outcomes))
                return left | self.numbers(drawn)
            case ir.MovePiece():
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
        if isinstance(stored, ir.Bind) or _size(stored) > LARGE:
            return None
        return None if self.region(store.addr) in self._read(stored, {}).cells else stored

    def _stored(self, addr: int, stored: ir.Expr, left: Known) -> Iterator[Fact]:
        yield Is(addr, stored)
        if self._is_some(stored, left):
            yield self._some(addr)
        match stored:
            case ir.LoadAt(addr=array, index=place) if array == self.game.unit.layout.place_head:
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
        for fact in self._known(left):
            if isinstance(fact, Is) and fact.value == stored:
                yield Is(addr, ir.Load(fact.addr))

    def _known(self, numbers: Known) -> list[Fact]:
        return [self._facts[number] for number in numbers]

    def _drawn(self, addr: int, outcomes: ir.Source) -> Iterator[Fact]:
        """A piece drawn from a deck: one of those listed, by its number in the list."""
        match outcomes:
            case ir.BindSource(
                reg=reg,
                value=ir.MakeList(stream=ir.PiecesSource(place=place)),
                body=ir.Stream(head=ir.ListItem(of=ir.Load(addr=listed))),
            ) if reg == listed:
                yield LiesIn(ir.Load(addr), self.normal.expr(place))
            case _:
                pass

    def _answered(self, choice: ir.Choice) -> Iterator[Fact]:
        if choice.together or choice.options is None or choice.optional or choice.kind != "one":
            return
        yield from self._member(choice.result, choice.options)
        clauses, _ = self.normal.clauses(choice.options)
        some = self.normal.exists(clauses)
        if self._lasting(some, choice.result):
            yield some

    def _lasting(self, fact: ir.Expr, addr: int) -> bool:
        """Whether something read before an answer is still so when the answer is stored."""
        changed = {self.region(addr), ir.ANSWERED, ir.ACTION, ir.FREE}
        read = self._read(fact, {addr: None}).cells
        return _size(fact) <= LARGE and read.isdisjoint(changed)

    def _member(self, addr: int, source: ir.Source) -> Iterator[Fact]:
        """What is known of an element of a stream, once it is stored."""
        clauses, head = self.normal.clauses(source)
        loops = [clause for clause in clauses if isinstance(clause, ir.Loop)]
        if len(loops) != 1 or head != ir.Load(loops[0].regs[0]) or len(loops[0].regs) != 1:
            return
        element = {loops[0].regs[0]: ir.Load(addr)}
        facts: list[ir.Expr] = []
        compare = self.normal.compare
        match loops[0].source:
            case ir.RangeSource(lo=lo, hi=hi):
                facts += [compare(">=", ir.Load(addr), lo), compare("<=", ir.Load(addr), hi)]
            case ir.PiecesSource(place=place):
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

    def _moved(self, move: ir.MovePiece, known: Known) -> Known:
        """A piece leaves one place and lies in another, which then holds something."""
        piece, place = self.normal.expr(move.piece), self.normal.expr(move.place)
        origins = self._origins(move.piece)
        facts = self._known(known)
        for fact in facts:
            if isinstance(fact, LiesIn) and fact.piece == piece:
                origins &= self._targets(fact.place)
        written = Touched(places=origins | self._targets(move.place))
        left = self.without(known, written)
        gained: set[Fact] = set()
        if self._is_some(move.place, known):
            equal = {f.value for f in facts if isinstance(f, Is) and ir.Load(f.addr) == place}
            gained = {self._occupied(name) for name in {place} | equal}
        for fact in self._known(known - left):  # what comes to a place does not empty it
            match fact:
                case ir.Compare(left=ir.LoadAt(index=index)) if fact == self._occupied(
                    index
                ) and not origins & self._targets(index):
                    gained.add(fact)
                case _:
                    pass
        kept = (fact for fact in gained if not self._names_places(fact).meets(written))
        return left | self.numbers(kept)

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
        for number in known & self._present.keys():
            addr = self._present[number]
            values = possible.cell(addr)
            env[addr] = values if values is None else values & ~NOTHING
        values = possible.value(expr, env)
        return values is not None and not values & NOTHING

    # ------------------------------------------------------------------- questions

    def at(self, code: Code, index: int) -> frozenset[Fact]:
        """What is known before an instruction."""
        self._solve_once()
        return frozenset(self._known(self.before[code.entry][index] or frozenset()))

    def reached(self, code: Code, index: int) -> bool:
        self._solve_once()
        return self.before[code.entry][index] is not None


def _size(node: object) -> int:
    return sum(1 for _ in inside(node))

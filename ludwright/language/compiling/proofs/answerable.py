"""Choices that certainly find something to offer when they are reached.

Once dice have fallen nothing may refuse, so a choice that must be made needs an option; and where
an option is certain, no search has to look for it. The proof uses what is known at the choice
(`facts`): a condition around it that asks for the same thing, the bounds of a range, a card that
has just been drawn.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import inf

from ludwright import program as ir
from ludwright.language.compiling.code import Code, Room, Stock
from ludwright.language.compiling.lowering import Lowering
from ludwright.language.compiling.proofs.contents import Contents
from ludwright.language.compiling.proofs.fact_kinds import Fact, Is
from ludwright.language.compiling.proofs.facts import Facts
from ludwright.language.compiling.proofs.normal_forms import (
    TRUE,
    Clause,
    Normalizer,
    conjuncts,
    negated,
)
from ludwright.language.compiling.proofs.refusals import always_possible
from ludwright.language.compiling.proofs.value_sets import members
from ludwright.program.nodes import walk

Bounds = tuple[float, float]
UNKNOWN: Bounds = (-inf, inf)
DEEP = 12  # nested expressions whose bounds are looked at
FALSY = 0b11  # none and 0, as a set of values


def prove(lowering: Lowering, facts: Facts) -> None:
    """Note the choices that always have an answer."""
    for code in lowering.codes:
        for index, instr in enumerate(code.instrs):
            if not isinstance(instr, ir.Choose) or instr.choice in lowering.proven:
                continue
            choice = lowering.choices[instr.choice]
            if always_possible(choice) or not facts.reached(code, index):
                continue
            if proof_at(facts, code, index).answerable(choice):
                lowering.proven.add(instr.choice)


def proof_at(facts: Facts, code: Code, index: int) -> Proof:
    return Proof(facts.lowering, facts.contents, facts.at(code, index))


class Proof:
    """What follows from the facts known at one point."""

    def __init__(self, lowering: Lowering, contents: Contents, known: frozenset[Fact]) -> None:
        self.lowering = lowering
        self.contents = contents
        self.normal = Normalizer(lowering.unit, _representatives(known))
        self.known = {self.normal.expr(fact) for fact in known if isinstance(fact, ir.Expr)}
        self.streams = [
            fact.stream.clauses
            for fact in self.known
            if isinstance(fact, ir.Aggregate) and isinstance(fact.stream, ir.Stream)
        ]

    # ---------------------------------------------------------------------- choices

    def answerable(self, choice: ir.Choice) -> bool:
        if choice.kind == "labels":
            guards = [self.normal.expr(label.guard) for label in choice.labels if label.guard]
            opposites = {negated(guard) for guard in guards}
            return any(self.holds(guard) or guard in opposites for guard in guards)
        assert choice.options is not None
        if choice.type.optional and not self._never_none(choice.options):
            return False
        if choice.kind == "one":
            return self.something(choice.options)
        return self._enough(choice, choice.options)

    def _never_none(self, options: ir.Source) -> bool:
        values = self.contents.possible.elements(options, {})
        return values is not None and not values & 1

    def _enough(self, choice: ir.Choice, options: ir.Source) -> bool:
        """At least as many options as must be picked, and no fewer picks allowed than demanded."""
        assert choice.minimum is not None
        least = self.normal.expr(choice.minimum)
        if choice.maximum is not None:
            most = self.normal.expr(choice.maximum)
            if most != least and self.lowest(most) < self.highest(least):
                return False
        if self.highest(least) <= 0:
            return True
        if self.highest(least) == 1 and self.something(options):
            return True
        if choice.repeats:
            fits = choice.maximum is not None or self.highest(least) <= choice.result_type.cap
            return fits and self.something(options)
        if self._different(options) >= self.highest(least):
            return True
        clauses, head = self.normal.clauses(options)
        match clauses:  # different elements, so there are as many options
            case (ir.Loop(regs=(reg,), source=ir.PiecesSource() | ir.SeatsSource()), *filters) if (
                head == ir.Load(reg) and all(isinstance(test, ir.Filter) for test in filters)
            ):
                return any(self._counts(part, clauses) for part in _least_of(least))
            case _:
                return False

    def _counts(self, number: ir.Expr, clauses: tuple[Clause, ...]) -> bool:
        """Whether a number is how many elements a comprehension has, or a part of that."""
        match number, clauses:
            case ir.Aggregate(op="count", stream=ir.Stream(clauses=counted)), _:
                return counted == clauses
            case ir.LoadAt(), (ir.Loop(source=ir.PiecesSource(place=place)),):
                return number == self.normal.held(place)
            case ir.Arith(op="//", left=whole, right=ir.Const(value=int(by))), _ if by > 0:
                return self._counts(whole, clauses)  # a part of them is no more than all
            case _:
                return False

    # ------------------------------------------------------------- places and stocks

    def has_room(self, room: Room) -> bool:
        """Whether a place stays within a limit if so many pieces come to it. The facts must be
        those of the start of the passage."""
        function = self.lowering.unit.functions[room.limit]
        place = self.normal.expr(room.place)
        within = self.normal.expr(function.body, {function.params[0]: place})
        return self._within(within, room)

    def _within(self, test: ir.Expr, room: Room) -> bool:
        match test:
            case ir.Or(left=left, right=right):
                return self._within(left, room) or self._within(right, room)
            case ir.Not(arg=ir.Compare(op=">", left=held, right=most)) if self.normal.is_count(
                held
            ):
                return self._fits(held, most, room)
            case _:
                return self.holds(test)

    def _fits(self, held: ir.Expr, most: ir.Expr, room: Room) -> bool:
        """`held` pieces lie there, of which `most` are allowed."""
        coming = self.normal.expr(room.passage.count)
        if self._capacity(room.place) <= self.lowest(most):
            return True
        if room.piece is not None and self._does_not_count(held, room.piece):
            return True
        if self.highest(coming) <= 1 and ir.Compare(">", most, held) in self.known:
            return True
        for number in _least_of(coming):
            match number:  # no more than there is room for
                case ir.Arith(op="-", left=whole, right=taken) if taken == held:
                    if self.at_most(whole, most):
                        return True
                case _:
                    pass
        return self.at_most(ir.Arith("+", held, coming), most)

    def _capacity(self, place: ir.Expr) -> float:
        """How many pieces can ever lie in a place."""
        contents = self.contents.possible.contents
        places = self.contents.places_of(place)
        return max((contents[at].bit_count() for at in places), default=0)

    def _does_not_count(self, held: ir.Expr, piece: ir.Expr) -> bool:
        """Whether a piece is certainly none of those that a limit is about."""
        match held:
            case ir.Aggregate(stream=ir.Stream(clauses=(ir.Loop(regs=(reg,)), *filters))):
                names = {reg: self.normal.expr(piece)}
                tests = [clause for clause in filters if isinstance(clause, ir.Filter)]
                return any(
                    self.holds(negated(self.normal.expr(test.when, names))) for test in tests
                )
            case _:
                return False

    def in_stock(self, stock: Stock) -> bool:
        """Whether there are as many pieces as are taken."""
        taken = self.normal.expr(stock.passage.count)
        if self.highest(taken) <= 1 and self.something(stock.pieces):
            return True
        return self.at_most(taken, self.normal.count(self.normal.clauses(stock.pieces)[0]))

    def in_range(self, store: ir.Store) -> bool:
        """Whether a value is certainly one of those that its variable can hold."""
        value, type_ = self.normal.expr(store.value), store.type
        if store.type.kind != "int":
            return False
        return self._at_least(value, type_.lo) and self.highest(value) <= type_.hi

    def _at_least(self, value: ir.Expr, low: int) -> bool:
        match value:
            case ir.Arith(op="-", left=left, right=right) if low <= 0:
                if self.at_most(right, left):
                    return True
            case _:
                pass
        return self.lowest(value) >= low

    # -------------------------------------------------------------------- existence

    def something(self, source: ir.Source) -> bool:
        """Whether a stream certainly has an element."""
        match source:
            case ir.ConcatSource(parts=parts):
                return any(self.something(part) for part in parts)
            case ir.SelectSource(when=when, then=then, other=other):
                test = self.normal.expr(when)
                if self.holds(test):
                    return self.something(then)
                if self.holds(negated(test)):
                    return self.something(other)
                yes, no = self._assuming(test), self._assuming(negated(test))
                return yes.something(then) and no.something(other)
            case _:
                clauses, _ = self.normal.clauses(source)
                return self._some(clauses)

    def _assuming(self, test: ir.Expr) -> Proof:
        return Proof(self.lowering, self.contents, frozenset(self.known | set(conjuncts(test))))

    def _some(self, clauses: tuple[Clause, ...]) -> bool:
        if self.normal.exists(clauses) in self.known:
            return True
        if any(self._weaker(clauses, fact) for fact in self.streams):
            return True
        filters = [c for c in clauses if isinstance(c, ir.Filter) and not self.holds(c.when)]
        loops = [clause for clause in clauses if isinstance(clause, ir.Loop)]
        untils = any(isinstance(clause, ir.Until) for clause in clauses)
        if not filters:
            return all(self._source(loop.source) for loop in loops)
        if untils or not all(self._source(loop.source) for loop in loops):
            return False
        return self._some_left(loops, filters)

    def _weaker(self, clauses: tuple[Clause, ...], fact: tuple[Clause, ...]) -> bool:
        """Whether an element of `fact` is one of `clauses` too: the same loops, fewer filters."""
        if any(isinstance(clause, ir.Until) for clause in (*clauses, *fact)):
            return False
        loops = [clause for clause in clauses if isinstance(clause, ir.Loop)]
        if [clause for clause in fact if isinstance(clause, ir.Loop)][: len(loops)] != loops:
            return False
        tests = [clause for clause in clauses if isinstance(clause, ir.Filter)]
        return all(test in fact or self.holds(test.when) for test in tests)

    def _some_left(self, loops: list[ir.Loop], filters: list[ir.Filter]) -> bool:
        """Filters that each take away one element at most: `p for p in seats if p != actor`."""
        if len(loops) != 1 or len(loops[0].regs) != 1:
            return False
        element = ir.Load(loops[0].regs[0])
        if not all(_drops_one(test, element) for test in filters):
            return False
        return self._size(loops[0].source) > len(filters)

    def _different(self, options: ir.Source) -> float:
        """How many different elements a stream has at least."""
        clauses, head = self.normal.clauses(options)
        loop, *filters = clauses
        if not isinstance(loop, ir.Loop) or head != ir.Load(loop.regs[0]) or len(loop.regs) != 1:
            return 0
        left = [c for c in filters if not (isinstance(c, ir.Filter) and self.holds(c.when))]
        if not all(isinstance(test, ir.Filter) and _drops_one(test, head) for test in left):
            return 0
        return max(0, self._size(loop.source) - len(left))

    def _size(self, source: ir.Source) -> float:
        """How many different elements a source has at least."""
        match source:
            case ir.ConstSource(values=values):
                return len(set(values))
            case ir.SeatsSource():
                return self.lowering.unit.world.min_players
            case ir.RangeSource(lo=lo, hi=hi):
                return max(0, self.lowest(hi) - self.highest(lo) + 1)
            case _:
                return 0

    def _source(self, source: ir.Source) -> bool:
        match source:
            case ir.ConstSource(values=values):
                return bool(values)
            case ir.ItemsSource(items=items):
                return bool(items)
            case ir.SeatsSource():
                return True
            case ir.RangeSource(lo=lo, hi=hi):
                return self.at_most(lo, hi)
            case ir.ConcatSource() | ir.SelectSource():
                return self.something(source)
            case ir.BindSource(body=body):
                return self._source(body)
            case ir.RowSource(table=table, index=index):
                known = self.contents.possible.value(index, {})
                rows = self.lowering.unit.rows[table]
                if known is None or known & 1:
                    return False
                return all(at < len(rows) and rows[at] for at in members(known))
            case ir.PiecesSource() | ir.ListSource() | ir.SetSource():
                loop = ir.Loop((0,), source)
                some = self.normal.exists((loop,))
                return self.holds(some) or any(
                    isinstance(fact[0], ir.Loop) and fact[0].source == source
                    for fact in self.streams
                )
            case ir.Stream(clauses=clauses):
                return self._some(clauses)
            case _:
                return False

    # ------------------------------------------------------------------- conditions

    def holds(self, test: ir.Expr) -> bool:
        """Whether a condition in normal form certainly holds."""
        if test == TRUE or test in self.known:
            return True
        match test:
            case ir.And(left=left, right=right):
                return self.holds(left) and self.holds(right)
            case ir.Or(left=left, right=right):
                return self.holds(left) or self.holds(right)
            case ir.Compare(op=">", left=left, right=right):
                return self.lowest(left) > self.highest(right)
            case ir.Not(arg=ir.Compare(op=">", left=left, right=right)):
                return self.at_most(left, right)
            case ir.Aggregate(op="exists", stream=ir.Stream(clauses=clauses)):
                return self._some(clauses)
            case ir.Not(arg=ir.Compare(op="==", left=left, right=ir.Const() as right)):
                return self._differs(left, right)
            case ir.Lookup():
                values = self.contents.possible.value(test, {})
                return values is not None and not values & FALSY
            case _:
                return False

    def _differs(self, node: ir.Expr, constant: ir.Const) -> bool:
        """Whether a value is certainly another one than a constant."""
        for fact in self.known:
            match fact:
                case ir.Compare(op="==", left=left, right=ir.Const() as right):
                    if left == node and right != constant:
                        return True
                case _:
                    pass
        return False

    def same(self, left: ir.Expr, right: ir.Expr) -> bool:
        """Whether two expressions certainly have the same value here."""
        return self.normal.expr(left) == self.normal.expr(right)

    # ---------------------------------------------------------------------- numbers

    def at_most(self, low: ir.Expr, high: ir.Expr) -> bool:
        if low == high or negated(ir.Compare(">", low, high)) in self.known:
            return True
        if ir.Compare(">", high, low) in self.known:
            return True
        match low:
            case ir.Arith(op="min", left=left, right=right) if high in (left, right):
                return True
            case _:
                pass
        match high:
            case ir.Arith(op="max", left=left, right=right) if low in (left, right):
                return True
            case _:
                pass
        return self.highest(low) <= self.lowest(high)

    def lowest(self, node: ir.Expr) -> float:
        return self._bounds(node, DEEP)[0]

    def highest(self, node: ir.Expr) -> float:
        return self._bounds(node, DEEP)[1]

    def _bounds(self, node: ir.Expr, depth: int) -> Bounds:
        low, high = self._shape(node, depth)
        for fact in self.known:
            match fact:
                case ir.Compare(op=">", left=left, right=ir.Const(value=int(value))):
                    if left == node:
                        low = max(low, value + 1)
                case ir.Not(arg=ir.Compare(op=">", left=left, right=ir.Const(value=int(value)))):
                    if left == node:
                        high = min(high, value)
                case _:
                    pass
        return low, high

    def _shape(self, node: ir.Expr, depth: int) -> Bounds:
        """The bounds that an expression has everywhere."""
        if depth == 0:
            return UNKNOWN
        match node:
            case ir.Const(value=int(value)):
                return value, value
            case _ if self.normal.is_count(node):
                return 0, inf
            case ir.Load(addr=addr) | ir.LoadAt(addr=addr):
                variable = self.contents.possible.variable(addr)
                if variable is None or variable.type.kind != "int" or variable.type.optional:
                    return UNKNOWN
                return variable.type.lo, variable.type.hi
            case ir.Arith(op=op, left=left, right=right):
                one, two = self._bounds(left, depth - 1), self._bounds(right, depth - 1)
                return _arithmetic(op, one, two)
            case ir.Select(then=then, other=other):
                one, two = self._bounds(then, depth - 1), self._bounds(other, depth - 1)
                return min(one[0], two[0]), max(one[1], two[1])
            case _:
                return UNKNOWN


def _arithmetic(op: str, one: Bounds, two: Bounds) -> Bounds:
    match op:
        case "min":
            return min(one[0], two[0]), min(one[1], two[1])
        case "max":
            return max(one[0], two[0]), max(one[1], two[1])
        case "+":
            return one[0] + two[0], one[1] + two[1]
        case "-":
            return one[0] - two[1], one[1] - two[0]
        case "*" if inf not in (*map(abs, one), *map(abs, two)):
            ends = [a * b for a in one for b in two]
            return min(ends), max(ends)
        case _:
            return UNKNOWN


def _drops_one(test: ir.Filter, element: ir.Expr) -> bool:
    """Whether a filter takes away one element at most: `p != actor`."""
    match test.when:
        case ir.Not(arg=ir.Compare(op="==", left=left, right=right)) if (left == element) != (
            right == element
        ):
            return not _mentions(right if left == element else left, element)
        case _:
            return False


def _least_of(number: ir.Expr) -> list[ir.Expr]:
    """The numbers of which this is the least."""
    if isinstance(number, ir.Arith) and number.op == "min":
        return [*_least_of(number.left), *_least_of(number.right)]
    return [number]


def _mentions(node: object, element: ir.Expr) -> bool:
    return any(item == element for item in walk(node))


def _representatives(known: Iterable[Fact]) -> dict[ir.Expr, ir.Expr]:
    """For values that are known to be equal one of them: a constant, a cell, or an expression."""
    groups: dict[ir.Expr, set[ir.Expr]] = {}
    for fact in known:
        if isinstance(fact, Is):
            cell = ir.Load(fact.addr)
            merged = groups.get(cell, {cell}) | groups.get(fact.value, {fact.value})
            for item in merged:
                groups[item] = merged
    return {item: min(group, key=_preference) for item, group in groups.items()}


def _preference(node: ir.Expr) -> tuple[int, int, str]:
    match node:
        case ir.Const():
            return 0, 0, repr(node)
        case ir.Load(addr=addr):
            return 1, addr, ""
        case _:
            return 2, 0, repr(node)

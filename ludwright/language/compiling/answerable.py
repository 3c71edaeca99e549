"""Choices that certainly find something to offer when they are reached.

Once dice have fallen nothing may refuse, so a choice that must be made needs an option; and where
an option is certain, no search has to look for it. The proof uses what is known at the choice
(`facts`): a condition around it that asks for the same thing, the bounds of a range, a card that
has just been drawn.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import inf

from ludwright.kernel import program as ir
from ludwright.kernel.expression_nodes import inside
from ludwright.language.compiling.code import Code
from ludwright.language.compiling.contents import Contents
from ludwright.language.compiling.facts import Fact, Facts, Is
from ludwright.language.compiling.lowering import Lowering
from ludwright.language.compiling.normal import TRUE, Clause, Normalizer, conjuncts, negated
from ludwright.language.compiling.possible import members
from ludwright.language.compiling.safety import always_possible

Bounds = tuple[float, float]
UNKNOWN: Bounds = (-inf, inf)
DEEP = 12  # nested expressions whose bounds are looked at


def prove(game: Lowering, facts: Facts) -> None:
    """Note the choices that always have an answer."""
    for code in game.codes:
        for index, instr in enumerate(code.instrs):
            if not isinstance(instr, ir.Choose) or instr.choice in game.proven:
                continue
            choice = game.choices[instr.choice]
            if always_possible(choice) or not facts.reached(code, index):
                continue
            if proof_at(facts, code, index).answerable(choice):
                game.proven.add(instr.choice)


def proof_at(facts: Facts, code: Code, index: int) -> Proof:
    return Proof(facts.game, facts.contents, facts.at(code, index))


class Proof:
    """What follows from the facts known at one point."""

    def __init__(self, game: Lowering, contents: Contents, known: frozenset[Fact]) -> None:
        self.game = game
        self.contents = contents
        self.normal = Normalizer(game.unit, _representatives(known))
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
        clauses, head = self.normal.clauses(options)
        match clauses:  # different elements, so there are as many options
            case (ir.Loop(regs=(reg,), source=ir.PiecesSource() | ir.SeatsSource()), *filters) if (
                head == ir.Load(reg) and all(isinstance(test, ir.Filter) for test in filters)
            ):
                return any(self._counts(part, clauses) for part in _least_of(least))
            case _:
                return False

    def _counts(self, number: ir.Expr, clauses: tuple[Clause, ...]) -> bool:
        """Whether a number is how many elements a comprehension has."""
        match number, clauses:
            case ir.Aggregate(op="count", stream=ir.Stream(clauses=counted)), _:
                return counted == clauses
            case ir.LoadAt(), (ir.Loop(source=ir.PiecesSource(place=place)),):
                return number == self.normal.held(place)
            case _:
                return False

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
        return Proof(self.game, self.contents, frozenset(self.known | set(conjuncts(test))))

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
        for test in filters:
            match test.when:
                case ir.Not(arg=ir.Compare(op="==", left=left, right=right)) if (
                    left == element
                ) != (right == element):
                    other = right if left == element else left
                    if _mentions(other, element):
                        return False
                case _:
                    return False
        return self._size(loops[0].source) > len(filters)

    def _size(self, source: ir.Source) -> float:
        """How many different elements a source has at least."""
        match source:
            case ir.ConstSource(values=values):
                return len(set(values))
            case ir.SeatsSource():
                return self.game.unit.world.min_players
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
                rows = self.game.unit.rows[table]
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
            case _:
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
            case ir.Load(addr=addr):
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
            case _ if self.normal.is_count(node):
                return 0, inf
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


def _least_of(number: ir.Expr) -> list[ir.Expr]:
    """The numbers of which this is the least."""
    if isinstance(number, ir.Arith) and number.op == "min":
        return [*_least_of(number.left), *_least_of(number.right)]
    return [number]


def _mentions(node: object, element: ir.Load) -> bool:
    return any(item == element for item in inside(node))


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

"""Normal forms: two expressions that say the same thing in different words become equal.

Registers bound inside an expression are numbered anew, sites are dropped, small bindings are put in
the place of their names, and nested comprehensions are joined. The many ways to ask whether there
is anything (`any`, `count(…) > 0`, `not full(…)`, `x.piece != none`) become one of two: a
comprehension that exists, or a place that holds more than 0 pieces. Orders are told with `>` alone.

Normal forms are for proofs. They are never executed, and need not fail where the original would.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from ludwright import program as ir
from ludwright.language.compiling.addresses import is_local
from ludwright.language.compiling.expressions.folding import fold
from ludwright.language.compiling.unit import Unit
from ludwright.program.nodes import mapped, size

TRUE = ir.Const(1)
FALSE = ir.Const(0)
BOUND = -1000  # registers of normal forms: BOUND - 100 * nesting - number
SMALL = 12  # records of an expression that is put in the place of its name

Names = Mapping[int, ir.Expr]
Clause = ir.Loop | ir.Filter | ir.Until


class Normalizer:
    """`equal` gives, for some normal forms, another one that stands for the same value."""

    def __init__(self, unit: Unit, equal: Mapping[ir.Expr, ir.Expr] | None = None) -> None:
        self.unit = unit
        self.layout = unit.layout
        self.equal = equal or {}
        # properties that only some kinds of pieces have, by their first cell
        self._properties = {
            slot.variable.addr
            for slot in unit.layout.piece_props.values()
            if slot.variable.count < unit.world.piece_count
        }

    def expr(self, node: ir.Expr, names: Names | None = None, depth: int = 0) -> ir.Expr:
        found = self._expr(node, names or {}, depth)
        return self.equal.get(found, found)

    def _expr(self, node: ir.Expr, names: Names, depth: int) -> ir.Expr:
        match node:
            case ir.Load(addr=addr):
                return names[addr] if addr in names else self._cell(addr)
            case ir.LoadWide(addr=addr, index=None) if is_local(addr):
                return names.get(addr, ir.Load(addr))
            case ir.LoadAt(addr=addr, index=index) if addr == self.layout.place_count:
                return self.held(self.expr(index, names, depth))
            case (
                ir.LoadAt(addr=addr, size=size, index=ir.Arith(op="-", left=piece))
                | ir.LoadAt(addr=addr, size=size, index=ir.Lookup(index=piece, none=-1))
            ) if addr in self._properties:
                # whether the piece is known to have the property makes no difference to its value
                return ir.LoadAt(addr, self.expr(piece, names, depth), size, -1)
            case ir.Bind(reg=reg, value=value, body=body):
                return self._bind(node, reg, value, body, names, depth)
            case ir.Not(arg=arg):
                return negated(self.expr(arg, names, depth))
            case ir.And(left=left, right=right):
                return both(self.expr(left, names, depth), self.expr(right, names, depth))
            case ir.Or(left=left, right=right):
                return either(self.expr(left, names, depth), self.expr(right, names, depth))
            case ir.Compare(op=op, left=left, right=right):
                return self.compare(
                    op, self.expr(left, names, depth), self.expr(right, names, depth)
                )
            case ir.Aggregate(op="exists", stream=stream):
                return self.exists(self.clauses(stream, names, depth)[0])
            case ir.Aggregate(op="count", stream=stream):
                return self.count(self.clauses(stream, names, depth)[0])
            case ir.Aggregate(op="any", stream=stream):
                clauses, head = self.clauses(stream, names, depth)
                return self.exists(_filtered(clauses, head))
            case ir.Aggregate(op="sum", stream=stream) if _empty(
                self.clauses(stream, names, depth)[0]
            ):
                return FALSE
            case ir.Aggregate(op="all", stream=stream):
                clauses, head = self.clauses(stream, names, depth)
                return negated(self.exists(_filtered(clauses, negated(head))))
            case ir.Arith(op="+", left=left, right=ir.Arith(op="-", left=ir.Const(0), right=right)):
                return self.expr(ir.Arith("-", left, right), names, depth)  # from `x -= y`
            case ir.InSet(item=item, of=of, lo=lo):
                whole = self.expr(of, names, depth)
                inner = ir.InSet(self.expr(item, names, depth), whole, lo)
                return FALSE if whole == ir.Const(0) else inner
            case _:
                rebuilt = self._rebuilt(node, names, depth)
                assert isinstance(rebuilt, ir.Expr)
                return fold(rebuilt, self.unit) if isinstance(node, ir.Lookup) else rebuilt

    def _cell(self, addr: int) -> ir.Expr:
        place = addr - self.layout.place_count
        if 0 <= place < len(self.unit.world.places) and not is_local(addr):
            return self.held(ir.Const(place))
        return ir.Load(addr)

    def held(self, place: ir.Expr) -> ir.Expr:
        """How many pieces lie in a place."""
        return ir.LoadAt(self.layout.place_count, place, len(self.unit.world.places), 0)

    def _bind(
        self, node: ir.Bind, reg: int, value: ir.Expr, body: ir.Expr, names: Names, depth: int
    ) -> ir.Expr:
        inner = self.expr(value, names, depth)
        if size(inner) <= SMALL:
            return self.expr(body, {**names, reg: inner}, depth)
        bound = BOUND - 100 * (depth + 1)
        renamed = {**names, reg: ir.Load(bound)}
        return ir.Bind(bound, inner, self.expr(body, renamed, depth + 1))

    def count(self, clauses: tuple[Clause, ...]) -> ir.Expr:
        """How many elements a comprehension has."""
        if _empty(clauses):
            return FALSE
        match clauses:
            case (ir.Loop(source=ir.PiecesSource(place=place)),):
                return self.held(place)
            case _:
                return ir.Aggregate("count", ir.Stream(clauses, TRUE))

    def compare(self, op: ir.CompareOp, left: ir.Expr, right: ir.Expr) -> ir.Expr:
        match op:
            case "!=":
                return negated(self.compare("==", left, right))
            case "<":
                return self._greater(right, left)
            case ">":
                return self._greater(left, right)
            case "<=":
                return negated(self._greater(left, right))
            case ">=":
                return negated(self._greater(right, left))
        if left == right:
            return TRUE
        if isinstance(left, ir.Const):
            left, right = right, left
        if isinstance(left, ir.Const) and isinstance(right, ir.Const):
            return ir.Const(int(left.value == right.value))
        if right == ir.Const(-1):
            match left:
                case ir.LoadAt(addr=addr, index=place) if addr == self.layout.place_head:
                    return negated(ir.Compare(">", self.held(place), FALSE))
                case ir.Aggregate(op="first", stream=ir.Stream() as stream, default=ir.Const()):
                    if _pieces_themselves(stream):  # none of them is none
                        return negated(self.exists(stream.clauses))
                case _:
                    pass
        if right == FALSE and self.is_count(left):
            return negated(self._greater(left, right))
        if not isinstance(right, ir.Const) and repr(right) < repr(left):
            left, right = right, left
        return ir.Compare("==", left, right)

    def _greater(self, left: ir.Expr, right: ir.Expr) -> ir.Expr:
        if left == right:
            return FALSE
        if isinstance(left, ir.Const) and isinstance(left.value, int):
            if isinstance(right, ir.Const) and isinstance(right.value, int):
                return ir.Const(int(left.value > right.value))
            # a constant stands on the right: 3 > x is not x > 2
            return negated(self._greater(right, ir.Const(left.value - 1)))
        if right == FALSE and isinstance(left, ir.Aggregate) and left.op == "count":
            assert isinstance(left.stream, ir.Stream)
            return self.exists(left.stream.clauses)
        return ir.Compare(">", left, right)

    def is_count(self, node: ir.Expr) -> bool:
        """Something that is never below 0."""
        match node:
            case ir.LoadAt(addr=addr):
                return addr == self.layout.place_count
            case ir.Length() | ir.Aggregate(op="count"):
                return True
            case _:
                return False

    # -------------------------------------------------------------------- streams

    def exists(self, clauses: tuple[Clause, ...]) -> ir.Expr:
        if _empty(clauses) or any(isinstance(c, ir.Filter) and c.when == FALSE for c in clauses):
            return FALSE
        match clauses:
            case (ir.Loop(source=ir.PiecesSource(place=place)),):
                return ir.Compare(">", self.held(place), FALSE)
            case (ir.Loop(source=ir.ListSource(of=of)),):
                return ir.Compare(">", ir.Length(of), FALSE)
            case (ir.Loop(source=ir.SetSource(of=of)),):
                return ir.Compare(">", ir.Length(of, True), FALSE)
            case _:
                return ir.Aggregate("exists", ir.Stream(clauses, TRUE))

    def clauses(
        self, source: ir.Source, names: Names | None = None, depth: int = 0
    ) -> tuple[tuple[Clause, ...], ir.Expr]:
        """A stream as one comprehension: its clauses, and its element."""
        done: list[Clause] = []
        head = self._open(source, dict(names or {}), depth + 1, done)
        return tuple(done), head

    def _open(
        self, source: ir.Source, names: dict[int, ir.Expr], depth: int, done: list[Clause]
    ) -> ir.Expr:
        """Add the loops of a source to `done`; gives its element."""
        match source:
            case ir.BindSource(reg=reg, value=value, body=body) if size(value) <= SMALL:
                return self._open(body, {**names, reg: self.expr(value, names, depth)}, depth, done)
            case ir.Stream(clauses=clauses, head=head):
                # `until` ends the innermost loop, so loops must stay what they are
                joined = not any(isinstance(clause, ir.Until) for clause in clauses)
                for clause in clauses:
                    self._clause(clause, names, depth, done, joined)
                return self.expr(head, names, depth)
            case _:
                register = self._register(depth, done)
                whole = self._rebuilt(source, names, depth)
                done.append(ir.Loop((register,), whole))
                return ir.Load(register)

    def _clause(
        self,
        clause: Clause,
        names: dict[int, ir.Expr],
        depth: int,
        done: list[Clause],
        joined: bool,
    ) -> None:
        match clause:
            case ir.Filter(when=when):
                done.extend(ir.Filter(part) for part in conjuncts(self.expr(when, names, depth)))
            case ir.Until(when=when):
                done.append(ir.Until(self.expr(when, names, depth)))
            case ir.Loop(regs=(reg,), source=source) if joined and not _until(source):
                names[reg] = self._open(source, names, depth, done)
            case ir.Loop(regs=regs, source=source):
                whole = self._rebuilt(source, names, depth)
                fresh = tuple(self._register(depth, done) - n for n in range(len(regs)))
                names.update((reg, ir.Load(new)) for reg, new in zip(regs, fresh, strict=True))
                done.append(ir.Loop(fresh, whole))

    def _register(self, depth: int, done: list[Clause]) -> int:
        taken = sum(len(clause.regs) for clause in done if isinstance(clause, ir.Loop))
        return BOUND - 100 * depth - taken

    def _rebuilt(self, node: Any, names: Names, depth: int) -> Any:
        if isinstance(node, ir.Stream):
            clauses, head = self.clauses(node, names, depth)
            return ir.Stream(clauses, head)

        # What an expression takes its elements from becomes a comprehension; other streams stay.
        consumed = getattr(node, "stream", None)

        def part(inner: Any) -> Any:
            if isinstance(inner, ir.Expr):
                return self.expr(inner, names, depth)
            if inner is consumed and isinstance(inner, ir.Source):
                return ir.Stream(*self.clauses(inner, names, depth))
            return self._rebuilt(inner, names, depth)

        rebuilt = mapped(node, part)
        return replace(rebuilt, site=-1) if getattr(rebuilt, "site", -1) >= 0 else rebuilt


def _empty(clauses: tuple[Clause, ...]) -> bool:
    """Whether a comprehension goes through a set or list that is known to be empty."""
    match clauses:
        case (ir.Loop(source=ir.SetSource(of=ir.Const(value=0))), *_):
            return True
        case (ir.Loop(source=ir.ListSource(of=ir.Const(value=()))), *_):
            return True
        case _:
            return False


def _pieces_themselves(stream: ir.Stream) -> bool:
    match stream:
        case ir.Stream(clauses=(ir.Loop(regs=(reg,), source=source), *_), head=ir.Load(addr=shown)):
            return reg == shown and _never_none(source)
        case _:
            return False


def _never_none(source: ir.Source) -> bool:
    match source:
        case ir.PiecesSource():
            return True
        case ir.ConstSource(values=values):
            return all(isinstance(value, int) and value >= 0 for value in values)
        case _:
            return False


def _until(source: ir.Source) -> bool:
    return isinstance(source, ir.Stream) and any(isinstance(c, ir.Until) for c in source.clauses)


def _filtered(clauses: tuple[Clause, ...], when: ir.Expr) -> tuple[Clause, ...]:
    return (*clauses, *(ir.Filter(part) for part in conjuncts(when)))


def negated(node: ir.Expr) -> ir.Expr:
    match node:
        case ir.Not(arg=arg):
            return arg
        case ir.Const(value=value):
            return FALSE if value else TRUE
        case ir.And(left=left, right=right):
            return ir.Or(negated(left), negated(right))
        case ir.Or(left=left, right=right):
            return ir.And(negated(left), negated(right))
        case _:
            return ir.Not(node)


def both(left: ir.Expr, right: ir.Expr) -> ir.Expr:
    if left == TRUE or right == FALSE:
        return right
    return left if right == TRUE or left == FALSE else ir.And(left, right)


def either(left: ir.Expr, right: ir.Expr) -> ir.Expr:
    return negated(both(negated(left), negated(right)))


def conjuncts(node: ir.Expr) -> Iterator[ir.Expr]:
    if isinstance(node, ir.And):
        yield from conjuncts(node.left)
        yield from conjuncts(node.right)
    elif node != TRUE:
        yield node

"""Facts: what is known to hold at a point of the rules.

A fact says that something *is there*: that a value is not none, or that a collection has a member
(which is the same as: its first member is there). Facts are stated about compiled expressions, so a
name, an attribute and a function mean the same wherever they are written.

- `implied(unit, condition, truth)`: the facts that follow from a condition that holds, or fails.
- `of_element(unit, source, element)`: what the filters of a collection say about a member of it.
- `Scope.assuming(facts)`: a scope inside one expression in which they hold. Nothing changes there.
- `Flow`: the facts along the instructions of a procedure. Every instruction takes away what it may
  change; where ways meet, what holds on all of them is left.
- `known(unit, scope, node)`: whether something is there at this point.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields, is_dataclass, replace
from functools import cache
from typing import TYPE_CHECKING, Any

from ludwright.kernel import program as ir
from ludwright.kernel.expression_nodes import inside
from ludwright.kernel.types import NO_ENTITY, NO_INT, Type

if TYPE_CHECKING:
    from ludwright.language.compiling.unit import Scope, Unit

Node = ir.Expr | ir.Source
Key = tuple[object, ...]
Range = tuple[int, int]  # cells from the first to before the second

REGISTER = 1 << 40  # locals live from here on, until frames are placed; below are state cells
STATE: Range = (0, REGISTER)
EVERYTHING: Range = (0, 1 << 62)
MAX_KEY = 2_000  # nodes of an expression that is compared with others


@dataclass(frozen=True)
class Fact:
    """This value is not none, or this collection is not empty."""

    number: int  # equal for expressions that say the same
    node: Node = field(compare=False)


Facts = frozenset[Fact]
NOTHING: Facts = frozenset()


@dataclass(frozen=True)
class Test:
    """What a comparison proves; it is kept alive because its id is what is remembered."""

    expr: ir.Expr
    if_true: Facts
    if_false: Facts


# ----------------------------------------------------------------------------- keys


def key(node: Node) -> Key | None:
    """Equal for expressions that say the same: where they are written does not count, nor what
    registers their loops use. None for one that is too large to look at."""
    try:
        return _key(node, {}, [MAX_KEY])
    except _TooLargeError:
        return None


class _TooLargeError(Exception):
    """An expression that is not worth comparing."""


def _key(node: object, bound: dict[int, int], budget: list[int]) -> Key:
    budget[0] -= 1
    if budget[0] < 0:
        raise _TooLargeError
    match node:
        case ir.Load(addr=addr) if addr in bound:
            return ("bound", bound[addr])
        case ir.Aggregate(op="first" | "exists", stream=stream):
            return ("first", _key(stream, bound, budget))
        case ir.PiecesSource(place=place):
            return ("pieces", _key(place, bound, budget))
        case (
            ir.Bind(reg=reg, value=value, body=body)
            | ir.BindSource(reg=reg, value=value, body=body)
        ):
            within = {**bound, reg: len(bound)}
            return ("bind", _key(value, bound, budget), _key(body, within, budget))
        case ir.Stream(clauses=clauses, head=head):
            within = dict(bound)
            parts: list[Key] = []
            for clause in clauses:
                if isinstance(clause, ir.Loop):
                    parts.append(("loop", len(clause.regs), _key(clause.source, within, budget)))
                    for reg in clause.regs:
                        within[reg] = len(within)
                else:
                    parts.append((type(clause).__name__, _key(clause.when, within, budget)))
            if len(parts) == 1 and _key(head, within, budget) == ("bound", len(bound)):
                return _key(clauses[0].source, bound, budget)  # type: ignore[union-attr]
            return ("stream", *parts, _key(head, within, budget))
        case tuple():
            return tuple(_key(item, bound, budget) for item in node)
        case _ if is_dataclass(node) and not isinstance(node, Type | type):
            own = [_key(getattr(node, name), bound, budget) for name in _parts(type(node))]
            return (type(node).__name__, *own)
        case int():
            return (node,)
        case _:
            return (node,)


@cache
def _parts(kind: type) -> tuple[str, ...]:
    """The fields of a node that say something, which its place in the text does not."""
    return tuple(part.name for part in fields(kind) if part.name != "site")


def _mentions(node: object, registers: Iterable[int]) -> bool:
    wanted = set(registers)
    return any(isinstance(item, ir.Load) and item.addr in wanted for item in inside(node))


def _substituted(node: Any, values: Mapping[int, ir.Expr]) -> Any:
    """The same with other expressions in the place of registers."""
    if isinstance(node, ir.Load):
        return values.get(node.addr, node)
    if isinstance(node, tuple):
        return tuple(_substituted(item, values) for item in node)
    if is_dataclass(node) and not isinstance(node, Type | type):
        changed = {}
        for part in fields(node):
            old = getattr(node, part.name)
            new = _substituted(old, values)
            if new is not old and new != old:
                changed[part.name] = new
        return replace(node, **changed) if changed else node
    return node


# --------------------------------------------------------------------- what is read


def _reads(unit: Unit, node: object) -> frozenset[Range]:
    found: set[Range] = set()
    for item in inside(node):
        match item:
            case ir.Load(addr=addr):
                found.add((addr, addr + 1))
            case ir.LoadAt(addr=addr, size=size, stride=stride):
                found.add((addr, addr + size * stride))
            case ir.LoadWide(addr=addr, type=type_, stride=stride, size=size):
                found.add((addr, addr + max(type_.width, stride * size)))
            case ir.PiecesSource():
                found.add(pieces_range(unit))
            case ir.CallFn(fn=fn):
                known_reads = unit.function_reads.get(fn)
                if known_reads is None:
                    known_reads = _reads(unit, unit.functions[fn].body)
                    unit.function_reads[fn] = known_reads
                found |= known_reads
            case ir.Times():
                found.add(STATE)
    return frozenset(found)


def _reads_of(unit: Unit, fact: Fact) -> frozenset[Range]:
    found = unit.fact_reads.get(fact.number)
    if found is None:
        found = unit.fact_reads[fact.number] = _reads(unit, fact.node)
    return found


def pieces_range(unit: Unit) -> Range:
    """The cells that say which piece lies where."""
    layout = unit.layout
    decks = 2 * len(layout.deck_top)
    return layout.piece_place, layout.place_count + len(unit.world.places) + decks


def touches(unit: Unit, node: Node, changes: Iterable[Range]) -> bool:
    """Whether an expression reads any of these cells."""
    return _overlap(_reads(unit, node), changes)


def _overlap(left: Iterable[Range], right: Iterable[Range]) -> bool:
    others = tuple(right)
    return any(a < d and c < b for a, b in left for c, d in others)


# ------------------------------------------------------------------------ statements


def there(unit: Unit, *nodes: Node) -> Facts:
    """These are not none (not empty), and so is what they are read from: `c.piece.rank` is only
    there where `c.piece` is, and `c.piece` where `c` is."""
    found: set[Fact] = set()
    stack = list(nodes)
    while stack:
        node = stack.pop()
        if isinstance(node, ir.Const):
            continue
        fact = _fact(unit, node)
        if fact is None:
            continue
        found.add(fact)
        if isinstance(node, ir.Source):
            stack.append(ir.Aggregate("first", node, ir.Const(NO_ENTITY)))
        match node:
            case ir.LoadAt(index=index, none=none) | ir.Lookup(index=index, none=none):
                if none in (NO_ENTITY, NO_INT) and not isinstance(index, ir.Arith):
                    stack.append(index)
            case ir.PiecesSource(place=place):
                head, count = unit.layout.place_head, len(unit.world.places)
                stack.append(ir.LoadAt(head, place, count, NO_ENTITY))
    pieces = [_occupied(unit, fact) for fact in found]
    return frozenset(found).union(*pieces)


def _fact(unit: Unit, node: Node) -> Fact | None:
    own = key(node)
    if own is None:
        return None
    return Fact(unit.fact_numbers.setdefault(own, len(unit.fact_numbers)), node)


def _occupied(unit: Unit, fact: Fact) -> Facts:
    """A place with a first piece has pieces."""
    node = fact.node
    if isinstance(node, ir.LoadAt) and node.addr == unit.layout.place_head:
        held = ir.PiecesSource(node.index)
        first = ir.Aggregate("first", held, ir.Const(NO_ENTITY))
        return frozenset(f for each in (held, first) if (f := _fact(unit, each)) is not None)
    return NOTHING


def implied(unit: Unit, test: ir.Expr, truth: bool) -> Facts:
    """What follows where a condition holds, or where it fails."""
    match test:
        case ir.Not(arg=arg):
            return implied(unit, arg, not truth)
        case ir.And(left=left, right=right) | ir.Or(left=left, right=right):
            one, other = implied(unit, left, truth), implied(unit, right, truth)
            return one | other if isinstance(test, ir.And) == truth else one & other
        case ir.Select(when=when, then=then, other=other_):
            yes = implied(unit, when, True) | implied(unit, then, truth)
            return yes & (implied(unit, when, False) | implied(unit, other_, truth))
        case ir.Aggregate(op="exists" | "any", stream=stream) if truth:
            return there(unit, stream) | _of_some_member(unit, stream)
        case ir.Bind(reg=reg, value=value, body=body):
            return _moved(unit, implied(unit, body, truth), {reg: value})
        case ir.CallFn(fn=fn, args=args):
            function = unit.functions[fn]
            facts = unit.function_facts.get((fn, truth))
            if facts is None:
                facts = unit.function_facts[fn, truth] = implied(unit, function.body, truth)
            return _moved(unit, facts, dict(zip(function.params, args, strict=True)))
        case _:
            proven = unit.tests.get(id(test))
            if proven is None:
                return NOTHING
            return proven.if_true if truth else proven.if_false


def _moved(unit: Unit, facts: Facts, values: Mapping[int, ir.Expr]) -> Facts:
    """Facts about registers, said of the values that are put into them."""
    return there(unit, *(_substituted(fact.node, values) for fact in facts))


def of_element(unit: Unit, source: ir.Source, element: ir.Expr) -> Facts:
    """What is known of a member of a collection, because of the filters it has passed."""
    match source:
        case ir.Stream(clauses=clauses, head=ir.Load(addr=addr)):
            registers = {reg for c in clauses if isinstance(c, ir.Loop) for reg in c.regs}
            found: Facts = NOTHING
            for clause in clauses:
                if isinstance(clause, ir.Filter):
                    found |= implied(unit, clause.when, True)
                elif isinstance(clause, ir.Loop) and clause.regs == (addr,):
                    found |= of_element(unit, clause.source, ir.Load(addr))
            own = frozenset(f for f in found if not _mentions(f.node, registers - {addr}))
            return _moved(unit, own, {addr: element})
        case ir.BindSource(reg=reg, value=value, body=body):
            return _moved(unit, of_element(unit, body, element), {reg: value})
        case ir.SelectSource(then=then, other=other):
            return of_element(unit, then, element) & of_element(unit, other, element)
        case _:
            return NOTHING


def _of_some_member(unit: Unit, source: ir.Source) -> Facts:
    """What filters say of things that are the same for every member."""
    if not isinstance(source, ir.Stream):
        return NOTHING
    registers = {reg for c in source.clauses if isinstance(c, ir.Loop) for reg in c.regs}
    found: Facts = NOTHING
    for clause in source.clauses:
        if isinstance(clause, ir.Filter):
            found |= implied(unit, clause.when, True)
        elif isinstance(clause, ir.Loop) and not _mentions(clause.source, registers):
            found |= there(unit, clause.source)
    return frozenset(f for f in found if not _mentions(f.node, registers))


def counted(unit: Unit, node: ir.Expr) -> Node | None:
    """The collection whose members an expression counts."""
    heads, places = unit.layout.place_count, len(unit.world.places)
    match node:
        case ir.Aggregate(op="count", stream=stream):
            return stream
        case ir.Length(of=of, of_set=False):
            return ir.ListSource(of)
        case ir.LoadAt(addr=addr, index=index) if addr == heads:
            return ir.PiecesSource(index)
        case ir.Load(addr=addr) if heads <= addr < heads + places:
            return ir.PiecesSource(ir.Const(addr - heads))
        case _:
            return None


def known(unit: Unit, scope: Scope, node: Node) -> bool:
    """Whether it is certain at this point that something is there."""
    wanted: Fact | None = None
    at: Scope | None = scope
    while at is not None:
        facts = at.facts if at.flow is None else at.flow.facts
        if facts:
            wanted = wanted or _fact(unit, node)
            if wanted is None or wanted in facts:
                return wanted is not None
        at = at.outer
    return False


# ------------------------------------------------------------------------------ flow


class Flow:
    """Facts along the instructions of one procedure, as they are emitted.

    `facts` is None where no way leads. A label that nothing has jumped to when it is marked may be
    the top of a loop: whoever marks it says what the loop can change, otherwise nothing is kept.
    """

    def __init__(self, unit: Unit) -> None:
        self.unit = unit
        self.facts: Facts | None = NOTHING
        self._waiting: dict[int, Facts] = {}

    def learn(self, facts: Facts) -> None:
        """Also where no way leads, so that mistakes there are told as anywhere else."""
        self.facts = (self.facts or NOTHING) | facts

    def forget(self, ranges: Iterable[Range]) -> None:
        if self.facts:
            changed = tuple(ranges)
            unit = self.unit
            left = (f for f in self.facts if not _overlap(_reads_of(unit, f), changed))
            self.facts = frozenset(left)

    def jump(self, label: int, also: Facts = NOTHING) -> None:
        """A way from here to a label that is marked later."""
        if self.facts is not None:
            here = self.facts | also
            waiting = self._waiting.get(label)
            self._waiting[label] = here if waiting is None else waiting & here

    def mark(self, label: int, changes: Iterable[Range] | None) -> None:
        waiting = self._waiting.pop(label, None)
        if waiting is not None:
            self.facts = waiting if self.facts is None else waiting & self.facts
        elif self.facts is not None:
            self.forget((EVERYTHING,) if changes is None else changes)

    def follow(self, instr: ir.Instr) -> None:
        """What holds after an instruction."""
        match instr:
            case ir.Jump(target=target):
                self.jump(target)
                self.facts = None
            case ir.Branch(when=when, target=target):
                self.jump(target, implied(self.unit, when, False))
                self.learn(implied(self.unit, when, True))
            case ir.Switch(targets=targets, default=default):
                for target in (*targets, default):
                    self.jump(target)
                self.facts = None
            case ir.Return() | ir.Finish() | ir.FaultHere():
                self.facts = None
            case ir.Require(when=when):
                self.learn(implied(self.unit, when, True))
            case ir.MovePiece(place=place):
                self.forget(written(self.unit, instr))
                if not isinstance(place, ir.Const) or place.value != NO_ENTITY:
                    self.learn(there(self.unit, ir.PiecesSource(place)))
            case _:
                self.forget(written(self.unit, instr))


def written(unit: Unit, instr: ir.Instr) -> tuple[Range, ...]:
    """Cells that an instruction may change, besides those of a choice's own result."""
    match instr:
        case ir.Store(addr=addr, type=type_, stride=stride, size=size):
            return ((addr, addr + max(type_.width, stride * size)),)
        case ir.Chance(addr=addr, type=type_) | ir.BestBegin(addr=addr, type=type_):
            return ((addr, addr + type_.width),)
        case ir.Zero(ranges=ranges):
            return tuple((addr, addr + cells) for addr, cells in ranges)
        case ir.MovePiece() | ir.SwapInPlace() | ir.MixDeck():
            return (pieces_range(unit),)
        case ir.CallProc():
            return (STATE,)  # locals of the caller are its own
        case ir.HeadEnter() | ir.HeadExit():
            return ((0, ir.HEADER),)
        case ir.Choose() | ir.Tick() | ir.Emit() | ir.RevealPiece() | ir.BestEnd():
            return ()
        case ir.RecordPosition() | ir.ClearHistory():
            return ()  # a history is read by `times` only, which is a number
        case _:
            return (EVERYTHING,)

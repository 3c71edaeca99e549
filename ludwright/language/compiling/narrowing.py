"""Facts: what is known to hold at a point of the rules.

A fact says that something *is there*: that a value is not none, or that a collection has a member
(which is the same as: its first member is there). Facts are stated about compiled expressions, so a
name, an attribute and a function mean the same wherever they are written.

- `Narrowing.implied(condition, truth)`: what follows from a condition that holds, or fails.
- `Narrowing.of_element(source, element)`: what the filters of a collection say about a member.
- `Scope.assuming(facts)`: a scope inside one expression in which they hold. Nothing changes there.
- `Flow`: the facts along the instructions of a procedure. Every instruction takes away what it may
  change; where ways meet, what holds on all of them is left.
- `Unit.knows(scope, node)`: whether something is there at this point.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from ludwright import program as ir
from ludwright.cached import cached_property
from ludwright.language.compiling.addresses import CELLS_END
from ludwright.language.compiling.layout import Layout
from ludwright.program.flow import Exits
from ludwright.program.nodes import fields_of, mapped, parts_of, walk
from ludwright.program.types import NO_ENTITY, NO_INT
from ludwright.program.world import World

Node = ir.Expr | ir.Source
Key = tuple[object, ...]
Range = tuple[int, int]  # cells from the first to before the second

STATE: Range = (0, CELLS_END)
EVERYTHING: Range = (0, 1 << 62)
PICK = -1 << 40  # the register of any one of several picks, in facts about all of them
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
        case _ if parts_of(type(node)) is not None:
            # where it stands in the text does not count
            names = [name for name in fields_of(type(node)) if name != "site"]
            own = [_key(getattr(node, name), bound, budget) for name in names]
            return (type(node).__name__, *own)
        case _:
            return (node,)


def _mentions(node: object, registers: Iterable[int]) -> bool:
    wanted = set(registers)
    return any(isinstance(item, ir.Load) and item.addr in wanted for item in walk(node))


def _substituted(node: Any, values: Mapping[int, ir.Expr]) -> Any:
    """The same with other expressions in the place of registers."""
    if isinstance(node, ir.Load):
        return values.get(node.addr, node)
    return mapped(node, lambda part: _substituted(part, values))


def _of_each(picks: ir.Source, head: ir.Expr) -> ir.Expr:
    return ir.Aggregate("all", ir.Stream((ir.Loop((PICK,), picks),), head))


def _overlap(left: Iterable[Range], right: Iterable[Range]) -> bool:
    others = tuple(right)
    return any(a < d and c < b for a, b in left for c, d in others)


# ------------------------------------------------------------------------- narrowing


class Narrowing:
    """The facts of one game: how they follow from each other, and what they depend on."""

    def __init__(self, layout: Layout, world: World, functions: list[ir.Function]) -> None:
        self.layout, self.world, self.functions = layout, world, functions
        self.tests: dict[int, Test] = {}  # what comparisons prove, by their id
        self.function_facts: dict[tuple[int, bool], Facts] = {}
        self.function_reads: dict[int, frozenset[Range]] = {}
        self.fact_numbers: dict[Key, int] = {}
        self.fact_reads: dict[int, frozenset[Range]] = {}
        # facts that hold where an answer is there: the fact, and on which condition, by its number
        self.if_answered: dict[int, list[tuple[Fact, Fact]]] = {}

    def proving(
        self, test: ir.Expr, if_true: Facts = NOTHING, if_false: Facts = NOTHING
    ) -> ir.Expr:
        """The same test; what follows from it is remembered."""
        if if_true or if_false:
            self.tests[id(test)] = Test(test, if_true, if_false)
        return test

    def forget_functions(self, first: int) -> None:
        """The functions from this number on are compiled anew."""
        for fn in [fn for fn in self.function_reads if fn >= first]:
            del self.function_reads[fn]
        for call in [call for call in self.function_facts if call[0] >= first]:
            del self.function_facts[call]

    # --------------------------------------------------------------- what is read

    def _reads(self, node: object) -> frozenset[Range]:
        found: set[Range] = set()
        for item in walk(node):
            match item:
                case ir.Load(addr=addr):
                    found.add((addr, addr + 1))
                case ir.LoadAt(addr=addr, size=size, stride=stride):
                    found.add((addr, addr + size * stride))
                case ir.LoadWide(addr=addr, type=type_, stride=stride, size=size):
                    found.add((addr, addr + max(type_.width, stride * size)))
                case ir.PiecesSource() | ir.DrawFrom():
                    found.add(self.pieces_range())
                case ir.CallFn(fn=fn):
                    known_reads = self.function_reads.get(fn)
                    if known_reads is None:
                        known_reads = self._reads(self.functions[fn].body)
                        self.function_reads[fn] = known_reads
                    found |= known_reads
                case ir.Times():
                    found.add(STATE)
        return frozenset(found)

    def reads_of(self, fact: Fact) -> frozenset[Range]:
        found = self.fact_reads.get(fact.number)
        if found is None:
            node: Node = fact.node
            if isinstance(node, ir.LoadAt) and node.addr in self._always_there:
                node = node.index  # whoever has it keeps it, whatever its value becomes
            found = self.fact_reads[fact.number] = self._reads(node)
        return found

    @cached_property
    def _always_there(self) -> frozenset[int]:
        """The first cells of variables of seats, spaces and pieces whose values are never none."""
        return frozenset(v.addr for v in self.layout.variables if not v.type.optional)

    def pieces_range(self) -> Range:
        """The cells that say which piece lies where."""
        layout = self.layout
        decks = 2 * len(layout.deck_top)
        return layout.piece_place, layout.place_count + len(self.world.places) + decks

    def touches(self, node: Node, changes: Iterable[Range]) -> bool:
        """Whether an expression reads any of these cells."""
        return _overlap(self._reads(node), changes)

    def lasting(self, facts: Facts, changes: Iterable[Range]) -> Facts:
        """The facts that still hold when these cells have changed."""
        changed = tuple(changes)
        return frozenset(f for f in facts if not _overlap(self.reads_of(f), changed))

    # ------------------------------------------------------------------ statements

    def there(self, *nodes: Node) -> Facts:
        """These are not none (not empty), and so is what they are read from: `c.piece.rank` is only
        there where `c.piece` is, and `c.piece` where `c` is."""
        found: set[Fact] = set()
        stack = list(nodes)
        while stack:
            node = stack.pop()
            if isinstance(node, ir.Const):
                continue
            fact = self.fact(node)
            if fact is None or fact in found:
                continue
            found.add(fact)
            if isinstance(node, ir.Source):
                stack.append(ir.Aggregate("first", node, ir.Const(NO_ENTITY)))
            match node:
                case ir.LoadAt(index=index, none=none) | ir.Lookup(index=index, none=none):
                    if none in (NO_ENTITY, NO_INT) and not isinstance(index, ir.Arith):
                        stack.append(index)
                    if isinstance(node, ir.LoadAt) and isinstance(index, ir.Lookup):
                        stack += self._of_same_kinds(node.addr, index)
                case ir.PiecesSource(place=place):
                    head, count = self.layout.place_head, len(self.world.places)
                    stack.append(ir.LoadAt(head, place, count, NO_ENTITY))
        pieces = [self._occupied(fact) for fact in found]
        return frozenset(found).union(*pieces)

    def _of_same_kinds(self, addr: int, piece: ir.Lookup) -> list[ir.Expr]:
        """What else a piece has that has this property: all that the same kinds have."""
        own = self._having.get(addr)
        return [
            ir.LoadAt(variable.addr, piece, variable.count, variable.type.none)
            for variable in (slot.variable for slot in self.layout.piece_props.values())
            if own is not None and self._having[variable.addr] == own
            if variable.addr != addr and not variable.type.optional
        ]

    @cached_property
    def _having(self) -> dict[int, frozenset[str]]:
        """The kinds of pieces that have a property, by the address of its first cell."""
        return {
            slot.variable.addr: frozenset(
                kind.name
                for kind in self.world.kinds
                if any(prop.name == name for prop in kind.properties)
            )
            for name, slot in self.layout.piece_props.items()
        }

    def fact(self, node: Node) -> Fact | None:
        own = key(node)
        if own is None:
            return None
        return Fact(self.fact_numbers.setdefault(own, len(self.fact_numbers)), node)

    def _occupied(self, fact: Fact) -> Facts:
        """A place with a first piece has pieces."""
        node = fact.node
        if isinstance(node, ir.LoadAt) and node.addr == self.layout.place_head:
            held = ir.PiecesSource(node.index)
            first = ir.Aggregate("first", held, ir.Const(NO_ENTITY))
            return frozenset(f for each in (held, first) if (f := self.fact(each)) is not None)
        return NOTHING

    def implied(self, test: ir.Expr, truth: bool) -> Facts:
        """What follows where a condition holds, or where it fails."""
        match test:
            case ir.Not(arg=arg):
                return self.implied(arg, not truth)
            case ir.And(left=left, right=right) | ir.Or(left=left, right=right):
                one, other = self.implied(left, truth), self.implied(right, truth)
                return one | other if isinstance(test, ir.And) == truth else one & other
            case ir.Select(when=when, then=then, other=other_):
                yes = self.implied(when, True) | self.implied(then, truth)
                return yes & (self.implied(when, False) | self.implied(other_, truth))
            case ir.Aggregate(op="exists" | "any", stream=stream) if truth:
                return self.there(stream) | self._of_some_member(stream)
            case ir.Bind(reg=reg, value=value, body=body):
                return self._moved(self.implied(body, truth), {reg: value})
            case ir.CallFn(fn=fn, args=args):
                function = self.functions[fn]
                facts = self.function_facts.get((fn, truth))
                if facts is None:
                    facts = self.function_facts[fn, truth] = self.implied(function.body, truth)
                return self._moved(facts, dict(zip(function.params, args, strict=True)))
            case _:
                proven = self.tests.get(id(test))
                if proven is None:
                    return NOTHING
                return proven.if_true if truth else proven.if_false

    def _moved(self, facts: Facts, values: Mapping[int, ir.Expr]) -> Facts:
        """Facts about registers, said of the values that are put into them."""
        return self.there(*(_substituted(fact.node, values) for fact in facts))

    def of_element(self, source: ir.Source, element: ir.Expr) -> Facts:
        """What is known of a member of a collection, because of the filters it has passed."""
        match source:
            case ir.Stream(clauses=clauses, head=ir.Load(addr=addr)):
                registers = {reg for c in clauses if isinstance(c, ir.Loop) for reg in c.regs}
                found: Facts = NOTHING
                for clause in clauses:
                    if isinstance(clause, ir.Filter):
                        found |= self.implied(clause.when, True)
                    elif isinstance(clause, ir.Loop) and clause.regs == (addr,):
                        found |= self.of_element(clause.source, ir.Load(addr))
                own = frozenset(f for f in found if not _mentions(f.node, registers - {addr}))
                return self._moved(own, {addr: element})
            case ir.BindSource(reg=reg, value=value, body=body):
                return self._moved(self.of_element(body, element), {reg: value})
            case ir.SelectSource(then=then, other=other):
                return self.of_element(then, element) & self.of_element(other, element)
            case _:
                return NOTHING

    def of_answer(self, source: ir.Source, addr: int) -> Facts:
        """What is known of an answer, where there is one: it is one of the options. Each fact is
        kept as the expression `answer.rank if answer else 0`, which reads what it depends on."""
        answer = ir.Load(addr)
        condition = self.fact(answer)
        found: set[Fact] = set()
        for fact in self.of_element(source, answer):
            if condition is None or not isinstance(fact.node, ir.Expr) or fact == condition:
                continue
            made = self.fact(ir.Select(answer, fact.node, ir.Const(0)))
            if made is not None:
                found.add(made)
                pairs = self.if_answered.setdefault(fact.number, [])
                if (made, condition) not in pairs:
                    pairs.append((made, condition))
        return frozenset(found)

    def of_picks(self, source: ir.Source, picks: ir.Source) -> Facts:
        """What is known of all picks: they are among the options. Each fact is kept as the
        expression `all(pick.rank for pick in picks)`."""
        member = ir.Load(PICK)
        return frozenset(
            made
            for fact in self.of_element(source, member)
            if isinstance(fact.node, ir.Expr) and fact.node != member
            if (made := self.fact(_of_each(picks, fact.node))) is not None
        )

    def of_pick(self, facts: Facts, picks: ir.Source, element: ir.Expr) -> Facts:
        """What such facts say of one of the picks."""
        if not isinstance(picks, ir.SetSource | ir.ListSource):
            return NOTHING
        own = key(picks)
        said: list[Node] = []
        for fact in facts:
            match fact.node:
                case ir.Aggregate(
                    op="all",
                    stream=ir.Stream(clauses=(ir.Loop(regs=(reg,), source=of),), head=head),
                ) if reg == PICK and key(of) == own:
                    said.append(_substituted(head, {PICK: element}))
                case _:
                    pass
        return self.there(*said)

    def _of_some_member(self, source: ir.Source) -> Facts:
        """What filters say of things that are the same for every member."""
        if not isinstance(source, ir.Stream):
            return NOTHING
        registers = {reg for c in source.clauses if isinstance(c, ir.Loop) for reg in c.regs}
        found: Facts = NOTHING
        for clause in source.clauses:
            if isinstance(clause, ir.Filter):
                found |= self.implied(clause.when, True)
            elif isinstance(clause, ir.Loop) and not _mentions(clause.source, registers):
                found |= self.there(clause.source)
        return frozenset(f for f in found if not _mentions(f.node, registers))

    def counted(self, node: ir.Expr) -> Node | None:
        """The collection whose members an expression counts."""
        heads, places = self.layout.place_count, len(self.world.places)
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

    # -------------------------------------------------------------- what is changed

    def written(self, instr: ir.Instr) -> tuple[Range, ...]:
        """Cells that an instruction may change, besides those of a choice's own result."""
        match instr:
            case ir.Store(addr=addr, type=type_, stride=stride, size=size):
                return ((addr, addr + max(type_.width, stride * size)),)
            case ir.Chance(addr=addr, type=type_) | ir.BestBegin(addr=addr, type=type_):
                return ((addr, addr + type_.width),)
            case ir.Zero(ranges=ranges):
                return tuple((addr, addr + cells) for addr, cells in ranges)
            case ir.MovePiece() | ir.MoveAll() | ir.SwapInPlace() | ir.MixDeck():
                return (self.pieces_range(),)
            case ir.CallProc():
                return (STATE,)  # locals of the caller are its own
            case ir.HeadEnter() | ir.HeadExit():
                return ((0, ir.HEADER),)
            case ir.Choose() | ir.Tick() | ir.Emit() | ir.Say() | ir.RevealPiece() | ir.BestEnd():
                return ()
            case ir.RecordPosition() | ir.ClearHistory():
                return ()  # a history is read by `times` only, which is a number
            case _:
                return (EVERYTHING,)


# ------------------------------------------------------------------------------ flow


class Flow:
    """Facts along the instructions of one procedure, as they are emitted.

    `facts` is None where no way leads. A label that nothing has jumped to when it is marked may be
    the top of a loop: whoever marks it says what the loop can change, otherwise nothing is kept.
    """

    def __init__(self, narrowing: Narrowing) -> None:
        self.narrowing = narrowing
        self.facts: Facts | None = NOTHING
        self._waiting: dict[int, Facts] = {}

    def learn(self, facts: Facts) -> None:
        """Also where no way leads, so that mistakes there are told as anywhere else."""
        self.facts = (self.facts or NOTHING) | facts

    def forget(self, ranges: Iterable[Range]) -> None:
        if self.facts:
            self.facts = self.narrowing.lasting(self.facts, ranges)

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

    def follow(self, instr: ir.Instr, ways: Exits) -> None:
        """What holds after an instruction, on each of its ways."""
        jumped = (
            self.narrowing.implied(instr.when, False) if isinstance(instr, ir.Branch) else NOTHING
        )
        for target in ways.targets:
            self.jump(target, jumped)
        if not ways.falls_through:
            self.facts = None
            return
        match instr:
            case ir.Branch(when=when) | ir.Require(when=when):
                self.learn(self.narrowing.implied(when, True))
            case ir.MovePiece(place=place):
                self.forget(self.narrowing.written(instr))
                if not isinstance(place, ir.Const) or place.value != NO_ENTITY:
                    self.learn(self.narrowing.there(ir.PiecesSource(place)))
            case _:
                self.forget(self.narrowing.written(instr))

"""Sets of spaces as bits: `c for c in board if c.piece.owner == me` without looking at each space.

Rules ask again and again which spaces are free, and which hold a piece of one side. The answers are
kept in the context as *facts*: one bit for each space, one set for each value (free; owner black;
owner white). Whatever moves a piece or changes a property brings the bits of that space up to date,
so a loop over a board, a row of neighbours or a ray becomes a few operations on words: conditions
are intersections, `until` cuts a ray off behind its first hit, and only the elements that are left
are visited, in the order of the loop.

This relies on conditions of a known shape, which cannot fail; on spaces and pieces that fit into
a few words; on rows that rise or fall; and on everything that writes places or properties of pieces
being one of the instructions that `codegen.state.facts` follows. Facts belong to the cells they
were made for: whoever puts other cells there says so (`layout.FACTS_OF`), and they are made anew.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from ludwright import program as ir
from ludwright.native.analysis.shape_inference import Inference
from ludwright.native.analysis.shapes import Int
from ludwright.native.passes.all_at_once import AllAtOnce
from ludwright.native.passes.index_lookup import conjuncts
from ludwright.native.passes.line_masks import LineMasks, Lines
from ludwright.native.passes.masks import (
    Both,
    Either,
    Entry,
    Fact,
    Families,
    Family,
    Mask,
    Only,
    Others,
    families,
    others,
)
from ludwright.program.clauses import in_order
from ludwright.program.nodes import walk

MOST_ELEMENTS = 512  # spaces, or pieces, of which there are facts
_MOST_IN_ROWS = 128  # the same for rows: larger tables of sets are too much for a cache
_MOST_ENTRIES = 256  # numbers between the lowest and the highest entry of a table


Source = ir.ConstSource | ir.RowSource | ir.SelectSource  # of the elements of a loop


@dataclass(frozen=True, slots=True)
class Plan:
    """A loop as operations on sets: what is kept of its elements, up to the first of `until`."""

    register: int
    source: Source
    of_pieces: bool
    kept: list[Mask]  # conditions in front of `until`
    until: Mask | None
    after: list[Mask]  # conditions behind it
    rest: list[ir.Expr]  # conditions that are left to be tested one by one

    @property
    def is_start_of_row(self) -> bool:
        """Whether all elements of a row are kept that lie in front of the first of `until`."""
        if not isinstance(self.source, ir.RowSource) or self.until is None:
            return False
        return not self.kept and self.after == [others(self.until)]


class SpaceSets:
    """The facts of a Program, and how its loops use them."""

    def __init__(
        self, program: ir.Program, shapes: Inference, on: bool = True, at_once: bool = True,
        lines: bool = True,
    ) -> None:  # fmt: skip
        """`at_once` and `lines`: whether there are these passes."""
        self._program = program
        self._kept = Families(program, shapes)
        self._at_once = AllAtOnce(program, shapes, self._kept, at_once)
        self.spaces = self._kept.spaces
        self.pieces = self._kept.pieces
        self.lines = LineMasks(
            program,
            shapes,
            self.spaces,
            lambda node, at: self.mask(node, at, lambda _: True),
            lines,
        )
        self.families: tuple[Family, ...] = ()
        self.starts: dict[Family, int] = {}  # words behind the first word of all facts
        self._mirrored: set[Family] = set()
        self._falling: dict[int, list[bool] | None] = {}  # by table
        self._rows_fit: dict[tuple[int, int], bool] = {}  # by table and size of a set
        self.words = 0
        if on and 0 < self.spaces <= MOST_ELEMENTS and self.pieces > 0:
            self._find()

    def __bool__(self) -> bool:
        return bool(self.families)

    def words_of(self, of_pieces: bool) -> int:
        """Words of one set."""
        return ((self.pieces if of_pieces else self.spaces) + 63) // 64

    def bounds(self, family: Family) -> Int:
        """Of the values of a family."""
        return self._kept.bounds(family)

    def _find(self) -> None:
        """The families that some loop can use."""
        found: dict[Family, None] = {}
        program = self._program
        bodies = tuple(f.body for f in program.functions)
        roots = (program.code, program.choices, bodies, program.histories)
        on_lines: set[int] = set()  # loops that are not written
        for node in walk(roots):
            if isinstance(node, ir.Compare) and (line := self.lines.of(node)) is not None:
                found[line.fact.family] = None
                on_lines.update(map(id, walk(node)))
            if isinstance(node, ir.Stream) and id(node) not in on_lines:
                for loop, clauses in levels(node):
                    plan = self._plan(loop, clauses, lambda _: True)
                    masks = () if plan is None else (*plan.kept, *plan.after, plan.until)
                    used = families(masks)
                    found.update(dict.fromkeys(used))
                    if plan is not None and self.falls(plan.source) is not None:
                        self._mirrored.update(used)
                for at_once in (self._at_once.set_of(node), self._at_once.givers(node)):
                    if at_once is not None:
                        found.update(dict.fromkeys(at_once.families))
        if all(family.of_pieces for family in found):
            return  # a piece that is not in play is soon found
        self.families = tuple(found)
        for family in self.families:
            self.starts[family] = self.words
            self.words += self.size(family) * (1 + (family in self._mirrored))

    def size(self, family: Family) -> int:
        """Words of all sets of a family."""
        bounds = self.bounds(family)
        return (bounds.hi - bounds.lo + 1) * self.words_of(family.of_pieces)

    def mirror(self, family: Family) -> int:
        """How many words behind its sets those of a family lie in which the last bit stands for the
        first element; 0 if there are none.

        In them a row that falls is one that rises.
        """
        return self.size(family) if family in self._mirrored else 0

    def falls(self, source: ir.Source) -> list[bool] | None:
        """Which rows of a source begin with their highest element; None if there are none."""
        if not isinstance(source, ir.RowSource):
            return None
        table = source.table
        if table not in self._falling:
            falls = [_falls(row) for row in self._program.rows[table]]
            self._falling[table] = falls if any(falls) else None
        return self._falling[table]

    # ---------------------------------------------------------------- loops

    def plan(
        self, loop: ir.Loop, clauses: Sequence[ir.Filter | ir.Until],
        cheap: Callable[[ir.Expr], bool],
    ) -> Plan | None:  # fmt: skip
        """A loop as operations on sets, if it is one; `cheap`: takes little, and cannot fail."""
        return self._plan(loop, clauses, cheap) if self else None

    def _plan(
        self, loop: ir.Loop, clauses: Sequence[ir.Filter | ir.Until],
        cheap: Callable[[ir.Expr], bool],
    ) -> Plan | None:  # fmt: skip
        if len(loop.regs) != 1 or not isinstance(loop.source, Source):
            return None
        register = loop.regs[0]
        before, until, after = in_order(clauses)
        kept, rest = self._split(before, register, cheap)
        behind: list[Mask] = []
        end = None
        if until is not None:
            end = None if rest else self.mask(until, register, cheap)
            if end is None:
                return None
            behind, rest = self._split(after, register, cheap)
        facts = families((*kept, *behind, end))
        if not facts or len({family.of_pieces for family in facts}) > 1:
            return None
        if self and not self._has(facts, loop.source):
            return None  # in an expression that no rule needs
        of_pieces = facts[0].of_pieces
        if not self._fits(loop.source, self.pieces if of_pieces else self.spaces):
            return None
        return Plan(register, loop.source, of_pieces, kept, end, behind, rest)

    def set_plan(
        self, stream: ir.Stream, cheap: Callable[[ir.Expr], bool], *, givers: bool = False
    ) -> Plan | None:
        """A comprehension that is a set because its conditions are tested for all spaces at once.

        `givers`: the spaces for which it has elements, whatever they are.
        """
        found = self._at_once.givers(stream) if givers else self._at_once.set_of(stream)
        if not self or found is None or not all(map(cheap, found.numbers)):
            return None
        if not self._has(found.families, found.source):
            return None  # in an expression that no rule needs
        if not self._fits(found.source, self.spaces):
            return None
        return Plan(-1, found.source, False, [found.mask], None, [], [])

    def masks(
        self, tests: Iterable[ir.Expr], register: int, cheap: Callable[[ir.Expr], bool]
    ) -> list[Mask] | None:
        """Conditions on a space as sets of which there are facts; None if one of them is none."""
        kept, rest = self._split(tests, register, cheap)
        known = all(family in self.starts and not family.of_pieces for family in families(kept))
        return kept if known and not rest else None

    def can_test(self, lines: Lines, cheap: Callable[[ir.Expr], bool]) -> bool:
        """Whether there are facts for a test of lines, and what they are about is known."""
        value = lines.fact.value
        return lines.fact.family in self.starts and (value is None or cheap(value))

    def has(self, source: Source, fact: Fact) -> bool:
        """Whether there is a set of a fact for the elements of a source."""
        return self._has((fact.family,), source)

    def _has(self, facts: Iterable[Family], source: Source) -> bool:
        known = self.starts.keys() if self.falls(source) is None else self._mirrored
        return all(family in known for family in facts)

    def _split(
        self, tests: Iterable[ir.Expr], register: int, cheap: Callable[[ir.Expr], bool]
    ) -> tuple[list[Mask], list[ir.Expr]]:
        """Conditions that are sets, and the others. A condition that can fail is not overtaken."""
        masks: list[Mask] = []
        rest: list[ir.Expr] = []
        for test in (part for condition in tests for part in conjuncts(condition)):
            found = self.mask(test, register, cheap) if all(map(cheap, rest)) else None
            if found is None:
                rest.append(test)
            else:
                masks.append(found)
        return masks, rest

    def _fits(self, source: ir.Source, size: int) -> bool:
        match source:
            case ir.ConstSource(values=values):
                return size <= MOST_ELEMENTS and _is_set(values, size) and not _falls(values)
            case ir.RowSource(table=table):
                key = table, size
                if key not in self._rows_fit:
                    sets = (_is_set(row, size) for row in self._program.rows[table])
                    self._rows_fit[key] = size <= _MOST_IN_ROWS and all(sets)
                return self._rows_fit[key]
            case ir.SelectSource(then=then, other=other):
                parts = (then, other)
                return all(self._fits(one, size) and self.falls(one) is None for one in parts)
            case _:
                return False

    # ---------------------------------------------------------------- masks

    def mask(
        self, node: ir.Expr, register: int, cheap: Callable[[ir.Expr], bool]
    ) -> Mask | None:  # fmt: skip
        """A condition on the element in a register as a set."""
        match node:
            case ir.Not(arg=arg):
                inner = self.mask(arg, register, cheap)
                return None if inner is None else others(inner)
            case ir.And(left=left, right=right) | ir.Or(left=left, right=right):
                one, two = (self.mask(part, register, cheap) for part in (left, right))
                if one is None or two is None:
                    return None
                return Both(one, two) if isinstance(node, ir.And) else Either(one, two)
            case ir.Compare(op="==" | "!=", left=left, right=right):
                for key, value in ((left, right), (right, left)):
                    found = self._compared(key, value, register, cheap)
                    if found is not None:
                        return found if node.op == "==" else others(found)
            case ir.Compare(op=">", left=ir.LoadAt(addr=addr, index=ir.Load(addr=at), stride=1),
                            right=ir.Const(value=0 | 1 as least)):  # fmt: skip
                if addr == self._program.place_count and at == register:
                    return Fact(Family("several")) if least else Others(Fact(Family("free")))
            case _:
                pass
        return None

    def _compared(
        self, key: ir.Expr, value: ir.Expr, register: int, cheap: Callable[[ir.Expr], bool]
    ) -> Mask | None:
        element, program = ir.Load(register), self._program
        if element in walk(value) or not cheap(value):
            return None
        match key:
            case ir.Load() if key == element:
                return Only(value)
            case ir.LoadAt(addr=addr, index=index, none=-1, stride=1) if index == element:
                if value != ir.Const(-1):
                    return None
                if addr == program.place_head:
                    return Fact(Family("free"))
                return Fact(Family("away")) if addr == program.piece_place else None
            case ir.Lookup(table=table, index=index) if index == element:
                return Entry(table, value) if self._has_few_entries(table) else None
            case ir.LoadAt(index=index) | ir.Lookup(index=index):
                if self._is_piece_on(index, element):
                    family = self._kept.of_piece(key)
                    return None if family is None else Fact(family, value)
            case _:
                pass
        return None

    def _has_few_entries(self, table: int) -> bool:
        """There is a set for each number between the lowest and the highest entry."""
        entries = self._program.tables[table]
        return bool(entries) and max(entries) - min(entries) < _MOST_ENTRIES

    def _is_piece_on(self, node: ir.Expr, element: ir.Load) -> bool:
        match node:
            case ir.LoadAt(addr=addr, index=index, none=-1, stride=1):
                return addr == self._program.place_head and index == element
            case _:
                return False


def levels(
    stream: ir.Stream,
) -> Iterator[tuple[ir.Loop, list[ir.Filter | ir.Until]]]:
    """The loops of a comprehension, each with its conditions."""
    loop: ir.Loop | None = None
    clauses: list[ir.Filter | ir.Until] = []
    for clause in stream.clauses:
        if isinstance(clause, ir.Loop):
            if loop is not None:
                yield loop, clauses
            loop, clauses = clause, []
        else:
            clauses.append(clause)
    if loop is not None:
        yield loop, clauses


def _is_set(values: Sequence[object], size: int) -> bool:
    """Numbers that are elements of a set, rising or falling."""
    if not all(isinstance(value, int) and 0 <= value < size for value in values):
        return False
    pairs = list(pairwise(values))
    return all(one < two for one, two in pairs) or all(one > two for one, two in pairs)  # type: ignore[operator]


def _falls(values: Sequence[object]) -> bool:
    return len(values) > 1 and values[0] > values[1]  # type: ignore[operator]

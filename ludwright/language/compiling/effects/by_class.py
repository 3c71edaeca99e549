"""`chooseN … by: class`: of pieces that are alike only their number is chosen.

A class is what no rule can tell apart: pieces of the same kind in the same place with the same
properties. The classes are asked for one by one, in the order of their lowest numbers, so that
every set is reached on one way; of a class with several pieces it is then asked how many. What is
offered can always be completed: a class that would leave too few pieces behind it is not offered.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import reduce

from ludwright import program as ir
from ludwright.language import tree
from ludwright.language.compiling.addresses import Label
from ludwright.language.compiling.code import Code
from ludwright.language.compiling.expressions import attributes
from ludwright.language.compiling.lowering import Lowering
from ludwright.language.compiling.unit import Unit
from ludwright.language.compiling.values import INT, MAX_LIST, Seq, Val, none_of
from ludwright.program.types import Type


@dataclass(frozen=True)
class Bounds:
    minimum: ir.Expr | None
    maximum: ir.Expr | None
    as_many: bool


def allowed(unit: Unit, node: tree.ChooseN, options: Seq) -> bool:
    """Whether a choice can be made by class; told if not."""
    wrong = ""
    if options.elem.kind != "piece":
        wrong = "only pieces can be alike, so only pieces can be chosen `by: class`"
    elif node.each is not None or node.together or node.repeats or node.ordering == "sequence":
        wrong = "`by: class` asks for numbers, so there is no order, no `each` and no secret in it"
    if wrong:
        unit.error(
            "by-class", node.span, wrong, "leave out `by: class`; who chooses is told by `chooser`"
        )
    return not wrong


class ByClass:
    """The loop over the classes of one choice.

    `options` compiles the options anew each time: where they stand inside each other, the loops of
    one must not write to the registers of another.
    """

    def __init__(
        self, lowering: Lowering, code: Code, node: tree.ChooseN, elem: Type,
        options: Callable[[], ir.Source], by: ir.Expr, question: ir.Sentence | None,
    ) -> None:  # fmt: skip
        self.lowering, self.code, self.node, self.by = lowering, code, node, by
        self.unit = lowering.unit
        self.options, self.elem = options, replace(elem, optional=False)
        self.question = question
        self.site = self.unit.site(node.span, f"{self.unit.rule}: choose {node.bind}")

    def ask(self, picked: int, type_: Type, bounds: Bounds) -> None:
        code = self.code
        least, most = code.slot(INT, "least"), code.slot(INT, "most")
        total, last = code.slot(INT, "total"), code.slot(INT, "last")
        index, number = code.slot(INT, "index"), code.slot(INT, "number")
        pick_type = replace(self.elem, optional=True)
        pick = code.slot(pick_type, self.node.bind)
        free = bounds.minimum in (None, ir.Const(0)) and not bounds.as_many
        # Where one is enough, every class leaves enough behind it.
        any_will_do = free or (bounds.minimum == ir.Const(1) and not bounds.as_many)
        code.store(picked, ir.Const(0), type_)
        for slot, first in ((total, 0), (last, -1), (index, 0)):
            code.store(slot, ir.Const(first), INT)
        high = bounds.maximum if bounds.maximum is not None else ir.Const(MAX_LIST)
        if bounds.maximum is not None or not any_will_do:
            # otherwise the loop ends where no class is left
            high = ir.Arith("min", high, self._size(ir.Const(1)))
        code.store(most, high, INT)
        low = ir.Load(most) if bounds.as_many else bounds.minimum or ir.Const(0)
        code.store(least, low, INT)
        top, exit_label = code.label(), code.label()
        code.mark(top, ())  # the body changes only cells of its own
        code.branch(ir.Compare("<", ir.Load(total), ir.Load(most)), exit_label)
        with code.loop(index, exit_label):
            choice = ir.Choice(
                self.node.bind, "choice", "one", self.elem, pick, pick_type, self.by,
                options=self._classes(last, None), loops=code.move_loops(), site=self.site,
                ask=self.question,
            )  # fmt: skip
            needed = choice
            if not any_will_do:
                needed = replace(choice, options=self._classes(last, (total, least)))
            enough = ir.Compare(">=", ir.Load(total), ir.Load(least))
            self._which(choice, None if free else needed, enough, exit_label)
            left = ir.Arith("-", ir.Load(least), ir.Load(total))
            later = ir.Arith("-", left, self._later(pick))
            low = ir.Const(1) if any_will_do else ir.Arith("max", ir.Const(1), later)
            self._how_many(pick, number, low, ir.Arith("-", ir.Load(most), ir.Load(total)))
        taken = ir.MakeSet(self._first(pick, number), self.elem.lo, self.elem.hi, self.site)
        code.store(picked, ir.SetOp("union", ir.LoadWide(picked, type_), taken), type_)
        code.store(total, ir.Arith("+", ir.Load(total), ir.Load(number)), INT)
        code.store(last, ir.Load(pick), INT)
        code.store(index, ir.Arith("+", ir.Load(index), ir.Const(1)), INT)
        code.emit(ir.Tick(self.site))
        code.jump(top)
        code.mark(exit_label)

    def _which(
        self, choice: ir.Choice, needed: ir.Choice | None, enough: ir.Expr, exit_label: Label
    ) -> None:
        """A class; to stop is possible when enough are chosen. `needed` is asked before that."""
        code, body, must = self.code, self.code.label(), self.code.label()
        if needed is not None:
            code.branch(enough, must)
        code.emit(ir.Choose(self.lowering.add_choice(code, replace(choice, optional=True))))
        there = ir.Compare("!=", ir.Load(choice.result), ir.Const(none_of(choice.result_type)))
        code.branch(there, exit_label)
        if needed is None:
            return
        code.jump(body)
        code.mark(must)
        self._certain(needed)
        code.mark(body)

    def _how_many(self, pick: int, number: int, low: ir.Expr, most: ir.Expr) -> None:
        """How many of a class; not asked where there is only one answer."""
        code, asked = self.code, self.code.label()
        size = self._size_of_class(ir.Load(pick))
        code.store(number, ir.Arith("min", most, size), INT)
        code.branch(ir.Compare("<", low, ir.Load(number)), asked)
        name = f"{self.node.bind}.count"
        high = code.slot(INT, "high")
        code.store(high, ir.Load(number), INT)
        self._certain(
            ir.Choice(
                name,
                "choice",
                "one",
                INT,
                number,
                INT,
                self.by,
                options=ir.RangeSource(low, ir.Load(high)),
                loops=code.move_loops(),
                site=self.site,
                ask=self.question and ir.Sentence(("How many?",)),
            )
        )
        code.mark(asked)

    def _certain(self, choice: ir.Choice) -> None:
        """A choice that always has an answer here."""
        index = self.lowering.add_choice(self.code, choice)
        self.lowering.proven.add(index)
        self.code.emit(ir.Choose(index))

    # ------------------------------------------------------------------- classes

    def _alike(self, one: ir.Expr, other: ir.Expr) -> ir.Expr:
        """Whether two pieces are of one class."""
        unit, world = self.unit, self.unit.world
        makes: dict[tuple[object, ...], int] = {}
        numbers: list[int] = []
        for at, kind in enumerate(world.kinds):
            fixed = [prop.initial for prop in kind.properties if prop.fixed]
            for offset in range(kind.count):
                own = (offset,) if kind.individual else ()
                make = (at, *own, *(values[offset] for values in fixed))
                numbers.append(makes.setdefault(make, len(makes)))
        table = unit.table(numbers)
        tests: list[ir.Expr] = [
            ir.Compare("==", ir.Lookup(table, one, -1), ir.Lookup(table, other, -1))
        ]
        layout, count = unit.layout, world.piece_count
        for addr in (layout.piece_place, *([layout.revealed] if layout.revealed >= 0 else [])):
            sides = [ir.LoadAt(addr, piece, count, -1, site=self.site) for piece in (one, other)]
            tests.append(ir.Compare("==", *sides))
        for slot in layout.piece_props.values():
            values = [
                attributes.load_variable(unit, slot, Val(piece, self.elem), self.node.span)
                for piece in (one, other)
            ]
            tests.append(ir.Compare("==", *(value.expr for value in values)))
        return reduce(ir.And, tests)

    def _listed(self) -> tuple[int, ir.Expr]:
        """A register, and the list of all pieces that can be chosen, which it is to hold: where
        each of them is compared with all others, they are looked for once."""
        cap = max(1, self.unit.world.piece_count)
        return self.unit.register(), ir.MakeList(self.options(), cap, True, self.site)

    def _all(self, reg: int, *filters: ir.Expr, listed: int | None = None) -> ir.Stream:
        """The pieces that can be chosen for which something holds, called `reg`."""
        source = self.options() if listed is None else ir.ListSource(ir.Load(listed))
        return ir.Stream(
            (ir.Loop((reg,), source), *(ir.Filter(test) for test in filters)), ir.Load(reg)
        )

    def _counted(self, stream: ir.Stream) -> ir.Expr:
        """How many different pieces."""
        return ir.Length(ir.MakeSet(stream, self.elem.lo, self.elem.hi, self.site), True)

    def _size(self, test: ir.Expr) -> ir.Expr:
        return self._counted(self._all(self.unit.register(), test))

    def _size_of_class(self, piece: ir.Expr) -> ir.Expr:
        reg = self.unit.register()
        return self._counted(self._all(reg, self._alike(ir.Load(reg), piece)))

    def _before(self, piece: ir.Expr, op: ir.CompareOp, bound: ir.Expr, listed: int) -> ir.Expr:
        """Whether the class of a piece has a member with a number below (or up to) a bound."""
        reg = self.unit.register()
        lower, alike = ir.Compare(op, ir.Load(reg), bound), self._alike(ir.Load(reg), piece)
        return ir.Aggregate("exists", self._all(reg, lower, alike, listed=listed))

    def _later(self, pick: int) -> ir.Expr:
        """How many pieces there are in the classes after that of the pick."""
        reg, (listed, pieces) = self.unit.register(), self._listed()
        behind = ir.Not(self._before(ir.Load(reg), "<=", ir.Load(pick), listed))
        return ir.Bind(listed, pieces, self._counted(self._all(reg, behind, listed=listed)))

    def _classes(self, last: int, demand: tuple[int, int] | None) -> ir.Source:
        """The classes that come next; of alike pieces the engine offers the lowest."""
        reg, other, (listed, pieces) = self.unit.register(), self.unit.register(), self._listed()
        first = ir.Compare("<", ir.Load(last), ir.Const(0))  # all classes are still to come
        before = self._before(ir.Load(reg), "<=", ir.Load(last), listed)
        tests: list[ir.Expr] = [ir.Or(first, ir.Not(before))]
        if demand is not None:
            total, least = demand
            from_here = ir.Not(self._before(ir.Load(other), "<", ir.Load(reg), listed))
            left = self._counted(self._all(other, from_here, listed=listed))
            tests.append(ir.Compare(">=", ir.Arith("+", ir.Load(total), left), ir.Load(least)))
        return ir.BindSource(listed, pieces, self._all(reg, *tests, listed=listed))

    def _first(self, pick: int, number: int) -> ir.Source:
        """As many pieces of the chosen class as were asked for, the lowest first."""
        reg, other, (listed, pieces) = self.unit.register(), self.unit.register(), self._listed()
        lower = ir.Compare("<", ir.Load(other), ir.Load(reg))
        alike = self._alike(ir.Load(other), ir.Load(pick))
        before = self._counted(self._all(other, lower, alike, listed=listed))
        of_class = self._alike(ir.Load(reg), ir.Load(pick))
        few = ir.Compare("<", before, ir.Load(number))
        return ir.BindSource(listed, pieces, self._all(reg, of_class, few, listed=listed))

"""`chooseN … each`: pick, run the body, recompute the options without the picks, and again."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from ludwright import program as ir
from ludwright.language import tree
from ludwright.language.compiling.addresses import Label
from ludwright.language.compiling.code import Code
from ludwright.language.compiling.effects.dispatch import block
from ludwright.language.compiling.effects.heads import HeadScope, choosing, decider
from ludwright.language.compiling.effects.if_none import IfNone, can_pick
from ludwright.language.compiling.effects.options import (
    asked_when,
    bind_result,
    bound,
    broken_result,
    check_bounds,
    options_of,
)
from ludwright.language.compiling.effects.sentences import question
from ludwright.language.compiling.effects.written_cells import changed_in
from ludwright.language.compiling.explanations import explain_options
from ludwright.language.compiling.lowering import Lowering
from ludwright.language.compiling.narrowing import Range
from ludwright.language.compiling.unit import Local, Scope
from ludwright.language.compiling.values import (
    INT,
    MAX_LIST,
    Broken,
    Seq,
    Val,
    none_of,
    noun,
    universe,
)
from ludwright.program.types import Type


def choose_each(lowering: Lowering, code: Code, node: tree.ChooseN, scope: Scope) -> None:
    unit = lowering.unit
    assert node.each is not None
    when, asked = asked_when(lowering, node.when, scope)
    by = decider(lowering, code, node.by, asked)
    changes = changed_in(lowering, node.each, scope)
    # The options are read again for every pick, when the body may have changed what was known.
    code.flow.forget(changes)
    options = options_of(lowering, node.options, choosing(unit, scope, by))
    if by is None or isinstance(options, Broken):
        broken_result(scope, node.bind)
        block(lowering, code, node.each, scope)
        return
    if universe(options.elem) is None:
        unit.error(
            "not-a-set",
            node.options.span,
            f"`each` must remember what was picked; {noun(options.elem)} cannot be kept as a set",
            "choose spaces, pieces, seats or small numbers",
        )
        return
    check_bounds(lowering, node)
    picks = _begin(lowering, code, node, scope, options)
    done = None
    if when is not None:
        done = code.label()
        code.branch(when, done)
    head = HeadScope(lowering, code, node.bind.lstrip("$"), "choice", by)
    without = IfNone(lowering, code, node.if_none)
    without.unless(can_pick(unit, options, None, picks.maximum, node.repeats, node.span))
    was_in_move, code.in_move = code.in_move, True
    _Loop(lowering, code, node, scope, by, picks, tuple(changes)).write(without)
    code.in_move = was_in_move
    without.close(scope)
    if done is not None:
        code.mark(done)
    bind_result(lowering, scope, node.bind, picks.picked, picks.type, code, node)
    head.close()


@dataclass(frozen=True)
class _Picks:
    """The picks so far, and how many there are to be."""

    options: Seq
    type: Type  # of the set of them
    picked: int
    least: int
    most: int
    index: int
    minimum: ir.Expr | None
    maximum: ir.Expr | None


def _begin(
    lowering: Lowering, code: Code, node: tree.ChooseN, scope: Scope, options: Seq
) -> _Picks:
    set_type = Type("set", items=(replace(options.elem, optional=False),))
    picked = code.slot(set_type, "picked")
    code.store(picked, ir.Const(0), set_type)
    least, most = code.slot(INT, "least"), code.slot(INT, "most")
    minimum = bound(lowering, node.min, scope, 0)
    code.store(least, minimum if minimum is not None else ir.Const(0), INT)
    maximum = bound(lowering, node.max, scope, None)
    code.store(most, maximum if maximum is not None else ir.Const(MAX_LIST), INT)
    index = code.slot(INT, "index")
    code.store(index, ir.Const(0), INT)
    return _Picks(options, set_type, picked, least, most, index, minimum, maximum)


@dataclass
class _Loop:
    """One pick after another, each followed by the body."""

    lowering: Lowering
    code: Code
    node: tree.ChooseN
    scope: Scope
    by: ir.Expr
    picks: _Picks
    changes: Iterable[Range]  # by the body

    def write(self, without: IfNone) -> None:
        code, picks, unit = self.code, self.picks, self.lowering.unit
        top, exit_label = code.label(), code.label()
        code.mark(top, self.changes)
        code.branch(self._more(), exit_label)
        source = self._fresh()
        pick_type = replace(picks.options.elem, optional=True)
        pick = code.slot(pick_type, self.node.bind)
        with code.loop(picks.index, exit_label):
            base = self._choice(source, pick, pick_type)
            top = self._ask(base, top, exit_label, without)
            self._body(base)
        code.store(picks.index, ir.Arith("+", ir.Load(picks.index), ir.Const(1)), INT)
        code.emit(ir.Tick(unit.site(self.node.span)))
        code.jump(top)
        code.mark(exit_label)

    def _more(self) -> ir.Expr:
        return ir.Compare("<", ir.Load(self.picks.index), ir.Load(self.picks.most))

    def _fresh(self) -> ir.Source:
        """The options that have not been picked yet."""
        picks, reg = self.picks, self.lowering.unit.register()
        source = picks.options.source
        if self.node.repeats:
            return source
        picked = ir.LoadWide(picks.picked, picks.type)
        fresh = ir.Not(ir.InSet(ir.Load(reg), picked, picks.type.items[0].lo))
        return ir.Stream((ir.Loop((reg,), source), ir.Filter(fresh)), ir.Load(reg))

    def _choice(self, source: ir.Source, pick: int, pick_type: Type) -> ir.Choice:
        node, unit = self.node, self.lowering.unit
        site = unit.site(node.span, f"{unit.rule}: choose {node.bind}")
        explain_options(unit, site, node.options, self.scope)
        return ir.Choice(
            node.bind,
            "choice",
            "one",
            self.picks.options.elem,
            pick,
            pick_type,
            self.by,
            options=source,
            loops=self.code.move_loops(),
            site=site,
            ask=question(self.lowering, node.ask, self.scope),
        )

    def _ask(self, base: ir.Choice, top: Label, exit_label: Label, without: IfNone) -> Label:
        """One pick. Gives the label to which the loop goes back."""
        code, node, minimum = self.code, self.node, self.picks.minimum
        enough = ir.Compare(">=", ir.Load(self.picks.index), ir.Load(self.picks.least))
        given = ir.Compare("!=", ir.Load(base.result), ir.Const(none_of(base.result_type)))
        body, stop = code.label(), code.label()
        if node.as_many_as_possible or (node.min is not None and minimum is None):
            self._choose(replace(base, empty=exit_label))
        elif minimum in (ir.Const(0), ir.Const(1)):
            # At most the first pick is mandatory, so that none of the later ones can refuse.
            if minimum == ir.Const(1):
                without.proves(self._choose(base))
                code.jump(body)
                top = code.label()
                code.mark(top, self.changes)
                code.branch(self._more(), exit_label)
            self._choose(replace(base, optional=True))
            code.branch(given, exit_label)
            code.mark(body)
        else:
            code.branch(enough, stop)
            self._choose(replace(base, optional=True))
            code.branch(given, exit_label)
            code.jump(body)
            code.mark(stop)
            self._choose(base)
            code.mark(body)
        return top

    def _choose(self, choice: ir.Choice) -> int:
        number = self.lowering.add_choice(self.code, choice)
        self.code.emit(ir.Choose(number))
        return number

    def _body(self, base: ir.Choice) -> None:
        code, picks, pick = self.code, self.picks, ir.Load(base.result)
        item = picks.type.items[0]
        single = ir.MakeSet(ir.ItemsSource((pick,)), item.lo, item.hi, base.site)
        picked = ir.LoadWide(picks.picked, picks.type)
        code.store(picks.picked, ir.SetOp("union", picked, single), picks.type)
        inner = self.scope.inner()
        inner.names[self.node.bind] = Local(Val(pick, picks.options.elem))
        narrowing = self.lowering.unit.narrowing
        code.flow.learn(narrowing.of_element(picks.options.source, pick))
        _hide_generator_names(self.node, inner)
        assert self.node.each is not None
        block(self.lowering, code, self.node.each, inner)


def _hide_generator_names(node: tree.ChooseN, scope: Scope) -> None:
    """In `each` the pick is `$bind`; the options' own variable is easily used by mistake."""
    if isinstance(node.options, tree.Comp):
        for clause in node.options.clauses:
            if isinstance(clause, tree.For):
                for name in clause.names:
                    scope.hidden[name] = f"in `each` the pick is called `{node.bind}`"

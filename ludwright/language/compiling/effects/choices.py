"""Decisions: chooseOne and chooseN become `Choose` instructions."""

from __future__ import annotations

from dataclasses import replace

from ludwright import program as ir
from ludwright.language import tree
from ludwright.language.compiling.code import Code
from ludwright.language.compiling.effects import by_class
from ludwright.language.compiling.effects.dispatch import block
from ludwright.language.compiling.effects.heads import HeadScope, choosing, decider
from ludwright.language.compiling.effects.if_none import IfNone, can_pick
from ludwright.language.compiling.effects.sentences import question
from ludwright.language.compiling.effects.written_cells import changed_in
from ludwright.language.compiling.explanations import explain_options
from ludwright.language.compiling.expressions import names
from ludwright.language.compiling.expressions.comprehensions import declare
from ludwright.language.compiling.expressions.results import (
    condition,
    number,
    stream,
)
from ludwright.language.compiling.layout import WITHIN
from ludwright.language.compiling.lowering import Lowering
from ludwright.language.compiling.unit import Local, Scope, Unit
from ludwright.language.compiling.values import (
    BROKEN,
    INT,
    MAX_LIST,
    NONE,
    Broken,
    Seq,
    Val,
    none_of,
    noun,
    seat_type,
    storable,
    universe,
)
from ludwright.program.types import Type

# ---------------------------------------------------------------- options and answers


def bind_result(
    lowering: Lowering, scope: Scope, bind: str, addr: int, type_: Type, code: Code, node: tree.Node
) -> None:
    local = Local(Val(code.load(addr, type_), type_))
    lowering.answer_types.setdefault(bind, type_)
    declare(lowering.unit, scope, bind, local, node.span)


def broken_result(scope: Scope, bind: str) -> None:
    scope.names[bind] = Local(Val(ir.Const(0), NONE), origin="broken")


def options_of(lowering: Lowering, node: tree.Expr, scope: Scope) -> Seq | Broken:
    """The domain of a choice."""
    unit = lowering.unit
    labels = _plain_words(lowering, node, scope)
    if labels is not None:
        type_ = lowering.label_type(labels)
        return Seq(ir.ConstSource(tuple(range(len(labels)))), type_, len(labels), True)
    options = stream(unit, node, scope)
    if isinstance(options, Seq):
        options = within(unit, options)
    if isinstance(options, Seq) and options.elem.kind != "none" and options.elem.optional:
        unit.error(
            "may-be-none",
            node.span,
            "one of these options may be none, and nobody can choose none",
            "leave it out: `x for x in … if x != none`; to let it be declined: `optional: true`",
        )
        return BROKEN
    return options


def within(unit: Unit, options: Seq) -> Seq:
    """Of places only those that the offer allows which the choice is made in."""
    slot = unit.layout.globals.get(WITHIN)
    if slot is None or options.elem.kind != "place":
        return options
    reg, variable = unit.register(), slot.variable
    inside = ir.InSet(ir.Load(reg), ir.LoadWide(variable.addr, variable.type), 0)
    clauses = (ir.Loop((reg,), options.source), ir.Filter(inside))
    return replace(options, source=ir.Stream(clauses, ir.Load(reg)))


def _plain_words(lowering: Lowering, node: tree.Expr, scope: Scope) -> tuple[str, ...] | None:
    """`options: [pay, decline]` where none of the words is declared: they are just labels."""
    if not isinstance(node, tree.ListLit) or not node.items:
        return None
    words: list[str] = []
    for item in node.items:
        if not isinstance(item, tree.Name) or item.id.startswith("$"):
            return None
        if scope.find(item.id) is not None or names.is_known(lowering.unit, item.id):
            return None
        words.append(item.id)
    return tuple(words)


def _skip_unless(
    lowering: Lowering,
    code: Code,
    when: ir.Expr | None,
    addr: int,
    type_: Type,
    seats: int = 0,  # of a sealed choice, which has a result for each
) -> int | None:
    """`if`: where it fails nothing is asked, and none (or nothing) is bound, for each seat."""
    if when is None:
        return None
    ask, done = code.label(), code.label()
    skip = code.label()
    code.branch(when, skip)
    code.jump(ask)
    code.mark(skip)
    nothing = () if type_.kind == "list" else 0 if type_.kind == "set" else none_of(type_)
    if seats:
        for seat in range(seats):
            at = ir.Const(seat)
            code.emit(ir.Store(addr, ir.Const(nothing), type_, at, type_.width, seats))
    else:
        code.store(addr, ir.Const(nothing), type_)
    code.jump(done)
    code.mark(ask)
    return done


# ---------------------------------------------------------------------- chooseOne


def choose_one(
    lowering: Lowering,
    code: Code,
    node: tree.ChooseOne,
    scope: Scope,
    role: ir.Role = "choice",
) -> int | None:
    """Gives the index of the compiled Choice."""
    unit = lowering.unit
    if node.together:
        return _together(lowering, code, node, scope)
    when, asked, by, options = _offered(lowering, code, node, scope)
    if by is None or isinstance(options, Broken):
        broken_result(scope, node.bind)
        return None
    if options.elem.kind == "none":
        unit.error(
            "no-options",
            node.options.span,
            "there is nothing to choose from",
            "list what can be chosen",
        )
        broken_result(scope, node.bind)
        return None
    without = IfNone(lowering, code, node.if_none)
    optional = node.optional or node.when is not None or without.goes_on
    type_ = replace(storable(options.elem), optional=optional or options.elem.optional)
    if optional and not type_.is_scalar:
        _not_optional(lowering, node, scope)
        return None
    addr = code.slot(type_, node.bind)
    done = _skip_unless(lowering, code, when, addr, type_)
    head = HeadScope(lowering, code, node.bind.lstrip("$"), "choice", by)
    index = lowering.add_choice(
        code,
        ir.Choice(
            node.bind,
            role,
            "one",
            options.elem,
            addr,
            type_,
            by,
            options=options.source,
            optional=node.optional,
            empty=without.target,
            loops=code.move_loops(),
            site=unit.site(node.span, f"{unit.rule}: choose {node.bind}"),
            ask=question(lowering, node.ask, asked),
        ),
    )
    explain_options(unit, lowering.choices[index].site, node.options, asked)
    code.emit(ir.Choose(index))
    if not node.optional:
        code.flow.learn(unit.narrowing.of_element(options.source, ir.Load(addr)))
    without.close(scope, ((addr, type_),))
    if done is not None:
        code.mark(done)
    bind_result(lowering, scope, node.bind, addr, type_, code, node)
    head.close()
    return index


def _asked(
    lowering: Lowering, when: tree.Expr | None, scope: Scope
) -> tuple[ir.Expr | None, Scope]:
    """The condition on which a choice is asked, and the scope in which it holds."""
    if when is None:
        return None, scope
    test = condition(lowering.unit, when, scope)
    return test, scope.assuming(lowering.unit.narrowing.implied(test, True))


def _offered(
    lowering: Lowering, code: Code, node: tree.ChooseOne | tree.ChooseN, scope: Scope
) -> tuple[ir.Expr | None, Scope, ir.Expr | None, Seq | Broken]:
    """The condition, the scope of the one who chooses, who that is, and what is offered."""
    when, asked = _asked(lowering, node.when, scope)
    by = decider(lowering, code, node.by, asked)
    asked = choosing(lowering.unit, asked, by)
    return when, asked, by, options_of(lowering, node.options, asked)


def _not_optional(lowering: Lowering, node: tree.ChooseOne, scope: Scope) -> None:
    lowering.unit.error(
        "wrong-type",
        node.span,
        "a tuple cannot be none, so this choice cannot be optional",
        "use a `menu` with an entry to decline, or `ifNone: fault` where there is always one",
    )
    broken_result(scope, node.bind)


def _together(
    lowering: Lowering, code: Code, node: tree.ChooseOne | tree.ChooseN, scope: Scope
) -> int | None:
    """A sealed decision of several seats: asked on the same state, answered in any order."""
    unit = lowering.unit
    seats: Seq | Broken = (
        stream(unit, node.by, scope, seat_type(unit.world))
        if node.by is not None
        else Seq(ir.SeatsSource(), seat_type(unit.world), len(unit.world.seats), True)
    )
    chooser = unit.register()
    when, asked = _asked(lowering, node.when, scope)
    inner = choosing(unit, asked, ir.Load(chooser))
    options = options_of(lowering, node.options, inner)
    if isinstance(seats, Broken) or isinstance(options, Broken):
        broken_result(scope, node.bind)
        return None
    set_type = Type("set", items=(seat_type(unit.world),))
    by = ir.MakeSet(seats.source, 0, seat_type(unit.world).hi, unit.site(node.span))
    many = isinstance(node, tree.ChooseN)
    result = _many_type(options, node) if isinstance(node, tree.ChooseN) else storable(options.elem)
    if isinstance(node, tree.ChooseOne) and (node.optional or node.when is not None):
        if not result.is_scalar:
            _not_optional(lowering, node, scope)
            return None
        result = replace(result, optional=True)
    addr = code.slot(result, node.bind, len(unit.world.seats))
    answered = code.slot(set_type, "answered")
    minimum = maximum = None
    as_many = ordered = repeats = False
    if isinstance(node, tree.ChooseN):
        _check_bounds(lowering, node, inner)
        minimum, as_many = _minimum(lowering, node, inner)
        maximum = _bound(lowering, node.max, inner, None)
        repeats = node.repeats
        ordered = node.ordering == "sequence" or repeats
    done = _skip_unless(lowering, code, when, addr, result, len(unit.world.seats))
    head = HeadScope(lowering, code, node.bind.lstrip("$"), "choice", None)
    index = lowering.add_choice(
        code,
        ir.Choice(
            node.bind,
            "choice",
            "many" if many else "one",
            options.elem,
            addr,
            result,
            by,
            options=options.source,
            minimum=minimum,
            maximum=maximum,
            as_many=as_many,
            sequence=ordered,
            repeats=repeats,
            optional=isinstance(node, tree.ChooseOne) and node.optional,
            loops=code.move_loops(),
            together=True,
            chooser=chooser,
            answered=answered,
            site=unit.site(node.span, f"{unit.rule}: choose {node.bind}"),
            ask=question(lowering, node.ask, inner),
        ),
    )
    code.emit(ir.Choose(index))
    if done is not None:
        code.mark(done)
    declare(
        unit,
        scope,
        node.bind,
        Local(Val(ir.Const(0), NONE), addr, result, origin="sealed"),
        node.span,
    )
    head.close()
    return index


# ------------------------------------------------------------------------ chooseN


def _bound(
    lowering: Lowering, node: tree.Expr | None, scope: Scope, default: int | None
) -> ir.Expr | None:
    """min or max: an expression; `all` is no bound at all."""
    if node is None:
        return None if default is None else ir.Const(default)
    if isinstance(node, tree.Name) and node.id == "all":
        return None
    value = number(lowering.unit, node, scope)
    return ir.Const(0) if isinstance(value, Broken) else value.expr


def _minimum(lowering: Lowering, node: tree.ChooseN, scope: Scope) -> tuple[ir.Expr | None, bool]:
    """The least number, and whether one must go on while there is an option left."""
    minimum = _bound(lowering, node.min, scope, 0)
    if node.min is not None and minimum is None:  # `min: all`
        return ir.Const(0), True
    return minimum, node.as_many_as_possible


def _many_type(options: Seq, node: tree.ChooseN) -> Type:
    elem = storable(options.elem) if universe(options.elem) is None else options.elem
    if universe(options.elem) is not None and node.ordering == "set" and not node.repeats:
        return Type("set", items=(replace(elem, optional=False),))
    cap = max(1, min(options.cap, MAX_LIST))
    if node.repeats and node.max is not None and isinstance(node.max, tree.IntLit):
        cap = max(1, min(node.max.value, MAX_LIST))
    return Type("list", items=(elem,), cap=cap)


def choose_many(lowering: Lowering, code: Code, node: tree.ChooseN, scope: Scope) -> None:
    if node.by_class:
        _choose_by_class(lowering, code, node, scope)
    elif node.each is not None:
        _choose_each(lowering, code, node, scope)
    elif node.together:
        _together(lowering, code, node, scope)
    else:
        _choose_all(lowering, code, node, scope)


def _choose_by_class(lowering: Lowering, code: Code, node: tree.ChooseN, scope: Scope) -> None:
    """`by: class`: of alike pieces only how many; the effects follow when all are chosen."""
    unit = lowering.unit
    when, asked, by, options = _offered(lowering, code, node, scope)
    if by is None or isinstance(options, Broken) or not by_class.allowed(unit, node, options):
        broken_result(scope, node.bind)
        return
    _check_bounds(lowering, node, scope)
    type_ = Type("set", items=(replace(options.elem, optional=False),))
    addr = code.slot(type_, node.bind)
    minimum, as_many = _minimum(lowering, node, asked)
    bounds = by_class.Bounds(minimum, _bound(lowering, node.max, asked, None), as_many)
    done = _skip_unless(lowering, code, when, addr, type_)
    head = HeadScope(lowering, code, node.bind.lstrip("$"), "choice", by)
    without = IfNone(lowering, code, node.if_none)
    test = can_pick(unit, options, minimum, bounds.maximum, False, node.span)
    if node.if_none is not None:
        without.unless(test)
    elif minimum not in (None, ir.Const(0)):
        code.demands.append(len(code.instrs))
        code.emit(ir.Require(test, unit.site(node.span, f"{unit.rule}: choose {node.bind}")))
    was_in_move, code.in_move = code.in_move, True

    def again() -> ir.Source:
        found = options_of(lowering, node.options, asked)
        assert not isinstance(found, Broken)  # it was well before
        return found.source

    words = question(lowering, node.ask, asked)
    by_class.ByClass(lowering, code, node, options.elem, again, by, words).ask(addr, type_, bounds)
    code.in_move = was_in_move
    without.close(scope, ((addr, type_),))
    if done is not None:
        code.mark(done)
    bind_result(lowering, scope, node.bind, addr, type_, code, node)
    head.close()


def _choose_all(lowering: Lowering, code: Code, node: tree.ChooseN, scope: Scope) -> None:
    """Several picks; the effects follow when all are made."""
    unit = lowering.unit
    when, asked, by, options = _offered(lowering, code, node, scope)
    if by is None or isinstance(options, Broken):
        broken_result(scope, node.bind)
        return
    _check_bounds(lowering, node, scope)
    type_ = _many_type(options, node)
    addr = code.slot(type_, node.bind)
    minimum, as_many = _minimum(lowering, node, asked)
    maximum = _bound(lowering, node.max, asked, None)
    done = _skip_unless(lowering, code, when, addr, type_)
    head = HeadScope(lowering, code, node.bind.lstrip("$"), "choice", by)
    without = IfNone(lowering, code, node.if_none)
    without.unless(can_pick(unit, options, minimum, maximum, node.repeats, node.span))
    index = lowering.add_choice(
        code,
        ir.Choice(
            node.bind,
            "choice",
            "many",
            options.elem,
            addr,
            type_,
            by,
            options=options.source,
            minimum=minimum,
            maximum=maximum,
            as_many=as_many,
            sequence=node.ordering == "sequence" or node.repeats,
            repeats=node.repeats,
            loops=code.move_loops(),
            site=unit.site(node.span, f"{unit.rule}: choose {node.bind}"),
            ask=question(lowering, node.ask, asked),
        ),
    )
    explain_options(unit, lowering.choices[index].site, node.options, asked)
    nothing: int | tuple[object, ...] = () if type_.kind == "list" else 0
    code.store(addr, ir.Const(nothing), type_)
    code.emit(ir.Choose(index))
    without.proves(index)
    without.close(scope, ((addr, type_),))
    if done is not None:
        code.mark(done)
    bind_result(lowering, scope, node.bind, addr, type_, code, node)
    head.close()


def _check_bounds(lowering: Lowering, node: tree.ChooseN, scope: Scope) -> None:
    low = node.min.value if isinstance(node.min, tree.IntLit) else None
    high = node.max.value if isinstance(node.max, tree.IntLit) else None
    if (low is not None and low < 0) or (high is not None and high < 0):
        lowering.unit.error(
            "bad-bounds", node.span, "a choice cannot have fewer than 0 picks", "use 0 or more"
        )
    if low is not None and high is not None and low > high:
        lowering.unit.error(
            "bad-bounds", node.span, f"min {low} is more than max {high}", "swap them"
        )


def _choose_each(lowering: Lowering, code: Code, node: tree.ChooseN, scope: Scope) -> None:
    """`each`: pick, run the body, recompute the options without the picks, and again."""
    unit = lowering.unit
    assert node.each is not None
    when, asked = _asked(lowering, node.when, scope)
    by = decider(lowering, code, node.by, asked)
    changes = changed_in(lowering, node.each, scope)
    # The options are read again for every pick, when the body may have changed what was known.
    code.flow.forget(changes)
    options = options_of(lowering, node.options, choosing(unit, scope, by))
    if by is None or isinstance(options, Broken):
        broken_result(scope, node.bind)
        block(lowering, code, node.each, scope)
        return
    bounds = universe(options.elem)
    if bounds is None:
        unit.error(
            "not-a-set",
            node.options.span,
            f"`each` must remember what was picked; {noun(options.elem)} cannot be kept as a set",
            "choose spaces, pieces, seats or small numbers",
        )
        return
    _check_bounds(lowering, node, scope)
    item = replace(options.elem, optional=False)
    set_type = Type("set", items=(item,))
    picked = code.slot(set_type, "picked")
    code.store(picked, ir.Const(0), set_type)
    least, most = code.slot(INT, "least"), code.slot(INT, "most")
    minimum = _bound(lowering, node.min, scope, 0)
    must = node.as_many_as_possible or (node.min is not None and minimum is None)
    code.store(least, minimum if minimum is not None else ir.Const(0), INT)
    maximum = _bound(lowering, node.max, scope, None)
    code.store(most, maximum if maximum is not None else ir.Const(MAX_LIST), INT)
    index = code.slot(INT, "index")
    code.store(index, ir.Const(0), INT)
    done = None
    if node.when is not None:
        done = code.label()
        assert when is not None
        code.branch(when, done)
    head = HeadScope(lowering, code, node.bind.lstrip("$"), "choice", by)
    without = IfNone(lowering, code, node.if_none)
    without.unless(can_pick(unit, options, None, maximum, node.repeats, node.span))
    was_in_move, code.in_move = code.in_move, True
    top, exit_label = code.label(), code.label()
    code.mark(top, changes)
    more = ir.Compare("<", ir.Load(index), ir.Load(most))
    code.branch(more, exit_label)
    reg = unit.register()
    source: ir.Source = options.source
    if not node.repeats:
        fresh = ir.Not(ir.InSet(ir.Load(reg), ir.LoadWide(picked, set_type), item.lo))
        source = ir.Stream((ir.Loop((reg,), source), ir.Filter(fresh)), ir.Load(reg))
    pick_type = replace(options.elem, optional=True)
    pick = code.slot(pick_type, node.bind)
    enough = ir.Compare(">=", ir.Load(index), ir.Load(least))
    body, stop = code.label(), code.label()
    with code.loop(index, exit_label):
        site = unit.site(node.span, f"{unit.rule}: choose {node.bind}")
        explain_options(unit, site, node.options, scope)
        base = ir.Choice(
            node.bind,
            "choice",
            "one",
            options.elem,
            pick,
            pick_type,
            by,
            options=source,
            loops=code.move_loops(),
            site=site,
            ask=question(lowering, node.ask, scope),
        )
        if must:
            code.emit(ir.Choose(lowering.add_choice(code, replace(base, empty=exit_label))))
        elif minimum in (ir.Const(0), ir.Const(1)):
            # At most the first pick is mandatory, so that none of the later ones can refuse.
            if minimum == ir.Const(1):
                first = lowering.add_choice(code, base)
                code.emit(ir.Choose(first))
                without.proves(first)
                code.jump(body)
                top = code.label()
                code.mark(top, changes)
                code.branch(more, exit_label)
            code.emit(ir.Choose(lowering.add_choice(code, replace(base, optional=True))))
            code.branch(ir.Compare("!=", ir.Load(pick), ir.Const(none_of(pick_type))), exit_label)
            code.mark(body)
        else:
            code.branch(enough, stop)
            code.emit(ir.Choose(lowering.add_choice(code, replace(base, optional=True))))
            code.branch(ir.Compare("!=", ir.Load(pick), ir.Const(none_of(pick_type))), exit_label)
            code.jump(body)
            code.mark(stop)
            code.emit(ir.Choose(lowering.add_choice(code, base)))
            code.mark(body)
        single = ir.MakeSet(ir.ItemsSource((ir.Load(pick),)), item.lo, item.hi, site)
        code.store(picked, ir.SetOp("union", ir.LoadWide(picked, set_type), single), set_type)
        inner = scope.inner()
        inner.names[node.bind] = Local(Val(ir.Load(pick), options.elem))
        code.flow.learn(unit.narrowing.of_element(options.source, ir.Load(pick)))
        _hide_generator_names(node, inner)
        block(lowering, code, node.each, inner)
    code.store(index, ir.Arith("+", ir.Load(index), ir.Const(1)), INT)
    code.emit(ir.Tick(unit.site(node.span)))
    code.jump(top)
    code.mark(exit_label)
    code.in_move = was_in_move
    without.close(scope)
    if done is not None:
        code.mark(done)
    bind_result(lowering, scope, node.bind, picked, set_type, code, node)
    head.close()


def _hide_generator_names(node: tree.ChooseN, scope: Scope) -> None:
    """In `each` the pick is `$bind`; the options' own variable is easily used by mistake."""
    if isinstance(node.options, tree.Comp):
        for clause in node.options.clauses:
            if isinstance(clause, tree.For):
                for name in clause.names:
                    scope.hidden[name] = f"in `each` the pick is called `{node.bind}`"

"""Decisions: chooseOne, chooseN, menu and offer become `Choose` instructions."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from ludwright.kernel import program as ir
from ludwright.kernel.types import Type
from ludwright.language import tree
from ludwright.language.compiling import alternatives, effects, names, narrowing
from ludwright.language.compiling.changes import changed_in
from ludwright.language.compiling.code import Code
from ludwright.language.compiling.comprehensions import declare
from ludwright.language.compiling.expressions import (
    condition,
    number,
    stream,
    typed,
)
from ludwright.language.compiling.guarding import Guard
from ludwright.language.compiling.lowering import Lowering
from ludwright.language.compiling.unit import Local, Scope
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


def choice(
    game: Lowering,
    code: Code,
    node: tree.ChooseOne | tree.ChooseN | tree.Menu | tree.Offer,
    scope: Scope,
) -> None:
    match node:
        case tree.ChooseOne():
            choose_one(game, code, node, scope)
        case tree.ChooseN(each=None):
            _choose_many(game, code, node, scope)
        case tree.ChooseN():
            _choose_each(game, code, node, scope)
        case tree.Menu():
            _menu(game, code, node, scope)
        case tree.Offer():
            game.offer(code, node, scope)


# -------------------------------------------------------------- heads and deciders


def decider(game: Lowering, code: Code, by: tree.Expr | None, scope: Scope) -> ir.Expr | None:
    if by is None:
        return code.decider
    seat = typed(game.unit, by, scope, seat_type(game.unit.world))
    return None if isinstance(seat, Broken) else seat.expr


class HeadScope:
    """Opens a move around a decision at the level of the flow; inside a move it does nothing.

    What the answer leads to stands behind the decision in the flow, so the end is not checked when
    this move closes but before the next one opens.
    """

    def __init__(
        self, game: Lowering, code: Code, name: str, kind: ir.HeadKind, by: ir.Expr | None
    ) -> None:
        self.game, self.code = game, code
        self.head = -1
        self.outer_depth = 0
        if not code.in_move:
            game.settle(code)
            self.head = game.head(name, kind)
            self.outer_depth, code.head_depth = code.head_depth, len(code.loops)
            code.emit(ir.HeadEnter(self.head))
            if by is not None:
                code.store(ir.ACTOR, by, seat_type(game.unit.world))

    def close(self) -> None:
        if self.head >= 0:
            self.code.emit(ir.HeadExit(self.head))
            self.code.head_depth = self.outer_depth


def bind_result(
    game: Lowering, scope: Scope, bind: str, addr: int, type_: Type, code: Code, node: tree.Node
) -> None:
    local = Local(Val(code.load(addr, type_), type_))
    declare(game.unit, scope, bind, local, node.span)


def broken_result(scope: Scope, bind: str) -> None:
    scope.names[bind] = Local(Val(ir.Const(0), NONE), origin="broken")


def options_of(game: Lowering, node: tree.Expr, scope: Scope) -> Seq | Broken:
    """The domain of a choice."""
    unit = game.unit
    labels = _plain_words(game, node, scope)
    if labels is not None:
        type_ = game.label_type(labels)
        return Seq(ir.ConstSource(tuple(range(len(labels)))), type_, len(labels), True)
    options = stream(unit, node, scope)
    if isinstance(options, Seq) and options.elem.kind != "none" and options.elem.optional:
        unit.error(
            "may-be-none",
            node.span,
            "one of these options may be none, and nobody can choose none",
            "leave it out: `x for x in … if x != none`; to let it be declined: `optional: true`",
        )
        return BROKEN
    return options


def _plain_words(game: Lowering, node: tree.Expr, scope: Scope) -> tuple[str, ...] | None:
    """`options: [pay, decline]` where none of the words is declared: they are just labels."""
    if not isinstance(node, tree.ListLit) or not node.items:
        return None
    words: list[str] = []
    for item in node.items:
        if not isinstance(item, tree.Name) or item.id.startswith("$"):
            return None
        if scope.find(item.id) is not None or names.is_known(game.unit, item.id):
            return None
        words.append(item.id)
    return tuple(words)


def _skip_unless(
    game: Lowering,
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
    game: Lowering,
    code: Code,
    node: tree.ChooseOne,
    scope: Scope,
    role: ir.Role = "choice",
) -> int | None:
    """Gives the index of the compiled Choice."""
    unit = game.unit
    if node.together:
        return _together(game, code, node, scope)
    when, asked = _asked(game, node.when, scope)
    by = decider(game, code, node.by, asked)
    options = options_of(game, node.options, asked)
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
    optional = node.optional or node.when is not None
    type_ = replace(storable(options.elem), optional=optional or options.elem.optional)
    if optional and not type_.is_scalar:
        _not_optional(game, node, scope)
        return None
    addr = code.slot(type_, node.bind)
    done = _skip_unless(game, code, when, addr, type_)
    head = HeadScope(game, code, node.bind.lstrip("$"), "choice", by)
    index = game.add_choice(
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
            loops=code.move_loops(),
            site=unit.site(node.span, f"{unit.rule}: choose {node.bind}"),
        ),
    )
    code.emit(ir.Choose(index))
    if not node.optional:
        code.flow.learn(narrowing.of_element(unit, options.source, ir.Load(addr)))
    if done is not None:
        code.mark(done)
    bind_result(game, scope, node.bind, addr, type_, code, node)
    head.close()
    return index


def _asked(game: Lowering, when: tree.Expr | None, scope: Scope) -> tuple[ir.Expr | None, Scope]:
    """The condition on which a choice is asked, and the scope in which it holds."""
    if when is None:
        return None, scope
    test = condition(game.unit, when, scope)
    return test, scope.assuming(narrowing.implied(game.unit, test, True))


def _not_optional(game: Lowering, node: tree.ChooseOne, scope: Scope) -> None:
    game.unit.error(
        "wrong-type",
        node.span,
        "a tuple cannot be none, so this choice cannot be optional",
        "use a `menu` with an entry to decline",
    )
    broken_result(scope, node.bind)


def _together(
    game: Lowering, code: Code, node: tree.ChooseOne | tree.ChooseN, scope: Scope
) -> int | None:
    """A sealed decision of several seats: asked on the same state, answered in any order."""
    unit = game.unit
    seats: Seq | Broken = (
        stream(unit, node.by, scope, seat_type(unit.world))
        if node.by is not None
        else Seq(ir.SeatsSource(), seat_type(unit.world), len(unit.world.seats), True)
    )
    chooser = unit.register()
    when, asked = _asked(game, node.when, scope)
    inner = asked.inner()
    inner.names["chooser"] = Local(Val(ir.Load(chooser), seat_type(unit.world)))
    options = options_of(game, node.options, inner)
    if isinstance(seats, Broken) or isinstance(options, Broken):
        broken_result(scope, node.bind)
        return None
    set_type = Type("set", items=(seat_type(unit.world),))
    by = ir.MakeSet(seats.source, 0, seat_type(unit.world).hi, unit.site(node.span))
    many = isinstance(node, tree.ChooseN)
    result = _many_type(options, node) if isinstance(node, tree.ChooseN) else storable(options.elem)
    if isinstance(node, tree.ChooseOne) and (node.optional or node.when is not None):
        if not result.is_scalar:
            _not_optional(game, node, scope)
            return None
        result = replace(result, optional=True)
    addr = code.slot(result, node.bind, len(unit.world.seats))
    answered = code.slot(set_type, "answered")
    minimum = maximum = None
    as_many = ordered = repeats = False
    if isinstance(node, tree.ChooseN):
        _check_bounds(game, node, inner)
        minimum, as_many = _minimum(game, node, inner)
        maximum = _bound(game, node.max, inner, None)
        repeats = node.repeats
        ordered = node.ordering == "sequence" or repeats
    done = _skip_unless(game, code, when, addr, result, len(unit.world.seats))
    head = HeadScope(game, code, node.bind.lstrip("$"), "choice", None)
    index = game.add_choice(
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
    game: Lowering, node: tree.Expr | None, scope: Scope, default: int | None
) -> ir.Expr | None:
    """min or max: an expression; `all` is no bound at all."""
    if node is None:
        return None if default is None else ir.Const(default)
    if isinstance(node, tree.Name) and node.id == "all":
        return None
    value = number(game.unit, node, scope)
    return ir.Const(0) if isinstance(value, Broken) else value.expr


def _minimum(game: Lowering, node: tree.ChooseN, scope: Scope) -> tuple[ir.Expr | None, bool]:
    """The least number, and whether one must go on while there is an option left."""
    minimum = _bound(game, node.min, scope, 0)
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


def _choose_many(game: Lowering, code: Code, node: tree.ChooseN, scope: Scope) -> None:
    unit = game.unit
    if node.together:
        _together(game, code, node, scope)
        return
    when, asked = _asked(game, node.when, scope)
    by = decider(game, code, node.by, asked)
    options = options_of(game, node.options, asked)
    if by is None or isinstance(options, Broken):
        broken_result(scope, node.bind)
        return
    _check_bounds(game, node, scope)
    type_ = _many_type(options, node)
    addr = code.slot(type_, node.bind)
    minimum, as_many = _minimum(game, node, asked)
    done = _skip_unless(game, code, when, addr, type_)
    head = HeadScope(game, code, node.bind.lstrip("$"), "choice", by)
    index = game.add_choice(
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
            maximum=_bound(game, node.max, asked, None),
            as_many=as_many,
            sequence=node.ordering == "sequence" or node.repeats,
            repeats=node.repeats,
            loops=code.move_loops(),
            site=unit.site(node.span, f"{unit.rule}: choose {node.bind}"),
        ),
    )
    nothing: int | tuple[object, ...] = () if type_.kind == "list" else 0
    code.store(addr, ir.Const(nothing), type_)
    code.emit(ir.Choose(index))
    if done is not None:
        code.mark(done)
    bind_result(game, scope, node.bind, addr, type_, code, node)
    head.close()


def _check_bounds(game: Lowering, node: tree.ChooseN, scope: Scope) -> None:
    low = node.min.value if isinstance(node.min, tree.IntLit) else None
    high = node.max.value if isinstance(node.max, tree.IntLit) else None
    if (low is not None and low < 0) or (high is not None and high < 0):
        game.unit.error(
            "bad-bounds", node.span, "a choice cannot have fewer than 0 picks", "use 0 or more"
        )
    if low is not None and high is not None and low > high:
        game.unit.error("bad-bounds", node.span, f"min {low} is more than max {high}", "swap them")


def _choose_each(game: Lowering, code: Code, node: tree.ChooseN, scope: Scope) -> None:
    """`each`: pick, run the body, recompute the options without the picks, and again."""
    unit = game.unit
    assert node.each is not None
    when, asked = _asked(game, node.when, scope)
    by = decider(game, code, node.by, asked)
    changes = changed_in(game, node.each, scope)
    # The options are read again for every pick, when the body may have changed what was known.
    code.flow.forget(changes)
    options = options_of(game, node.options, scope)
    if by is None or isinstance(options, Broken):
        broken_result(scope, node.bind)
        effects.block(game, code, node.each, scope)
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
    _check_bounds(game, node, scope)
    item = replace(options.elem, optional=False)
    set_type = Type("set", items=(item,))
    picked = code.slot(set_type, "picked")
    code.store(picked, ir.Const(0), set_type)
    least, most = code.slot(INT, "least"), code.slot(INT, "most")
    minimum = _bound(game, node.min, scope, 0)
    must = node.as_many_as_possible or (node.min is not None and minimum is None)
    code.store(least, minimum if minimum is not None else ir.Const(0), INT)
    maximum = _bound(game, node.max, scope, None)
    code.store(most, maximum if maximum is not None else ir.Const(MAX_LIST), INT)
    index = code.slot(INT, "index")
    code.store(index, ir.Const(0), INT)
    done = None
    if node.when is not None:
        done = code.label()
        assert when is not None
        code.branch(when, done)
    head = HeadScope(game, code, node.bind.lstrip("$"), "choice", by)
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
        )
        if must:
            code.flow.jump(exit_label)
            code.emit(ir.Choose(game.add_choice(code, replace(base, empty=exit_label))))
        elif minimum in (ir.Const(0), ir.Const(1)):
            # At most the first pick is mandatory, so that none of the later ones can refuse.
            if minimum == ir.Const(1):
                code.emit(ir.Choose(game.add_choice(code, base)))
                code.jump(body)
                top = code.label()
                code.mark(top, changes)
                code.branch(more, exit_label)
            code.emit(ir.Choose(game.add_choice(code, replace(base, optional=True))))
            code.branch(ir.Compare("!=", ir.Load(pick), ir.Const(none_of(pick_type))), exit_label)
            code.mark(body)
        else:
            code.branch(enough, stop)
            code.emit(ir.Choose(game.add_choice(code, replace(base, optional=True))))
            code.branch(ir.Compare("!=", ir.Load(pick), ir.Const(none_of(pick_type))), exit_label)
            code.jump(body)
            code.mark(stop)
            code.emit(ir.Choose(game.add_choice(code, base)))
            code.mark(body)
        single = ir.MakeSet(ir.ItemsSource((ir.Load(pick),)), item.lo, item.hi, site)
        code.store(picked, ir.SetOp("union", ir.LoadWide(picked, set_type), single), set_type)
        inner = scope.inner()
        inner.names[node.bind] = Local(Val(ir.Load(pick), options.elem))
        code.flow.learn(narrowing.of_element(unit, options.source, ir.Load(pick)))
        _hide_generator_names(node, inner)
        effects.block(game, code, node.each, inner)
    code.store(index, ir.Arith("+", ir.Load(index), ir.Const(1)), INT)
    code.emit(ir.Tick(unit.site(node.span)))
    code.jump(top)
    code.mark(exit_label)
    code.in_move = was_in_move
    if done is not None:
        code.mark(done)
    bind_result(game, scope, node.bind, picked, set_type, code, node)
    head.close()


def _hide_generator_names(node: tree.ChooseN, scope: Scope) -> None:
    """In `each` the pick is `$bind`; the options' own variable is easily used by mistake."""
    if isinstance(node.options, tree.Comp):
        for clause in node.options.clauses:
            if isinstance(clause, tree.For):
                for name in clause.names:
                    scope.hidden[name] = f"in `each` the pick is called `{node.bind}`"


# --------------------------------------------------------------------------- menu


def _menu(game: Lowering, code: Code, node: tree.Menu, scope: Scope) -> None:
    unit = game.unit
    by = decider(game, code, node.by, scope)
    if by is None:
        return
    labels: list[ir.Label] = []
    for option in node.options:
        guard = Guard(unit)
        guard.condition(option.when, scope, f"{unit.rule}: {option.label}")
        labels.append(guard.label(option.label))
    if not labels:
        unit.error(
            "no-options",
            node.span,
            "this menu has no entries",
            "add entries under `options`: `label: { do: […] }`",
        )
        return
    bind = node.bind or "$menu"
    head = HeadScope(game, code, bind.lstrip("$"), "menu", by)
    site = unit.site(node.span, f"{unit.rule}: menu {bind}")
    addr, type_ = alternatives.ask(game, code, bind, "menu", labels, by, site)
    if node.bind is not None:
        bind_result(game, scope, node.bind, addr, type_, code, node)
    was_in_move, code.in_move = code.in_move, True
    bodies = [
        partial(_entry, game, code, option.body, scope, label.guard)
        for option, label in zip(node.options, labels, strict=True)
    ]
    alternatives.switch(code, addr, bodies)
    code.in_move = was_in_move
    head.close()


def _entry(
    game: Lowering, code: Code, body: tree.Block, scope: Scope, guard: ir.Expr | None
) -> None:
    if guard is not None:  # nothing has changed since it was tested
        code.flow.learn(narrowing.implied(game.unit, guard, True))
    effects.block(game, code, body, scope)

"""How a game ends: `end`, `noMoves`, `end game`; scores and ranks."""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce
from typing import Literal

from ludwright import program as ir
from ludwright.language import tree
from ludwright.language.compiling.code import Code, Procedure
from ludwright.language.compiling.effects.dispatch import block
from ludwright.language.compiling.expressions import names, presence
from ludwright.language.compiling.expressions.type_check import (
    check_type,
    condition,
    seats_of,
    stream,
    value_of,
)
from ludwright.language.compiling.layout import MOVED
from ludwright.language.compiling.lowering import Lowering
from ludwright.language.compiling.rules.templates import reason_parts
from ludwright.language.compiling.tree_walk import names_of_end
from ludwright.language.compiling.unit import Local, Scope, Unit
from ludwright.language.compiling.values import INT, Broken, Seq, Val, seat_type
from ludwright.language.gamedef import EndDecl
from ludwright.program.types import INT_MAX, INT_MIN, Type

SCORE = Type("int", lo=INT_MIN, hi=INT_MAX)
_RESULT = "result"


# Whether somebody has just moved; "perhaps" where `layout.MOVED` tells if anybody has.
Mover = Literal["none", "known", "perhaps"]


def can_end(lowering: Lowering) -> bool:
    """Whether there is an end to be checked."""
    return any(decl.when is not None for decl in lowering.unit.gamedef.end)


def asks_about_actor(lowering: Lowering) -> bool:
    """Whether a way to end needs somebody who has moved."""
    decls = lowering.unit.gamedef.end
    return any(decl.when is not None and "actor" in names_of_end(decl) for decl in decls)


def end_check(
    lowering: Lowering, code: Code, scope: Scope, mover: Mover, at: tuple[str, ...]
) -> None:
    """Test the ways to end, first listed first.

    A condition may name `actor` or the parameters of an action; it is then tested only at the end
    of moves that have them.
    """
    params = lowering.unit.action_params
    rule = lowering.unit.rule
    for decl in lowering.unit.gamedef.end:
        if decl.when is None or (decl.at and not set(decl.at) & set(at)):
            continue  # without a condition it is how `end game` ends
        used = names_of_end(decl)
        if "actor" in used and mover == "none":
            continue
        if any(
            name in params and scope.find(name) is None and not names.is_known(lowering.unit, name)
            for name in used
        ):
            continue
        lowering.unit.rule = f"end: {decl.reason}"
        otherwise = code.label()
        if "actor" in used and mover == "perhaps":
            code.branch(ir.Load(lowering.unit.layout.flag(MOVED)), otherwise)
        code.branch(condition(lowering.unit, decl.when, scope), otherwise)
        finish(lowering, code, decl, scope)
        code.mark(otherwise)
    lowering.unit.rule = rule


def finish(lowering: Lowering, code: Code, decl: EndDecl, scope: Scope) -> None:
    """Store the result and stop."""
    if decl.outcome == "score":
        if decl.score is None:  # a GameDef may say so; a rulebook cannot
            lowering.unit.error(
                "end-outcome", decl.span, "this ending goes by a score and does not say which",
                "write `score: e for p in seats`, or `score: all` for the game's own",
            )  # fmt: skip
            return
        if _is_everybody(decl.score):
            stored = _store_by_score(lowering, code, decl)
        else:
            stored = _store_scores(lowering, code, decl.score, scope)
        if not stored:
            return
    else:
        seats = _seats_named(lowering.unit, decl.seats, scope)
        if seats is None:
            return
        outcome = _outcome(lowering, decl.outcome)
        ((_, chosen, set_of_seats),) = outcome.params
        code.store(chosen, seats, set_of_seats)
        if decl.seats is not None and not _is_everybody(decl.seats):
            _check_playing(lowering, code, decl, outcome.code.load(chosen, set_of_seats))
        code.call(outcome.code)
    code.emit(ir.Finish(_end_number(lowering, decl)))


def _check_playing(lowering: Lowering, code: Code, decl: EndDecl, chosen: ir.Expr) -> None:
    """Where a game may have fewer players than seats, somebody absent could be named."""
    world = lowering.unit.world
    absent: list[ir.Expr] = [
        ir.And(
            ir.Compare(">=", ir.Const(seat), ir.Load(ir.PLAYERS)),
            ir.InSet(ir.Const(seat), chosen, 0),
        )
        for seat in range(world.min_players, len(world.seats))
    ]
    if absent:
        playing = code.label()
        code.branch(reduce(ir.Or, absent), playing)
        site = lowering.unit.site(decl.span, f"end: {decl.reason}")
        code.emit(ir.FaultHere("absent", site))
        code.mark(playing)


def _end_number(lowering: Lowering, decl: EndDecl) -> int:
    """One way to end is one entry, however many moves can lead to it."""
    known = lowering.end_numbers.get(id(decl))
    if known is None:
        reason = reason_parts(lowering, decl.reason, decl, Scope())
        site = lowering.unit.site(decl.span, f"end: {decl.reason}")
        lowering.ends.append(ir.EndInfo(decl.outcome, reason, site))
        known = lowering.end_numbers[id(decl)] = len(lowering.ends) - 1
        lowering.end_decls.append(decl)
    return known


def _is_everybody(node: tree.Expr) -> bool:
    return isinstance(node, tree.Name) and node.id == "all"


def _seats_named(unit: Unit, node: tree.Expr | None, scope: Scope) -> ir.Expr | None:
    """A set of seats from one seat, a collection, or `all`."""
    if node is None or _is_everybody(node):
        return ir.MakeSet(ir.SeatsSource(), 0, seat_type(unit.world).hi)
    chosen = seats_of(unit, node, scope)
    return None if isinstance(chosen, Broken) else chosen.expr


def _outcome(lowering: Lowering, outcome: str) -> Procedure:
    """Stores the result for a set of seats: winners get 1 and the others -1; losers -1 and the
    others 1; those who draw 0. One procedure serves all moves that can end the game so."""
    known = lowering.procedures.get((_RESULT, outcome))
    if known is not None:
        return known
    inside, outside = {"win": (1, -1), "lose": (-1, 1), "draw": (0, -1)}[outcome]
    set_of_seats = Type("set", items=(seat_type(lowering.unit.world),))
    code = _new_result(lowering, outcome)
    chosen = code.slot(set_of_seats, "seats")
    members = code.load(chosen, set_of_seats)
    for seat in range(len(lowering.unit.world.seats)):
        member = ir.InSet(ir.Const(seat), members, 0)
        score = ir.Select(member, ir.Const(inside), ir.Const(outside))
        _store_score(lowering, code, seat, score)
    _store_ranks(lowering, code)
    code.finish()
    made = Procedure(code, [("seats", chosen, set_of_seats)], None, done=True)
    lowering.procedures[_RESULT, outcome] = made
    return made


def _ranks(lowering: Lowering) -> Code:
    """Stores the ranks that follow from the scores."""
    known = lowering.shared.get(_RESULT)
    if known is None:
        known = lowering.shared[_RESULT] = _new_result(lowering, "score")
        _store_ranks(lowering, known)
        known.finish()
    return known


def _new_result(lowering: Lowering, outcome: str) -> Code:
    return lowering.new_code(f"{_RESULT}: {outcome}", True, ir.Load(ir.ACTOR))


def _store_score(lowering: Lowering, code: Code, seat: int, score: ir.Expr) -> None:
    playing = ir.Compare("<", ir.Const(seat), ir.Load(ir.PLAYERS))
    addr = lowering.unit.layout.scores + seat
    code.store(addr, ir.Select(playing, score, ir.Const(0)), SCORE)


def _store_scores(lowering: Lowering, code: Code, node: tree.Expr, scope: Scope) -> bool:
    """`score: e for p in seats`: one number per seat, in seat order, and the ranks.

    Of tuples the first number is the score; the others decide between equal ones.
    """
    unit = lowering.unit
    sequence = stream(unit, node, scope)
    if isinstance(sequence, Broken):
        return False
    tuples = sequence.elem.kind == "tuple"
    numbers = sequence.elem.items if tuples else (sequence.elem,)
    if any(item.kind != "int" for item in numbers):
        unit.error(
            "not-a-number",
            node.span,
            "a score is a number for each seat, or a tuple of numbers",
            "write `score: p.points for p in seats`",
        )
        return False
    if any(item.optional for item in numbers):
        presence.report(unit, sequence.elem, sequence.elem, node.span)
        return False
    if isinstance(sequence.source, ir.SetSource):
        unit.error(
            "wrong-type",
            node.span,
            "a set has no order, so it does not say whose score is whose",
            "write `score: p.points for p in seats`",
        )
        return False
    fewest, most = unit.world.min_players, len(unit.world.seats)
    written = isinstance(sequence.source, ir.ItemsSource | ir.ConstSource)
    if written and not fewest <= sequence.cap <= most:
        listed_here = "one score" if sequence.cap == 1 else f"{sequence.cap} scores"
        players = str(most) if fewest == most else f"{fewest} to {most}"
        unit.error(
            "wrong-type",
            node.span,
            f"{listed_here} where there are {players} players",
            "write `score: p.points for p in seats`",
        )
        return False
    length = len(numbers) if tuples else 0
    listed = _listed(lowering, code, sequence, length, node)
    if not _is_of_each_seat(sequence.source):
        complete = code.label()
        differs = ir.Compare("!=", ir.Length(ir.Load(listed)), ir.Load(ir.PLAYERS))
        code.branch(differs, complete)
        code.emit(ir.FaultHere("scores", unit.site(node.span)))
        code.mark(complete)
    _store_measured(lowering, code, listed, length, node)
    return True


def _is_of_each_seat(source: ir.Source) -> bool:
    """`e for p in seats`: as many as there are players."""
    match source:
        case ir.Stream(clauses=(ir.Loop(source=ir.SeatsSource()),)):
            return True
        case _:
            return False


def _listed(lowering: Lowering, code: Code, measures: Seq, length: int, node: tree.Node) -> int:
    """A register with all measures: numbers (length 0), or tuples."""
    kept = Type("tuple", items=(SCORE,) * length) if length else SCORE
    listed, cap = lowering.unit.register(), max(1, measures.cap)
    made = ir.MakeList(measures.source, cap, site=lowering.unit.site(node.span))
    code.store(listed, made, Type("list", items=(kept,), cap=cap))
    return listed


def _store_measured(
    lowering: Lowering, code: Code, listed: int, length: int, node: tree.Node
) -> None:
    """Scores and ranks from one measure for each seat, in a register."""
    unit = lowering.unit
    site = unit.site(node.span)

    def own(seat: ir.Expr) -> ir.Expr:
        return ir.ListItem(ir.Load(listed), seat, site)

    for seat in range(len(unit.world.seats)):
        whole = own(ir.Const(seat))
        _store_score(lowering, code, seat, ir.Item(whole, 0) if length else whole)
    if length:
        _store_ranks(lowering, code, own)
    else:
        code.call(_ranks(lowering))


def _store_ranks(
    lowering: Lowering, code: Code, measure: Callable[[ir.Expr], ir.Expr] | None = None
) -> None:
    """1 + the number of seats in play with a better score, or whatever else measures them."""
    layout = lowering.unit.layout
    count = len(lowering.unit.world.seats)
    for seat in range(count):
        reg = lowering.unit.register()
        theirs: ir.Expr = ir.LoadAt(layout.scores, ir.Load(reg), count, 0)
        own: ir.Expr = ir.Load(layout.scores + seat)
        if measure is not None:
            theirs, own = measure(ir.Load(reg)), measure(ir.Const(seat))
        better = ir.Stream(
            (ir.Loop((reg,), ir.SeatsSource()), ir.Filter(ir.Compare(">", theirs, own))),
            ir.Const(1),
        )
        rank = ir.Arith("+", ir.Const(1), ir.Aggregate("count", better))
        playing = ir.Compare("<", ir.Const(seat), ir.Load(ir.PLAYERS))
        code.store(layout.ranks + seat, ir.Select(playing, rank, ir.Const(0)), SCORE)


def end_game(lowering: Lowering, code: Code, node: tree.EndGame, scope: Scope) -> None:
    """`end game`: as said here, or as the entry of `end` without a condition, or by `score`."""
    if node.outcome is not None:
        decl = EndDecl(node.outcome, node.seats, None, "the game is over", span=node.span)
        finish(lowering, code, decl, scope)
        return
    general = next((decl for decl in lowering.unit.gamedef.end if decl.when is None), None)
    if general is not None:
        finish(lowering, code, general, scope)
        return
    if not _store_by_score(lowering, code, node):
        return
    info = ir.EndInfo("score", ("the game is over",), lowering.unit.site(node.span, "end game"))
    if info not in lowering.ends:
        lowering.ends.append(info)
    code.emit(ir.Finish(lowering.ends.index(info)))


def measure(unit: Unit, node: tree.Expr, scope: Scope) -> Val | Broken:
    """How well a seat stands: a number, or a tuple of numbers."""
    value = value_of(unit, node, scope)
    if isinstance(value, Broken):
        return value
    items = value.type.items if value.type.kind == "tuple" else ()
    if items and all(item.kind == "int" and not item.optional for item in items):
        return value
    return check_type(unit, value, INT, node.span, node, scope)


def _store_by_score(lowering: Lowering, code: Code, node: tree.Node) -> bool:
    """Results from `score:`, which is written over `it`, one seat."""
    unit = lowering.unit
    score = unit.gamedef.score
    if score is None:
        unit.error(
            "no-result",
            node.span,
            "who has won?",
            "write `end game win SEAT`, `end game draw`, or give the game a `score:`",
        )
        return False
    measures: list[Val] = []
    for seat in range(len(unit.world.seats)):
        inner = Scope()
        inner.names["it"] = Local(Val(ir.Const(seat), seat_type(unit.world)))
        value = measure(unit, score, inner)
        if isinstance(value, Broken):
            return False
        measures.append(value)
    if measures[0].type.kind == "tuple":
        source = ir.ItemsSource(tuple(value.expr for value in measures))
        type_ = measures[0].type
        seq = Seq(source, type_, len(measures))
        listed = _listed(lowering, code, seq, len(type_.items), score)
        _store_measured(lowering, code, listed, len(type_.items), score)
    else:
        for seat, value in enumerate(measures):
            _store_score(lowering, code, seat, value.expr)
        code.call(_ranks(lowering))
    return True


def no_moves(lowering: Lowering, code: Code, scope: Scope, node: tree.Node) -> None:
    """What happens when the seat to act can do nothing."""
    unit = lowering.unit
    decided = False
    rule, unit.rule = unit.rule, "noMoves"
    for item in unit.gamedef.no_moves:
        if isinstance(item, EndDecl):
            otherwise = code.label()
            if item.when is not None:
                code.branch(condition(unit, item.when, scope), otherwise)
            finish(lowering, code, item, scope)
            code.mark(otherwise)
            decided = item.when is None
        else:
            block(lowering, code, item, scope)
            decided = True
    if not decided:
        code.emit(ir.FaultHere("no-moves", unit.site(node.span, f"{rule}: nobody can move")))
    unit.rule = rule

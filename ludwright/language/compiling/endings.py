"""How a game ends: `end`, `noMoves`, `end game`; scores and ranks."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from ludwright.kernel import program as ir
from ludwright.kernel.types import INT_MAX, INT_MIN, Type
from ludwright.language import tree
from ludwright.language.compiling import effects, names, presence
from ludwright.language.compiling.code import Code
from ludwright.language.compiling.expressions import (
    as_set,
    check_type,
    condition,
    expression,
    number,
    stream,
    to_stream,
)
from ludwright.language.compiling.lowering import Lowering
from ludwright.language.compiling.templates import reason_parts
from ludwright.language.compiling.unit import Local, Scope
from ludwright.language.compiling.values import Broken, Seq, Val, seat_type
from ludwright.language.gamedef import EndDecl

SCORE = Type("int", lo=INT_MIN, hi=INT_MAX)


def free_names(node: object) -> Iterator[str]:
    """Every bare name in an expression that no comprehension binds."""
    match node:
        case tree.Name(id=name):
            yield name
        case tree.Comp(head=head, clauses=clauses):
            bound = {name for c in clauses if isinstance(c, tree.For) for name in c.names}
            parts: list[object] = [head]
            for clause in clauses:
                parts.append(clause.source if isinstance(clause, tree.For) else clause.when)
            for part in parts:
                yield from (name for name in free_names(part) if name not in bound)
        case tree.Expr():
            for field in node.__dataclass_fields__:
                if field != "span":
                    yield from free_names(getattr(node, field))
        case tuple():
            for item in node:
                yield from free_names(item)


Mover = Literal["none", "known", "perhaps"]  # whether somebody has just moved


def can_end(game: Lowering) -> bool:
    """Whether there is an end to be checked."""
    return any(decl.when is not None for decl in game.unit.gamedef.end)


def end_check(game: Lowering, code: Code, scope: Scope, mover: Mover, at: tuple[str, ...]) -> None:
    """Test the ways to end, first listed first.

    A condition may name `actor` or the parameters of an action; it is then tested only at the end
    of moves that have them.
    """
    params = game.unit.action_params
    rule = game.unit.rule
    for decl in game.unit.gamedef.end:
        if decl.when is None or (decl.at and not set(decl.at) & set(at)):
            continue  # without a condition it is how `end game` ends
        used = {name for part in (decl.when, decl.seats, decl.score) for name in free_names(part)}
        if "actor" in used and mover == "none":
            continue
        if any(
            name in params and scope.find(name) is None and not names.is_known(game.unit, name)
            for name in used
        ):
            continue
        game.unit.rule = f"end: {decl.reason}"
        otherwise = code.label()
        if "actor" in used and mover == "perhaps":
            code.branch(ir.Compare(">=", ir.Load(ir.ACTOR), ir.Const(0)), otherwise)
        code.branch(condition(game.unit, decl.when, scope), otherwise)
        finish(game, code, decl, scope)
        code.mark(otherwise)
    game.unit.rule = rule


def finish(game: Lowering, code: Code, decl: EndDecl, scope: Scope) -> None:
    """Store the result and stop."""
    if decl.outcome == "score":
        assert decl.score is not None
        if not _store_scores(game, code, decl.score, scope):
            return
    else:
        seats = seats_of(game, decl.seats, scope)
        if seats is None:
            return
        _store_outcome(game, code, decl.outcome, seats)
    store_ranks(game, code)
    code.emit(ir.Finish(_end_number(game, decl)))


def _end_number(game: Lowering, decl: EndDecl) -> int:
    """One way to end is one entry, however many moves can lead to it."""
    known = game.end_numbers.get(id(decl))
    if known is None:
        reason = reason_parts(game, decl.reason, decl, Scope())
        site = game.unit.site(decl.span, f"end: {decl.reason}")
        game.ends.append(ir.EndInfo(decl.outcome, reason, site))
        known = game.end_numbers[id(decl)] = len(game.ends) - 1
        game.end_decls.append(decl)
    return known


def seats_of(game: Lowering, node: tree.Expr | None, scope: Scope) -> ir.Expr | None:
    """A set of seats from one seat, a collection, or `all`."""
    unit = game.unit
    item = seat_type(unit.world)
    if node is None or (isinstance(node, tree.Name) and node.id == "all"):
        return ir.MakeSet(ir.SeatsSource(), 0, item.hi)
    compiled = expression(unit, node, scope, item)
    if isinstance(compiled, Val) and compiled.type.kind == "seat":
        seat = check_type(unit, compiled, item, node.span, node, scope)
        if isinstance(seat, Broken):
            return None
        compiled = Seq(ir.ItemsSource((seat.expr,)), item, 1)
    sequence = to_stream(unit, compiled, node.span)
    if isinstance(sequence, Broken):
        return None
    if sequence.elem.kind != "seat":
        unit.error(
            "wrong-type",
            node.span,
            "seats are needed here",
            "name a seat, `actor`, `all`, or `p for p in seats if …`",
        )
        return None
    chosen = as_set(unit, sequence, item, node.span)
    return None if isinstance(chosen, Broken) else chosen.expr


def _store_outcome(game: Lowering, code: Code, outcome: str, seats: ir.Expr) -> None:
    """Winners get 1 and the others -1; losers -1 and the others 1; those who draw 0."""
    inside, outside = {"win": (1, -1), "lose": (-1, 1), "draw": (0, -1)}[outcome]
    item = seat_type(game.unit.world)
    chosen = game.unit.register()
    code.store(chosen, seats, Type("set", items=(item,)))
    for seat in range(len(game.unit.world.seats)):
        member = ir.InSet(ir.Const(seat), ir.Load(chosen), 0)
        score = ir.Select(member, ir.Const(inside), ir.Const(outside))
        _store_score(game, code, seat, score)


def _store_score(game: Lowering, code: Code, seat: int, score: ir.Expr) -> None:
    playing = ir.Compare("<", ir.Const(seat), ir.Load(ir.PLAYERS))
    addr = game.unit.layout.scores + seat
    code.store(addr, ir.Select(playing, score, ir.Const(0)), SCORE)


def _store_scores(game: Lowering, code: Code, node: tree.Expr, scope: Scope) -> bool:
    """`score: e for p in seats`: one number per seat, in seat order."""
    unit = game.unit
    sequence = stream(unit, node, scope)
    if isinstance(sequence, Broken):
        return False
    if sequence.elem.kind != "int":
        unit.error(
            "not-a-number",
            node.span,
            "a score is a number for each seat",
            "write `score: p.points for p in seats`",
        )
        return False
    if sequence.elem.optional:
        presence.report(unit, sequence.elem, sequence.elem, node.span)
        return False
    count = len(unit.world.seats)
    listed = unit.register()
    site = unit.site(node.span)
    code.store(
        listed,
        ir.MakeList(sequence.source, max(1, sequence.cap), site=site),
        Type("list", items=(SCORE,), cap=max(1, sequence.cap)),
    )
    for seat in range(count):
        _store_score(game, code, seat, ir.ListItem(ir.Load(listed), ir.Const(seat), site))
    return True


def store_ranks(game: Lowering, code: Code) -> None:
    """1 + the number of seats in play with a better score."""
    layout = game.unit.layout
    count = len(game.unit.world.seats)
    for seat in range(count):
        reg = game.unit.register()
        theirs = ir.LoadAt(layout.scores, ir.Load(reg), count, 0)
        better = ir.Stream(
            (
                ir.Loop((reg,), ir.SeatsSource()),
                ir.Filter(ir.Compare(">", theirs, ir.Load(layout.scores + seat))),
            ),
            ir.Const(1),
        )
        rank = ir.Arith("+", ir.Const(1), ir.Aggregate("count", better))
        playing = ir.Compare("<", ir.Const(seat), ir.Load(ir.PLAYERS))
        code.store(layout.ranks + seat, ir.Select(playing, rank, ir.Const(0)), SCORE)


def end_game(game: Lowering, code: Code, node: tree.EndGame, scope: Scope) -> None:
    """`end game`: as said here, or as the entry of `end` without a condition, or by `score`."""
    if node.outcome is not None:
        decl = EndDecl(node.outcome, node.seats, None, "the game is over", span=node.span)
        finish(game, code, decl, scope)
        return
    general = next((decl for decl in game.unit.gamedef.end if decl.when is None), None)
    if general is not None:
        finish(game, code, general, scope)
        return
    if game.unit.gamedef.score is None:
        game.unit.error(
            "no-result",
            node.span,
            "who has won?",
            "write `end game win SEAT`, `end game draw`, or give the game a `score:`",
        )
        return
    _finish_by_score(game, code, scope, node)


def _finish_by_score(game: Lowering, code: Code, scope: Scope, node: tree.Node) -> None:
    """`score:` is written over `it`, one seat."""
    unit = game.unit
    score = unit.gamedef.score
    assert score is not None
    for seat in range(len(unit.world.seats)):
        inner = Scope()
        inner.names["it"] = Local(Val(ir.Const(seat), seat_type(unit.world)))
        value = number(unit, score, inner)
        if isinstance(value, Broken):
            return
        _store_score(game, code, seat, value.expr)
    store_ranks(game, code)
    info = ir.EndInfo("score", ("the game is over",), unit.site(node.span, "end game"))
    if info not in game.ends:
        game.ends.append(info)
    code.emit(ir.Finish(game.ends.index(info)))


def no_moves(game: Lowering, code: Code, scope: Scope, node: tree.Node) -> None:
    """What happens when the seat to act can do nothing."""
    unit = game.unit
    decided = False
    rule, unit.rule = unit.rule, "noMoves"
    for item in unit.gamedef.no_moves:
        if isinstance(item, EndDecl):
            otherwise = code.label()
            if item.when is not None:
                code.branch(condition(unit, item.when, scope), otherwise)
            finish(game, code, item, scope)
            code.mark(otherwise)
            decided = item.when is None
        else:
            effects.block(game, code, item, scope)
            decided = True
    if not decided:
        code.emit(ir.FaultHere("no-moves", unit.site(node.span, f"{rule}: nobody can move")))
    unit.rule = rule

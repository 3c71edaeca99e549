"""Checks of the whole game that no single construct can make."""

from __future__ import annotations

from ludwright import program as ir
from ludwright.diagnostics import Span
from ludwright.language import tree
from ludwright.language.compiling.code import Code
from ludwright.language.compiling.expressions import builtins, names
from ludwright.language.compiling.lowering import Lowering
from ludwright.language.compiling.proofs import (
    after_chance,
    answerable,
    flow_choices,
    hidden,
    narrow_ranges,
    phases_reached,
    sealed,
    snapshots,
    supplies,
    zones,
)
from ludwright.language.compiling.proofs.contents import Contents
from ludwright.language.compiling.proofs.facts import Facts
from ludwright.language.compiling.tree_walk import nodes_in
from ludwright.language.gamedef import ActionDecl, EndDecl
from ludwright.language.world.encoding import choices as one_of
from ludwright.program.flow import reachable, suspending, suspends
from ludwright.spelling import did_you_mean

PIECE_WORDS = ("kind", "name", "place", "zone")  # what is told of every piece
# Effects that change nothing themselves, only by what stands in them.
CHANGELESS = (
    tree.Let, tree.Do, tree.Require, tree.Say, tree.Fault, tree.Return, tree.Stop, tree.Window,
    tree.IfEffect, tree.ForEach, tree.Repeat, tree.ChooseOne, tree.ChooseN, tree.Menu,
)  # fmt: skip


def declarations(lowering: Lowering) -> None:
    """Names that would be confused with something else."""
    unit = lowering.unit
    for function in unit.gamedef.functions:
        if function.name in builtins.FUNCTIONS:
            unit.error(
                "name-clash",
                function.span,
                f"`{function.name}` is a built-in function",
                f"use another name, e.g. `my{function.name.capitalize()}`",
            )
        elif function.name in unit.declared_procs:
            unit.error(
                "name-clash",
                function.span,
                f"`{function.name}` is both a function and a procedure",
                "rename one of the two",
            )
    for name, slot in unit.layout.globals.items():
        if slot.states and name in unit.world.enums:
            continue  # a marker's states are an enum of the marker's own name
        if names.kernel_name(unit, name, None) is not None or names.candidates(unit, name):
            decl = next((v for v in unit.gamedef.vars if v.name == name), None)
            unit.error(
                "name-clash",
                decl.span if decl else None,
                f"the variable `{slot.variable.name}` has the name of something else",
                "rename the variable",
            )
    for piece in unit.gamedef.pieces:
        for prop in (*(p[0] for p in piece.props), *(p[0] for p in piece.each)):
            if prop in PIECE_WORDS:
                unit.error(
                    "name-clash",
                    piece.span,
                    f"every piece has a `{prop}` already; `{piece.name}` cannot declare its own",
                    "use another name, e.g. `type`",
                )
    for action in unit.gamedef.actions:
        _has_effects(lowering, action)
        for phase in action.phases:
            if phase not in {p.id for p in unit.gamedef.phases}:
                unit.error(
                    "unknown-phase",
                    action.span,
                    f"action `{action.id}` names the phase `{phase}`, which does not exist",
                    did_you_mean(phase, [p.id for p in unit.gamedef.phases])
                    or one_of(p.id for p in unit.gamedef.phases)
                    or "declare it under `phases:`",
                )


def _has_effects(lowering: Lowering, action: ActionDecl) -> None:
    """An action whose effects change nothing is a mistake; one without effects is a pass."""
    body = (*action.cost, *action.effects)
    effects = (node for node in nodes_in(body) if isinstance(node, tree.Effect))
    if body and all(isinstance(effect, CHANGELESS) for effect in effects):
        lowering.unit.diagnostics.warning(
            "no-effect",
            action.span,
            f"action `{action.id}` changes nothing",
            "give it an effect, or leave `effects` out if it is a pass",
        )


def after_lowering(lowering: Lowering) -> None:
    _offers_end(lowering)
    phases_reached.check(lowering)
    _loops_bounded(lowering)
    contents = Contents(lowering)
    zones.check(lowering, contents)
    facts = Facts(lowering, contents)
    answerable.prove(lowering, facts)
    sealed.check(lowering, facts)
    hidden.check(lowering, facts)
    hidden.mark_barriers(lowering, facts)
    after_chance.check(lowering, facts)
    flow_choices.check(lowering, facts)
    supplies.check(lowering)
    _can_end(lowering)
    _ends_can_come(lowering)
    narrow_ranges.tell(lowering.unit)


def _can_end(lowering: Lowering) -> None:
    """Of rules that are sound: an `end` entry, a statement, or a flow ends the game."""
    gamedef, diagnostics = lowering.unit.gamedef, lowering.unit.diagnostics
    ends = (*gamedef.end, *(item for item in gamedef.no_moves if isinstance(item, EndDecl)))
    if ends or gamedef.flow or tree.EndGame in lowering.kinds_of_effects or not diagnostics.ok:
        return
    diagnostics.warning(
        "no-end",
        gamedef.span,
        "nothing can end this game",
        "say when it is over: `end: [{ when: …, win: actor, reason: … }]`",
    )


def _ends_can_come(lowering: Lowering) -> None:
    """An ending that waits for a number which its variable cannot hold."""
    for decl in lowering.unit.gamedef.end:
        parts: list[tree.Expr] = [] if decl.when is None else [decl.when]
        while parts:
            part = parts.pop()
            if isinstance(part, tree.Binary) and part.op == "and":
                parts += [part.left, part.right]
            elif id(part) in lowering.unit.never:
                lowering.unit.diagnostics.warning(
                    "never-true",
                    part.span,
                    "this can never be: the numbers on its two sides do not meet",
                    "widen the range of the variable under `vars:`, or change the number here",
                )


def _offers_end(lowering: Lowering) -> None:
    """An action must not offer itself again before it is over: a move would have no end, and
    each procedure has only one place for its locals. Other recursion is found where it is
    compiled."""
    by_entry = {code.entry: code for code in lowering.codes}
    finished: set[int] = set()
    told: set[tuple[int, int]] = set()

    def visit(code: Code, chain: list[tuple[Code, int]]) -> None:
        for index, instr in enumerate(code.instrs):
            if not isinstance(instr, ir.CallProc) or instr.entry in finished:
                continue
            way = [*chain, (code, index)]
            start = next((n for n, (c, _) in enumerate(way) if c.entry == instr.entry), None)
            if start is None:
                visit(by_entry[instr.entry], way)
                continue
            circle = way[start:]
            for owner, at in reversed(circle):  # the offer that closes it
                if (owner.entry, at) in lowering.offered_at and (owner.entry, at) not in told:
                    told.add((owner.entry, at))
                    _offers_itself(lowering, owner, at, [code for code, _ in circle])
                    break
        finished.add(code.entry)

    for code in lowering.codes:
        if code.entry not in finished:
            visit(code, [])


def _offers_itself(lowering: Lowering, owner: Code, at: int, circle: list[Code]) -> None:
    call = owner.instrs[at]
    assert isinstance(call, ir.CallProc)
    first = next(n for n, code in enumerate(circle) if code.entry == call.entry)
    names = [code.name for code in (*circle[first:], *circle[:first])]
    chain = " → ".join(f"`{name}`" for name in (*names, names[0]))
    lowering.unit.error(
        "recursion",
        lowering.offered_at[(owner.entry, at)],
        f"`{names[0]}` is offered again before it is over: {chain}",
        "offer it after the move (in the `flow`, or as an action of the phase), or put the "
        "offer into a bounded `repeat`",
    )


def _loops_bounded(lowering: Lowering) -> None:
    """A `repeat` without `max` must meet a decision or chance on every way through."""
    stopping = suspending({code.entry: code.instrs for code in lowering.codes})
    for code, start, end, span in lowering.unbounded_loops:
        # A mistake inside may have cost the loop its decision: judge it when that is mended.
        spoilt = any(_inside(item.span, span) for item in lowering.unit.diagnostics.errors)
        if not spoilt and _escapes(code, start, end, stopping):
            lowering.unit.error(
                "unbounded-loop",
                span,
                "this loop could go on forever",
                "give it a `max`, or make sure every pass asks a decision or rolls",
            )


def _inside(inner: Span | None, outer: Span | None) -> bool:
    return (
        inner is not None
        and outer is not None
        and inner.file == outer.file
        and outer.line <= inner.line <= outer.end_line
    )


def _escapes(code: Code, start: int, end: int, stopping: set[int]) -> bool:
    """Whether the end of a loop's body can be reached without a decision or chance."""

    def following(index: int) -> list[int]:
        instr = code.instrs[index]
        called = isinstance(instr, ir.CallProc) and instr.entry in stopping
        if called or suspends(instr) or not start <= index < end:
            return []
        return code.successors(index)

    return end in reachable((start,), following)


def program(lowering: Lowering, linked: ir.Program) -> None:
    """Checks that need the linked program."""
    snapshots.check(lowering, linked)

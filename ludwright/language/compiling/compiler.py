"""The order of compilation, from declarations to a linked Program."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from ludwright import program as ir
from ludwright.diagnostics import Diagnostics
from ludwright.language import tree
from ludwright.language.compiling import unused
from ludwright.language.compiling.code import Code
from ludwright.language.compiling.constructs import EFFECTS, EXPRESSIONS
from ludwright.language.compiling.effects import local_types, procedures
from ludwright.language.compiling.effects.assignments import coerce
from ludwright.language.compiling.effects.histories import declare_histories
from ludwright.language.compiling.explanations import explained
from ludwright.language.compiling.expressions import attributes, calls, constants
from ludwright.language.compiling.expressions.type_check import value_of
from ludwright.language.compiling.layout import build_layout
from ludwright.language.compiling.linking import decision_ids, tick_charges
from ludwright.language.compiling.linking.link import link
from ludwright.language.compiling.lowering import ACTIONS, Lowering
from ludwright.language.compiling.proofs import checks, refusals
from ludwright.language.compiling.proofs.finish_conditions import Finishing
from ludwright.language.compiling.rules import (
    actions,
    hints,
    interrupts,
    looks,
    phases,
    presentation,
    templates,
    triggers,
)
from ludwright.language.compiling.sites import placed
from ludwright.language.compiling.tree_walk import NodesByKind, nodes_in
from ludwright.language.compiling.unit import LetKey, Scope, Unit
from ludwright.language.compiling.values import Broken, seat_type
from ludwright.language.gamedef import GameDef, ModifierDecl, ParamDecl, VarDecl
from ludwright.language.reading.limits import ReadingStopped, limited
from ludwright.language.world import TypeResolver, build_world
from ludwright.program import cells as storage
from ludwright.program.ranges import misfit
from ludwright.program.types import Type
from ludwright.program.world import World
from ludwright.spelling import did_you_mean


def compile_game(
    gamedef: GameDef,
    overrides: Mapping[str, int | bool],
    diagnostics: Diagnostics,
    checks: Sequence[tree.Expr] = (),
    hints: bool = False,
) -> ir.Program | None:
    """A Program, or None if there are errors; either way everything found is in `diagnostics`.

    `checks`: conditions about the game that its tests want to know (`Program.checks`). `hints`: the
    Program is made for searches, and keeps what the rulebook tells bots.
    """
    said = len(diagnostics.items)
    grown: dict[LetKey, Type] = {}
    try:
        for _ in range(local_types.MAX_ROUNDS):
            known = dict(grown)
            reported = limited(diagnostics)
            program = _compile(gamedef, overrides, reported, grown, checks, hints, may_grow=True)
            if grown == known:
                return program
            del diagnostics.items[said:]  # some locals were too narrow: say it all again
        reported = limited(diagnostics)
        return _compile(gamedef, overrides, reported, grown, checks, hints, may_grow=False)
    except ReadingStopped:  # too many problems, which has been said
        return None
    except RecursionError:  # long chains of calls whose expressions are deep as well
        diagnostics.error(
            "calls-too-deep",
            gamedef.span,
            "functions and procedures call each other too deeply",
            "use simpler expressions in them, and shorter chains of calls",
        )
        return None


def _compile(
    gamedef: GameDef,
    overrides: Mapping[str, int | bool],
    diagnostics: Diagnostics,
    grown: dict[LetKey, Type],
    conditions: Sequence[tree.Expr],
    with_hints: bool,
    may_grow: bool,
) -> ir.Program | None:
    known = dict(grown)
    world = build_world(gamedef, overrides, diagnostics)
    types = TypeResolver(world, diagnostics)
    nodes = NodesByKind(gamedef)
    layout = build_layout(gamedef, world, types, diagnostics, nodes)
    unit = Unit(
        EXPRESSIONS, gamedef, world, types, layout, diagnostics, nodes,
        grown=grown, may_grow=may_grow,
    )  # fmt: skip
    unit.declared_functions = {f.name: f for f in gamedef.functions}
    unit.declared_procs = {p.name: p for p in gamedef.procs}
    unit.label_sets[ACTIONS] = tuple(action.id for action in gamedef.actions)
    lowering = Lowering(EFFECTS, unit)
    _modifiers(unit)
    _defaults(lowering)
    declare_histories(unit)
    checks.declarations(lowering)
    stages = {stage.name for operation in gamedef.operations for stage in operation.stages}
    triggers.check_subjects(lowering, stages)
    triggers.allocate_queue(lowering)
    actions.declare_usage(lowering)
    interrupts.declare(lowering)
    main = phases.main(lowering)
    triggers.build_dispatch(lowering)
    score = _score(unit)
    lowering.shown = presentation.shown(lowering)
    looks.check(unit)
    unit.rule = "check"
    lowering.checks = tuple(explained(unit, node, Scope()) for node in conditions)
    hints.mark_used(unit)
    _compile_unused(lowering)
    unused.compile_unreached(lowering)
    _notations(lowering)
    value = hints.compiled(lowering, with_hints)
    if may_grow and grown != known:
        return None  # all of it is compiled again, and checked then
    checks.after_lowering(lowering)
    if not diagnostics.ok:  # calls may go round in circles: nothing below may follow them
        return None
    decision_ids.name_choices(lowering)
    program = _assemble(lowering, main, world, score if value is None else value)
    if with_hints:
        program = replace(program, hints=hints.hints(lowering, program.choices))
    checks.program(lowering, program)
    program = tick_charges.charged(unit, program)
    return program if diagnostics.ok else None


def _assemble(
    lowering: Lowering, main: Code, world: World, score: tuple[int, ir.Expr] | None
) -> ir.Program:
    unit, layout = lowering.unit, lowering.unit.layout
    lowering.choices[:] = [_placed_choice(choice) for choice in lowering.choices]
    linked = link(lowering, main)
    functions = tuple(linked.relocate(function) for function in unit.functions)
    ends = tuple(linked.relocate(end) for end in lowering.ends)
    histories = tuple(linked.relocate(history) for history in unit.histories)
    placed_score = linked.relocate(score)
    shown, asked = linked.relocate(lowering.shown), linked.relocate(lowering.checks)
    spellings = {name: linked.relocate(found) for name, found in lowering.spellings.items()}
    sites = tuple(_placed_site(site, linked.relocate) for site in unit.sites)
    refusing = refusals.refusing(linked.code, linked.choices, functions, lowering.proven)
    choices = refusals.mark_safe(linked.code, linked.choices, refusing)
    finishing = Finishing(
        linked.code, choices, functions, refusing, linked.cells, len(linked.register_numbers)
    )
    choices = finishing.marked()
    fixed = _fixed_properties(unit)
    return ir.Program(
        world=world,
        cells=linked.cells,
        registers=finishing.registers,
        initial=tuple(layout.initial) + (0,) * (linked.cells - layout.cells),
        code=linked.code,
        tables=tuple(unit.tables),
        rows=tuple(unit.rows),
        functions=functions,
        choices=choices,
        heads=tuple(lowering.heads),
        actions=tuple(lowering.actions),
        ends=ends,
        variables=tuple(layout.variables),
        histories=histories,
        procedures=linked.procedures,
        phases=tuple(phase.id for phase in unit.gamedef.phases),
        scenarios=tuple(scenario.id for scenario in unit.gamedef.scenarios),
        sites=sites,
        labels=dict(unit.label_sets),
        entry=linked.procedures[0].entry,
        piece_place=layout.piece_place,
        piece_next=layout.piece_next,
        place_head=layout.place_head,
        place_count=layout.place_count,
        deck_top=layout.deck_top,
        deck_bottom=layout.deck_bottom,
        revealed=layout.revealed,
        scores=layout.scores,
        ranks=layout.ranks,
        score=placed_score,
        fixed_properties=fixed,
        refusing=refusing,
        shown=shown,
        checks=asked,
        words=presentation.words(unit.gamedef, [one.name for one in layout.variables], spellings),
    )


def _fixed_properties(unit: Unit) -> dict[str, int]:
    """The tables of the properties that no piece ever changes; makes those that are missing."""
    return {
        prop.name: found[0]
        for kind in unit.world.kinds
        for prop in kind.properties
        if prop.fixed
        and prop.name not in unit.layout.piece_props
        and (found := attributes.fixed_property(unit, prop.name)) is not None
    }


def _placed_site(site: ir.Site, relocate: Callable[[Any], Any]) -> ir.Site:
    if not site.conditions and not site.dropped:
        return site
    conditions, dropped = relocate(site.conditions), relocate(site.dropped)
    return replace(site, conditions=conditions, dropped=dropped)


def _placed_choice(choice: ir.Choice) -> ir.Choice:
    return placed(choice, choice.site)


# ------------------------------------------------------------ before the procedures


def _modifiers(unit: Unit) -> None:
    """Which modifiers change which value, by priority, then in the order of the text."""
    found: list[tuple[int, int, str, tuple[ModifierDecl, int]]] = []
    for number_, modifier in enumerate(unit.gamedef.modifiers):
        for position, change in enumerate(modifier.changes):
            decl = unit.declared_functions.get(change.target)
            if decl is None or not decl.modifiable:
                values = [f.name for f in unit.gamedef.functions if f.modifiable]
                unit.error(
                    "unknown-value",
                    change.span,
                    f"there is no value `{change.target}` to change",
                    did_you_mean(change.target, values) or "declare it under `values:`",
                )
                continue
            if len(change.params) != len(decl.params):
                unit.error(
                    "arity",
                    change.span,
                    f"`{change.target}` has {len(decl.params)} parameters, not "
                    f"{len(change.params)}",
                    f"write `{change.target}({', '.join(p.name for p in decl.params)})`",
                )
                continue
            found.append((modifier.priority, number_, change.target, (modifier, position)))
    for _, _, target, entry in sorted(found, key=lambda item: item[:2]):
        unit.modifiers.setdefault(target, []).append(entry)


def _defaults(lowering: Lowering) -> None:
    """Initial values of the declared variables."""
    unit = lowering.unit
    for decl in unit.gamedef.vars:
        slots = {
            "global": unit.layout.globals,
            "seat": unit.layout.seat_vars,
            "space": unit.layout.space_vars,
        }[decl.scope]
        slot = slots.get(decl.name)
        if slot is None:
            continue
        variable = slot.variable
        cells = _default_cells(lowering, decl, variable.type)
        for copy in range(slot.count):
            at = variable.addr + copy * variable.type.width
            unit.layout.initial[at : at + len(cells)] = cells


def _default_cells(lowering: Lowering, decl: VarDecl, type_: Type) -> list[int]:
    blank = [0] * type_.width
    if type_.is_scalar:
        blank = [type_.none if type_.optional else type_.lo if type_.lo > 0 else min(0, type_.hi)]
        if type_.kind != "int" and not type_.optional:
            blank = [type_.lo]
    if decl.default is None:
        return blank
    unit = lowering.unit
    unit.rule = f"variable {decl.name}"
    value = value_of(unit, decl.default, Scope(), type_)
    if isinstance(value, Broken):
        return blank
    expr = coerce(lowering, value, type_, decl.default, Scope())
    if expr is None:
        return blank
    constant = constants.evaluate(expr, unit)
    if constant is None:
        unit.error(
            "not-constant",
            decl.default.span,
            "an initial value must be a constant",
            "set it in `setup:` instead",
        )
        return blank
    wrong_in = misfit(unit.world, type_, declared=True)
    wrong = None if wrong_in is None else wrong_in(constant)
    if wrong is not None:
        value_, limit = wrong
        instead = "change the value, or the type under `vars:`"
        unit.error(
            "out-of-range", decl.default.span, limit.trouble.reason.format(a=value_), instead
        )
        return blank
    cells = [0] * type_.width
    storage.encoder(type_)(cells, 0, constant)
    return cells


# ------------------------------------------------------------- after the procedures


def _score(unit: Unit) -> hints.Measure | None:
    score = unit.gamedef.score
    return None if score is None else hints.measure(unit, score, "score")


def _compile_unused(lowering: Lowering) -> None:
    """What nothing uses is compiled too, as far as its types are known: mistakes are mistakes.

    The code is thrown away again. What is unused is told only when all else is well: an error
    often hides the uses.
    """
    unit = lowering.unit
    well = unit.diagnostics.ok
    for decl in unit.gamedef.procs:
        if decl.name in unit.used_names:
            continue
        if well:
            unit.diagnostics.warning(
                "unused", decl.span, f"nothing calls the procedure `{decl.name}`", "remove it"
            )
        types = _declared_types(unit, decl.params)
        if types is not None:
            codes, made = len(lowering.codes), len(lowering.choices)
            procedures.instance(lowering, decl, types, True, True)
            del lowering.codes[codes:]
            del lowering.choices[made:]
    for function in unit.gamedef.functions:
        if function.name in unit.used_names:
            continue
        if well:
            unit.diagnostics.warning(
                "unused",
                function.span,
                f"nothing uses the function `{function.name}`",
                "remove it",
            )
        types = _declared_types(unit, function.params)
        if types is not None:
            calls.instance(unit, function, types)


def _declared_types(unit: Unit, params: tuple[ParamDecl, ...]) -> tuple[Type, ...] | None:
    """The types of all parameters, if the text states them."""
    found = [unit.types.resolve(p.type) if p.type is not None else None for p in params]
    types = tuple(type_ for type_ in found if type_ is not None)
    return types if len(types) == len(params) else None


def _notations(lowering: Lowering) -> None:
    unit = lowering.unit
    for action in unit.gamedef.actions:
        operation = actions.operation_of(lowering, action)
        known = {param.name for param in action.params} | {"actor"}
        bodies: tuple[object, ...] = (action.cost, action.effects)
        if operation is not None:
            bodies += (operation.stages,)
        known |= {
            node.bind
            for node in nodes_in(bodies)
            if isinstance(node, tree.ChooseOne | tree.ChooseN)
            or (isinstance(node, tree.Menu) and node.bind is not None)
            if node.bind is not None
        }
        template = None
        if action.notation is not None:
            template = templates.notation(
                action.notation, known, action.notation_span or action.span, unit.diagnostics
            )
        unit.rule = f"action {action.id}: notation"
        types = {"actor": seat_type(unit.world)}
        types |= {name: found for name, found in lowering.answer_types.items() if name in known}
        if action.spellings:
            lowering.spellings[action.id] = tuple(
                templates.spelling(lowering, text, known, types, action)
                for text in action.spellings
            )
        site = unit.site(action.span, f"action {action.id}")
        lowering.actions.append(
            ir.ActionInfo(
                action.id,
                tuple(param.name for param in action.params),
                template,
                template=operation is not None,
                site=site,
            )
        )

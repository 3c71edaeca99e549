"""The state of lowering one game: procedures, choices, heads, and what cuts across effects.

Each construct has its own module (`actions`, `phases`, `events`, `operations`, `triggers`,
`endings`, `procedures`); this class is where they meet.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from ludwright import program as ir
from ludwright.cached import cached_property
from ludwright.diagnostics import Span
from ludwright.language import tree
from ludwright.language.compiling.code import Code, Procedure
from ludwright.language.compiling.tree_walk import asked_of_others
from ludwright.language.compiling.unit import Local, Scope, Unit
from ludwright.language.gamedef import EndDecl, LimitDecl, OperationDecl, SpecialDecl, TurnDecl
from ludwright.program.flow import callees, reachable
from ludwright.program.types import Type

ACTIONS = "__actions"  # the label set of all actions
SPECIAL = "special"  # what the names of the decisions of a special activity begin with

# A zone or group of spaces: its name, its places, and how much may lie in each of them.
Limited = tuple[str, frozenset[int], tuple[LimitDecl, ...]]


@dataclass
class Windows:
    """Special activities that may accompany one operation, while it is compiled."""

    operation: OperationDecl
    specials: tuple[SpecialDecl, ...]
    used: int  # cell: 0 none yet, else which special in which window, from 1
    scope: Scope
    # (flag cell, operation bind, special bind, its local) still to be checked at the end
    pending: list[tuple[int, str, str, Local, bool]]
    entries: int = 0  # specials in windows so far


@dataclass(frozen=True)
class Sealed:
    """A sealed choice that says nothing for the case that a seat has no option."""

    seats: ir.Source  # who is asked
    span: Span | None


@dataclass
class Lowering:
    effects: EffectCompilers
    unit: Unit
    codes: list[Code] = field(default_factory=list)
    choices: list[ir.Choice] = field(default_factory=list)
    heads: list[ir.Head] = field(default_factory=list)
    ends: list[ir.EndInfo] = field(default_factory=list)
    end_numbers: dict[int, int] = field(default_factory=dict)  # id of the declaration -> end
    end_decls: list[EndDecl] = field(default_factory=list)  # kept alive: their ids are the keys
    actions: list[ir.ActionInfo] = field(default_factory=list)
    spellings: dict[str, tuple[ir.Spelling, ...]] = field(default_factory=dict)  # by action
    answer_types: dict[str, Type] = field(default_factory=dict)  # by name of a choice
    procedures: dict[tuple[object, ...], Procedure] = field(default_factory=dict)
    procedure_stack: list[str] = field(default_factory=list)
    action_codes: dict[tuple[object, ...], Code] = field(default_factory=dict)
    event_codes: dict[tuple[object, ...], Code] = field(default_factory=dict)
    event_by: dict[int, int] = field(default_factory=dict)  # code of a card -> cell of who decides
    action_by: dict[int, int] = field(default_factory=dict)  # the same of actions offered with `as`
    trigger_codes: dict[tuple[str, bool], Procedure] = field(default_factory=dict)
    phase_codes: dict[int, Code] = field(default_factory=dict)
    shared: dict[str, Code] = field(default_factory=dict)  # dispatch, next turn, …
    usage: dict[tuple[str, str], int] = field(default_factory=dict)  # (action, scope) -> cells
    queue: int = -1  # cells of the trigger queue
    # While queued triggers are compiled that can offer actions: what such an action sets off
    # waits in the queue that is being worked off, so it does not run the queue itself.
    dispatching: bool = False
    place_origin: dict[int, ir.Expr] = field(default_factory=dict)
    limit_functions: dict[tuple[str, int], int] = field(default_factory=dict)
    # loops without a bound: allowed in flow if every pass meets a decision or chance
    unbounded_loops: list[tuple[Code, int, int, Span | None]] = field(default_factory=list)
    # choices whose options were tested by the guard of the offer
    proven: set[int] = field(default_factory=set)
    sealed: dict[int, Sealed] = field(default_factory=dict)  # by number of the choice
    # calls of offered actions: (entry of the caller, instruction) -> where the offer stands
    offered_at: dict[tuple[int, int], Span | None] = field(default_factory=dict)
    # choices of offers that ask nobody who can only pass: where they stand
    passed_over: dict[int, Span | None] = field(default_factory=dict)
    interrupts: dict[int, int] = field(default_factory=dict)  # phase -> cell of its request
    flow_code: Code | None = None  # the code of the flow, once it is compiled
    open_windows: list[Windows] = field(default_factory=list)
    pinned: set[int] = field(default_factory=set)  # slots that other procedures read
    label_types: dict[tuple[str, ...], Type] = field(default_factory=dict)
    used_phases: set[str] = field(default_factory=set)
    turn: TurnDecl | None = None  # see `phases.turn_of`
    # by phase: what `next phase` asks for there, as PENDING_PHASE holds it
    next_phases: tuple[int, ...] | None = None
    setting_up: bool = False  # while set-up is lowered
    shown: tuple[ir.Shown, ...] = ()
    checks: tuple[tuple[ir.Condition, ...], ...] = ()

    # ------------------------------------------------------------------ building

    @cached_property
    def kinds_of_effects(self) -> frozenset[type[tree.Node]]:
        return self.unit.nodes.effects

    @cached_property
    def asked_of_others(self) -> frozenset[str]:
        return asked_of_others(self.unit.gamedef, self.unit.nodes)

    @cached_property
    def operations(self) -> dict[str, OperationDecl]:
        """By the action that carries it out; of several the first."""
        return {decl.action: decl for decl in reversed(self.unit.gamedef.operations)}

    @cached_property
    def limited(self) -> list[Limited]:
        """The zones and groups that have limits."""
        world, gamedef = self.unit.world, self.unit.gamedef
        found = [(zone.name, world.zones.get(zone.name, ()), zone.limits) for zone in gamedef.zones]
        found += [
            (group.name, world.groups.get(group.name, ()), group.limits) for group in gamedef.spaces
        ]
        return [(name, frozenset(members), limits) for name, members, limits in found if limits]

    @cached_property
    def limited_at(self) -> dict[int, list[int]]:
        """By place: the numbers of those in `limited` that it belongs to."""
        found: dict[int, list[int]] = {}
        for number, (_, members, _) in enumerate(self.limited):
            for place in members:
                found.setdefault(place, []).append(number)
        return found

    @cached_property
    def assigned(self) -> frozenset[str]:
        """Every bare name that some rule assigns to."""
        nodes = self.unit.nodes
        targets: list[tree.Expr] = [node.target for node in nodes.of(tree.SetVar)]
        targets += [node.target for node in nodes.of(tree.AddVar)]
        targets += [node.target for node in nodes.of(tree.ShiftMarker)]
        rolled = (node.bind for node in nodes.of(tree.RollRandom))
        return frozenset((*(one.id for one in targets if isinstance(one, tree.Name)), *rolled))

    def new_code(
        self,
        name: str,
        in_move: bool,
        decider: ir.Expr,
        action: int = -1,
        decider_is_actor: bool = True,
    ) -> Code:
        code = Code(self.unit, self.choices, name, in_move, decider, decider_is_actor, action)
        self.codes.append(code)
        return code

    def head(self, name: str, kind: ir.HeadKind) -> int:
        self.heads.append(ir.Head(name, kind))
        return len(self.heads) - 1

    def add_choice(self, code: Code, choice: ir.Choice) -> int:
        if code.prefix:
            choice = replace(choice, name=code.prefix + choice.name)
        self.choices.append(choice)
        return len(self.choices) - 1

    def asks(self, code: Code) -> bool:
        """Whether a decision can be met in a procedure or behind it."""
        bodies = {other.entry: other.instrs for other in self.codes}
        entries = reachable((code.entry,), lambda entry: callees(bodies[entry]))
        return any(isinstance(instr, ir.Choose) for entry in entries for instr in bodies[entry])

    def label_type(self, labels: tuple[str, ...]) -> Type:
        known = self.label_types.get(labels)
        if known is None:
            name = f"labels{len(self.unit.label_sets)}"
            self.unit.label_sets[name] = labels
            known = self.label_types[labels] = Type("label", name, 0, len(labels) - 1)
        return known

    def emit_named(self, code: Code, event: str, name: str) -> None:
        """An event that only carries a name of the rulebook."""
        code.emit(ir.Emit(event, (("name", ir.Const(0), self.label_type((name,))),)))


# Compiles an effect of one class.
EffectCompiler = Callable[[Lowering, Code, Any, Scope], object]
EffectCompilers = Mapping[type[tree.Effect], EffectCompiler]

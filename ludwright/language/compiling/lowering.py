"""The state of lowering one game: procedures, choices, heads, and what cuts across effects.

Each construct has its own module (`actions`, `phases`, `events`, `operations`, `triggers`,
`endings`, `procedures`); this class is where they meet.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from ludwright.cached import cached_property
from ludwright.diagnostics import Span
from ludwright.kernel import program as ir
from ludwright.kernel.types import Type
from ludwright.language import tree
from ludwright.language.compiling.code import Code, Procedure
from ludwright.language.compiling.layout import Slot
from ludwright.language.compiling.placing import placed
from ludwright.language.compiling.targets import Target
from ludwright.language.compiling.unit import Local, Scope, Unit
from ludwright.language.compiling.values import (
    Val,
    int_type,
    piece_type,
    place_type,
    space_type,
)
from ludwright.language.compiling.walking import nodes_in
from ludwright.language.gamedef import EndDecl, LimitDecl, PhaseDecl, ProcDecl, TriggerDecl

if TYPE_CHECKING:
    from ludwright.language.compiling.operations import Windows

ACTIONS = "__actions"  # the label set of all actions
SPECIAL = "special"  # what the names of the decisions of a special activity begin with


@dataclass
class Lowering:
    unit: Unit
    codes: list[Code] = field(default_factory=list)
    choices: list[ir.Choice] = field(default_factory=list)
    heads: list[ir.Head] = field(default_factory=list)
    ends: list[ir.EndInfo] = field(default_factory=list)
    end_numbers: dict[int, int] = field(default_factory=dict)  # id of the declaration -> end
    end_decls: list[EndDecl] = field(default_factory=list)  # kept alive: their ids are the keys
    actions: list[ir.ActionInfo] = field(default_factory=list)
    procedures: dict[tuple[object, ...], Procedure] = field(default_factory=dict)
    procedure_stack: list[str] = field(default_factory=list)
    action_codes: dict[tuple[object, ...], Code] = field(default_factory=dict)
    event_codes: dict[tuple[object, ...], Code] = field(default_factory=dict)
    event_by: dict[int, int] = field(default_factory=dict)  # code of a card -> cell of who decides
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
    # calls of offered actions: (entry of the caller, instruction) -> where the offer stands
    offered_at: dict[tuple[int, int], Span | None] = field(default_factory=dict)
    interrupts: dict[int, int] = field(default_factory=dict)  # phase -> cell of its request
    flow_code: Code | None = None  # the code of the flow, once it is compiled
    open_windows: list[Windows] = field(default_factory=list)
    pinned: set[int] = field(default_factory=set)  # slots that other procedures read
    used_phases: set[str] = field(default_factory=set)
    setting_up: bool = False  # while set-up is lowered

    # ------------------------------------------------------------------ building

    @cached_property
    def assigned(self) -> frozenset[str]:
        """Every bare name that some rule assigns to."""
        found: set[str] = set()
        for node in nodes_in(self.unit.gamedef):
            if isinstance(node, tree.SetVar | tree.AddVar | tree.ShiftMarker):
                if isinstance(node.target, tree.Name):
                    found.add(node.target.id)
            elif isinstance(node, tree.RollRandom):
                found.add(node.bind)
        return frozenset(found)

    def new_code(
        self,
        name: str,
        in_move: bool,
        decider: ir.Expr,
        action: int = -1,
        decider_is_actor: bool = True,
    ) -> Code:
        code = Code(self.unit, name, in_move, decider, decider_is_actor, action)
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
        by_entry = {other.entry: other for other in self.codes}
        seen, stack = {code.entry}, [code]
        while stack:
            for instr in stack.pop().instrs:
                if isinstance(instr, ir.Choose):
                    return True
                if isinstance(instr, ir.CallProc) and instr.entry not in seen:
                    seen.add(instr.entry)
                    stack.append(by_entry[instr.entry])
        return False

    def label_type(self, labels: tuple[str, ...]) -> Type:
        for name, known in self.unit.label_sets.items():
            if known == labels and name != ACTIONS:
                return Type("label", name, 0, len(labels) - 1)
        name = f"labels{len(self.unit.label_sets)}"
        self.unit.label_sets[name] = labels
        return Type("label", name, 0, len(labels) - 1)

    def emit_named(self, code: Code, event: str, name: str) -> None:
        """An event that only carries a name of the rulebook."""
        code.emit(ir.Emit(event, (("name", ir.Const(0), self.label_type((name,))),)))

    # -------------------------------------------------------------------- places

    def orders_of(self, place: ir.Expr) -> set[str]:
        """The orders a place can have, as far as the text tells."""
        places = self.unit.world.places
        known = self.places_of(place)
        members = range(len(places)) if known is None else known
        return {places[index].order for index in members if index >= 0} or {"bag"}

    def places_of(self, place: ir.Expr) -> set[int] | None:
        match place:
            case ir.Const(value=int(value)):
                return {value}
            case ir.Lookup(table=table):
                return {value for value in self.unit.tables[table] if value >= 0}
            case ir.Load(addr=addr) if addr in self.place_origin:
                return self.places_of(self.place_origin[addr])
            case _:
                return None

    def has_order(self, place: ir.Expr, order: str) -> ir.Expr:
        flags = self.unit.table(int(p.order == order) for p in self.unit.world.places)
        return ir.Lookup(flags, place, 0)

    def deck_cells(self, place: ir.Expr) -> tuple[ir.Expr, ir.Expr]:
        """How many pieces are known on top of, and at the bottom of, a deck."""
        layout = self.unit.layout
        decks = sorted(layout.deck_top)
        numbers = [
            decks.index(i) if i in layout.deck_top else -1
            for i in range(len(self.unit.world.places))
        ]
        number = ir.Lookup(self.unit.table(numbers), place, -1)
        top = ir.LoadAt(layout.deck_top[decks[0]], number, len(decks), 0, stride=2)
        bottom = ir.LoadAt(layout.deck_bottom[decks[0]], number, len(decks), 0, stride=2)
        return top, bottom

    def check_limits(self, code: Code, place: ir.Expr, site: int) -> None:
        """Refuse what would overfill a place: so nothing that would is ever offered."""
        targets = self.places_of(place)
        world, gamedef = self.unit.world, self.unit.gamedef
        holders = [
            (zone.name, world.zones.get(zone.name, ()), zone.limits) for zone in gamedef.zones
        ]
        holders += [
            (group.name, world.groups.get(group.name, ()), group.limits) for group in gamedef.spaces
        ]
        for name, members, limits in holders:
            if not limits or (targets is not None and not targets & set(members)):
                continue
            inside = self.unit.table(int(i in members) for i in range(len(world.places)))
            for number, limit in enumerate(limits):
                function = self._limit_function(name, number, limit)
                fits: ir.Expr = ir.CallFn(function, (place,))
                if targets is None or not targets <= set(members):
                    fits = ir.Or(ir.Not(ir.Lookup(inside, place, 0)), fits)
                rule = f"{self.unit.rule}: `{name}` would hold too many pieces"
                code.emit(ir.Require(fits, self.unit.site(self.unit.sites[site].span, rule)))

    def compile_limits(self) -> None:
        """Limits of places that nothing is moved to have been met nowhere else."""
        holders = [(zone.name, zone.limits) for zone in self.unit.gamedef.zones]
        holders += [(group.name, group.limits) for group in self.unit.gamedef.spaces]
        for name, limits in holders:
            for number, limit in enumerate(limits):
                self._limit_function(name, number, limit)

    def _limit_function(self, name: str, number: int, limit: LimitDecl) -> int:
        from ludwright.language.compiling.expressions import condition
        from ludwright.language.compiling.expressions import number as number_of

        unit = self.unit
        key = (name, number)
        if key in self.limit_functions:
            return self.limit_functions[key]
        here, it = unit.register(), unit.register()
        scope = Scope()
        scope.names["here"] = Local(Val(ir.Load(here), place_type(unit.world)))
        most = number_of(unit, limit.max, scope)
        clauses: list[ir.Loop | ir.Filter | ir.Until] = [
            ir.Loop((it,), ir.PiecesSource(ir.Load(here)))
        ]
        if limit.of is not None:
            inner = scope.inner()
            inner.names["it"] = Local(Val(ir.Load(it), piece_type(unit.world)))
            clauses.append(ir.Filter(condition(unit, limit.of, inner)))
        held = ir.Aggregate("count", ir.Stream(tuple(clauses), ir.Const(1)))
        bound = most.expr if isinstance(most, Val) else ir.Const(0)
        fits: ir.Expr = ir.Compare("<=", held, bound)
        if limit.where is not None:
            fits = ir.Or(ir.Not(condition(unit, limit.where, scope)), fits)
        site = unit.site(limit.span, f"limit of {name}")
        function = ir.Function(f"limit of {name}", (here,), fits, int_type(0, 1))
        unit.functions.append(placed(function, site))
        self.limit_functions[key] = len(unit.functions) - 1
        return self.limit_functions[key]

    def check_marker(self, code: Code, goal: Target, site: int) -> None:
        """A marker keeps to the spaces it lies on and to its constraints."""
        from ludwright.language.compiling.expressions import condition

        unit = self.unit
        assert goal.slot is not None
        slot = goal.slot
        decl = next(m for m in unit.gamedef.markers if m.name == slot.variable.name)
        if goal.index is not None:
            here: ir.Expr = goal.index
        else:
            here = ir.Const(goal.addr - slot.variable.addr)
        if slot.on is not None:
            inside = unit.table(int(i in slot.on) for i in range(unit.world.space_count))
            code.emit(ir.Require(ir.Lookup(inside, here, 0), site))
        scope = Scope()
        scope.names["here"] = Local(Val(here, space_type(unit.world)))
        for constraint in decl.constraints:
            applies = condition(unit, constraint.when, scope)
            allowed = unit.table(int(state in constraint.allowed) for state in slot.states)
            fits = ir.Lookup(allowed, goal.load(site), 0)
            rule = f"marker {decl.name}: not allowed here"
            code.emit(ir.Require(ir.Or(ir.Not(applies), fits), unit.site(constraint.span, rule)))

    # ------------------------------------------------- delegated to their modules

    def call(self, code: Code, decl: ProcDecl, node: tree.CallProc, scope: Scope) -> Val | None:
        from ludwright.language.compiling import procedures

        return procedures.call(self, code, decl, node, scope)

    def offer(self, code: Code, node: tree.Offer, scope: Scope) -> None:
        from ludwright.language.compiling import actions

        if not code.in_move:
            self.settle(code)
        actions.offer(self, code, node, scope, None)

    def phase_effect(self, code: Code, node: tree.Effect, scope: Scope) -> None:
        from ludwright.language.compiling import phases

        phases.phase_effect(self, code, node, scope)

    def end_game(self, code: Code, node: tree.EndGame, scope: Scope) -> None:
        from ludwright.language.compiling import endings

        endings.end_game(self, code, node, scope)

    def end_check(
        self, code: Code, scope: Scope, with_actor: bool, at: tuple[str, ...] = ()
    ) -> None:
        from ludwright.language.compiling import endings, triggers

        triggers.dispatch(self, code)
        endings.end_check(self, code, scope, "known" if with_actor else "none", at)

    def settle(self, code: Code, at: tuple[str, ...] = ()) -> None:
        """Before a move of the flow: all that followed from the one before has happened, so what
        waits runs, and the end is checked. Set-up has its check when it is over."""
        from ludwright.language.compiling import endings, triggers

        if self.setting_up and not self.procedure_stack:
            return
        if self.queue < 0 and not endings.can_end(self):
            return
        later = code.label()  # a procedure may be called in set-up as well
        code.branch(ir.Compare(">", ir.Load(ir.TURN), ir.Const(0)), later)
        if self.queue >= 0:  # what waits may ask, and belongs to the move that set it off
            head = self.head("triggers", "choice")
            code.emit(ir.HeadEnter(head))
            triggers.dispatch(self, code)
            code.emit(ir.HeadExit(head))
        endings.end_check(self, code, code.scope(), "perhaps", at)
        code.mark(later)

    def resolve_event(self, code: Code, node: tree.Resolve, scope: Scope) -> None:
        from ludwright.language.compiling import events

        events.resolve(self, code, node, scope)

    def window(self, code: Code, node: tree.Window, scope: Scope) -> None:
        from ludwright.language.compiling import operations

        operations.window(self, code, node, scope)

    def triggers_on_change(self, slot: Slot) -> list[TriggerDecl]:
        name = slot.variable.name
        prefix = {"seat": "Seat.", "space": "Space.", "piece": "Piece.", "global": ""}
        wanted = {name, prefix[slot.variable.scope] + name}
        return [
            t for t in self.unit.gamedef.triggers if t.event == "changed" and t.subject in wanted
        ]

    def triggers_on_entry(self, place: ir.Expr) -> list[TriggerDecl]:
        return [t for t in self.unit.gamedef.triggers if t.event in ("entered", "left")]

    def emit_changed(
        self, code: Code, goal: Target, old: int, watched: list[TriggerDecl], node: tree.Node
    ) -> None:
        from ludwright.language.compiling import triggers

        triggers.changed(self, code, goal, old, watched, node)

    def emit_moved(
        self,
        code: Code,
        piece: ir.Expr,
        old: int,
        place: ir.Expr,
        watched: list[TriggerDecl],
        node: tree.Node,
    ) -> None:
        from ludwright.language.compiling import triggers

        triggers.moved(self, code, piece, old, place, watched, node)


@dataclass(frozen=True)
class OfferContext:
    """What an action needs to know of where it is offered."""

    phase: PhaseDecl | None
    key: int  # tells offers with their own `ensure` or `best` apart; 0 for all others
    ensure: tree.Expr | None = None
    best: tree.Expr | None = None
    best_number: int = -1
    best_addr: int = -1
    best_type: Type | None = None
    free: bool = False

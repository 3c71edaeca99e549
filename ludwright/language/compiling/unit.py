"""The compilation unit: what all parts of the compiler share while one game is compiled."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from ludwright import program as ir
from ludwright.cached import cached_property
from ludwright.diagnostics import Diagnostics, Span
from ludwright.language import tree
from ludwright.language.compiling.addresses import Register
from ludwright.language.compiling.layout import Layout
from ludwright.language.compiling.narrowing import NOTHING, Fact, Facts, Flow, Narrowing, Node
from ludwright.language.compiling.tree_walk import NodesByKind
from ludwright.language.compiling.values import Compiled, Seq, Val
from ludwright.language.gamedef import FunctionDecl, GameDef, ModifierDecl, ProcDecl
from ludwright.language.world import TypeResolver
from ludwright.program.types import Type
from ludwright.program.world import World

LetKey = tuple[int, str]  # the id of a `let` and one of its names


@dataclass
class Local:
    """A name of the rulebook bound inside a procedure, function or comprehension."""

    value: Val | Seq
    addr: int | None = None  # where it is stored, if it can be assigned
    type: Type | None = None
    origin: str = "local"  # or "generator", "loop", "sealed", "broken": for messages
    let: LetKey | None = None  # where it was made, if its type can still grow


@dataclass
class Scope:
    """Names visible at one point; an inner scope sees the outer one."""

    names: dict[str, Local] = field(default_factory=dict)
    outer: Scope | None = None
    hidden: dict[str, str] = field(default_factory=dict)  # name -> why it is not visible here
    facts: Facts = NOTHING  # inside one expression
    flow: Flow | None = None  # of the procedure, at its outermost scope

    def find(self, name: str) -> Local | None:
        scope: Scope | None = self
        while scope is not None:
            if name in scope.names:
                return scope.names[name]
            scope = scope.outer
        return None

    def looped(self, kind: str) -> str | None:
        """The name that the innermost loop over things of this kind gives to each of them."""
        scope: Scope | None = self
        while scope is not None:
            for name, local in scope.names.items():
                value = local.value
                of_loop = local.origin in ("generator", "loop")
                if of_loop and isinstance(value, Val) and value.type.kind == kind:
                    return name
            scope = scope.outer
        return None

    def why_hidden(self, name: str) -> str | None:
        scope: Scope | None = self
        while scope is not None:
            if name in scope.hidden:
                return scope.hidden[name]
            scope = scope.outer
        return None

    def inner(self) -> Scope:
        return Scope(outer=self)

    def assuming(self, facts: Facts) -> Scope:
        """The same names, for a part of an expression that only counts where these facts hold."""
        return Scope(outer=self, facts=facts) if facts else self

    def visible(self) -> set[str]:
        names: set[str] = set()
        scope: Scope | None = self
        while scope is not None:
            names |= scope.names.keys()
            scope = scope.outer
        return names


@dataclass
class Statement:
    """What is being compiled, for errors of code that has no line of its own."""

    span: Span | None
    sites: dict[str, int] = field(default_factory=dict)  # by rule


@dataclass(frozen=True)
class Trial:
    """How much there was before something was tried."""

    diagnostics: int
    functions: int
    cached: set[tuple[str, tuple[Type, ...]]]


@dataclass
class Unit:
    expressions: ExpressionCompilers
    gamedef: GameDef
    world: World
    types: TypeResolver
    layout: Layout
    diagnostics: Diagnostics
    nodes: NodesByKind
    sites: list[ir.Site] = field(default_factory=list)
    tables: list[tuple[int, ...]] = field(default_factory=list)
    rows: list[tuple[tuple[object, ...], ...]] = field(default_factory=list)
    table_numbers: dict[tuple[int, ...], int] = field(default_factory=dict)
    row_numbers: dict[tuple[tuple[object, ...], ...], int] = field(default_factory=dict)
    functions: list[ir.Function] = field(default_factory=list)
    histories: list[ir.History] = field(default_factory=list)
    label_sets: dict[str, tuple[str, ...]] = field(default_factory=dict)
    registers: int = 0
    frames: int = 0
    rule: str = ""  # the rule being compiled, in the author's words
    declared_functions: dict[str, FunctionDecl] = field(default_factory=dict)
    declared_procs: dict[str, ProcDecl] = field(default_factory=dict)
    modifiers: dict[str, list[tuple[ModifierDecl, int]]] = field(default_factory=dict)
    function_stack: list[str] = field(default_factory=list)
    function_cache: dict[tuple[str, tuple[Type, ...]], tuple[int, Type] | None] = field(
        default_factory=dict
    )
    # expressions inside `declassify(…)`, kept alive: their ids are what is remembered
    declassified: dict[int, object] = field(default_factory=dict)
    # types of locals that proved too narrow for what is assigned to them; see `local_types`
    grown: dict[LetKey, Type] = field(default_factory=dict)
    may_grow: bool = True
    option_spans: dict[int, Span] = field(default_factory=dict)  # by the site of a choice
    narrow: list[Any] = field(default_factory=list)  # see `proofs.narrow_ranges`
    never: set[int] = field(default_factory=set)  # comparisons, by id, that fail for all numbers
    used_names: set[str] = field(default_factory=set)
    statement: Statement = field(default_factory=lambda: Statement(None))
    inlined: int = 0  # how often a function that gives a collection was compiled into its place
    inlined_before: int | None = None  # when the outermost of those under way began
    narrowing: Narrowing = field(init=False)

    def __post_init__(self) -> None:
        self.narrowing = Narrowing(self.layout, self.world, self.functions)

    def register(self) -> Register:
        self.registers += 1
        return Register.numbered(self.registers - 1)

    @cached_property
    def action_params(self) -> frozenset[str]:
        """What parameters of actions are called."""
        actions = self.gamedef.actions
        return frozenset(param.name for action in actions for param in action.params)

    @cached_property
    def action_numbers(self) -> dict[str, int]:
        """Actions by their place in the rulebook; of several that are called alike the first."""
        return {action.id: at for at, action in reversed(list(enumerate(self.gamedef.actions)))}

    @cached_property
    def declassifies(self) -> bool:
        """Whether some rule gives away what is hidden."""
        flagged = any(action.declassify for action in self.gamedef.actions)
        return flagged or any(call.fn == "declassify" for call in self.nodes.of(tree.Call))

    def site(self, span: Span | None, rule: str | None = None) -> int:
        # One for each use: sites that were shared where spans are equal would number the code of
        # a game differently once it is reloaded from JSON, where there are no spans.
        self.sites.append(ir.Site(span, rule if rule is not None else self.rule))
        return len(self.sites) - 1

    def origin(self) -> int:
        """The site of the statement being compiled."""
        sites = self.statement.sites
        if self.rule not in sites:
            sites[self.rule] = self.site(self.statement.span)
        return sites[self.rule]

    def table(self, values: Iterable[int]) -> int:
        table = tuple(values)
        known = self.table_numbers.setdefault(table, len(self.tables))
        if known == len(self.tables):
            self.tables.append(table)
        return known

    def row_table(self, values: Iterable[tuple[object, ...]]) -> int:
        table = tuple(values)
        known = self.row_numbers.setdefault(table, len(self.rows))
        if known == len(self.rows):
            self.rows.append(table)
        return known

    def knows(self, scope: Scope, node: Node) -> bool:
        """Whether it is certain at this point that something is there."""
        wanted = None
        for facts in _known_in(scope):
            wanted = wanted or self.narrowing.fact(node)
            if wanted is None or wanted in facts:
                return wanted is not None
        if wanted is None or wanted.number not in self.narrowing.if_answered:
            return False
        known = frozenset[Fact]().union(*_known_in(scope))
        pairs = self.narrowing.if_answered[wanted.number]
        return any(known.issuperset(pair) for pair in pairs)

    # A function may be compiled twice; see `calls`. What the first attempt left is taken back.

    def trial(self) -> Trial:
        return Trial(len(self.diagnostics.items), len(self.functions), set(self.function_cache))

    def failed_since(self, before: Trial) -> bool:
        found = self.diagnostics.items[before.diagnostics :]
        return any(item.code == "may-be-none" for item in found)

    def take_back(self, before: Trial) -> None:
        del self.diagnostics.items[before.diagnostics :]
        del self.functions[before.functions :]
        for name in self.function_cache.keys() - before.cached:
            del self.function_cache[name]
        self.narrowing.forget_functions(before.functions)

    def of_member(self, scope: Scope, source: ir.Source, element: ir.Expr) -> Facts:
        """What is known of a member of a collection."""
        found = self.narrowing.of_element(source, element)
        if isinstance(source, ir.SetSource | ir.ListSource):
            for facts in _known_in(scope):
                found |= self.narrowing.of_pick(facts, source, element)
        return found

    def narrowed(self, scope: Scope, compiled: Compiled) -> Compiled:
        """The same value; its type is no longer optional where it is known to be there."""
        if not isinstance(compiled, Val) or not compiled.type.optional:
            return compiled
        if isinstance(compiled.expr, ir.Const) or not self.knows(scope, compiled.expr):
            return compiled
        return replace(compiled, type=replace(compiled.type, optional=False))

    def error(
        self, code: str, span: Span | None, message: str, suggestion: str | None = None
    ) -> None:
        self.diagnostics.error(code, span, message, suggestion)


def _known_in(scope: Scope) -> Iterator[Facts]:
    """The facts at a point, from the inside out."""
    at: Scope | None = scope
    while at is not None:
        facts = at.facts if at.flow is None else at.flow.facts
        if facts:
            yield facts
        at = at.outer


# Compiles an expression of one class; a type that is expected only helps to tell names apart.
ExpressionCompiler = Callable[[Unit, Any, Scope, Type | None], Compiled]
ExpressionCompilers = Mapping[type[tree.Expr], ExpressionCompiler]

"""Where everything that changes lives: the fixed cells of the state.

Frames of procedures are placed later (see `linking.link`), behind the cells given out here.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from ludwright import program as ir
from ludwright.diagnostics import Diagnostics
from ludwright.language import tree
from ludwright.language.compiling.tree_walk import NodesByKind
from ludwright.language.gamedef import GameDef, VarDecl
from ludwright.language.world import TypeResolver
from ludwright.language.world.encoding import MAX_INDEX, is_index, member_names
from ludwright.program.cells import encoder
from ludwright.program.types import NO_ENTITY, Type
from ludwright.program.world import World

WITHIN = "__within"  # the variable behind `within` of an offer
FREE = "__free"  # 1 while actions of an offer with `free: true` are offered or carried out
MOVED = "__moved"  # 1 once a move of the flow has begun; where an end asks about `actor`


@dataclass(frozen=True)
class Slot:
    """A declared variable: its place in the state and how stores to it behave."""

    index: int  # into Program.variables
    variable: ir.Variable
    overflow: ir.Overflow = "fault"
    states: tuple[str, ...] = ()  # of a marker lattice
    on: frozenset[int] | None = None  # spaces a marker lies on; all when None
    # Of a variable with an index: what it is kept for. `variable` is then that of the first member;
    # those of the others follow it, in `Program.variables` and in the cells.
    each: Type | None = None

    @property
    def name(self) -> str:
        return self.variable.name.partition("[")[0]

    @property
    def members(self) -> int:
        return 1 if self.each is None else self.each.hi - self.each.lo + 1

    @property
    def count(self) -> int:
        """How many values there are, of all members."""
        return self.variable.count * self.members


@dataclass
class Layout:
    cells: int = ir.HEADER
    initial: list[int] = field(default_factory=list)
    variables: list[ir.Variable] = field(default_factory=list)
    globals: dict[str, Slot] = field(default_factory=dict)
    seat_vars: dict[str, Slot] = field(default_factory=dict)
    space_vars: dict[str, Slot] = field(default_factory=dict)
    piece_props: dict[str, Slot] = field(default_factory=dict)
    piece_place: int = 0
    piece_next: int = 0
    place_head: int = 0
    place_count: int = 0
    deck_top: dict[int, int] = field(default_factory=dict)
    deck_bottom: dict[int, int] = field(default_factory=dict)
    revealed: int = -1
    scores: int = 0
    ranks: int = 0

    def take(self, count: int, value: int = 0) -> int:
        addr = self.cells
        self.cells += count
        self.initial.extend([value] * count)
        return addr

    def add(
        self, names: dict[str, Slot], variable: ir.Variable, overflow: ir.Overflow = "fault"
    ) -> Slot:
        slot = Slot(len(self.variables), variable, overflow)
        self.variables.append(variable)
        names[variable.name] = slot
        return slot

    def flag(self, name: str) -> int:
        """The cell of a truth value that no rulebook declares; false at first."""
        if name not in self.globals:
            variable = ir.Variable(name, "global", Type("bool", hi=1), self.take(1), 1)
            self.add(self.globals, variable)
        return self.globals[name].variable.addr


def build_layout(
    gamedef: GameDef, world: World, types: TypeResolver, diagnostics: Diagnostics,
    nodes: NodesByKind,
) -> Layout:  # fmt: skip
    layout = Layout(initial=[0] * ir.HEADER)
    layout.initial[ir.PHASE] = NO_ENTITY
    seats, spaces, pieces = len(world.seats), world.space_count, world.piece_count
    layout.scores = layout.take(seats)
    layout.ranks = layout.take(seats)
    layout.piece_place = layout.take(pieces, NO_ENTITY)
    layout.piece_next = layout.take(pieces, NO_ENTITY)
    layout.place_head = layout.take(len(world.places), NO_ENTITY)
    layout.place_count = layout.take(len(world.places))
    for index, place in enumerate(world.places):
        if place.order == "deck":
            layout.deck_top[index] = layout.take(1)
            layout.deck_bottom[index] = layout.take(1)
    if not nodes.effects.isdisjoint({tree.Reveal, tree.Conceal}):
        layout.revealed = layout.take(pieces)
    _piece_properties(layout, world)
    for decl in gamedef.vars:
        _variable(layout, decl, types, diagnostics, world)
    offers = nodes.of(tree.Offer)
    if any(node.within is not None for node in offers):
        _within(layout, world)
    if any(node.free for node in offers):
        layout.flag(FREE)
    for marker in gamedef.markers:
        type_ = Type("enum", marker.name, 0, max(0, len(marker.states) - 1))
        start = marker.states.index(marker.default) if marker.default in marker.states else 0
        count = 1 if marker.is_global else spaces
        addr = layout.take(count, start)
        variable = ir.Variable(
            marker.name, "global" if marker.is_global else "space", type_, addr, count
        )
        names = layout.globals if marker.is_global else layout.space_vars
        slot = layout.add(names, variable)
        on = world.groups.get(marker.on) if marker.on else None
        names[marker.name] = Slot(
            slot.index, variable, states=marker.states, on=frozenset(on) if on else None
        )
    return layout


def _within(layout: Layout, world: World) -> None:
    """The places that may be chosen while an offer says `within`; at first all of them."""
    last = max(0, len(world.places) - 1)
    type_ = Type("set", items=(Type("place", hi=last),))
    addr = layout.take(type_.width)
    encoder(type_)(layout.initial, addr, (1 << last + 1) - 1)
    layout.add(layout.globals, ir.Variable(WITHIN, "global", type_, addr, 1))


def _piece_properties(layout: Layout, world: World) -> None:
    """For each property that can change, one cell per piece from the first to the last kind that
    has it."""
    changeable = {
        prop.name: prop for kind in world.kinds for prop in kind.properties if not prop.fixed
    }
    for name, declared in changeable.items():
        type_ = declared.type  # the same in all kinds that can change it; see `property-differs`
        having = [
            (kind, prop) for kind in world.kinds for prop in kind.properties if prop.name == name
        ]
        first = having[0][0].first
        count = having[-1][0].pieces.stop - first
        addr = layout.take(count, type_.none if type_.optional else 0)
        for kind, prop in having:
            at = addr + kind.first - first
            layout.initial[at : at + len(prop.initial)] = prop.initial
        variable = ir.Variable(name, "piece", type_, addr, count, first)
        layout.add(layout.piece_props, variable, having[0][1].overflow)


def _variable(
    layout: Layout,
    decl: VarDecl,
    types: TypeResolver,
    diagnostics: Diagnostics,
    world: World,
) -> None:
    seats = len(world.seats)
    type_ = types.resolve(decl.type)
    if type_ is None:
        return
    if (decl.scope != "global" or decl.each) and not type_.is_scalar and type_.kind != "set":
        diagnostics.error(
            "type-not-storable",
            decl.span,
            f"`{decl.name}` is kept several times, so it cannot be a list or tuple",
            "use a set, or several variables",
        )
        return
    if decl.overflow != "fault" and type_.kind != "int":
        diagnostics.error(
            "overflow-without-range",
            decl.span,
            f"`{decl.name}` is no number, so it has no range that `{decl.overflow}` could be about",
            f"leave `{decl.overflow}` out, or give a range, as in `0..9 {decl.overflow}`",
        )
    each = types.resolve(decl.each) if decl.each is not None else None
    if decl.each is not None and (each is None or not _is_index(each, decl, diagnostics)):
        return
    owners = range({"global": 1, "seat": seats, "space": world.space_count}[decl.scope])
    if decl.on is not None:
        members = world.groups.get(decl.on, ())
        owners = range(members[0], members[-1] + 1) if members else range(0)
    count = len(owners)
    names = {
        "global": layout.globals,
        "seat": layout.seat_vars,
        "space": layout.space_vars,
    }[decl.scope]
    first = len(layout.variables)
    for member in member_names(world, each) if each is not None else ("",):
        name = f"{decl.name}[{member}]" if member else decl.name
        addr = layout.take(count * type_.width)
        variable = ir.Variable(
            name, decl.scope, type_, addr, count, owners.start, see=decl.see, history=decl.history
        )
        layout.variables.append(variable)
    slot = Slot(first, layout.variables[first], decl.overflow, each=each)
    names[decl.name] = slot


def _is_index(each: Type, decl: VarDecl, diagnostics: Diagnostics) -> bool:
    """Whether a variable can be kept for each value of a type."""
    if is_index(each):
        return True
    diagnostics.error(
        "variable-index",
        decl.span,
        f"`{decl.name}` cannot be kept for each value of this type",
        "an index is a range such as `1..6`, the name of an enum or table, `Seat`, `Space`, or a "
        f"group of spaces, with at most {MAX_INDEX} members",
    )
    return False

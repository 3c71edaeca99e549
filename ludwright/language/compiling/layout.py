"""Where everything that changes lives: the fixed cells of the state.

Frames of procedures are placed later (see `frames`), behind the cells given out here.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from ludwright.diagnostics import Diagnostics
from ludwright.kernel import program as ir
from ludwright.kernel.types import NO_ENTITY, Type
from ludwright.kernel.world import World
from ludwright.language.gamedef import GameDef, VarDecl
from ludwright.language.world import TypeResolver


@dataclass(frozen=True)
class Slot:
    """A declared variable: its place in the state and how stores to it behave."""

    index: int  # into Program.variables
    variable: ir.Variable
    overflow: ir.Overflow = "fault"
    states: tuple[str, ...] = ()  # of a marker lattice
    on: frozenset[int] | None = None  # spaces a marker lies on; all when None


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


def build_layout(
    gamedef: GameDef, world: World, types: TypeResolver, diagnostics: Diagnostics, reveals: bool
) -> Layout:
    layout = Layout(initial=[0] * ir.HEADER)
    layout.initial[ir.ACTOR] = NO_ENTITY
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
    if reveals:
        layout.revealed = layout.take(pieces)
    _piece_properties(layout, world)
    for decl in gamedef.vars:
        _variable(layout, decl, types, diagnostics, seats, spaces)
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


def _piece_properties(layout: Layout, world: World) -> None:
    """One cell per piece for each property that can change, shared by all kinds that have it."""
    changeable: dict[str, Type] = {}
    for kind in world.kinds:
        for prop in kind.properties:
            if not prop.fixed:
                known = changeable.get(prop.name)
                lo = min(prop.type.lo, known.lo) if known else prop.type.lo
                hi = max(prop.type.hi, known.hi) if known else prop.type.hi
                optional = prop.type.optional or (known is not None and known.optional)
                changeable[prop.name] = Type(
                    prop.type.kind,
                    prop.type.name,
                    lo,
                    hi,
                    prop.type.items,
                    prop.type.cap,
                    optional,
                )
    for name, type_ in changeable.items():
        addr = layout.take(world.piece_count, type_.none if type_.optional else 0)
        for kind in world.kinds:
            for prop in kind.properties:
                if prop.name == name:
                    for offset, value in enumerate(prop.initial):
                        layout.initial[addr + kind.first + offset] = value
        layout.add(layout.piece_props, ir.Variable(name, "piece", type_, addr, world.piece_count))


def _variable(
    layout: Layout,
    decl: VarDecl,
    types: TypeResolver,
    diagnostics: Diagnostics,
    seats: int,
    spaces: int,
) -> None:
    type_ = types.resolve(decl.type)
    if type_ is None:
        return
    if decl.scope != "global" and not type_.is_scalar and type_.kind != "set":
        diagnostics.error(
            "type-not-storable",
            decl.span,
            f"`{decl.name}` is kept once per {decl.scope}, so it cannot be a list or tuple",
            "use a set, or several variables",
        )
        return
    count = {"global": 1, "seat": seats, "space": spaces}[decl.scope]
    addr = layout.take(count * type_.width)
    variable = ir.Variable(
        decl.name, decl.scope, type_, addr, count, see=decl.see, history=decl.history
    )
    names = {
        "global": layout.globals,
        "seat": layout.seat_vars,
        "space": layout.space_vars,
    }[decl.scope]
    layout.add(names, variable, decl.overflow)

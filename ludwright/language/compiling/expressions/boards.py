"""Built-in functions over boards and maps: steps, rays, lines, distance."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache

from ludwright import program as ir
from ludwright.diagnostics import Span
from ludwright.language import tree
from ludwright.language.compiling.expressions import attributes, presence
from ludwright.language.compiling.expressions.arguments import Arguments
from ludwright.language.compiling.expressions.dispatch import expression
from ludwright.language.compiling.expressions.type_check import (
    to_stream,
    typed,
    value_of,
)
from ludwright.language.compiling.unit import Scope, Unit
from ludwright.language.compiling.values import (
    BOOL,
    BROKEN,
    Broken,
    Compiled,
    Seq,
    Val,
    constant_of,
    direction_type,
    int_type,
    noun,
    piece_type,
    place_type,
    space_type,
)
from ludwright.language.world.spaces import OPPOSITE
from ludwright.program.types import Type
from ludwright.program.world import World

Rays = tuple[tuple[tuple[int, int], ...], ...]
MAX_RAYS = 500_000  # spaces on all rays of a board together
MAX_PAIRED = 500  # spaces of a board for which something is kept about every two of them

BoardFunction = Callable[[Unit, tree.Call, Scope, Type | None], Compiled]
AXES = ("north", "northeast", "east", "southeast")


def place_count(unit: Unit, place: Val, span: Span | None) -> Val:
    known = constant_of(place)
    type_ = int_type(0, unit.world.piece_count)
    if known is not None:
        return Val(ir.Load(unit.layout.place_count + known), type_)
    count = len(unit.world.places)
    expr = ir.LoadAt(unit.layout.place_count, place.expr, count, 0, site=unit.site(span))
    return Val(expr, type_)


# A step leads from a direction and a space, each of which may be none; tables therefore have one
# extra row and column for none, and are indexed by (direction + 1) * width + (space + 1).


def _pair_index(unit: Unit, direction: ir.Expr, space: ir.Expr) -> ir.Expr:
    width = len(unit.world.places) + 1
    if isinstance(direction, ir.Const) and isinstance(direction.value, int):
        base = (direction.value + 1) * width + 1
        return ir.Arith("+", space, ir.Const(base))
    row = ir.Arith("*", ir.Arith("+", direction, ir.Const(1)), ir.Const(width))
    return ir.Arith("+", row, ir.Arith("+", space, ir.Const(1)))


def _steps_table(world: World) -> tuple[int, ...]:
    width = len(world.places) + 1
    values = [-1] * (width * (len(world.directions) + 1))
    for direction, row in enumerate(world.steps):
        for space, target in enumerate(row):
            values[(direction + 1) * width + space + 1] = target
    return tuple(values)


@lru_cache(maxsize=4)
def _rays_table(steps: tuple[tuple[int, ...], ...], width: int) -> Rays | None:
    """For each direction and space: (space reached, steps taken), nearest first.

    None where that would be too much: on a long track the rays grow with the square of its length.
    """
    rays: list[tuple[tuple[int, int], ...]] = [()] * (width * (len(steps) + 1))
    left = MAX_RAYS
    for direction, row in enumerate(steps):
        for space in range(len(row)):
            ray: list[tuple[int, int]] = []
            seen = {space}
            at = row[space]
            while at >= 0 and at not in seen:
                seen.add(at)
                ray.append((at, len(ray) + 1))
                at = row[at]
            rays[(direction + 1) * width + space + 1] = tuple(ray)
            left -= len(ray)
            if left < 0:
                return None
    return tuple(rays)


@lru_cache(maxsize=4)
def _ray_spaces(rays: Rays) -> tuple[tuple[int, ...], ...]:
    return tuple(tuple(at for at, _ in ray) for ray in rays)


def _rays(unit: Unit, node: tree.Call) -> Rays | None:
    """The rays of the board; None after a diagnostic."""
    rays = _rays_table(unit.world.steps, len(unit.world.places) + 1)
    if rays is None:
        unit.error(
            "too-large",
            node.span,
            f"the board is too large for {node.fn}(…)",
            "use a smaller board: about 2,500 cells of a grid, or 700 of a track",
        )
    return rays


def step_expr(unit: Unit, space: ir.Expr, direction: ir.Expr) -> ir.Expr:
    table = unit.table(_steps_table(unit.world))
    return ir.Lookup(table, _pair_index(unit, direction, space), -1)


def _ray_source(unit: Unit, rays: Rays, space: ir.Expr, direction: ir.Expr) -> ir.Source:
    table = unit.row_table(_ray_spaces(rays))
    return ir.RowSource(table, _pair_index(unit, direction, space))


def space_of(args: Arguments, index: int) -> Val | Broken:
    """A space, or none: nothing leads from none to anywhere."""
    return args.typed(index, presence.optional(place_type(args.unit.world)))


def _certain_space(args: Arguments, index: int) -> Val | Broken:
    return args.typed(index, place_type(args.unit.world))


def spaces_of(args: Arguments, node: tree.Expr, scope: Scope | None = None) -> Seq | Broken:
    """Spaces to go through. One space counts as itself, not as the pieces on it."""
    unit = args.unit
    found = expression(unit, node, scope or args.scope)
    if isinstance(found, Val) and found.type.kind == "place":
        return Seq(ir.ItemsSource((found.expr,)), found.type, 1)
    sequence = to_stream(unit, found, node.span)
    if isinstance(sequence, Seq) and sequence.cap and sequence.elem.kind != "place":
        unit.error(
            "wrong-type",
            node.span,
            f"`{args.node.fn}` needs spaces; a member of this is {noun(sequence.elem)}",
            "write a group of spaces, or a comprehension: `s for s in … if …`",
        )
        return BROKEN
    return sequence


def _direction(args: Arguments, index: int) -> Val | Broken:
    return args.typed(index, presence.optional(direction_type(args.unit.world)))


def _optional_space(unit: Unit) -> Type:
    return replace(space_type(unit.world), optional=True)


def _step(unit: Unit, node: tree.Call, scope: Scope, expect: Type | None) -> Compiled:
    args = Arguments(unit, node, scope, "step(space, direction)", 2)
    space, direction = space_of(args, 0), _direction(args, 1)
    if isinstance(space, Broken) or isinstance(direction, Broken):
        return BROKEN
    expr = step_expr(unit, space.expr, direction.expr)
    if _leads_somewhere(unit, space, direction):
        return Val(expr, space_type(unit.world))
    return Val(expr, _optional_space(unit))


def _leads_somewhere(unit: Unit, space: Val, direction: Val) -> bool:
    """Whether there is a next space from every space, as on a ring."""
    towards = constant_of(direction)
    no_zones = len(unit.world.places) == unit.world.space_count
    on_board = not space.type.optional and (space.type.name == "space" or no_zones)
    if towards is None or towards < 0 or not on_board:
        return False
    return min(unit.world.steps[towards], default=-1) >= 0


def _steps(unit: Unit, node: tree.Call, scope: Scope, expect: Type | None) -> Compiled:
    """steps(space, [d1, d2]): one step after another; nothing if one leads off the board."""
    args = Arguments(unit, node, scope, "steps(space, [direction, …])", 2)
    space = space_of(args, 0)
    directions = node.args[1] if args.ok else None
    if isinstance(space, Broken) or directions is None:
        return BROKEN
    if not isinstance(directions, tree.ListLit):
        unit.error(
            "wrong-type",
            directions.span,
            "steps(…) takes a list of directions",
            "write for example `steps(space, [north, east])`",
        )
        return BROKEN
    at = space.expr
    for item in directions.items:
        wanted = presence.optional(direction_type(unit.world))
        direction = typed(unit, item, scope, wanted)
        if isinstance(direction, Broken):
            return BROKEN
        at = step_expr(unit, at, direction.expr)
    reg = unit.register()
    found = ir.Stream(
        (
            ir.Loop((reg,), ir.ItemsSource((at,))),
            ir.Filter(ir.Compare(">=", ir.Load(reg), ir.Const(0))),
        ),
        ir.Load(reg),
    )
    return Seq(found, space_type(unit.world), 1, ascending=True)


def _ray(unit: Unit, node: tree.Call, scope: Scope, expect: Type | None) -> Compiled:
    args = Arguments(unit, node, scope, "ray(space, direction) or ray(space, direction, n)", 2, 3)
    space, direction = space_of(args, 0), _direction(args, 1)
    if isinstance(space, Broken) or isinstance(direction, Broken):
        return BROKEN
    rays = _rays(unit, node)
    if rays is None:
        return BROKEN
    cap = max((len(ray) for ray in rays), default=0)
    if len(node.args) == 2:
        source = _ray_source(unit, rays, space.expr, direction.expr)
        return Seq(source, space_type(unit.world), cap)
    most = args.number(2)
    if isinstance(most, Broken):
        return most
    at, taken, bound = unit.register(), unit.register(), unit.register()
    pairs = ir.RowSource(unit.row_table(rays), _pair_index(unit, direction.expr, space.expr))
    walked = ir.Stream(
        (
            ir.Loop((at, taken), pairs),
            ir.Filter(ir.Compare("<=", ir.Load(taken), ir.Load(bound))),
        ),
        ir.Load(at),
    )
    source = ir.BindSource(bound, most.expr, walked)
    return Seq(source, space_type(unit.world), max(0, min(cap, most.type.hi)))


def _near(unit: Unit, node: tree.Call, scope: Scope, expect: Type | None) -> Compiled:
    args = Arguments(unit, node, scope, "near(space)", 1)
    space = space_of(args, 0)
    if isinstance(space, Broken):
        return space
    rows = unit.world.near
    cap = max((len(row) for row in rows), default=0)
    source = ir.RowSource(unit.row_table(padded(unit.world, rows)), space.expr)
    return Seq(source, space_type(unit.world), cap, True)


def padded(world: World, rows: tuple[tuple[int, ...], ...]) -> tuple[tuple[int, ...], ...]:
    """Zones have no neighbours."""
    return rows + ((),) * (len(world.places) - len(rows))


def _jump(unit: Unit, node: tree.Call, scope: Scope, expect: Type | None) -> Compiled:
    """jump(space, a, b): the spaces a along one axis and b along the other (a knight: 1, 2)."""
    args = Arguments(unit, node, scope, "jump(space, a, b)", 3)
    space = space_of(args, 0)
    if isinstance(space, Broken):
        return space
    a, b = (constant_of(args.number(index)) for index in (1, 2))
    if a is None or b is None:
        unit.error(
            "not-constant",
            node.span,
            "jump(…) needs two constant numbers",
            "write for example `jump(space, 1, 2)`",
        )
        return BROKEN
    world = unit.world
    rows: list[tuple[int, ...]] = []
    spots: dict[tuple[int, int, int], int] = {}
    group_of = {s: g for g, members in enumerate(world.groups.values()) for s in members}
    for index, spot in enumerate(world.coordinates):
        if spot != (0, 0):
            spots[(group_of.get(index, -1), *spot)] = index
    for index, (column, row) in enumerate(world.coordinates):
        targets = {
            spots.get((group_of.get(index, -1), column + x * p, row + y * q), -1)
            for x, y in {(a, b), (b, a)}
            for p in (1, -1)
            for q in (1, -1)
        }
        rows.append(tuple(sorted(t for t in targets if t >= 0 and (column, row) != (0, 0))))
    source = ir.RowSource(unit.row_table(padded(world, tuple(rows))), space.expr)
    return Seq(source, space_type(world), 8, True)


def _line(unit: Unit, node: tree.Call, scope: Scope, expect: Type | None) -> Compiled:
    """line(space, n): n pieces of one owner in a row through the space."""
    args = Arguments(unit, node, scope, "line(space, n)", 2)
    space, length = space_of(args, 0), args.number(1)
    if isinstance(space, Broken) or isinstance(length, Broken):
        return BROKEN
    world = unit.world
    axes = [axis for axis in AXES if {axis, OPPOSITE[axis]} <= set(world.directions)]
    if not axes:
        unit.error(
            "no-board",
            node.span,
            "line(…) needs a board, or a map with directions such as `north`",
            "declare a board: `spaces: { board: { grid: [8, 8] } }`",
        )
        return BROKEN
    rays = _rays(unit, node)
    if rays is None:
        return BROKEN
    here, mine = unit.register(), unit.register()

    def owner(at: ir.Expr) -> ir.Expr | None:
        piece = attributes.attribute(unit, Val(at, space_type(world)), "piece", node.span)
        assert isinstance(piece, Val)
        value = attributes.attribute(unit, piece, "owner", node.span)
        return value.expr if isinstance(value, Val) else None

    own = owner(ir.Load(here))
    if own is None:
        return BROKEN

    def run(direction: str) -> ir.Expr:
        at = unit.register()
        theirs = owner(ir.Load(at))
        assert theirs is not None
        other = ir.Compare("!=", theirs, ir.Load(mine))
        ray = _ray_source(unit, rays, ir.Load(here), ir.Const(world.directions.index(direction)))
        stream = ir.Stream(
            (ir.Loop((at,), ray), ir.Until(other), ir.Filter(ir.Not(other))), ir.Const(1)
        )
        return ir.Aggregate("count", stream)

    result: ir.Expr | None = None
    for axis in axes:
        runs = ir.Arith("+", run(axis), run(OPPOSITE[axis]))
        needed = ir.Arith("-", length.expr, ir.Const(1))
        if isinstance(length.expr, ir.Const) and isinstance(length.expr.value, int):
            long_enough = ir.Compare(">=", runs, ir.Const(length.expr.value - 1))
        else:
            long_enough = ir.Compare(">=", runs, needed)
        result = long_enough if result is None else ir.Or(result, long_enough)
    assert result is not None
    occupied = ir.And(ir.Compare(">=", ir.Load(mine), ir.Const(0)), result)
    return Val(ir.Bind(here, space.expr, ir.Bind(mine, own, occupied)), BOOL)


def _full(unit: Unit, node: tree.Call, scope: Scope, expect: Type | None) -> Compiled:
    args = Arguments(unit, node, scope, "full(spaces)", 1)
    spaces = spaces_of(args, node.args[0]) if args.ok else BROKEN
    if isinstance(spaces, Broken):
        return spaces
    reg = unit.register()
    count = place_count(unit, Val(ir.Load(reg), place_type(unit.world)), node.span)
    taken = ir.Compare(">", count.expr, ir.Const(0))
    return Val(ir.Aggregate("all", ir.Stream((ir.Loop((reg,), spaces.source),), taken)), BOOL)


def _adjacent(unit: Unit, node: tree.Call, scope: Scope, expect: Type | None) -> Compiled:
    args = Arguments(unit, node, scope, "adjacent(a, b)", 2)
    left, right = space_of(args, 0), space_of(args, 1)
    if isinstance(left, Broken) or isinstance(right, Broken):
        return BROKEN
    table = unit.row_table(padded(unit.world, unit.world.adjacent))
    return Val(ir.InStream(left.expr, ir.RowSource(table, right.expr)), BOOL)


@lru_cache(maxsize=4)
def _distances(adjacent: tuple[tuple[int, ...], ...]) -> tuple[int, ...]:
    """All pairs, by breadth-first search; unconnected pairs are as far apart as none."""
    count = len(adjacent)
    far: list[int] = []
    for start in range(count):
        found = {start: 0}
        queue = deque([start])
        while queue:
            at = queue.popleft()
            for neighbour in adjacent[at]:
                if neighbour not in found:
                    found[neighbour] = found[at] + 1
                    queue.append(neighbour)
        far.extend(found.get(end, 2**20) for end in range(count))
    return tuple(far)


def _distance(unit: Unit, node: tree.Call, scope: Scope, expect: Type | None) -> Compiled:
    """distance(a, b): steps between neighbours (king's steps on a grid)."""
    args = Arguments(unit, node, scope, "distance(a, b)", 2)
    left, right = _certain_space(args, 0), _certain_space(args, 1)
    if isinstance(left, Broken) or isinstance(right, Broken):
        return BROKEN
    if unit.world.space_count > MAX_PAIRED:
        unit.error(
            "too-large",
            node.span,
            f"distance(…) works for up to {MAX_PAIRED} spaces",
            "use a smaller board, or compare rows and columns",
        )
        return BROKEN
    world = unit.world
    rows = tuple(
        near if spot != (0, 0) else adjacent
        for near, adjacent, spot in zip(world.near, world.adjacent, world.coordinates, strict=True)
    )
    index = ir.Arith("+", ir.Arith("*", left.expr, ir.Const(unit.world.space_count)), right.expr)
    lookup = ir.Lookup(unit.table(_distances(rows)), index, 2**20, unit.site(node.span))
    return Val(lookup, int_type(0, 2**20))


@lru_cache(maxsize=4)
def _midpoints(coordinates: tuple[tuple[int, int], ...]) -> tuple[int, ...]:
    spots = {spot: index for index, spot in enumerate(coordinates) if spot != (0, 0)}
    values: list[int] = []
    for ax, ay in coordinates:
        for bx, by in coordinates:
            even = (ax + bx) % 2 == 0 and (ay + by) % 2 == 0
            values.append(spots.get(((ax + bx) // 2, (ay + by) // 2), -1) if even else -1)
    return tuple(values)


def _midpoint(unit: Unit, node: tree.Call, scope: Scope, expect: Type | None) -> Compiled:
    """midpoint(a, b): the space halfway between two spaces of a grid, or none."""
    args = Arguments(unit, node, scope, f"{node.fn}(a, b)", 2)
    left, right = _certain_space(args, 0), _certain_space(args, 1)
    if isinstance(left, Broken) or isinstance(right, Broken):
        return BROKEN
    world = unit.world
    if world.space_count > MAX_PAIRED:
        unit.error(
            "too-large",
            node.span,
            f"{node.fn}(…) works for up to {MAX_PAIRED} spaces",
            "use a smaller board, or compare rows and columns",
        )
        return BROKEN
    values = _midpoints(world.coordinates)
    index = ir.Arith("+", ir.Arith("*", left.expr, ir.Const(world.space_count)), right.expr)
    return Val(
        ir.Lookup(unit.table(values), index, -1, unit.site(node.span)), _optional_space(unit)
    )


def _space_attribute(attribute: str) -> BoardFunction:
    def build(unit: Unit, node: tree.Call, scope: Scope, expect: Type | None) -> Compiled:
        args = Arguments(unit, node, scope, f"{node.fn}(space)", 1)
        space = space_of(args, 0)
        if isinstance(space, Broken):
            return space
        return attributes.attribute(unit, space, attribute, node.span)

    return build


def _owner(unit: Unit, node: tree.Call, scope: Scope, expect: Type | None) -> Compiled:
    """owner(piece): whose zone it lies in, or whose piece it is."""
    args = Arguments(unit, node, scope, "owner(piece or zone)", 1)
    if not args.ok:
        return BROKEN
    value = value_of(unit, node.args[0], scope, piece_type(unit.world))
    if isinstance(value, Broken):
        return value
    if value.type.kind == "piece":
        place = attributes.attribute(unit, value, "place", node.span)
        return (
            attributes.attribute(unit, place, "owner", node.span)
            if isinstance(place, Val)
            else BROKEN
        )
    return attributes.attribute(unit, value, "owner", node.span)


def _top(unit: Unit, node: tree.Call, scope: Scope, expect: Type | None) -> Compiled:
    """top(zone): the first piece, or none."""
    return _space_attribute("piece")(unit, node, scope, expect)


def _opposite(unit: Unit, node: tree.Call, scope: Scope, expect: Type | None) -> Compiled:
    args = Arguments(unit, node, scope, "opposite(direction)", 1)
    direction = _direction(args, 0)
    if isinstance(direction, Broken):
        return direction
    names = unit.world.directions
    values = [names.index(o) if (o := OPPOSITE.get(d, "")) in names else -1 for d in names]
    lookup = ir.Lookup(unit.table(values), direction.expr, -1, unit.site(node.span))
    optional = direction.type.optional or -1 in values
    return Val(lookup, replace(direction.type, optional=optional))


FUNCTIONS: dict[str, BoardFunction] = {
    "step": _step,
    "steps": _steps,
    "ray": _ray,
    "near": _near,
    "jump": _jump,
    "line": _line,
    "full": _full,
    "adjacent": _adjacent,
    "distance": _distance,
    "midpoint": _midpoint,
    "between": _midpoint,
    "rank": _space_attribute("row"),
    "row": _space_attribute("row"),
    "file": _space_attribute("column"),
    "column": _space_attribute("column"),
    "owner": _owner,
    "top": _top,
    "opposite": _opposite,
}

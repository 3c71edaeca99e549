"""Which pieces a draw from a place can give: some of the first ones, see `DrawFrom`."""

from __future__ import annotations

from ludwright import program as ir
from ludwright.native.codegen.expressions.body import Body, Take
from ludwright.native.codegen.llvm.builder import Function, Operand, Var
from ludwright.native.codegen.llvm.module import Module

_NAME = "drawable"
_ORDERS = ("stack", "row", "bag", "deck")
_BAG, _DECK = _ORDERS.index("bag"), _ORDERS.index("deck")


def drawable(b: Body, node: ir.DrawFrom) -> tuple[Operand, Operand]:
    """The place, and how many of its first pieces can be drawn."""
    f, module = b.f, b.module
    place, bounds = b.num(node.place), b.bounds(node.place)
    b.check_index(place, bounds, len(module.program.world.places), node.site)
    if isinstance(node.place, ir.Const) and bounds.lo >= 0:
        return place, _in_known_place(f, module.program, bounds.lo)
    name = module.once(_NAME, lambda: _write(module))
    if bounds.lo >= 0:
        return place, f.call("i64", name, f.state, f.context, place)
    count = Var(f, init=0)
    with f.if_(place >= 0):
        count.set(f.call("i64", name, f.state, f.context, place))
    return place, count.get()


def _in_known_place(f: Function, program: ir.Program, place: int) -> Operand:
    held = f.cell(program.place_count + place)
    if program.world.places[place].order == "bag":
        return held
    least = f.smin(held, 1)
    if place not in program.deck_top:
        return least
    top, bottom = f.cell(program.deck_top[place]), f.cell(program.deck_bottom[place])
    return f.select(top.eq(0), f.smax(held - bottom, least), least)


def draw_source(b: Body, node: ir.DrawFrom, take: Take) -> None:
    f, program = b.f, b.program
    place, count = drawable(b, node)
    link = Var(f, init=place + program.place_head)  # the cell that leads to the next piece
    with f.for_range(0, count):
        piece = f.cell(link.get())
        take(piece)
        link.set(piece + program.piece_next)


def _write(module: Module) -> None:
    program = module.program
    places = range(len(program.world.places))
    with module.helper(_NAME, "i64", "i64 place") as f:
        place = f.param("place")
        held = f.cell(place + program.place_count)
        order = _of_place(module, f, [_ORDERS.index(each.order) for each in program.world.places])
        with f.if_(order.eq(_BAG)):
            f.ret(held)
        least = f.smin(held, 1)
        if program.deck_top:
            top = _of_place(module, f, [program.deck_top.get(at, 0) for at in places])
            bottom = _of_place(module, f, [program.deck_bottom.get(at, 0) for at in places])
            with f.if_(order.eq(_DECK)), f.if_(f.cell(top).eq(0)):
                f.ret(f.smax(held - f.cell(bottom), least))
        f.ret(least)


def _of_place(module: Module, f: Function, values: list[int]) -> Operand:
    return f.load(module.table(f, values), f.param("place"), "i32")

"""Calls of the functions of a Program: as a load from a table, or as a native call."""

from __future__ import annotations

from ludwright import program as ir
from ludwright.native import layout
from ludwright.native.analysis.shapes import Int, Shape, readable_as
from ludwright.native.codegen.expressions.body import Body
from ludwright.native.codegen.llvm.builder import Function, Operand, Var
from ludwright.native.codegen.state.values import Value, Wide, number, temp, write
from ludwright.native.passes.constant_tables import HOLE, ConstantTable


def call(b: Body, node: ir.CallFn) -> Value:
    values = [b.expr(arg) for arg in node.args]
    table = b.module.tables.of(node.fn)
    if table is None:
        return _called(b, node.fn, values)
    arguments = [number(value) for value in values]
    if table.total:
        return _entry(b, table, arguments)
    return _entry_or_call(b, table, node.fn, arguments)


def _entry(b: Body, table: ConstantTable, arguments: list[Operand]) -> Operand:
    f = b.f
    at = f.value(0)
    for argument, low, size in zip(arguments, table.lows, table.sizes, strict=True):
        at = at * size + (argument - low)
    return f.load(b.module.table(f, table.values), at, "i32")


def _entry_or_call(
    b: Body, table: ConstantTable, fn: int, arguments: list[Operand]
) -> Operand:  # fmt: skip
    """The function itself finds what the table does not hold."""
    f = b.f
    inside = f.true
    described = zip(arguments, table.lows, table.sizes, table.clipped, strict=True)
    for argument, low, size, clipped in described:
        if clipped:
            inside = inside & (argument - low).below(size)
    result = Var(f, init=HOLE)
    with f.if_(inside, likely=True):
        result.set(_entry(b, table, arguments))
    with f.if_(result.get().eq(HOLE), likely=False):
        result.set(number(_called(b, fn, list(arguments))))
    return result.get()


def _called(b: Body, fn: int, values: list[Value]) -> Value:
    f = b.f
    name, params, shape = _function(b, fn)
    given = [f.state, f.context]
    for value, wanted in zip(values, params, strict=True):
        if isinstance(wanted, Int):
            given.append(number(value))
        elif isinstance(value, Wide) and readable_as(value.shape, wanted):
            given.append(value.ptr)  # functions change nothing they are given
        else:
            given.append(temp(f, wanted))
            write(given[-1], wanted, value)
    if isinstance(shape, Int):
        return f.call_checked(name, *given)
    result = temp(f, shape)
    f.call_checked(name, *given, result)
    return Wide(result, shape)


def _function(b: Body, fn: int) -> tuple[str, list[Shape], Shape]:
    """(name, shapes of the parameters, shape of the result) of a function of the Program."""
    function = b.program.functions[fn]
    shapes = b.module.shapes
    params = [shapes.registers.get(register, Int()) for register in function.params]
    shape = shapes.of(function.body)
    name = f"function{fn}"
    if b.module.begin(name):
        _write_function(b, name, fn, params, shape)
    return name, params, shape


def _write_function(b: Body, name: str, fn: int, params: list[Shape], shape: Shape) -> None:
    function = b.program.functions[fn]
    given = [
        f"{'i64' if isinstance(own, Int) else 'ptr'} p{at}" for at, own in enumerate(params)
    ] + ([] if isinstance(shape, Int) else ["ptr result"])
    with b.module.fallible(name, *given) as f:
        body = b.for_function(f)
        for at, (register, own) in enumerate(zip(function.params, params, strict=True)):
            param = f.param(f"p{at}")
            body.lend_register(register, param if isinstance(own, Int) else Wide(param, own))
        if fn in b.module.memo:
            _memoized(body, f, fn)
        elif isinstance(shape, Int):
            f.ret_checked(body.num(function.body))
        else:
            write(f.param("result"), shape, body.expr(function.body))
            f.ret_checked(f.value(0))


def _memoized(body: Body, f: Function, fn: int) -> None:
    """Evaluated once an epoch for the same arguments (see `passes.memoize`)."""
    function = body.program.functions[fn]
    at = f.value(0)
    for index, bounds in enumerate(body.module.memo.bounds(fn)):
        at = at * (bounds.hi - bounds.lo + 1) + (f.param(f"p{index}") - bounds.lo)
    place = f.gep(f.context, at * 2 + body.module.memo.place(fn))
    epoch = f.ctx[layout.EPOCH]
    with f.if_(f.load(place).ne(epoch)):
        result = body.num(function.body)
        f.store(place, 0, epoch)
        f.store(place, 1, result)
        f.ret_checked(result)
    f.ret_checked(f.load(place, 1))

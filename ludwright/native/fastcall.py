"""A step that Python calls without ctypes: the function itself speaks CPython's C interface.

`step(state, answer, kind)` takes the bytes of a state and gives a tuple (bytes of the new state,
seat to decide or -1, list of answers, what else may be answered), False where the answer is not
among those offered, None where the run failed (see the context), or 0 for bytes of another size.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any

from ludwright.kernel import program as ir
from ludwright.native import layout
from ludwright.native.builder import F, V, Var
from ludwright.native.module import Module
from ludwright.native.options import answer_shape

_ARGUMENTS = 3
_NULL = "null"


def can_step(module: Module) -> bool:
    """Whether every answer is a number."""
    return all(answer_shape(module, choice).words == 1 for choice in module.program.choices)


def add_step(module: Module) -> None:
    program = module.program
    size = len(program.code)
    f = F(
        "python_step", "ptr", (("ptr", "self"), ("ptr", "args"), ("i64", "nargs")),
        module.errors, on_fail="unreachable", linkage="dso_local",
    )  # fmt: skip
    f.at_entry("%ctx = call ptr @PyLong_AsVoidPtr(ptr %self)")
    null = V(f, _NULL, "ptr")
    bad = f.label()
    f.leave_unless(f.param("nargs").eq(_ARGUMENTS), bad)
    given = f.load(f.param("args"), 0, "ptr")
    length = f.call("i64", "PyBytes_Size", given)
    f.leave_unless(length.eq(4 * program.cells), bad)
    answer = f.call("i64", "PyLong_AsLongLong", f.load(f.param("args"), 1, "ptr"))
    kind = f.call("i64", "PyLong_AsLongLong", f.load(f.param("args"), 2, "ptr"))
    with f.if_(answer.eq(-1) | kind.eq(-1)):
        f.leave_unless(f.icmp("eq", f.call("ptr", "PyErr_Occurred"), null), bad)
    new = f.call("ptr", "PyBytes_FromStringAndSize", null, f.value(4 * program.cells))
    f.leave_if(f.icmp("eq", new, null), bad)
    state = f.call("ptr", "PyBytes_AsString", new)
    f.copy(state, f.call("ptr", "PyBytes_AsString", given), 4 * program.cells)
    failed, refused = f.label(), f.label()
    pc = f.load(state, ir.PC, "i32")
    f.leave_unless(f.load(state, ir.OVER, "i32").eq(0) & pc.below(size), refused)

    def run(base: int) -> None:
        where = f.emit(f"trunc i64 {(pc + base).text} to i32", "i32")
        f.set_ctx(layout.ENDED, 0)
        ran = f.emit(f"call i32 @run(ptr {state.text}, ptr %ctx, i32 {where.text})", "i32")
        f.leave_unless(f.icmp("eq", ran, f.value(layout.STOPPED, "i32")), failed)

    f.set_ctx(layout.SEAT, -2)
    run(2 * size)
    _leave_unless_offered(f, answer, kind, refused)
    f.set_ctx(layout.SEAT, f.ctx(layout.STOP_SEAT))
    f.set_ctx(layout.GIVEN, kind)
    f.store(f.ctx_ptr(layout.GIVEN_AT), 0, answer)
    run(size)
    _give(f, new)
    f.place(refused)
    f.call("void", "Py_DecRef", new)
    f.ret(f.call("ptr", "PyBool_FromLong", f.value(0)))
    f.place(failed)
    f.call("void", "Py_DecRef", new)
    none = V(f, "@_Py_NoneStruct", "ptr")
    f.call("void", "Py_IncRef", none)
    f.ret(none)
    f.place(bad)
    unset, raised = f.label(), f.label()
    f.branch(f.icmp("eq", f.call("ptr", "PyErr_Occurred"), null), unset, raised)
    f.place(unset)
    f.ret(f.call("ptr", "PyLong_FromLongLong", f.value(0)))
    f.place(raised)
    f.ret(null)
    module.add(f)


def _leave_unless_offered(f: F, answer: V, kind: V, refused: str) -> None:
    offered, other = f.label(), f.label()
    listed, plain, ranged = f.label(), f.label(), f.label()
    f.branch(kind.eq(layout.GIVEN_VALUE), listed, other)
    f.place(other)
    slot = f.select(
        kind.eq(layout.GIVEN_DECLINE), f.ctx(layout.DECLINE),
        f.select(kind.eq(layout.GIVEN_STOP), f.ctx(layout.CAN_STOP), 0),
    )  # fmt: skip
    f.branch(slot.ne(0), offered, refused)
    f.place(listed)
    count = f.ctx(layout.COUNT)
    f.branch(f.ctx(layout.RANGE).ne(0), ranged, plain)
    f.place(ranged)
    f.branch((answer - f.ctx(layout.FIRST)).below(count), offered, refused)
    f.place(plain)
    with f.count(0, count) as at:
        go = f.label()
        f.branch(f.load(f.ctx_ptr(layout.ANSWERS), at).eq(answer), offered, go)
        f.place(go)
    f.br(refused)
    f.place(offered)


def _give(f: F, new: V) -> None:
    """(bytes, seat, answers, extra)."""
    over = f.ctx(layout.STOP_KIND).ne(layout.STOPS.index("decision"))
    count = f.select(over, 0, f.ctx(layout.COUNT))
    first = Var(f, init=f.ctx(layout.FIRST))
    ranged = f.ctx(layout.RANGE).ne(0)
    answers = f.call("ptr", "PyList_New", count)
    with f.count(0, count) as at:
        listed = f.load(f.ctx_ptr(layout.ANSWERS), at)
        value = f.select(ranged, first.get() + at, listed)
        number = f.call("ptr", "PyLong_FromLongLong", value)
        f.call("i32", "PyList_SetItem", answers, at, number)
    result = f.call("ptr", "PyTuple_New", f.value(4))
    more = f.ctx(layout.DECLINE) + f.ctx(layout.CAN_STOP) * 2
    seat = f.call("ptr", "PyLong_FromLongLong", f.select(over, -1, f.ctx(layout.STOP_SEAT)))
    extra = f.call("ptr", "PyLong_FromLongLong", f.select(over, 0, more))
    for at_, item in enumerate((new, seat, answers, extra)):
        f.call("i32", "PyTuple_SetItem", result, f.value(at_), item)
    f.ret(result)


class _Method(ctypes.Structure):
    _fields_ = (
        ("name", ctypes.c_char_p), ("function", ctypes.c_void_p), ("flags", ctypes.c_int),
        ("doc", ctypes.c_char_p),
    )  # fmt: skip


_FASTCALL = 0x80


def python_function(
    address: int, context: int, keep: list[Any]
) -> Callable[[bytes, int, int], Any]:
    """The native function as a Python one; `keep` holds what must live as long."""
    method = _Method(b"step", address, _FASTCALL, b"Answer a state's decision.")
    make = ctypes.pythonapi.PyCFunction_NewEx
    make.restype = ctypes.py_object
    make.argtypes = (ctypes.c_void_p, ctypes.py_object, ctypes.c_void_p)
    keep.append(method)
    function: Callable[[bytes, int, int], Any] = make(ctypes.addressof(method), context, None)
    return function

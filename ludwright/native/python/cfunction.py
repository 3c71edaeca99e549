"""Native functions as Python ones, called without ctypes; see `byte_calls` and `game_calls`."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any

Waits = tuple[bytes, bytes]  # the bytes of a state, and the record of what it waits for

PYTHON_EXPORTS = [
    f"python_{name}" for name in ("begin", "step", "offer", "decision", "choose", "follow")
]


class _Method(ctypes.Structure):
    _fields_ = (
        ("name", ctypes.c_char_p), ("function", ctypes.c_void_p), ("flags", ctypes.c_int),
        ("doc", ctypes.c_char_p),
    )  # fmt: skip


_FASTCALL = 0x80


def python_function(address: int, context: int, keep: object) -> Callable[..., Any]:
    """The native function as a Python one; `keep` lives as long as it does."""
    method = _Method(b"native", address, _FASTCALL, None)
    make = ctypes.pythonapi.PyCFunction_NewEx
    make.restype = ctypes.py_object
    make.argtypes = (ctypes.c_void_p, ctypes.py_object, ctypes.py_object)
    # in the place of its module, the one object a function holds on to
    function: Callable[..., Any] = make(ctypes.addressof(method), context, (method, keep))
    return function

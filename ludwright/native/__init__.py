"""The native engine: a Program as machine code, made by llvmlite when the game is first played."""

import sys
from importlib.util import find_spec

from ludwright.native.build.progress import watch
from ludwright.native.errors import NativeMissing, NativeUnsupported, ProcessCopied

_NEEDED = ("llvmlite", "numpy")


def missing() -> str | None:
    """None if this engine can run here, else what is missing. Imports nothing."""
    if not _locks():
        return "the native engine needs CPython with its global lock"
    absent = [name for name in _NEEDED if find_spec(name) is None]
    if not absent:
        return None
    return (
        f"the native engine needs {' and '.join(absent)}; "
        "install what it needs with `pip install 'ludwright[native]'`"
    )


def _locks() -> bool:
    """Whether one thread at a time runs Python, on which native steps rely."""
    locked = getattr(sys, "_is_gil_enabled", lambda: True)
    return sys.implementation.name == "cpython" and bool(locked())


__all__ = ["NativeMissing", "NativeUnsupported", "ProcessCopied", "missing", "watch"]

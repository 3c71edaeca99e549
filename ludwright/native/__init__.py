"""The native engine: a Program as machine code, made by llvmlite when the game is first played."""

from importlib.util import find_spec

from ludwright.native.errors import NativeMissing, NativeUnsupported
from ludwright.native.watching import watch

_NEEDED = ("llvmlite", "numpy")


def missing() -> str | None:
    """None if this engine can run here, else what is missing. Imports nothing."""
    absent = [name for name in _NEEDED if find_spec(name) is None]
    if not absent:
        return None
    return (
        f"the native engine needs {' and '.join(absent)}; "
        "install what it needs with `pip install 'ludwright[native]'`"
    )


__all__ = ["NativeMissing", "NativeUnsupported", "missing", "watch"]

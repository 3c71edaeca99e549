"""The native engine: a Program as machine code, made by llvmlite while the game loads."""

from ludwright.native.errors import NativeUnsupported
from ludwright.native.watching import watch


def available() -> str | None:
    """None if this engine can run here, else what is missing."""
    try:
        import llvmlite.binding  # type: ignore[import-untyped]  # noqa: F401
        import numpy  # noqa: F401
    except ImportError as missing:
        return f"the native engine needs llvmlite and numpy ({missing})"
    return None


__all__ = ["NativeUnsupported", "available", "watch"]

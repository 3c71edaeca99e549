"""Records as bytes and back: the tree, the Program and what belongs to them.

The format is that of pickle, which can call anything it names. Here only records of this library
have names, and whatever else is named makes the bytes unreadable: reading makes data, it runs
nothing.
"""

from __future__ import annotations

import io
import pickle
from dataclasses import fields, is_dataclass
from functools import cache
from typing import Any

from ludwright.gc_pauses import without_collecting

_MODULES = (
    "ludwright.program.", "ludwright.language.tree", "ludwright.language.gamedef",
    "ludwright.language.look", "ludwright.language.parsing.examples", "ludwright.diagnostics",
)  # fmt: skip
_FORMAT = 5


class Unreadable(Exception):
    """These bytes hold no records."""


def packed(value: object) -> bytes:
    file = io.BytesIO()
    _Writer(file, _FORMAT).dump(value)
    return file.getvalue()


class _Writer(pickle.Pickler):
    def reducer_override(self, obj: Any) -> Any:
        """A record as a call of its class, which is read faster than one with a state."""
        kind: Any = type(obj)
        names = _arguments(kind)
        if names is None:
            return NotImplemented
        return kind, tuple(getattr(obj, name) for name in names)


@cache
def _arguments(kind: type) -> tuple[str, ...] | None:
    """What a record is made from; None of anything else, and of one that keeps more than that."""
    if not is_dataclass(kind) or not hasattr(kind, "__slots__"):
        return None
    parts = fields(kind)
    plain = all(part.init and not part.kw_only for part in parts)
    return tuple(part.name for part in parts) if plain else None


def unpacked(data: bytes) -> Any:
    try:
        with without_collecting():
            return _Reader(io.BytesIO(data)).load()
    except Unreadable:
        raise
    except Exception as problem:  # bytes that are not records can fail in every way
        raise Unreadable(str(problem)) from None


class _Reader(pickle.Unpickler):
    def find_class(self, module_name: str, global_name: str) -> Any:
        if module_name.startswith(_MODULES) and "." not in global_name:
            found = super().find_class(module_name, global_name)
            if isinstance(found, type) and is_dataclass(found) and found.__module__ == module_name:
                return found
        raise Unreadable(f"{module_name}.{global_name} is no record")

"""Records as bytes and back: the tree, the Program and what belongs to them.

The format is that of pickle, which can call anything it names. Here only records of this library
have names, and whatever else is named makes the bytes unreadable: reading makes data, it runs
nothing.
"""

from __future__ import annotations

import gc
import io
import pickle
from dataclasses import is_dataclass
from typing import Any

_MODULES = (
    "ludwright.program.", "ludwright.language.tree", "ludwright.language.gamedef",
    "ludwright.language.parsing.examples", "ludwright.diagnostics",
)  # fmt: skip
_FORMAT = 5


class Unreadable(Exception):
    """These bytes hold no records."""


def packed(value: object) -> bytes:
    return pickle.dumps(value, _FORMAT)


def unpacked(data: bytes) -> Any:
    collecting = gc.isenabled()
    gc.disable()  # nothing here is garbage, and looking for it takes as long as reading
    try:
        return _Reader(io.BytesIO(data)).load()
    except Unreadable:
        raise
    except Exception as problem:  # bytes that are not records can fail in every way
        raise Unreadable(str(problem)) from None
    finally:
        if collecting:
            gc.enable()


class _Reader(pickle.Unpickler):
    def find_class(self, module_name: str, global_name: str) -> Any:
        if module_name.startswith(_MODULES) and "." not in global_name:
            found = super().find_class(module_name, global_name)
            if isinstance(found, type) and is_dataclass(found) and found.__module__ == module_name:
                return found
        raise Unreadable(f"{module_name}.{global_name} is no record")

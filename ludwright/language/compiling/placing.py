"""Every instruction and node says where in the rulebook it comes from.

Most nodes are made without a site, by code that knows no line. Whatever of them may fault is told
with the statement or declaration around it, so all of them are filled in here, in one place.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, is_dataclass, replace
from typing import Any, TypeVar

from ludwright.kernel.types import Type

T = TypeVar("T")

_NOWHERE = -1
_ATOMS = (int, str, bool)
_fields: dict[type, tuple[str, ...]] = {}


def placed(node: T, site: int | Callable[[], int]) -> T:
    """The same with a site wherever one is missing; a function is asked only then."""
    found: T = _placed(node, site if callable(site) else lambda: site)
    return found


def _placed(node: Any, site: Callable[[], int]) -> Any:
    kind = type(node)
    if kind is tuple:
        items = tuple(_placed(item, site) for item in node)
        return node if all(one is two for one, two in zip(items, node, strict=True)) else items
    names = _fields.get(kind)
    if names is None:
        names = _fields[kind] = _parts(kind)
    changed = {}
    for name in names:
        before = getattr(node, name)
        if name == "site":
            after = site() if before == _NOWHERE else before
        elif before is None or before.__class__ in _ATOMS:
            continue
        else:
            after = _placed(before, site)
        if after is not before:
            changed[name] = after
    return replace(node, **changed) if changed else node


def _parts(kind: type) -> tuple[str, ...]:
    """The fields that can hold a site, or something that holds one."""
    if not is_dataclass(kind) or kind is Type:
        return ()
    return tuple(field.name for field in fields(kind))

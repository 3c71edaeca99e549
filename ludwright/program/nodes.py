"""What is inside a node: the one place that walks over the records of a Program.

A node is an instruction, an expression, a stream, a clause of one, a choice, a function or another
record that can hold expressions. Tuples are looked through. Types are not nodes, and neither are
the values of constants.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields, is_dataclass
from typing import Any, TypeVar, get_args, get_type_hints

from ludwright.program.expressions import Const, ConstSource, Expr, Source
from ludwright.program.instructions import Instr
from ludwright.program.types import Type

N = TypeVar("N")

_BASES = (Expr, Source, Instr)


class _Fields(dict[type, tuple[str, ...]]):
    """The names of all fields of a record."""

    def __missing__(self, kind: type) -> tuple[str, ...]:
        return self.setdefault(kind, tuple(field.name for field in fields(kind)))


class _Parts(dict[type, tuple[str, ...] | None]):
    """The names of the fields in which nodes can be; None if the class is not one of nodes."""

    def __missing__(self, kind: type) -> tuple[str, ...] | None:
        return self.setdefault(kind, _find_parts(kind))


# Every walk asks these of every value it meets, so they are no functions of Python.
fields_of: Callable[[type], tuple[str, ...]] = _Fields().__getitem__
parts_of: Callable[[type], tuple[str, ...] | None] = _Parts().__getitem__


def _find_parts(kind: type) -> tuple[str, ...] | None:
    if not _is_node(kind):
        return None
    hints = get_type_hints(kind)
    return tuple(name for name in fields_of(kind) if _mentions_nodes(hints[name]))


def _is_node(kind: type) -> bool:
    return is_dataclass(kind) and kind is not Type


def _mentions_nodes(hint: Any) -> bool:
    if isinstance(hint, type) and (hint in _BASES or _is_node(hint)):
        return True
    return any(_mentions_nodes(part) for part in get_args(hint))


def children(node: Any) -> list[Any]:
    """The nodes directly inside a node or a tuple, in the order of its fields."""
    found: list[Any] = []
    if isinstance(node, tuple):
        _collect(node, found)
    else:
        for name in parts_of(node.__class__) or ():
            _collect(getattr(node, name), found)
    return found


def _collect(value: Any, found: list[Any]) -> None:
    if isinstance(value, tuple):
        for item in value:
            _collect(item, found)
    elif value is not None and parts_of(value.__class__) is not None:
        found.append(value)


def walk(root: object) -> Iterator[Any]:
    """Every node below a node or a tuple of nodes, itself included; shared ones once."""
    seen: set[int] = set()
    stack: list[Any] = [root]
    while stack:
        item = stack.pop()
        if isinstance(item, tuple):
            stack.extend(item)
            continue
        names = parts_of(item.__class__)
        if names is not None and id(item) not in seen:
            seen.add(id(item))
            yield item
            for name in names:
                part = getattr(item, name)
                if part is not None:
                    stack.append(part)


def size(root: object) -> int:
    """How many nodes there are in a node and below."""
    return sum(1 for _ in walk(root))


def changed(node: N, changes: Mapping[str, Any]) -> N:
    """The node with other values in some of its fields. All of them are arguments of its class, in
    this order, which `dataclasses.replace` could not know."""
    kind = node.__class__
    return kind(
        *[changes[name] if name in changes else getattr(node, name) for name in fields_of(kind)]
    )


def mapped(node: N, change: Callable[[Any], Any]) -> N:
    """The node with each of the nodes directly inside it changed; itself if none of them is."""
    changes = {}
    for name in parts_of(node.__class__) or ():
        before = getattr(node, name)
        after = _mapped(before, change)
        if after is not before:
            changes[name] = after
    return changed(node, changes) if changes else node


def _mapped(value: Any, change: Callable[[Any], Any]) -> Any:
    if isinstance(value, tuple):
        items = tuple([_mapped(item, change) for item in value])
        same = all(one is two for one, two in zip(items, value, strict=True))
        return value if same else items
    if value is None or parts_of(value.__class__) is None:
        return value
    return change(value)


def values_in(root: object, wanted: type[N]) -> Iterator[N]:
    """The values of one type in the fields of a node and below: addresses, registers, targets.
    What constants hold does not count."""
    stack: list[Any] = [root]
    while stack:
        item = stack.pop()
        kind = item.__class__
        if kind is wanted:
            yield item
        elif isinstance(item, tuple):
            stack.extend(item)
        elif parts_of(kind) is not None and not isinstance(item, Const | ConstSource):
            stack.extend([getattr(item, name) for name in fields_of(kind)])

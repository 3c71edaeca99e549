"""Which constructs a rulebook uses, and which there are.

A construct is a class of the tree or of the Program, or one value of a field of it that is a word
or a yes: `Draw`, `Draw.up_to`, `Aggregate.op=first`. All of them are read from the classes, so that
a new one is missed until rulebooks are written with it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from functools import cache
from types import ModuleType
from typing import Any, Literal, get_args, get_origin, get_type_hints

from ludwright import program as ir
from ludwright.language import tree
from ludwright.language.compiling.expressions import boards, builtins
from ludwright.language.gamedef import GameDef

_ABSTRACT = (tree.Node, tree.Expr, tree.Effect, ir.Instr, ir.Expr, ir.Source)


def used(gamedef: GameDef, program: ir.Program) -> set[str]:
    """The constructs of one rulebook: of its tree, and of what it is compiled to."""
    found = {f"tree.{name}" for name in _walk(gamedef)}
    return found | {f"ir.{name}" for name in _walk(program)}


def known() -> set[str]:
    """All constructs there are."""
    found = {f"ir.{name}" for item in _classes(ir, ir.__name__) for name in _names(item)}
    found |= {f"tree.{name}" for item in _classes(tree, tree.__name__) for name in _names(item)}
    return found | {f"tree.Call.fn={name}" for name in (*builtins.FUNCTIONS, *boards.FUNCTIONS)}


def _classes(module: ModuleType, home: str) -> set[type]:
    """The records that a module offers, and that come from it or from its package."""
    return {
        item
        for item in vars(module).values()
        if isinstance(item, type)
        and is_dataclass(item)
        and item not in _ABSTRACT
        and f"{item.__module__}.".startswith(f"{home}.")
    }


@cache
def _worded(item: type) -> dict[str, tuple[object, ...]]:
    """The fields of a class that hold one of a few words, or yes and no."""
    words: dict[str, tuple[object, ...]] = {}
    hints = get_type_hints(item)
    for field in fields(item):
        options = [hints[field.name], *get_args(hints[field.name])]
        for option in options:
            if option is bool:
                words[field.name] = (True,)
            elif get_origin(option) is Literal:
                words[field.name] = get_args(option)
    return words


def _names(item: type) -> Iterator[str]:
    yield item.__name__
    for name, words in _worded(item).items():
        yield from (_told(item, name, word) for word in words)


def _told(item: type, name: str, word: object) -> str:
    return f"{item.__name__}.{name}" if word is True else f"{item.__name__}.{name}={word}"


def _walk(root: object) -> set[str]:
    found: set[str] = set()
    stack: list[Any] = [root]
    while stack:
        item = stack.pop()
        if isinstance(item, tuple | list):
            stack.extend(item)
        elif isinstance(item, Mapping):
            stack.extend(item.values())
        elif is_dataclass(item) and not isinstance(item, type):
            found.add(type(item).__name__)
            for name in _worded(type(item)):
                value = getattr(item, name)
                if value is not False and value is not None:
                    found.add(_told(type(item), name, value))
            if isinstance(item, tree.Call):
                found.add(f"Call.fn={item.fn}")
            stack.extend(getattr(item, field.name) for field in fields(item))
    return found

"""Puts a mutant into modules that are imported already: its functions get the mutated code."""

from __future__ import annotations

import ast
import gc
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from types import CodeType, FunctionType

from tests.mutation.mutants import Mutant, tree_of

Place = tuple[str, int]  # the full name of a function and its line


def swap(path: str, tree: ast.Module) -> None:
    """Every function of a module, wherever it is referred to, runs the code of that tree.

    A module that is not imported yet has no functions; it is read from its file when it is.
    """
    mutated = _codes(tree, path)
    gc.unfreeze()  # what is frozen is not found
    functions = [
        function
        for function in gc.get_objects()
        if isinstance(function, FunctionType) and function.__code__.co_filename == path
    ]
    gc.freeze()
    for function in functions:
        function.__code__ = mutated.get(_place(function.__code__), function.__code__)


def can_be_swapped(root: Path, mutant: Mutant) -> bool:
    """Not where a function uses other variables of the functions around it than before."""
    return _from_around(tree_of(root, mutant)) == _unchanged(root / mutant.file)


@cache
def _unchanged(path: Path) -> dict[Place, tuple[str, ...]]:
    return _from_around(ast.parse(path.read_text(encoding="utf-8")))


def _from_around(tree: ast.Module) -> dict[Place, tuple[str, ...]]:
    """The variables that functions have from the functions around them."""
    return {place: code.co_freevars for place, code in _codes(tree, "").items()}


def _codes(tree: ast.Module, path: str) -> dict[Place, CodeType]:
    return dict(_inside(compile(tree, path, "exec", dont_inherit=True)))


def _inside(code: CodeType) -> Iterator[tuple[Place, CodeType]]:
    """The functions with a name; the others are part of them."""
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            if not constant.co_name.startswith("<"):
                yield _place(constant), constant
            yield from _inside(constant)


def _place(code: CodeType) -> Place:
    return code.co_qualname, code.co_firstlineno

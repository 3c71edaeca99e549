"""Nobody uses what another module keeps to itself: members and names that begin with `_`."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1] / "ludwright"


def borrowed(source: str) -> list[str]:
    """Uses of private names that the source does not itself define."""
    tree = ast.parse(source)
    own = set(_defined(tree))
    return [found for node in ast.walk(tree) for found in _uses(node, own)]


def _defined(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        match node:
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
                yield name
            case ast.Attribute(attr=name, value=ast.Name(id="self" | "cls")):
                yield name
            case ast.AnnAssign(target=ast.Name(id=name)):
                yield name
            case ast.Assign(targets=targets):
                yield from (target.id for target in targets if isinstance(target, ast.Name))


def _uses(node: ast.AST, own: set[str]) -> Iterator[str]:
    match node:
        case ast.Attribute(attr=name, value=value):
            mine = isinstance(value, ast.Name) and value.id in ("self", "cls")
            if _private(name) and not mine and name not in own:
                yield ast.unparse(node)
        case ast.ImportFrom(module=module, names=names):
            if (module or "").startswith("ludwright"):
                yield from (f"{module}.{one.name}" for one in names if _private(one.name))


def _private(name: str) -> bool:
    return name.startswith("_") and not name.startswith("__")


@pytest.mark.parametrize("path", sorted(ROOT.rglob("*.py")), ids=lambda path: path.stem)
def test_no_module_uses_private_names_of_another(path: Path) -> None:
    assert borrowed(path.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("class A:\n  def f(self, other): return other._x + self._x", []),
        ("def f(game): return game._core", ["game._core"]),
        ("from ludwright.loading import _read", ["ludwright.loading._read"]),
        ("import sys; sys._getframe", ["sys._getframe"]),
        ("class A: __slots__ = ()", []),
    ],
)
def test_private_names_are_found(source: str, found: list[str]) -> None:
    assert borrowed(source) == found

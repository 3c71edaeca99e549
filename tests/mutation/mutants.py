"""Mutants: the same module with one small mistake in it."""

from __future__ import annotations

import ast
import difflib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

_COMPARISONS: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq, ast.NotEq: ast.Eq, ast.Is: ast.IsNot, ast.IsNot: ast.Is,
    ast.In: ast.NotIn, ast.NotIn: ast.In,
}  # fmt: skip
_ARITHMETIC: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Add, ast.FloorDiv: ast.Mult,
    ast.Mod: ast.FloorDiv, ast.BitAnd: ast.BitOr, ast.BitOr: ast.BitAnd, ast.BitXor: ast.BitOr,
    ast.LShift: ast.RShift, ast.RShift: ast.LShift,
}  # fmt: skip
_REMOVABLE = (ast.Expr, ast.Assign, ast.AugAssign, ast.Raise, ast.Break, ast.Continue, ast.Delete)


@dataclass(frozen=True)
class Mutant:
    file: str  # below the root of the tree
    line: int
    column: int
    kind: str
    number: int  # of the change within the file, in the order of the walk

    @property
    def name(self) -> str:
        return f"{self.file}:{self.line}:{self.column} {self.kind} #{self.number}"


@dataclass(frozen=True)
class _Change:
    node: ast.AST
    kind: str

    def apply(self) -> None:
        """Change the tree in place."""
        node, kind = self.node, self.kind
        match kind, node:
            case "comparison", ast.Compare():
                node.ops[0] = _COMPARISONS[type(node.ops[0])]()
            case "arithmetic", ast.BinOp() | ast.AugAssign():
                node.op = _ARITHMETIC[type(node.op)]()
            case "and-or", ast.BoolOp():
                node.op = ast.Or() if isinstance(node.op, ast.And) else ast.And()
            case "constant", ast.Constant(value=bool() as value):
                node.value = not value
            case "constant", ast.Constant(value=int() as value):
                node.value = value + 1
            case "condition", ast.If() | ast.While() | ast.IfExp():
                node.test = ast.UnaryOp(ast.Not(), node.test)
            case "branches", ast.If():
                node.body, node.orelse = node.orelse, node.body
            case "branches", ast.IfExp():
                node.body, node.orelse = node.orelse, node.body
            case "return", ast.Return():
                node.value = ast.Constant(None)
            case _:
                raise AssertionError(f"no such change: {kind}")


@dataclass(frozen=True)
class _Removal:
    body: list[ast.stmt]
    node: ast.stmt
    kind: str = "removed"

    def apply(self) -> None:
        self.body[self.body.index(self.node)] = ast.copy_location(ast.Pass(), self.node)


def mutants_of(root: Path, file: str) -> list[Mutant]:
    tree = ast.parse((root / file).read_text(encoding="utf-8"))
    return [
        Mutant(file, _line(change.node), getattr(change.node, "col_offset", 0), change.kind, number)
        for number, change in enumerate(_changes(tree))
    ]


def tree_of(root: Path, mutant: Mutant) -> ast.Module:
    """The mutated module, each node where it stood."""
    tree = ast.parse((root / mutant.file).read_text(encoding="utf-8"))
    for number, change in enumerate(_changes(tree)):
        if number == mutant.number:
            change.apply()
            return ast.fix_missing_locations(tree)
    raise AssertionError(f"no such mutant: {mutant.name}")


def source_of(root: Path, mutant: Mutant) -> tuple[str, str]:
    """The text of the mutated module, and the difference in words of `diff`."""
    before = ast.unparse(ast.parse((root / mutant.file).read_text(encoding="utf-8")))
    after = ast.unparse(tree_of(root, mutant))
    lines = difflib.unified_diff(before.split("\n"), after.split("\n"), lineterm="", n=1)
    return after + "\n", "\n".join(list(lines)[2:])


def _line(node: ast.AST) -> int:
    return int(getattr(node, "lineno", 0))


def _changes(tree: ast.Module) -> Iterator[_Change | _Removal]:
    """Every change that can be made, in a fixed order."""
    for node in _code(tree):
        match node:
            case ast.Compare(ops=[operator]) if type(operator) in _COMPARISONS:
                yield _Change(node, "comparison")
            case ast.BinOp(op=operator) | ast.AugAssign(op=operator):
                if type(operator) in _ARITHMETIC and not _of_text(node):
                    yield _Change(node, "arithmetic")
            case ast.BoolOp():
                yield _Change(node, "and-or")
            case ast.Constant(value=bool() | int()):
                yield _Change(node, "constant")
            case ast.Return(value=ast.expr() as value):
                if not (isinstance(value, ast.Constant) and value.value is None):
                    yield _Change(node, "return")
        if isinstance(node, ast.If | ast.While | ast.IfExp):
            yield _Change(node, "condition")
        if isinstance(node, ast.If) and node.orelse:
            yield _Change(node, "branches")
        for name in ("body", "orelse", "finalbody"):
            body = getattr(node, name, None)
            if isinstance(body, list):
                yield from (
                    _Removal(body, item)
                    for item in body
                    if isinstance(item, _REMOVABLE) and not _is_text(item)
                )


def _code(tree: ast.Module) -> Iterator[ast.AST]:
    """The nodes inside functions; not annotations, defaults, messages of errors or formats."""
    seen: set[int] = set()
    for function in ast.walk(tree):
        if not isinstance(function, ast.FunctionDef) or function.name == "__repr__":
            continue
        yield function
        for statement in function.body:
            yield from _inside(statement, seen)


def _inside(node: ast.AST, seen: set[int]) -> Iterator[ast.AST]:
    if id(node) in seen or isinstance(
        node, ast.JoinedStr | ast.Assert | ast.Import | ast.ImportFrom
    ):
        return
    seen.add(id(node))
    if isinstance(node, ast.FunctionDef):  # those come by themselves
        return
    yield node
    for name, value in ast.iter_fields(node):
        if name in ("annotation", "returns", "decorator_list"):
            continue
        if isinstance(node, ast.Raise) and name == "exc":
            continue
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST):
                yield from _inside(child, seen)


def _is_text(node: ast.stmt) -> bool:
    """A docstring, or nothing at all."""
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _of_text(node: ast.BinOp | ast.AugAssign) -> bool:
    """Texts that are joined: a type error is no mistake worth finding."""
    sides = [node.left, node.right] if isinstance(node, ast.BinOp) else [node.value]
    return any(
        isinstance(side, ast.JoinedStr)
        or (isinstance(side, ast.Constant) and isinstance(side.value, str))
        for side in sides
    )

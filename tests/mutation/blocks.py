"""Which blocks of code run: every list of statements in a function notes that it was entered.

The notes are bytes of a file that all processes share, so that commands started by a test are seen
as well. A mutant can only be noticed by a test that enters the block it stands in.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

MODULE = "_entered"  # of the package with probes in it: it opens the file of notes
Position = tuple[int, int]


@dataclass(frozen=True)
class Block:
    """A list of statements in a function, from the first to the last."""

    file: str
    number: int  # within the file
    begin: Position
    end: Position

    @property
    def name(self) -> str:
        return f"{self.file}#{self.number}"


def blocks_of(root: Path, file: str) -> list[Block]:
    tree = ast.parse((root / file).read_text(encoding="utf-8"))
    return [
        Block(file, number, _begin(body[0]), _end(body[-1]))
        for number, body in enumerate(_bodies(tree))
    ]


def block_at(blocks: list[Block], position: Position) -> Block:
    """The innermost block with that position; what belongs to the head of a function (which no
    mistake is made in) has none."""
    around = [block for block in blocks if block.begin <= position < block.end]
    return max(around, key=lambda block: block.begin)


def put_probes(package: Path, blocks: list[Block], notes: Path) -> None:
    """Change the files of a package so that they note in a file which blocks are entered."""
    notes.write_bytes(bytes(len(blocks)))
    (package / f"{MODULE}.py").write_text(
        f"import mmap\n\nwith open({str(notes)!r}, 'r+b') as file:\n"
        "    ENTERED = mmap.mmap(file.fileno(), 0)\n",
        encoding="utf-8",
    )
    first: dict[str, int] = {}
    for index, block in enumerate(blocks):
        first.setdefault(block.file, index)
    for file, start in first.items():
        path = package.parent / file
        tree = ast.parse(path.read_text(encoding="utf-8"))
        for number, body in enumerate(list(_bodies(tree))):
            body.insert(0, ast.parse(f"_ENTERED[{start + number}] = 1").body[0])
        opening = f"from {package.name}.{MODULE} import ENTERED as _ENTERED"
        tree.body.insert(_after_future(tree), ast.parse(opening).body[0])
        path.write_text(ast.unparse(ast.fix_missing_locations(tree)) + "\n", encoding="utf-8")


def _bodies(tree: ast.Module) -> Iterator[list[ast.stmt]]:
    """Every list of statements inside functions, in a fixed order."""
    seen: set[int] = set()
    for function in ast.walk(tree):
        if isinstance(function, ast.FunctionDef):
            for node in ast.walk(function):
                for name in ("body", "orelse", "finalbody"):
                    body = getattr(node, name, None)
                    if isinstance(body, list) and body and id(body) not in seen:
                        seen.add(id(body))
                        yield body


def _begin(node: ast.stmt) -> Position:
    return node.lineno, node.col_offset


def _end(node: ast.stmt) -> Position:
    return node.end_lineno or node.lineno, node.end_col_offset or 0


def _after_future(tree: ast.Module) -> int:
    found = [
        index
        for index, statement in enumerate(tree.body)
        if isinstance(statement, ast.ImportFrom) and statement.module == "__future__"
    ]
    return found[-1] + 1 if found else 0

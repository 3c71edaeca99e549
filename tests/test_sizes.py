"""Files and functions stay short enough to be read in one go."""

from __future__ import annotations

import ast
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1] / "ludwright"
LINES_OF_A_FILE = 600
LINES_OF_A_FUNCTION = 60

# Lists of cases, which are clearest in one piece.
LONGER = {
    "language/compiling/expressions/names.py": {"resolve_global"},
    "native/analysis/shape_inference.py": {"_of"},
    "native/codegen/instructions/dispatch.py": {"_instruction"},
}


def test_no_file_is_longer_than_can_be_read() -> None:
    sizes = {path: len(path.read_text(encoding="utf-8").splitlines()) for path in _files()}
    assert [path for path, size in sizes.items() if size > LINES_OF_A_FILE] == []


def test_functions_are_short_except_lists_of_cases() -> None:
    long: dict[str, set[str]] = {}
    for path in _files():
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                lines = (node.end_lineno or node.lineno) - node.lineno + 1
                if lines > LINES_OF_A_FUNCTION:
                    long.setdefault(str(path.relative_to(ROOT)), set()).add(node.name)
    assert long == LONGER


def _files() -> list[Path]:
    return sorted(ROOT.rglob("*.py"))

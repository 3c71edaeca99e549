"""What docstrings and comments name in backticks as `room.module` or `room.module.name` exists."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1] / "ludwright"
_DOTTED = re.compile(r"`([a-z_]+(?:\.\w+)+)(?:\([^`]*\))?`")


@cache
def modules() -> dict[str, set[str]]:
    """By dotted path inside the package: the names that a module defines."""
    found: dict[str, set[str]] = {}
    for path in sorted(ROOT.rglob("*.py")):
        parts = path.relative_to(ROOT).with_suffix("").parts
        name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
        found[name] = {
            node.id if isinstance(node, ast.Name) else node.name
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
            if isinstance(node, ast.Name | ast.FunctionDef | ast.ClassDef)
        }
    return found


@cache
def rooms() -> frozenset[str]:
    return frozenset(path.name for path in ROOT.rglob("*") if (path / "__init__.py").is_file())


def exists(dotted: str) -> bool:
    """Whether this is the end of a module's path, perhaps with names inside the module behind it."""
    parts = dotted.split(".")
    for end in range(len(parts), 0, -1):
        path, inside = ".".join(parts[:end]), parts[end:]
        for name, defined in modules().items():
            if f".{name}".endswith(f".{path}") and set(inside) <= defined:
                return True
    return False


def texts(source: str) -> list[str]:
    """Comments and docstrings."""
    tokens = tokenize.generate_tokens(io.StringIO(source).readline)
    return [
        token.string
        for token in tokens
        if token.type == tokenize.COMMENT or token.string.startswith('"""')
    ]


def missing(source: str) -> list[str]:
    named = [name for text in texts(source) for name in _DOTTED.findall(text)]
    return [name for name in named if name.split(".")[0] in rooms() and not exists(name)]


def test_modules_that_are_named_exist() -> None:
    found = {
        str(path.relative_to(ROOT)): names
        for path in sorted(ROOT.rglob("*.py"))
        if (names := missing(path.read_text(encoding="utf-8")))
    }
    assert found == {}


def test_a_module_that_is_gone_is_noticed() -> None:
    assert missing('"""See `native.codegen.gone` and `program.flow.exits`."""') == [
        "native.codegen.gone"
    ]
    assert missing("x = 1  # see `program.flow.settled`") == ["program.flow.settled"]

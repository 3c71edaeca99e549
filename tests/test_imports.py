"""Which module imports which: no circles, also none through late or type-checking imports."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
FOLDER = re.compile(r"`([a-z/]+?)/?`")

# From the bottom up: a folder imports from those before it, never from those after it.
FOLDERS_OF_KERNEL = (
    "ludwright.program",
    "ludwright.kernel.interpreter",
    "ludwright.kernel.protocol",
    "ludwright.kernel.views",
    "ludwright.kernel.play",
)
FOLDERS_OF_CODEGEN = tuple(
    f"ludwright.native.codegen.{folder}"
    for folder in ("llvm", "state", "expressions", "options", "instructions")
)
# Packages whose modules import one another in no circle.
WITHOUT_CIRCLES = (
    "ludwright.program",
    "ludwright.language",
    "ludwright.kernel",
    "ludwright.native",
    "ludwright.scene",
    "ludwright.agents",
    "ludwright.simulate",
    "ludwright.testing",
    "ludwright.cli",
    "ludwright.bots",
    "ludwright.table",
)


@cache
def modules() -> dict[str, Path]:
    found: dict[str, Path] = {}
    for path in (ROOT / "ludwright").rglob("*.py"):
        parts = path.relative_to(ROOT).with_suffix("").parts
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


@cache
def imports() -> dict[str, frozenset[str]]:
    """By module: the modules of this project that it names in an import, wherever that stands."""
    return {name: frozenset(_named(path) - {name}) for name, path in modules().items()}


def _named(path: Path) -> set[str]:
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            for alias in node.names:
                inner = f"{node.module}.{alias.name}"
                found.add(inner if inner in modules() else f"{node.module}")
    return found & modules().keys()


def circle(start: str) -> list[str] | None:
    """A way along imports from a module back to itself."""
    ways = [[start]]
    seen: set[str] = set()
    while ways:
        way = ways.pop()
        for other in sorted(imports()[way[-1]]):
            if other == start:
                return [*way, start]
            if other not in seen:
                seen.add(other)
                ways.append([*way, other])
    return None


@pytest.mark.parametrize("package", WITHOUT_CIRCLES)
def test_imports_go_in_no_circle(package: str) -> None:
    found = [circle(name) for name in modules() if name.startswith(f"{package}.")]
    assert not [" → ".join(way) for way in found if way]


@pytest.mark.parametrize(
    "folders", [FOLDERS_OF_KERNEL, FOLDERS_OF_CODEGEN], ids=["kernel", "codegen"]
)
def test_folders_import_only_from_those_below(folders: tuple[str, ...]) -> None:
    def folder(name: str) -> int | None:
        return next((at for at, of in enumerate(folders) if f"{name}.".startswith(f"{of}.")), None)

    wrong = [
        f"{name} imports {other}"
        for name, named in imports().items()
        for other in named
        if (here := folder(name)) is not None
        and (there := folder(other)) is not None
        and there > here
    ]
    assert not wrong


def may_import() -> dict[str, set[str]]:
    """By folder: the folders that it may import from, as the page of the architecture says."""
    text = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    rows = text.split("## The folders")[1].split("##")[0].splitlines()
    cells = [row.strip("|").split("|") for row in rows if row.startswith("| `")]
    folders = [FOLDER.findall(first)[0] for first, *_ in cells]
    return {
        folder: set(folders if "all of these" in last else FOLDER.findall(last))
        for folder, (*_, last) in zip(folders, cells, strict=True)
    }


def test_folders_import_only_what_the_architecture_says() -> None:
    allowed = may_import()
    assert {path.name for path in (ROOT / "ludwright").iterdir() if any(path.glob("*.py"))} <= {
        folder.split("/")[0] for folder in allowed
    }

    def folder(name: str) -> str | None:
        path = name.replace(".", "/").removeprefix("ludwright/")
        found = [each for each in allowed if f"{path}/".startswith(f"{each}/")]
        return max(found, key=len, default=None)

    wrong = [
        f"{name} imports {other}"
        for name, named in imports().items()
        for other in named
        if (here := folder(name)) is not None
        and (there := folder(other)) is not None
        and here != there
        and not any(
            there == each or (each not in allowed and there.startswith(f"{each}/"))
            for each in allowed[here]
        )
    ]
    assert not wrong


def test_the_kernel_needs_no_other_package() -> None:
    """Nothing of the language, the native engine or the command line."""
    allowed = ("ludwright.kernel", "ludwright.program")
    alone = {"ludwright.errors", "ludwright.diagnostics", "ludwright.cached", "ludwright.forking"}
    wrong = [
        f"{name} imports {other}"
        for name, named in imports().items()
        if name.startswith("ludwright.kernel")
        for other in named - alone
        if not other.startswith(allowed)
    ]
    assert not wrong

"""Copies of the tree, and what there is to change in them."""

from __future__ import annotations

import os
import random
import shutil
import subprocess
import sys
from pathlib import Path

from tests.mutation.blocks import Block, blocks_of
from tests.mutation.mutants import Mutant, mutants_of

ROOT = Path(__file__).parents[2]
TARGETS = ("ludwright/program", "ludwright/kernel", "ludwright/native")
LEFT_OUT = (
    ".git", ".venv", ".mypy_cache", ".ruff_cache", ".pytest_cache", ".hypothesis", "__pycache__",
)  # fmt: skip


def targets(root: Path) -> list[str]:
    """The modules that mistakes are made in."""
    return sorted(
        str(path.relative_to(root)) for target in TARGETS for path in (root / target).rglob("*.py")
    )


def test_files(root: Path) -> list[str]:
    return sorted(
        str(path.relative_to(root))
        for path in (root / "tests").rglob("test_*.py")
        if "mutation" not in path.parts
    )


def blocks(root: Path) -> list[Block]:
    return [block for file in targets(root) for block in blocks_of(root, file)]


def sample(root: Path, n: int, seed: int, only: str = "") -> list[Mutant]:
    everything = [
        mutant for file in targets(root) if only in file for mutant in mutants_of(root, file)
    ]
    return random.Random(seed).sample(everything, min(n, len(everything)))


def copy(root: Path, target: Path) -> None:
    shutil.copytree(root, target, ignore=shutil.ignore_patterns(*LEFT_OUT), dirs_exist_ok=True)


def start_inside(tree: Path, module: str, *arguments: str) -> subprocess.Popen[bytes]:
    """A module of this package in a process that sees that copy of the tree alone, and leaves its
    files in it. Nothing is compiled into it while a module is wrong, so it is done before."""
    temporary = tree / "temporary"
    temporary.mkdir(exist_ok=True)
    environment = {
        **os.environ,
        "PYTHONPATH": str(tree),
        "TMPDIR": str(temporary),
        "LUDWRIGHT_CACHE": str(tree / "native-code"),
        "PYTHONDONTWRITEBYTECODE": "",
    }
    collect = [
        sys.executable,
        "-m",
        "pytest",
        "-n",
        "0",
        "-p",
        "no:cacheprovider",
        "--collect-only",
    ]
    subprocess.run(collect, cwd=tree, env=environment, check=False, stdout=subprocess.DEVNULL)
    command = [sys.executable, "-B", "-m", f"tests.mutation.{module}", *arguments]
    return subprocess.Popen(command, cwd=tree, env={**environment, "PYTHONDONTWRITEBYTECODE": "1"})


def run_inside(tree: Path, module: str, *arguments: str) -> None:
    if start_inside(tree, module, *arguments).wait():
        raise SystemExit(f"{module} failed")

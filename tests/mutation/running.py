"""Runs the tests on mutants, in a copy of the tree, the likeliest to fail first."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from tests.mutation.mutants import Mutant, source_of

LEFT_OUT = (
    ".git",
    ".venv",
    ".mypy_cache",
    ".ruff_cache",
    ".pytest_cache",
    ".hypothesis",
    "__pycache__",
)
SLOW = 60.0  # seconds that a file of tests is taken to need until it has been measured
# where the behaviour of a package is tested, the most telling first
FOLDERS = {
    "kernel": ("kernel", "semantics", "seeds", "properties", "games", "native", "cli"),
    "native": ("native", "kernel", "semantics", "seeds", "properties", "games", "cli"),
}
STAGE = 15  # files of tests in one run
PATIENCE = 4.0  # so many times longer than usual is a mutant that hangs


@dataclass(frozen=True)
class Verdict:
    mutant: str
    file: str
    line: int
    kind: str
    diff: str
    result: str  # "killed", "timeout" or "survived"
    by: str  # the test that failed
    seconds: float


class Laboratory:
    """A copy of the tree in which one module at a time is wrong."""

    def __init__(self, root: Path, scratch: Path, durations: dict[str, float]) -> None:
        self.root, self.scratch, self.durations = root, scratch, durations
        shutil.copytree(root, scratch, ignore=shutil.ignore_patterns(*LEFT_OUT), dirs_exist_ok=True)
        folder = scratch / "tests"
        self.tests = sorted(
            str(path.relative_to(scratch))
            for path in folder.rglob("test_*.py")
            if "mutation" not in path.parts
        )
        self.kills: Counter[tuple[str, str]] = Counter()  # by mutated file and file of tests
        self._texts = {test: (scratch / test).read_text(encoding="utf-8") for test in self.tests}

    def order(self, file: str) -> list[str]:
        """What killed mutants of this module, then tests that speak of it, then the folders in
        which the package is tested; among equals the quickest first."""
        module = file.removesuffix(".py").replace("/", ".")
        stem = Path(file).stem
        folders = FOLDERS["native" if "native" in Path(file).parts else "kernel"]

        def rank(test: str) -> tuple[int, int, int, float]:
            kills = self.kills[file, test]
            named = 0 if module in self._texts[test] else 1 if stem in Path(test).stem else 2
            folder = Path(test).parts[1]
            near = folders.index(folder) if folder in folders else len(folders)
            return -kills, named, near, self.durations.get(test, SLOW)

        return sorted(self.tests, key=rank)

    def measure(self) -> None:
        """How long each file of tests takes; all of them must pass."""
        for test in self.tests:
            if test in self.durations:
                continue
            begun = time.monotonic()
            code, output = self._pytest([test], 1200)
            if code not in (0, 5):
                raise SystemExit(f"{test} fails without any mutant:\n{output[-2000:]}")
            self.durations[test] = round(time.monotonic() - begun, 2)
            print(f"{self.durations[test]:7.1f} s  {test}", flush=True)

    def judge(self, mutant: Mutant) -> Verdict:
        target = self.scratch / mutant.file
        before = target.read_text(encoding="utf-8")
        text, diff = source_of(self.root, mutant)
        begun = time.monotonic()
        try:
            target.write_text(text, encoding="utf-8")
            result, by = self._run(self.order(mutant.file))
        finally:
            target.write_text(before, encoding="utf-8")
        self.learn(mutant.file, by)
        seconds = round(time.monotonic() - begun, 1)
        return Verdict(
            mutant.name, mutant.file, mutant.line, mutant.kind, diff, result, by, seconds
        )

    def learn(self, file: str, by: object) -> None:
        """A test that noticed one mistake in a module may notice the next."""
        self.kills[file, str(by).split("::")[0]] += 1

    def _run(self, tests: Sequence[str]) -> tuple[str, str]:
        """In stages, so that a hang is noticed early."""
        for at in range(0, len(tests), STAGE):
            stage = tests[at : at + STAGE]
            usual = sum(self.durations.get(test, SLOW) for test in stage)
            code, output = self._pytest(stage, 60 + PATIENCE * usual)
            if code is None:
                return "timeout", ", ".join(stage)
            if code not in (0, 5):
                return "killed", _failed(output)
        return "survived", ""

    def _pytest(self, tests: Iterable[str], timeout: float) -> tuple[int | None, str]:
        command = [
            sys.executable, "-B", "-m", "pytest", "-x", "-q", "-n", "0", "-p", "no:cacheprovider",
            "--no-header", *tests,
        ]  # fmt: skip
        environment = {
            **os.environ,
            "PYTHONPATH": str(self.scratch),
            "PYTHONDONTWRITEBYTECODE": "1",
        }
        process = subprocess.Popen(
            command, cwd=self.scratch, env=environment, text=True, start_new_session=True,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        )  # fmt: skip
        try:
            output, _ = process.communicate(timeout=timeout)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)  # its own children only
            process.communicate()
            return None, ""
        return process.returncode, output


def _failed(output: str) -> str:
    found = re.findall(r"^(?:FAILED|ERROR) (\S+)", output, re.MULTILINE)
    return found[0] if found else (output.strip().splitlines() or ["no output"])[-1][:200]


class Report:
    """Verdicts in a file, one line of JSON each; what is there is not done again."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.verdicts: list[dict[str, object]] = []
        if path.exists():
            lines = path.read_text(encoding="utf-8").splitlines()
            self.verdicts = [json.loads(line) for line in lines if line.strip()]

    def knows(self, mutant: Mutant) -> bool:
        return any(verdict["mutant"] == mutant.name for verdict in self.verdicts)

    def add(self, verdict: Verdict) -> None:
        self.verdicts.append(asdict(verdict))
        with self.path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(asdict(verdict), ensure_ascii=False) + "\n")

    def summary(self) -> str:
        total = len(self.verdicts)
        alive = [verdict for verdict in self.verdicts if verdict["result"] == "survived"]
        killed = total - len(alive)
        share = 100 * killed / total if total else 0.0
        lines = [f"{killed} of {total} mutants killed ({share:.1f} %)"]
        lines += [f"survived: {verdict['mutant']}\n{verdict['diff']}" for verdict in alive]
        return "\n".join(lines)

"""Runs tests on mutants until one fails: those that enter the mutated block, the likeliest first."""

from __future__ import annotations

import os
import resource
import shutil
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.mutation import trees
from tests.mutation.blocks import Block, block_at
from tests.mutation.measuring import Measured
from tests.mutation.mutants import Mutant, source_of, tree_of
from tests.mutation.report import Report, Verdict
from tests.mutation.swapping import can_be_swapped, swap
from tests.mutation.testing import (
    Ended,
    Tell,
    Tests,
    files_of,
    in_a_copy,
    limit_cpu,
    prepare,
    with_tests,
)

HANG, PATIENCE = (
    20.0,
    5.0,
)  # a test hangs that takes so many seconds more than so often its usual time
START = 0.1  # seconds that any test may need besides, for code that others made before it
MEMORY = 8 << 30  # bytes of addresses that a copy may have
CRASHED = " (the process crashed)"
NEARBY = 4  # mistakes noticed in a folder that count as much as one in the module itself
TOGETHER = 6  # files of tests that are collected at once where they must be imported anew


@dataclass
class Found:
    """What came of some tests on a mutant."""

    result: str  # "killed", "timeout", "survived", or "limit": not all tests could be run
    by: str
    tests: int
    seconds: float


class Court:
    """Knows which tests to run on a mutant; `root` is a copy of the tree that may be changed."""

    def __init__(
        self, root: Path, blocks: Sequence[Block], measured: Measured, limit: float
    ) -> None:
        self.root, self.measured, self.limit = root, measured, limit
        self._index = {block: index for index, block in enumerate(blocks)}
        self._blocks: dict[str, list[Block]] = {}
        for block in blocks:
            self._blocks.setdefault(block.file, []).append(block)
        self._kills: Counter[tuple[str, str]] = Counter()  # by mutated file or its folder, and test

    def learn(self, file: str, by: str) -> None:
        """A test that noticed one mistake in a module may notice the next, there or nearby."""
        test = by.removesuffix(CRASHED)
        for where in (file, str(Path(file).parent)):
            self._kills[where, test] += 1

    def block(self, mutant: Mutant) -> int:
        return self._index[block_at(self._blocks[mutant.file], (mutant.line, mutant.column))]

    def is_early(self, mutant: Mutant) -> bool:
        """Whether the mutated code runs while the tests are being collected."""
        return self.block(mutant) in self.measured.collecting

    def needs_import(self, mutant: Mutant) -> bool:
        """Whether tests that are collected already are of no use."""
        return self.is_early(mutant) or not can_be_swapped(self.root, mutant)

    def order(self, mutant: Mutant) -> list[str]:
        """The tests that enter the block, then the others of their files: what is made once for
        a file, like the code of a game, is seen with the first test only. If the block is entered
        while the tests are collected, all. Quick ones come first, and those that killed before; of a
        file with many quick tests not all at once, since they look at much the same."""
        block = self.block(mutant)
        usable = [test for test in self.measured.seconds if test not in self.measured.failing]
        entering = {test for test in usable if block in self.measured.entered[test]}
        files = set(files_of(entering))
        if self.is_early(mutant):
            files = set(files_of(usable))
        chosen = [test for test in usable if test.split("::")[0] in files]

        folder = str(Path(mutant.file).parent)
        before: Counter[str] = Counter()  # quicker tests of the same file
        weight: dict[str, float] = {}
        for test in sorted(chosen, key=lambda test: self.measured.seconds[test]):
            file = test.split("::")[0]
            before[file] += 1
            weight[test] = before[file] * (self.measured.seconds[test] + START)

        def rank(test: str) -> tuple[bool, float]:
            kills = max(self._kills[mutant.file, test], self._kills[folder, test] / NEARBY)
            return test not in entering, weight[test] / (1 + kills) ** 2

        return sorted(chosen, key=rank)

    def judge(self, mutant: Mutant, tests: Tests | None) -> Verdict:
        """With tests that are collected already, or from scratch."""
        text, diff = source_of(self.root, mutant)
        names, begun = self.order(mutant), time.monotonic()
        if not names:
            found = Found("survived", "no test enters this block", 0, 0.0)
        else:
            run = self._collected(mutant, tests) if tests else self._anew
            with _written(self.root / mutant.file, text):
                found = run(names)
        if found.result in ("killed", "timeout"):
            self.learn(mutant.file, found.by)
        return Verdict(
            mutant.name, mutant.file, mutant.line, mutant.kind, diff, found.result, found.by,
            found.tests, round(found.seconds, 1), round(time.monotonic() - begun, 1),
        )  # fmt: skip

    def _collected(self, mutant: Mutant, tests: Tests) -> Callable[[Sequence[str]], Found]:
        tree = tree_of(self.root, mutant)

        def run(names: Sequence[str]) -> Found:
            def work(tell: Tell) -> None:
                swap(str(self.root / mutant.file), tree)
                self._run(tests, names, self.limit, tell)

            return self._heard(names, in_a_copy(work))

        return run

    def _anew(self, names: Sequence[str]) -> Found:
        """A few files at a time, since collecting all of them takes long."""
        total = Found("survived", "", 0, 0.0)
        files = files_of(names)
        for at in range(0, len(files), TOGETHER):
            chosen = set(files[at : at + TOGETHER])
            part = [name for name in names if name.split("::")[0] in chosen]
            if total.seconds > self.limit:
                total.result = "limit"
                break
            found = self._heard(part, in_a_copy(self._imported(part, self.limit - total.seconds)))
            total.tests += found.tests
            total.seconds += found.seconds
            total.result, total.by = found.result, found.by
            if found.result != "survived":
                break
        return total

    def _imported(self, names: Sequence[str], limit: float) -> Callable[[Tell], None]:
        def work(tell: Tell) -> None:
            def run(tests: Tests) -> None:
                there = [name for name in names if name in tests.items]
                self._run(tests, there, limit, tell)

            limit_cpu(HANG * PATIENCE)
            if not with_tests(files_of(names), run):
                tell([names[0], 0.0, "the tests cannot be collected"])

        return work

    def _run(self, tests: Tests, names: Sequence[str], limit: float, tell: Tell) -> None:
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        total = 0.0
        limit_cpu(self._longest(names[0]))
        for outcome, following in zip(tests.run(names), [*names[1:], ""], strict=True):
            total += outcome.seconds
            tell([outcome.test, outcome.seconds, outcome.error])
            if outcome.error or total > limit:
                return
            if following:
                limit_cpu(self._longest(following))

    def _longest(self, test: str) -> float:
        return HANG + PATIENCE * self.measured.seconds[test]

    def _heard(self, names: Sequence[str], messages: Iterator[object]) -> Found:
        """What a copy told about the tests, in this order."""
        found = Found("survived", "", 0, 0.0)
        for message in messages:
            running = names[found.tests] if found.tests < len(names) else "at the end"
            match message:
                case Ended(hung=hung):
                    found.result = "timeout" if hung else "killed"
                    found.by = running if hung else running + CRASHED
                    found.seconds += self._longest(running) if hung and running in names else 0
                case [str(test), float(seconds), str(error)]:
                    found.tests += 1
                    found.seconds += seconds
                    if error:
                        found.result, found.by = "killed", test
        if found.result == "survived" and found.tests < len(names):
            found.result = "limit"
        return found


class _written:
    """A file with another text for a while; what tests leave behind meanwhile is removed."""

    def __init__(self, path: Path, text: str) -> None:
        self.path, self.text = path, text

    def __enter__(self) -> None:
        self.status, self.before = self.path.stat(), self.path.read_bytes()
        self.path.write_text(self.text, encoding="utf-8")

    def __exit__(self, *error: object) -> None:
        self.path.write_bytes(self.before)
        # compiled files in __pycache__ belong to this time
        os.utime(self.path, ns=(self.status.st_atime_ns, self.status.st_mtime_ns))
        for left in Path(tempfile.gettempdir()).iterdir():
            if left.is_dir():
                shutil.rmtree(left, ignore_errors=True)


def judge_all(court: Court, mutants: Sequence[Mutant], report: Report) -> None:
    """Those that need an import come first, before any test is collected."""
    for verdict in report.verdicts:
        if verdict.result in ("killed", "timeout"):
            court.learn(verdict.file, verdict.by)
    left = [mutant for mutant in mutants if not report.knows(mutant)]

    def judge(mutant: Mutant, tests: Tests | None) -> None:
        verdict = court.judge(mutant, tests)
        report.add(verdict)
        print(
            f"{verdict.result:8} {verdict.seconds:5.1f} s "
            f"{verdict.tests:4} tests  {mutant.name}  {verdict.by}",
            flush=True,
        )

    first = {mutant for mutant in left if court.needs_import(mutant)}
    for mutant in left:
        if mutant in first:
            judge(mutant, None)

    def rest(tests: Tests) -> None:
        for mutant in left:
            if mutant not in first:
                judge(mutant, tests)

    if not with_tests(list(court.measured.files), rest):
        raise SystemExit("the tests cannot be collected")


def main(
    measured: str, report: str, limit: str, n: str, seed: str, only: str, jobs: str, job: str
) -> None:
    """Judge every so many-th mutant of a sample; other jobs judge the others."""
    root = Path.cwd()
    prepare()
    court = Court(root, trees.blocks(root), Measured.load(Path(measured)), float(limit))
    mutants = trees.sample(root, int(n), int(seed), only)[int(job) :: int(jobs)]
    judge_all(court, mutants, Report(Path(report)))


if __name__ == "__main__":
    main(*sys.argv[1:])

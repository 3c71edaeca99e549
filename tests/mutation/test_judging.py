"""The tool judges a small tree rightly: what is noticed, what is not, what crashes, what hangs."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.mutation.blocks import block_at, blocks_of
from tests.mutation.judging import CRASHED, Court
from tests.mutation.measuring import Measured
from tests.mutation.mutants import mutants_of
from tests.mutation.report import Report, Verdict, equivalents
from tests.mutation.testing import Ended, Tell, in_a_copy, limit_cpu
from tests.mutation.trees import ROOT, run_inside

MODULE = """
from __future__ import annotations
import os

CALLS = []

def more(x):
    y = 5
    return x + 1

def nobody(x):
    return x * 2

def early(x):
    CALLS.append(x)
    return len(CALLS)

def careful(wrong):
    if wrong:
        os.abort()
    return 0

def outer(x):
    def inner(y):
        unused = x
        return y - 1
    return inner(2)

def command():
    return 7

FIRST = early(1)
"""
TESTS = """
import subprocess, sys
from ludwright.kernel.m import FIRST, careful, more, outer

def test_wrong_anyway():
    assert more(1) == 3

def test_more():
    assert more(1) == 2

def test_first():
    assert FIRST == 1

def test_careful():
    assert careful(False) == 0

def test_outer():
    assert outer(1) == 1

def test_command():
    code = "from ludwright.kernel.m import command; assert command() == 7"
    subprocess.run([sys.executable, "-c", code], check=True)
"""


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A tree that has been measured and judged."""
    tree = tmp_path_factory.mktemp("tree")
    module = tree / "ludwright" / "kernel" / "m.py"
    module.parent.mkdir(parents=True)
    (tree / "ludwright" / "__init__.py").touch()
    (tree / "tests").mkdir()
    (tree / "tests" / "mutation").symlink_to(ROOT / "tests" / "mutation")
    (tree / "pyproject.toml").write_text("[tool.pytest.ini_options]\npythonpath = ['.']\n")
    (tree / "tests" / "test_m.py").write_text(TESTS)
    module.write_text(MODULE)
    run_inside(tree, "measuring", "measured.json")
    module.write_text(MODULE)  # without probes
    run_inside(tree, "judging", "measured.json", "report.jsonl", "60", "1000", "1", "", "1", "0")
    assert module.read_text() == MODULE
    return tree


@pytest.mark.parametrize(
    ("kind", "line", "result", "by"),
    [
        ("arithmetic", "return x + 1", "killed", "test_more"),
        ("return", "return x + 1", "killed", "test_more"),
        ("removed", "y = 5", "survived", ""),
        ("arithmetic", "return x * 2", "survived", "no test enters this block"),
        ("removed", "CALLS.append(x)", "killed", "test_first"),
        ("condition", "if wrong:", "killed", f"test_careful{CRASHED}"),
        ("removed", "unused = x", "survived", ""),
        ("arithmetic", "return y - 1", "killed", "test_outer"),
        ("constant", "return 7", "killed", "test_command"),
    ],
)
def test_verdicts(tree: Path, kind: str, line: str, result: str, by: str) -> None:
    lines = MODULE.split("\n")
    [verdict] = [
        verdict
        for verdict in Report(tree / "report.jsonl").verdicts
        if verdict.kind == kind and lines[verdict.line - 1].strip() == line
    ]
    assert (verdict.result, verdict.by.split("::")[-1]) == (result, by)


def test_tests_that_fail_anyway_are_not_asked(tree: Path) -> None:
    measured = Measured.load(tree / "measured.json")
    assert list(measured.failing) == ["tests/test_m.py::test_wrong_anyway"]
    [mutant] = [m for m in mutants_of(tree, "ludwright/kernel/m.py") if m.line == 8][:1]
    court = Court(tree, blocks_of(tree, "ludwright/kernel/m.py"), measured, 60)
    order = court.order(mutant)
    assert order[0] == "tests/test_m.py::test_more"
    assert "tests/test_m.py::test_wrong_anyway" not in order
    slowest = order[-1]
    for _ in range(99):
        court.learn(mutant.file, slowest)
    assert court.order(mutant)[:2] == ["tests/test_m.py::test_more", slowest]


def test_what_is_done_is_not_done_again(tree: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = (tree / "report.jsonl").read_text()
    run_inside(tree, "judging", "measured.json", "report.jsonl", "60", "1000", "1", "", "1", "0")
    run_inside(tree, "measuring", "measured.json")
    assert (tree / "report.jsonl").read_text() == before
    assert "_ENTERED" not in (tree / "ludwright" / "kernel" / "m.py").read_text()
    again = Report(tree / "report.jsonl")
    count = len(again.verdicts)
    again.forget_survivors()
    assert 0 < len(again.verdicts) < count


def test_a_mutant_stands_in_the_innermost_block(tmp_path: Path) -> None:
    text = "def f(x):\n    if x:\n        return 1\n    elif x == 2:\n        x = 3\n    return x\n"
    (tmp_path / "m.py").write_text(text)
    blocks = blocks_of(tmp_path, "m.py")
    at = {
        mutant.line: block_at(blocks, (mutant.line, mutant.column)).begin[0]
        for mutant in mutants_of(tmp_path, "m.py")
    }
    assert at == {2: 2, 3: 3, 4: 4, 5: 5, 6: 2}


def test_a_copy_tells_and_is_ended_when_it_hangs() -> None:
    def spin(tell: Tell) -> None:
        tell("begun")
        limit_cpu(0)
        while True:
            pass

    assert list(in_a_copy(spin)) == ["begun", Ended(hung=True)]

    def broken(tell: Tell) -> None:
        raise KeyError("the tool itself is wrong")

    with pytest.raises(RuntimeError, match="the tool itself is wrong"):
        list(in_a_copy(broken))


def test_survivors_within_the_limit_are_no_kills(tmp_path: Path) -> None:
    report = Report(tmp_path / "report.jsonl")
    for number, result in enumerate(("killed", "timeout", "survived", "limit")):
        report.add(
            Verdict(
                f"m{number}", "m.py", 1, "return", "@@ -1 +1 @@\n-a\n+b", result, "", 1, 1.0, 1.0
            )
        )
    summary = Report(tmp_path / "report.jsonl").summary()
    assert "2 of 4 mutants killed (50.0 %), 1 of them because a test hung" in summary
    assert "0 survivors are known to be equivalent: 2 of 4 others" in summary
    assert "1 survivors were not given all tests" in summary


def test_explanations_are_of_code_that_is_there() -> None:
    """A change of the code makes an explanation void: it must be given again."""
    import ast

    texts: dict[str, str] = {}
    for (file, change), why in equivalents().items():
        if file not in texts:
            texts[file] = ast.unparse(ast.parse((ROOT / file).read_text(encoding="utf-8")))
        before = [line[1:] for line in change.split("\n") if line[:1] in ("-", " ")]
        assert "\n".join(before) in texts[file], (file, change)
        assert len(why) > 20

"""The mutants themselves: each is another program that can be read."""

from __future__ import annotations

import ast
from pathlib import Path

from tests.mutation.__main__ import ROOT, sample
from tests.mutation.mutants import mutants_of, source_of
from tests.mutation.running import Laboratory, Report

MODULE = '''
"""A module."""
LIMIT = 3

def small(x: int, default: int = 1) -> bool:
    """Not this text."""
    if x < LIMIT and default:
        print(x)
        return x + 1 > 0
    elif x == 7:
        x += 2
    else:
        raise ValueError(f"too {1}" + str(2))
    return True if x else False
'''


def test_every_kind_of_mistake_is_made(tmp_path: Path) -> None:
    (tmp_path / "m.py").write_text(MODULE)
    found = mutants_of(tmp_path, "m.py")
    assert {mutant.kind for mutant in found} == {
        "comparison", "arithmetic", "and-or", "constant", "condition", "branches", "return",
        "removed",
    }  # fmt: skip
    texts = {source_of(tmp_path, mutant)[0] for mutant in found}
    assert len(texts) == len(found), "no two mutants are the same"
    original = ast.unparse(ast.parse(MODULE))
    for mutant in found:
        text, diff = source_of(tmp_path, mutant)
        assert text.strip() != original.strip()
        assert diff
        ast.parse(text)
    everything = "\n".join(texts)
    assert "LIMIT = 4" not in everything
    assert "default: int=2" not in everything
    assert "'too 2'" not in everything


def test_a_sample_depends_on_its_seed_alone() -> None:
    one, again, other = (sample(30, seed) for seed in (1, 1, 2))
    assert one == again
    assert one != other
    for mutant in one[:10]:
        text, _ = source_of(ROOT, mutant)
        compile(text, mutant.file, "exec")


def test_mutants_are_killed_by_tests_that_notice_them(tmp_path: Path) -> None:
    tree, scratch = tmp_path / "tree", tmp_path / "scratch"
    (tree / "tests").mkdir(parents=True)
    (tree / "pyproject.toml").write_text("[tool.pytest.ini_options]\n")
    (tree / "m.py").write_text("def more(x):\n    y = 5\n    return x + 1\n")
    (tree / "tests" / "test_more.py").write_text(
        "from m import more\n\ndef test_more():\n    assert more(1) == 2\n"
    )
    laboratory = Laboratory(tree, scratch, {"tests/test_more.py": 1.0})
    report = Report(tmp_path / "report.jsonl")
    found = [mutant for mutant in mutants_of(tree, "m.py") if mutant.kind in ("return", "removed")]
    for mutant in found:
        report.add(laboratory.judge(mutant))
    results = {(verdict["kind"], verdict["line"]): verdict["result"] for verdict in report.verdicts}
    assert results["return", 3] == "killed"
    assert results["removed", 2] == "survived"
    assert (scratch / "m.py").read_text() == (tree / "m.py").read_text()
    again = Report(tmp_path / "report.jsonl")
    assert all(again.knows(mutant) for mutant in found)
    assert "mutants killed" in again.summary()


def test_tests_that_name_a_module_come_first(tmp_path: Path) -> None:
    laboratory = Laboratory(ROOT, tmp_path / "scratch", {})
    order = laboratory.order("ludwright/kernel/search.py")
    texts = [(ROOT / test).read_text() for test in order]
    named = ["ludwright.kernel.search" in text for text in texts]
    assert named == sorted(named, reverse=True)
    laboratory.learn("ludwright/kernel/search.py", f"{order[9]}::test_something[1]")
    assert laboratory.order("ludwright/kernel/search.py")[0] == order[9]
    assert not any(test.startswith("tests/mutation/") for test in order)

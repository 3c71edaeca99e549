"""The mutants themselves: each is another program that can be read."""

from __future__ import annotations

import ast
from pathlib import Path

from tests.mutation.mutants import mutants_of, source_of
from tests.mutation.trees import ROOT, sample

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
    one, again, other = (sample(ROOT, 30, seed) for seed in (1, 1, 2))
    assert one == again
    assert one != other
    for mutant in one[:10]:
        text, _ = source_of(ROOT, mutant)
        compile(text, mutant.file, "exec")

"""The table of faults: every code is explained, and every fault that the compiler plants is in it."""

from __future__ import annotations

import inspect
import re
from pathlib import Path

import ludwright
from ludwright.program import faults
from ludwright.program.faults import EXPLANATIONS, LEFT_OPEN, Trouble

SOURCES = Path(ludwright.__file__).parent


def _troubles() -> list[Trouble]:
    """Everything the module offers: constants, and functions called with placeholders."""
    found = [*LEFT_OPEN.values()]
    for name, item in vars(faults).items():
        if isinstance(item, Trouble):
            found.append(item)
        elif inspect.getmodule(item) is faults and inspect.isfunction(item) and name[0] != "_":
            found.append(item(*("{a}" for _ in inspect.signature(item).parameters)))
    return found


def test_every_code_is_explained_and_every_explanation_has_a_code() -> None:
    assert {trouble.code for trouble in _troubles()} == set(EXPLANATIONS)
    for explanation in EXPLANATIONS.values():
        assert explanation.summary.endswith(".")
        assert explanation.help.endswith(".")


def test_a_placeholder_survives_in_the_reason() -> None:
    assert faults.index_outside("{a}", 8).reason.format(a=12) == "index 12 is outside 0..8"
    assert faults.item_outside("{a}", "{b}").reason.format(a=3, b=2) == "item 3 of a list of 2"


def test_what_the_compiler_leaves_open_is_in_the_table() -> None:
    planted = {
        code
        for path in (SOURCES / "language").rglob("*.py")
        for code in re.findall(r'FaultHere\(\s*"([\w-]+)"', path.read_text(encoding="utf-8"))
    }
    assert planted == set(LEFT_OPEN)


def test_no_engine_words_its_own_faults() -> None:
    """A text beside a code, in the call that raises it, would have to be kept equal by hand."""
    wording = re.compile(r'(?:fault|refusal|Refused)\([^()]*"[a-z-]+",')
    for engine in ("kernel", "native"):
        for path in (SOURCES / engine).rglob("*.py"):
            assert not wording.search(path.read_text(encoding="utf-8")), path

"""Every mistake of the suites is found exactly where it was made, and nothing else is."""

from __future__ import annotations

import os

import pytest

from ludwright.diagnostic_text import render_text
from ludwright.language.codes import CODES
from tests.diagnostics.suites import Case, cases, compiled, differences, rulebook, write_snapshot

UPDATE = bool(os.environ.get("LUDWRIGHT_UPDATE"))

# The only codes that may leave the author without a next step: none has been found yet.
WITHOUT_SUGGESTION: frozenset[str] = frozenset()


@pytest.mark.parametrize("case", cases(), ids=lambda case: case.id)
def test_exactly_what_is_expected(case: Case) -> None:
    compilation, found, expected = compiled(case)
    assert differences(found, expected) == []
    for item in found:
        assert item.code in CODES, f"`{item.code}` is not registered"
        assert CODES[item.code].severity == item.severity, item
        assert item.message.strip()
        assert item.suggestion or item.code in WITHOUT_SUGGESTION, f"no suggestion: {item}"
    assert compilation.ok is not any(item.severity == "error" for item in found)


@pytest.mark.parametrize(
    "case", [case for case in cases() if case.snapshot is not None], ids=lambda case: case.id
)
def test_the_report_reads_as_it_did(case: Case) -> None:
    compilation, found, _ = compiled(case)
    report = render_text(found, compilation.sources)
    if UPDATE:
        write_snapshot(case, report)
    else:
        assert report == case.snapshot


def test_headings_are_unique() -> None:
    ids = [case.id for case in cases()]
    assert sorted(set(ids)) == sorted(ids)


def test_comments_are_taken_out_and_counted() -> None:
    case = next(case for case in cases() if case.whole is None)
    text, expected = rulebook(case)
    assert "# error:" not in text
    assert expected

"""Tests of the table play on the interpreter: machine code for each game would take longer to make
than they take. That both engines lead to the same positions is tested here once, and elsewhere at
length."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest

from ludwright.loading import VARIABLE


@pytest.fixture(scope="package", autouse=True)
def interpreted() -> Iterator[None]:
    before = os.environ.get(VARIABLE)
    os.environ[VARIABLE] = "python"
    yield
    del os.environ[VARIABLE]
    if before is not None:
        os.environ[VARIABLE] = before

"""Tests of what games do run on both engines: a `conftest` imports `engine`, and that is all."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest

from ludwright.loading import VARIABLE
from ludwright.native import missing

ENGINES = ("python", "native") if missing() is None else ("python",)


def under_test() -> str:
    """The engine of the test that runs."""
    return os.environ.get(VARIABLE, "python")


@pytest.fixture(autouse=True, scope="module", params=ENGINES)
def engine(request: pytest.FixtureRequest) -> Iterator[str]:
    """What `load` and the like give where no engine is asked for."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(VARIABLE, request.param)
        yield request.param

"""Every test that asks for an `engine` runs on both."""

from __future__ import annotations

import pytest

from tests.engines import ENGINES


@pytest.fixture(params=ENGINES)
def engine(request: pytest.FixtureRequest) -> str:
    name: str = request.param
    return name

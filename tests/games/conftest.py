"""Games are compared with other programs on both engines."""

from __future__ import annotations

import pytest

from tests.native.support import needs_native


@pytest.fixture(params=["python", pytest.param("native", marks=needs_native)])
def engine(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """The engine of every game that is loaded without naming one."""
    name: str = request.param
    monkeypatch.setenv("LUDWRIGHT_ENGINE", name)
    return name

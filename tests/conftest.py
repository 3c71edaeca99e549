"""What all tests share: a folder for native code, and code that is quick to make."""

from __future__ import annotations

import signal
from collections.abc import Iterator

import pytest


@pytest.fixture(autouse=True, scope="session")
def _native_code(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Kept in a folder of its own and not optimised: tests are short."""
    from ludwright.native import game, machine

    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("LUDWRIGHT_CACHE", str(tmp_path_factory.mktemp("native")))
        for module in (game, machine):
            patch.setattr(module, "LEVEL", 0)
        yield


@pytest.fixture
def interruptible() -> Iterator[None]:
    """An interrupt arrives even where the tests were started in the background."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)

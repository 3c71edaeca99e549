"""A real Chromium for the tests, or a loud word that there is none."""

from __future__ import annotations

import os
import shutil
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

from ludwright.table.server import STATIC
from tests.table.server_under_test import Served

INSTALLED = Path(__file__).parent / "browser" / "node_modules"
ARGUMENTS = [
    "--no-sandbox", "--disable-gpu", "--headless=shell", "--no-zygote", "--font-render-hinting=none",
]  # fmt: skip


def missing() -> str | None:
    """Why there can be no browser tests here."""
    if executable() is None:
        return "no Chromium: run `make browser`, or name one with LUDWRIGHT_CHROMIUM"
    if not (STATIC / "index.html").is_file():
        return "the page has not been built: run `make page`"
    return None


def executable() -> str | None:
    given = os.environ.get("LUDWRIGHT_CHROMIUM")
    if given:
        return given
    own = INSTALLED / ".chromium" / "chromium"
    if own.is_file():
        return str(own)
    return shutil.which("chromium") or shutil.which("google-chrome")


@contextmanager
def chromium() -> Iterator[Browser]:
    why = missing()
    if why is not None:
        warnings.warn(f"BROWSER TESTS SKIPPED: {why}", stacklevel=2)
        pytest.skip(why)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=executable(), args=ARGUMENTS)
        yield browser
        browser.close()


class Person:
    """Somebody at a browser: a context of their own, with all that reached it."""

    def __init__(self, browser: Browser, served: Served, **options: Any) -> None:
        self.context = browser.new_context(
            **{"viewport": {"width": 1280, "height": 800}, **options}
        )
        self.page: Page = self.context.new_page()
        self.page.set_default_timeout(30_000)  # the machine may be busy
        self.served = served
        self.frames: list[str] = []
        self.errors: list[str] = []
        self.page.on("websocket", self._listen)
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.on("console", lambda m: self.errors.append(m.text) if m.type == "error" else None)

    def _listen(self, socket: Any) -> None:
        socket.on("framereceived", lambda data: self.frames.append(str(data)))

    def join(self, match: str, *tokens: str, at: str = "") -> Person:
        fragment = "&".join([*(f"seat={token}" for token in tokens), *([at] if at else [])])
        self.page.goto(f"{self.served.address}/m/{match}#{fragment}")
        self.page.wait_for_selector(".prompt, .handover")
        return self

    def click(self, item: str) -> None:
        self.page.wait_for_selector(f'g.item.legal[data-id="{item}"]')
        self.page.locator(f'g.item[data-id="{item}"]').dispatch_event("click")

    def choose(self, text: str) -> None:
        self.page.locator(".choices button", has_text=text).first.click()

    def waits_for(self, text: str) -> None:
        self.page.wait_for_selector(f"text={text}")

    def at(self, position: int) -> None:
        """Until the page shows that many decisions."""
        self.page.wait_for_function(
            "n => document.querySelector('.time .count')?.textContent.endsWith(`/ ${n}`)",
            arg=position,
        )

    def leave(self) -> None:
        assert self.errors == []
        self.context.close()


AXE = INSTALLED / "axe-core" / "axe.min.js"


def findings(person: Person) -> list[Any]:
    """What axe calls serious or critical on the page; nothing where axe is not installed."""
    if not AXE.is_file():
        return []
    person.page.evaluate(AXE.read_text())
    found: dict[str, Any] = person.page.evaluate("() => axe.run()")
    return [
        (one["id"], one["nodes"][0]["html"][:120])
        for one in found["violations"]
        if one["impact"] in ("serious", "critical")
    ]

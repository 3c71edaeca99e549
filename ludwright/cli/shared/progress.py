"""What a person at the terminal sees while machine code is being made."""

from __future__ import annotations

import sys

from ludwright.native import watch

_TO_THE_END = "\x1b[K"


def show_waits() -> None:
    """Long waits on one line of stderr that goes away again; nothing in pipes and files."""
    if sys.stderr.isatty():
        watch(_show)


def _show(seconds: float, done: bool) -> None:
    text = "" if done else f"making machine code, once for this rulebook: {seconds:.0f} s"
    sys.stderr.write(f"\r{text}{_TO_THE_END}")
    sys.stderr.flush()

"""How commands speak: one JSON object, text, or a refusal with an exit code."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Mapping
from typing import Any

from ludwright.characters import escaped
from ludwright.diagnostics import Diagnostic

REFUSED = 1  # understood, but the answer is no: a rulebook with errors, a trace that differs
INTERRUPTED = 130  # by Ctrl-C, as shells have it
USAGE = 2  # not understood: an unknown game, a bad option


class Failure(Exception):
    """Ends a command: the message goes to stderr, `code` is the exit code."""

    code = REFUSED


class UsageFailure(Failure):
    code = USAGE


def print_json(report: Mapping[str, Any]) -> None:
    print(escaped(json.dumps(report, ensure_ascii=False, default=str)))


def print_failure(message: str) -> None:
    """What a file or an argument holds may be part of the message."""
    print(escaped(message), file=sys.stderr)


def plural(count: int, word: str) -> str:
    return f"{count:,} {word}" if count == 1 else f"{count:,} {word}s"


def share(count: int, total: int) -> str:
    return f"{count:,} ({100 * count / total:.1f} %)" if total else f"{count:,}"


def problem_count(items: Iterable[Diagnostic]) -> str:
    severities = [item.severity for item in items]
    errors, warnings = severities.count("error"), severities.count("warning")
    return f"{plural(errors, 'error')}, {plural(warnings, 'warning')}"

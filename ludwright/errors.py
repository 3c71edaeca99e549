"""The errors a caller of Ludwright meets.

Three families that never mix: an `IllegalMove` is a player's mistake, a `RulebookFault` a mistake
of the rulebook that shows only while playing, and a `RulebookError` a rulebook that cannot be
loaded. Codes are stable; the prose beside them is not.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ludwright.diagnostic_text import render_text
from ludwright.diagnostics import Diagnostic, Span


class LudwrightError(Exception):
    """Everything Ludwright raises about rulebooks, games and saved files.

    A wrong argument of a call is a `ValueError` or a `TypeError`, as everywhere in Python.
    """


def _place(span: Span | None) -> str:
    return f" ({span.file}:{span.line})" if span is not None else ""


class _RuleError(LudwrightError):
    def __init__(
        self, code: str, rule: str = "", reason: str = "", span: Span | None = None
    ) -> None:
        self.code = code
        self.rule = rule
        self.reason = reason
        self.span = span
        message = f"[{code}] {reason or code}"
        if rule:
            message += f"; rule: {rule}"
        super().__init__(message + _place(span))

    def __reduce__(self) -> tuple[object, ...]:
        return (type(self), (self.code, self.rule, self.reason, self.span))


class IllegalMove(_RuleError):
    """A player asked for something the rules do not allow here."""


class RulebookFault(_RuleError):
    """The rulebook did something no game may do: left a range, divided by zero, ran forever."""


class EndlessChoices(LudwrightError):
    """A move that never stops asking. The message names the action."""

    def __init__(self, action: str, decision: str, limit: int) -> None:
        super().__init__(
            f"the action `{action}` asked more than {limit} decisions in one move "
            f"(last: `{decision}`); does one of its loops never end?"
        )
        self.action = action
        self.decision = decision
        self.limit = limit

    def __reduce__(self) -> tuple[object, ...]:
        return (EndlessChoices, (self.action, self.decision, self.limit))


class DeadEnd(LudwrightError):
    """No way to finish was found behind options whose legality could not be proven."""

    def __init__(self, action: str, attempts: int) -> None:
        super().__init__(
            f"the action `{action}` was offered, but in {attempts} attempts no way to finish it "
            "was found"
        )
        self.action = action
        self.attempts = attempts

    def __reduce__(self) -> tuple[object, ...]:
        return (DeadEnd, (self.action, self.attempts))


class RulebookError(LudwrightError):
    """A rulebook with mistakes in it; `diagnostics` holds all of them, `str()` renders them."""

    def __init__(
        self, diagnostics: Sequence[Diagnostic], sources: Mapping[str, str] | None = None
    ) -> None:
        self.diagnostics = tuple(diagnostics)
        self.sources = dict(sources or {})
        super().__init__(render_text(self.diagnostics, self.sources))

    def __reduce__(self) -> tuple[object, ...]:
        return (RulebookError, (self.diagnostics, self.sources))

"""`ludwright explain CODE`."""

from __future__ import annotations

from ludwright.cli.shared.output import UsageFailure, print_json
from ludwright.spelling import did_you_mean


def run(code: str, as_json: bool) -> None:
    """A code belongs to a diagnostic, to something that happens in play, or to both."""
    from ludwright.language.codes import CODES
    from ludwright.program.faults import EXPLANATIONS

    info, in_play = CODES.get(code), EXPLANATIONS.get(code)
    meanings: list[tuple[str, str, str]] = []
    if info is not None:
        meanings.append((info.severity, info.summary, info.help))
    if in_play is not None:
        meanings.append((in_play.kind, in_play.summary, in_play.help))
    if not meanings:
        hint = did_you_mean(code, [*CODES, *EXPLANATIONS])
        hint = hint or "messages have their codes in brackets, as in error[unknown-name]"
        raise UsageFailure(f"nothing has the code `{code}`; {hint}")
    if as_json:
        keys = ("severity", "summary", "help")
        first, *more = [dict(zip(keys, meaning, strict=True)) for meaning in meanings]
        print_json({"code": code, **first, **({"in_play": more[0]} if more else {})})
        return
    for severity, summary, help_ in meanings:
        print(f"{code} ({severity}): {summary}\n{help_}")

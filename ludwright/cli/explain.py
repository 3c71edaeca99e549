"""`ludwright explain CODE`."""

from __future__ import annotations

from ludwright.cli.output import UsageFailure, print_json
from ludwright.diagnostics import did_you_mean


def run(code: str, as_json: bool) -> None:
    from ludwright.language.codes import CODES

    info = CODES.get(code)
    if info is None:
        hint = did_you_mean(code, CODES)
        raise UsageFailure(f"no diagnostic has the code `{code}`" + (f"; {hint}" if hint else ""))
    if as_json:
        print_json(
            {"code": code, "severity": info.severity, "summary": info.summary, "help": info.help}
        )
        return
    print(f"{code} ({info.severity}): {info.summary}\n{info.help}")

"""`ludwright test GAME`: the examples of a rulebook, run."""

from __future__ import annotations

from collections.abc import Sequence

from ludwright.cli.shared.loading import find_rulebook
from ludwright.cli.shared.output import Failure, print_json
from ludwright.testing.examples import Outcome, run_examples


def run(names: Sequence[str], engine: str, as_json: bool) -> None:
    outcomes = {name: list(run_examples(find_rulebook(name), engine)) for name in names}
    if as_json:
        told = [_plain(name, item) for name, found in outcomes.items() for item in found]
        print_json({"examples": told})
    else:
        for name, found in outcomes.items():
            _report(name, found)
    failed = sum(item.failure is not None for found in outcomes.values() for item in found)
    if failed:
        raise Failure(f"{failed} {'example fails' if failed == 1 else 'examples fail'}")


def _report(name: str, outcomes: list[Outcome]) -> None:
    if not outcomes:
        print(f"{name}: no examples; write some under `examples:`")
        return
    for item in outcomes:
        print(f"{'ok  ' if item.failure is None else 'FAIL'} {name}: {item.example.title}")
        if item.failure is not None:
            print(f"    {item.failure}")


def _plain(name: str, item: Outcome) -> dict[str, object]:
    told: dict[str, object] = {"game": name, "example": item.example.title, "ok": not item.failure}
    if item.failure is not None:
        failure = item.failure
        told |= {"file": failure.file, "line": failure.line, "text": failure.text}
        told["reason"] = failure.reason
    return told

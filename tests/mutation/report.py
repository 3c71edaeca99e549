"""Verdicts in a file, one line of JSON each, and what they come to."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import asdict, dataclass
from pathlib import Path

from tests.mutation.mutants import Mutant

EQUIVALENT = Path(__file__).with_name("equivalent.json")
_ALIVE = ("survived", "limit")


@dataclass(frozen=True)
class Verdict:
    mutant: str
    file: str
    line: int
    kind: str
    diff: str
    result: str  # "killed", "timeout", "survived", "limit": survived all tests the limit allowed
    by: str  # the test that failed
    tests: int  # that were run
    seconds: float  # of processor time
    elapsed: float

    @property
    def change(self) -> str:
        """The difference without the numbers of lines."""
        return change_of(self.diff)


def change_of(diff: str) -> str:
    return "\n".join(line for line in diff.split("\n") if not line.startswith("@@"))


class Report:
    """What is in the file is not done again."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.verdicts: list[Verdict] = []
        if path.exists():
            lines = path.read_text(encoding="utf-8").splitlines()
            self.verdicts = [Verdict(**json.loads(line)) for line in lines if line.strip()]

    def knows(self, mutant: Mutant) -> bool:
        return any(verdict.mutant == mutant.name for verdict in self.verdicts)

    def add(self, verdict: Verdict) -> None:
        self.verdicts.append(verdict)
        with self.path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(asdict(verdict), ensure_ascii=False) + "\n")

    def forget_survivors(self) -> None:
        """So that they are judged again."""
        self.verdicts = [verdict for verdict in self.verdicts if verdict.result not in _ALIVE]
        lines = [json.dumps(asdict(verdict), ensure_ascii=False) for verdict in self.verdicts]
        self.path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")

    def summary(self) -> str:
        known = equivalents()
        total, results = len(self.verdicts), Counter(verdict.result for verdict in self.verdicts)
        alive = [verdict for verdict in self.verdicts if verdict.result in _ALIVE]
        reasons = [known.get((verdict.file, verdict.change), "") for verdict in alive]
        killed, same = total - len(alive), sum(map(bool, reasons))
        lines = [
            f"survived{f' ({verdict.result})' if verdict.result != 'survived' else ''}: "
            f"{verdict.mutant}  {verdict.by}\n{verdict.diff}"
            for verdict, reason in zip(alive, reasons, strict=True)
            if not reason
        ]
        lines += [
            f"{killed} of {total} mutants killed ({_share(killed, total)}), "
            f"{results['timeout']} of them because a test hung",
            f"{same} survivors are known to be equivalent: "
            f"{killed} of {total - same} others killed ({_share(killed, total - same)})",
            f"{results['limit']} survivors were not given all tests, for lack of time",
        ]
        return "\n".join(lines)


def equivalents() -> dict[tuple[str, str], str]:
    """By file and change: why nobody can tell the difference."""
    if not EQUIVALENT.exists():
        return {}
    entries = json.loads(EQUIVALENT.read_text(encoding="utf-8"))
    return {(entry["file"], entry["change"]): entry["why"] for entry in entries}


def _share(part: int, whole: int) -> str:
    return f"{100 * part / whole if whole else 0:.1f} %"

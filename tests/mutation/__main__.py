"""`python -m tests.mutation -n 500`: does a test fail when the engine is wrong?

Draws mutants of the kernel, the projection and the native translator, and runs the tests on each.
Before the first one the tests are run as they are: they must pass, and it is noted how long they
take. Verdicts are appended to a file; run again, the same command goes on where it stopped.
"""

from __future__ import annotations

import argparse
import json
import random
import tempfile
from pathlib import Path

from tests.mutation.mutants import Mutant, mutants_of
from tests.mutation.running import Laboratory, Report

ROOT = Path(__file__).parents[2]
TARGETS = ("ludwright/kernel", "ludwright/native")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-n", type=int, default=20, help="how many mutants")
    parser.add_argument("--seed", type=int, default=1, help="of the sample")
    parser.add_argument("--only", default="", help="files whose path contains this")
    parser.add_argument("--report", type=Path, default=Path("mutants.jsonl"))
    parser.add_argument("--durations", type=Path, default=Path("mutants-durations.json"))
    parser.add_argument(
        "--unmeasured", action="store_true",
        help="do not run the tests without a mutant first; a test that fails anyway then counts",
    )  # fmt: skip
    parser.add_argument("--list", action="store_true", help="only say which mutants")
    options = parser.parse_args()
    chosen = sample(options.n, options.seed, options.only)
    print(f"seed {options.seed}: {len(chosen)} mutants")
    if options.list:
        print("\n".join(mutant.name for mutant in chosen))
        return
    report = Report(options.report)
    durations: dict[str, float] = {}
    if options.durations.exists():
        durations = json.loads(options.durations.read_text(encoding="utf-8"))
    with tempfile.TemporaryDirectory(prefix="mutants-") as folder:
        laboratory = Laboratory(ROOT, Path(folder), durations)
        if not options.unmeasured:
            laboratory.measure()
            options.durations.write_text(json.dumps(durations, indent=1), encoding="utf-8")
        for known in report.verdicts:
            laboratory.learn(str(known["file"]), known["by"])
        for number, mutant in enumerate(chosen, 1):
            if report.knows(mutant):
                continue
            verdict = laboratory.judge(mutant)
            report.add(verdict)
            print(
                f"{number}: {verdict.result:8} {verdict.seconds:6.1f} s  {mutant.name}  {verdict.by}",
                flush=True,
            )
    print(report.summary())


def sample(n: int, seed: int, only: str = "") -> list[Mutant]:
    files = sorted(
        str(path.relative_to(ROOT))
        for target in TARGETS
        for path in (ROOT / target).rglob("*.py")
        if only in str(path.relative_to(ROOT))
    )
    everything = [mutant for file in files for mutant in mutants_of(ROOT, file)]
    return random.Random(seed).sample(everything, min(n, len(everything)))


if __name__ == "__main__":
    main()

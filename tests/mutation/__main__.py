"""`python -m tests.mutation -n 500`: does a test fail when the engine is wrong?

Draws mutants of the kernel, the projection and the native translator, and runs the tests on each that
can notice it. Before the first one the tests are run as they are, to learn how long each takes and
what code it enters. Both are kept in files; run again, the same command goes on where it stopped.
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path

from tests.mutation import trees
from tests.mutation.report import Report


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-n", type=int, default=20, help="how many mutants")
    parser.add_argument("--seed", type=int, default=1, help="of the sample")
    parser.add_argument("--only", default="", help="modules whose path contains this")
    parser.add_argument(
        "--limit", type=float, default=90.0,
        help="seconds of processor time for a mutant that no test notices",
    )  # fmt: skip
    parser.add_argument("--jobs", type=int, default=1, help="how many mutants at a time")
    parser.add_argument("--again", action="store_true", help="judge the survivors once more")
    parser.add_argument("--report", type=Path, default=Path("mutants.jsonl"))
    parser.add_argument("--measured", type=Path, default=Path("mutants-measured.json"))
    parser.add_argument("--list", action="store_true", help="only say which mutants")
    options = parser.parse_args()
    if options.list:
        chosen = trees.sample(trees.ROOT, options.n, options.seed, options.only)
        print("\n".join(mutant.name for mutant in chosen))
        return
    report = Report(options.report.absolute())
    if options.again:
        report.forget_survivors()
    measured = str(options.measured.absolute())
    with tempfile.TemporaryDirectory(prefix="mutants-") as folder:
        tree = Path(folder) / "measuring"
        trees.copy(trees.ROOT, tree)
        trees.run_inside(tree, "measuring", measured)
        arguments = [options.limit, options.n, options.seed, options.only, options.jobs]
        running = []
        for job in range(options.jobs):
            tree = Path(folder) / f"judging-{job}"
            trees.copy(trees.ROOT, tree)
            running.append(
                trees.start_inside(
                    tree, "judging", measured, str(report.path), *map(str, arguments), str(job)
                )
            )
        codes = [process.wait() for process in running]
        if any(codes):
            raise SystemExit("judging failed")
    print(Report(report.path).summary())


if __name__ == "__main__":
    main()

"""`python -m tests.fuzz`: all kinds of cases, each for its share of the time."""

from __future__ import annotations

import argparse
import secrets
import sys
from concurrent.futures import ThreadPoolExecutor

from tests.fuzz.cases import KINDS
from tests.fuzz.supervisor import Report, fuzz


def _told(line: str) -> None:
    print(line, flush=True)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("--minutes", type=float, default=10.0, help="for all kinds together")
    parser.add_argument("--seed", type=int, default=None, help="a new one unless given")
    parser.add_argument("--only", choices=list(KINDS), action="append", help="kinds to run")
    parser.add_argument("--case", type=int, default=None, help="one case again")
    parser.add_argument("--first", type=int, default=0, help="the number of the first case")
    parser.add_argument("--cases", type=int, default=10**9, help="at most this many of each kind")
    parser.add_argument("--jobs", type=int, default=2, help="workers at a time")
    given = parser.parse_args()
    seed = secrets.randbelow(2**31) if given.seed is None else given.seed
    kinds = given.only or list(KINDS)
    print(f"seed {seed}", flush=True)
    if given.case is not None:
        reports = [fuzz(kinds[0], seed, 600, first=given.case, cases=1)]
    else:
        share = 60 * given.minutes * min(given.jobs, len(kinds)) / len(kinds)

        def one(kind: str) -> Report:
            return fuzz(kind, seed, share, first=given.first, cases=given.cases, tell=_told)

        with ThreadPoolExecutor(given.jobs) as pool:
            reports = list(pool.map(one, kinds))
    for report in reports:
        _told(report.summary() if given.case is None else str(report))
    return 1 if any(report.findings for report in reports) else 0


if __name__ == "__main__":
    sys.exit(main())

"""What each test enters and how long it takes, without any mistake in the code."""

from __future__ import annotations

import hashlib
import json
import mmap
import sys
from dataclasses import dataclass, field
from pathlib import Path

from tests.mutation import trees
from tests.mutation.blocks import put_probes
from tests.mutation.testing import Ended, Tell, Tests, files_of, in_a_copy, prepare, with_tests


@dataclass
class Measured:
    """By test: the processor time it takes, and the blocks it enters."""

    seconds: dict[str, float] = field(default_factory=dict)
    entered: dict[str, set[int]] = field(default_factory=dict)
    collecting: set[int] = field(default_factory=set)  # blocks entered before the first test
    failing: dict[str, str] = field(default_factory=dict)  # they cannot show any mistake
    files: dict[str, str] = field(default_factory=dict)  # that are done, with a digest each
    code: str = ""  # a digest of the modules; what was measured on others does not count

    def save(self, path: Path) -> None:
        whole = {
            "seconds": self.seconds,
            "entered": {test: sorted(blocks) for test, blocks in self.entered.items()},
            "collecting": sorted(self.collecting),
            "failing": self.failing,
            "files": self.files,
            "code": self.code,
        }
        path.write_text(json.dumps(whole, separators=(",", ":")), encoding="utf-8")

    @staticmethod
    def load(path: Path) -> Measured:
        whole = json.loads(path.read_text(encoding="utf-8"))
        entered = {test: set(blocks) for test, blocks in whole["entered"].items()}
        collecting = set(whole.pop("collecting"))
        return Measured(**{**whole, "entered": entered, "collecting": collecting})

    def forget(self, path: str) -> None:
        """A file of tests that has changed, or is no longer there."""
        self.files.pop(path, None)
        for table in (self.seconds, self.entered, self.failing):
            for test in [test for test in table if test.split("::")[0] == path]:
                del table[test]


def measure(root: Path, target: Path) -> None:
    """Run the tests in a tree, which gets probes; each file in a copy of the process, so that
    nothing is left from another. What is known already is not done again; a change of what files
    of tests share (`conftest`, generators) is not noticed."""
    files = {path: _digest(root, [path]) for path in trees.test_files(root)}
    blocks, code = trees.blocks(root), _digest(root, trees.targets(root))
    known = Measured.load(target) if target.exists() else Measured()
    measured = known if known.code == code else Measured(code=code)
    for path, digest in list(measured.files.items()):
        if files.get(path) != digest:
            measured.forget(path)
    if measured.files.keys() == files.keys():
        return
    notes = root / "entered"
    put_probes(root / "ludwright", blocks, notes)

    def work(tests: Tests) -> None:
        with notes.open("r+b") as file:
            entered = mmap.mmap(file.fileno(), 0)
        measured.collecting |= _taken(entered)
        for path in files_of(tests.items):
            if path not in measured.files:
                _measure_file(tests, path, entered, measured)
                measured.files[path] = files[path]
                measured.save(target)

    if not with_tests(list(files), work):
        raise SystemExit("the tests cannot be collected")
    measured.files |= {path: digest for path, digest in files.items() if path not in measured.files}
    measured.save(target)  # files without tests of their own count as done


def _measure_file(tests: Tests, path: str, entered: mmap.mmap, measured: Measured) -> None:
    names = [name for name in tests.items if name.startswith(f"{path}::")]

    def run(tell: Tell) -> None:
        _taken(entered)
        for outcome in tests.run(names):
            tell([outcome.test, outcome.seconds, outcome.error, sorted(_taken(entered))])

    total, done = 0.0, set()
    for message in in_a_copy(run):
        if isinstance(message, Ended):
            continue  # crashed or hung: the tests that are missing are failing
        test, seconds, error, touched = message
        done.add(test)
        total += seconds
        measured.seconds[test] = round(seconds, 3)
        measured.entered[test] = set(touched)
        if error:
            measured.failing[test] = error
    measured.failing.update({name: "did not end" for name in names if name not in done})
    print(f"{total:7.1f} s  {path}", flush=True)


def _taken(entered: mmap.mmap) -> set[int]:
    """The blocks that were entered since the last time."""
    found = entered[:]
    entered[:] = bytes(len(found))
    return {index for index, byte in enumerate(found) if byte}


def _digest(root: Path, files: list[str]) -> str:
    digest = hashlib.sha256()
    for file in files:
        digest.update(file.encode() + b"\0" + (root / file).read_bytes())
    return digest.hexdigest()


if __name__ == "__main__":
    prepare()
    measure(Path.cwd(), Path(sys.argv[1]))

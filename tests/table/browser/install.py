"""Fetches the Chromium of the browser tests, and unpacks it beside its package.

Prints where it is. Another one can be named with LUDWRIGHT_CHROMIUM.
"""

from __future__ import annotations

import importlib.util
import subprocess
from pathlib import Path
from types import ModuleType

HERE = Path(__file__).parent
CHROMIUM = HERE / "node_modules" / ".chromium" / "chromium"
_UNPACK = """
import chromium from "@sparticuz/chromium";
process.stdout.write(await chromium.executablePath());
"""


def _build() -> ModuleType:
    """page/build.py, which knows where Node is."""
    spec = importlib.util.spec_from_file_location("build", HERE.parents[2] / "page" / "build.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def main() -> None:
    build = _build()
    build.install(HERE)
    if not CHROMIUM.exists():
        CHROMIUM.parent.mkdir(parents=True, exist_ok=True)
        command = [*build.node("node"), "--input-type=module", "--eval", _UNPACK]
        environment = {"TMPDIR": str(CHROMIUM.parent), "PATH": "/usr/bin:/bin"}
        subprocess.run(command, cwd=HERE, env=environment, check=True, stdout=subprocess.DEVNULL)
    print(CHROMIUM)


if __name__ == "__main__":
    main()

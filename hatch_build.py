"""Wheels and source archives carry the built page, so that players need no Node."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class PageHook(BuildHookInterface):  # type: ignore[type-arg]
    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        root = Path(self.root)
        if version == "editable" or (root / "ludwright/table/static/index.html").is_file():
            return
        subprocess.run([sys.executable, str(root / "page" / "build.py")], check=True)

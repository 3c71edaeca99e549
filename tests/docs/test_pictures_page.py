"""The code on docs/pictures.md runs."""

from __future__ import annotations

import re
from pathlib import Path

PAGE = (Path(__file__).parents[2] / "docs" / "pictures.md").read_text(encoding="utf-8")


def test_the_code_runs() -> None:
    blocks = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    assert blocks
    for block in blocks:
        exec(compile(block, "pictures.md", "exec"), {})

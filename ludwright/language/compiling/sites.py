"""Every instruction and node says where in the rulebook it comes from.

Most nodes are made without a site, by code that knows no line. Whatever of them may fault is told
with the statement or declaration around it, so all of them are filled in here, in one place.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from ludwright.program.nodes import changed, mapped

T = TypeVar("T")

_NOWHERE = -1


def placed(node: T, site: int | Callable[[], int]) -> T:
    """The same with a site wherever one is missing; a function is asked only then."""
    found: T = _placed(node, site if callable(site) else lambda: site)
    return found


def _placed(node: Any, site: Callable[[], int]) -> Any:
    found = mapped(node, lambda part: _placed(part, site))
    return changed(found, {"site": site()}) if getattr(found, "site", 0) == _NOWHERE else found

"""Every construct of the tree has a function that compiles it."""

from __future__ import annotations

from dataclasses import is_dataclass

import pytest

from ludwright.language import tree
from ludwright.language.compiling.constructs import EFFECTS, EXPRESSIONS


def _classes(base: type) -> set[type]:
    return {
        item
        for item in vars(tree).values()
        if isinstance(item, type) and issubclass(item, base) and item is not base
    }


@pytest.mark.parametrize(
    ("base", "table"), [(tree.Expr, EXPRESSIONS), (tree.Effect, EFFECTS)], ids=["expr", "effect"]
)
def test_the_table_of_constructs_is_complete(base: type, table: dict[type, object]) -> None:
    assert {kind for kind in _classes(base) if is_dataclass(kind)} == set(table)

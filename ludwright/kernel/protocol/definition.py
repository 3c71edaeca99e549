"""What a game says about itself: as much of a GameDef as callers look at.

The kernel is handed a GameDef and does not read it; the language makes it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol


class ParameterDefinition(Protocol):
    """A number or a switch that whoever loads the game may set."""

    @property
    def name(self) -> str: ...
    @property
    def default(self) -> int | bool: ...
    @property
    def min(self) -> int | None: ...
    @property
    def max(self) -> int | None: ...
    @property
    def doc(self) -> str: ...


class SpacesDefinition(Protocol):
    """A group of spaces: a grid, a track, a map."""

    @property
    def name(self) -> str: ...
    @property
    def shape(self) -> str: ...

    @property
    def form(self) -> str: ...
    @property
    def top(self) -> str: ...


class Definition(Protocol):
    """The definition of a game."""

    @property
    def id(self) -> str: ...
    @property
    def title(self) -> str: ...
    @property
    def summary(self) -> str: ...
    @property
    def min_players(self) -> int: ...
    @property
    def max_players(self) -> int: ...
    @property
    def parameters(self) -> Sequence[ParameterDefinition]: ...
    @property
    def parameter_values(self) -> Sequence[tuple[str, int | bool]]: ...
    @property
    def spaces(self) -> Sequence[SpacesDefinition]: ...

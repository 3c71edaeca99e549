"""From declarations to the World that a game is played in."""

from ludwright.language.world.build import build_world
from ludwright.language.world.constants import ConstantEvaluator
from ludwright.language.world.encoding import Universes
from ludwright.language.world.types import TypeResolver

__all__ = ["ConstantEvaluator", "TypeResolver", "Universes", "build_world"]

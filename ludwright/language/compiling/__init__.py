"""From GameDef to Program: names, types and checks (all diagnostics in one run), then lowering."""

from ludwright.language.compiling.compiler import compile_game

__all__ = ["compile_game"]

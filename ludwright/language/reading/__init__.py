"""Reading rulebooks: files, Markdown blocks and strict YAML with exact positions."""

from ludwright.language.reading.nodes import YList, YMap, YNode, YScalar, position, span_within
from ludwright.language.reading.rulebook import Rulebook, read_rulebook, read_texts, rulebook_from

__all__ = [
    "Rulebook",
    "YList",
    "YMap",
    "YNode",
    "YScalar",
    "position",
    "read_rulebook",
    "read_texts",
    "rulebook_from",
    "span_within",
]

"""Both spellings of the language, read into one tree.

`parse_rulebook` is the way in. The rest is layered: `lexer` and `expressions` read text,
`statements` one-line effects, `longform` the node spelling of values, `effects` and
`long_effects` the items of an effect list, `declarations`, `spaces`, `rules`, `actions` and
`phases` the top-level blocks.
"""

from ludwright.language.parsing.rulebook import parse_rulebook

__all__ = ["parse_rulebook"]

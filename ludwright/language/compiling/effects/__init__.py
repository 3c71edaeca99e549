"""Effects of the rulebook become instructions.

`dispatch` compiles any effect or list of effects. The other modules compile one construct each, or
serve several of them; `constructs` has the table.
"""

"""Expressions of the rulebook: names, types and code in one pass over the syntax tree.

`dispatch` compiles any expression; `results` gives it as what its place needs: a value, a
condition, a number, a stream. The other modules compile one construct each; `constructs` has the
table.
"""

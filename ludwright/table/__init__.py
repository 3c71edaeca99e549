"""The table: rulebooks played in the browser, by people and bots.

`serve` starts it. How a click becomes a committed decision is told in `docs/table.md`.
"""

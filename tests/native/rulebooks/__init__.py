"""Writes whole small rulebooks at random: the text a designer would write, every construct used.

`setting` declares what lies on the table, `expressions`, `statements` and `decisions` write rules
about it, `reactions` and `turns` put them into blocks, `writing` makes the text. Dice are a
`random.Random`; Hypothesis gives one whose throws it can shrink (`strategy`).
"""

"""Tournaments: bots against bots, with seats rotated and the same deals for all."""

"""Opponents: bots by name, solvers, tournaments."""

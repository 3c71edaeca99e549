"""Solvers for small games: exact values where nothing is hidden, equilibria where something is."""

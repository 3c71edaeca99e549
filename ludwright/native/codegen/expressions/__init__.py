"""Expressions and streams as native code."""

"""These tests run on both engines."""

from tests.engines import engine

__all__ = ["engine"]

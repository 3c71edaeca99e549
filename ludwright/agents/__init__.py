"""Players that are programs. `AGENTS` names the ones the command line offers."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from ludwright.agents.agent import Agent, GreedyAgent, RandomAgent, View
from ludwright.errors import EndlessChoices

AGENTS: Mapping[str, Callable[[int], Agent]] = {"random": RandomAgent, "greedy": GreedyAgent}

__all__ = ["AGENTS", "Agent", "EndlessChoices", "GreedyAgent", "RandomAgent", "View"]

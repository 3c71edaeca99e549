"""Bots by name: `random`, `greedy`, `search:2s`, `search:1000`, `level:7`, `policy:FILE`."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

from ludwright.agents import AGENTS, Agent
from ludwright.bots.levels import LEVELS
from ludwright.bots.policy import PolicyBot, read_policy
from ludwright.bots.search_bot import SearchBot, Thinking
from ludwright.diagnostics import did_you_mean
from ludwright.errors import LudwrightError

AgentMaker = Callable[[int], Agent]
FORMS = "random, greedy, search:2s, search:1000, level:1 … level:10, policy:FILE"
DEFAULT_SECONDS = 1.0


class UnknownBot(LudwrightError):
    """There is no bot of this name."""


def bot_maker(name: str) -> AgentMaker:
    """What makes a bot from a seed."""
    if name in AGENTS:
        return AGENTS[name]
    kind, _, given = name.partition(":")
    if kind == "search":
        return partial(SearchBot, _thinking(name, given))
    if kind == "level":
        if not given.isdecimal() or not 1 <= int(given) <= len(LEVELS):
            raise UnknownBot(f"`{name}`: levels go from level:1 to level:{len(LEVELS)}")
        level = LEVELS[int(given) - 1]
        return partial(SearchBot, Thinking(level.simulations, blunders=level.blunders))
    if kind == "policy":
        if not given:
            raise UnknownBot("`policy:` needs the file that `ludwright solve --output` wrote")
        return partial(PolicyBot, read_policy(Path(given)))
    hint = did_you_mean(name, (*AGENTS, "search:1s", "level:5")) or f"there are {FORMS}"
    raise UnknownBot(f"there is no bot `{name}`; {hint}")


def _thinking(name: str, given: str) -> Thinking:
    """A budget: seconds end with an s, simulations are a plain number."""
    if not given:
        return Thinking(seconds=DEFAULT_SECONDS)
    if given.isdecimal() and int(given) > 0:
        return Thinking(simulations=int(given))
    try:
        seconds = float(given.removesuffix("s"))
    except ValueError:
        seconds = 0.0
    if not given.endswith("s") or not 0 < seconds < 86_400:
        raise UnknownBot(f"`{name}`: write search:2s for seconds or search:1000 for simulations")
    return Thinking(seconds=seconds)

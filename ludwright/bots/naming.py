"""Bots by name: `random`, `greedy`, `search:2s`, `search:1000`, `level:7`, `policy:FILE`.

A person at the command line may also name a class of their own, `module:Class`. That imports the
module, so it is a function of its own (`imported_maker`): names that come from elsewhere (a saved
game, the table's page, a journal) never lead there.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any, cast

from ludwright.agents import AGENTS, Agent
from ludwright.bots.levels import LEVELS
from ludwright.bots.policy import PolicyBot, PolicyError, read_policy
from ludwright.bots.search_bot import SearchBot, Thinking
from ludwright.errors import LudwrightError
from ludwright.kernel.play.game import Game
from ludwright.spelling import did_you_mean

AgentMaker = Callable[[int], Agent]
FORMS = "random, greedy, search:2s, search:1000, level:1 … level:10, policy:FILE"
_OWN = re.compile(r"(?P<module>[A-Za-z_][\w.]*):(?P<maker>[A-Za-z_]\w*)")
_DOTTED = re.compile(r"([A-Za-z_][\w.]*)\.([A-Za-z_]\w*)")
_KINDS = ("search", "level", "policy")
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
    known = (*AGENTS, f"search:{given or '1s'}", f"level:{given or 5}")
    hint = did_you_mean(name, known) or f"bots are {FORMS}"
    if (dotted := _DOTTED.fullmatch(name)) is not None:
        hint = f"a bot of your own is written `{dotted[1]}:{dotted[2]}`"
    raise UnknownBot(f"there is no bot `{name}`; {hint}")


def names_own(name: str) -> bool:
    """Whether a name has the form `module:Class`."""
    found = _OWN.fullmatch(name)
    return found is not None and found["module"] not in _KINDS


def imported_maker(name: str) -> AgentMaker:
    """The class or function behind `module:Class`, which makes a bot from a seed.

    The module is imported, and so its code runs. The current folder is looked through first, as
    `python -m` does.
    """
    found = _OWN.fullmatch(name)
    if found is None:
        raise UnknownBot(f"`{name}`: write module:Class")
    here = str(Path.cwd())
    if here not in sys.path:
        sys.path.insert(0, here)
    module, maker = found["module"], found["maker"]
    try:
        home = import_module(module)
    except ModuleNotFoundError as error:
        if error.name is None or not f"{module}.".startswith(f"{error.name}."):
            raise UnknownBot(f"`{name}`: importing `{module}` failed: {error}") from error
        hint = did_you_mean(name, ("search:1s", "level:5", "policy:")) or f"bots are {FORMS}"
        raise UnknownBot(f"`{name}`: there is no module `{module}`; {hint}") from None
    except Exception as error:
        kind = type(error).__name__
        raise UnknownBot(f"`{name}`: importing `{module}` failed: {kind}: {error}") from error
    made: Any = getattr(home, maker, None)
    if not callable(made):
        hint = did_you_mean(maker, vars(home)) or "it needs a class, or a function, of that name"
        raise UnknownBot(f"`{name}`: `{module}` has no `{maker}` that makes bots; {hint}")
    return cast(AgentMaker, made)


def checked(name: str, maker: AgentMaker, game: Game, players: int) -> AgentMaker:
    """The maker, once it is known that its bots can play a game with so many seats."""
    try:
        agent = maker(0)
    except LudwrightError:
        raise
    except Exception as error:
        kind = type(error).__name__
        raise UnknownBot(f"`{name}` makes no bot from a seed: {kind}: {error}") from error
    if not callable(getattr(agent, "choose", None)):
        raise UnknownBot(f"`{name}` makes a {type(agent).__name__}, which has no `choose(view)`")
    if isinstance(agent, PolicyBot):
        try:
            agent.check(game, players)
        except PolicyError as error:
            raise PolicyError(f"`{name}`: {error}") from None
    return maker


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

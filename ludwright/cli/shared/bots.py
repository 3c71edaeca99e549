"""Bots as a person names them at the command line."""

from __future__ import annotations

from collections.abc import Mapping

from ludwright.agents import AGENTS
from ludwright.cli.shared.output import UsageFailure
from ludwright.kernel.play.game import Game
from ludwright.simulate.series import AgentMaker


def named_maker(name: str, own: bool = True) -> AgentMaker:
    """What makes the bot of a name. `own`: the person typed it, so `module:Class` is imported."""
    if name in AGENTS:
        return AGENTS[name]
    from ludwright.bots.naming import UnknownBot, bot_maker, imported_maker, names_own

    try:
        if own and names_own(name):
            return imported_maker(name)
        return bot_maker(name)
    except UnknownBot as error:
        raise UsageFailure(str(error)) from None


def fitting(makers: Mapping[str, AgentMaker], game: Game, players: int) -> None:
    """Refuse bots that cannot play this game, before anything is played."""
    from ludwright.bots.naming import UnknownBot, checked
    from ludwright.bots.policy import PolicyError

    for name, maker in makers.items():
        try:
            checked(name, maker, game, players)
        except (UnknownBot, PolicyError) as error:
            raise UsageFailure(str(error)) from None

"""What a solver found, as a file that a bot plays by.

A policy says for every information set how likely each answer is. An information set is named by
what the seat saw and answered at each of its decisions so far (`key_of`), so a policy can
be followed without looking at anything hidden.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ludwright.agents.agent import View
from ludwright.agents.answers import Answers
from ludwright.agents.protocol import Option
from ludwright.errors import LudwrightError
from ludwright.files import write_whole
from ludwright.kernel.play.agent_dice import Dice

SEATS = 2  # of the games that the solver of policies takes
_PARTS = 1 << 30


class PolicyError(LudwrightError):
    """A file that is no policy, or the policy of another game."""


@dataclass(frozen=True)
class Policy:
    """How likely each answer is, by information set, in the order in which answers are offered."""

    game: str
    gamedef_hash: str
    chances: Mapping[str, Sequence[float]]
    facts: Mapping[str, Any]  # what the solver tells of it: value, exploitability

    def write(self, path: Path) -> None:
        told = {
            "game": self.game, "gamedef": self.gamedef_hash, "facts": dict(self.facts),
            "policy": {key: list(values) for key, values in self.chances.items()},
        }  # fmt: skip
        write_whole(path, json.dumps(told, indent=0))


def read_policy(path: Path) -> Policy:
    try:
        told = json.loads(path.read_text(encoding="utf-8"))
        return Policy(told["game"], told["gamedef"], told["policy"], told["facts"])
    except OSError as error:
        raise PolicyError(f"{path} can't be read: {error.strerror or error}") from None
    except (ValueError, KeyError, TypeError):
        raise PolicyError(
            f"{path} is not a policy; `ludwright solve --output` writes one"
        ) from None


def key_of(before: str, observation: Any) -> str:
    """The name of an information set: what the seat sees, after all that it saw and answered."""
    told = json.dumps(observation, sort_keys=True, default=str)
    return hashlib.sha256(f"{before}\n{told}".encode()).hexdigest()[:24]


def after(key: str, position: int) -> str:
    """The past of a seat once it has given the answer at a position."""
    return f"{key}/{position}"


def _name_of(game: Any) -> str:
    return str(getattr(getattr(game, "gamedef", None), "id", "a game without a rulebook"))


class PolicyBot:
    """Draws its answers from a policy; where the policy says nothing, from all of them alike."""

    def __init__(self, policy: Policy, seed: int) -> None:
        self._policy = policy
        self._dice = Dice(seed)
        self._before = ""

    def check(self, game: Any, players: int) -> None:
        """Refuse a game that the policy was not made for."""
        policy = self._policy
        if getattr(game, "gamedef_hash", "") != policy.gamedef_hash:
            own = _name_of(game)
            rules = (
                f"for other rules of `{own}`: another version, or other parameters"
                if own == policy.game
                else f"for `{policy.game}`, not for `{own}`"
            )
            raise PolicyError(f"this policy was made {rules}")
        if players != SEATS:
            raise PolicyError(
                f"this policy was made for `{policy.game}` with {SEATS} seats, not {players}"
            )

    def choose(self, view: View) -> Option:
        answers = Answers(view.decision)
        self.check(view.game, len(view.seats))
        key = key_of(self._before, view.observation())
        chances = self._policy.chances.get(key, ())
        position = self._drawn(chances) if len(chances) == len(answers) else None
        if position is None:
            position = self._dice.pick(len(answers))
        self._before = after(key, position)
        return answers[position]

    def _drawn(self, chances: Sequence[float]) -> int:
        left = self._dice.below(_PARTS) / _PARTS * sum(chances)
        for position, chance in enumerate(chances):
            left -= chance
            if left < 0:
                return position
        return max(range(len(chances)), key=lambda at: chances[at])

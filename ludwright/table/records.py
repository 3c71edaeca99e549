"""What is stored of a match, as plain values."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

EntryKind = Literal["answer", "undo", "withdraw"]
HolderKind = Literal["person", "bot", "open"]


def new_token() -> str:
    """A secret that nobody guesses: of a seat, or the id of a match."""
    return secrets.token_urlsafe(16)


def token_hash(token: str) -> str:
    """What is stored of a token. It is long and random, so one round of a hash is enough."""
    return hashlib.sha256(token.encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of a match. `value` is the answer, or the position an undo goes back to."""

    kind: EntryKind
    seat: str
    decision: int  # the number of the decision that it answers
    value: Any = None

    def to_json(self) -> dict[str, Any]:
        return {
            "kind": self.kind, "seat": self.seat, "decision": self.decision, "value": self.value,
        }  # fmt: skip

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Entry:
        return cls(data["kind"], data["seat"], data["decision"], data["value"])


@dataclass(frozen=True, slots=True)
class SeatRecord:
    """Who holds a seat. A bot is named as on the command line; a person has a token."""

    name: str
    holder: HolderKind
    token_hash: str = ""
    bot: str = ""
    label: str = ""  # what its holder is called


@dataclass(frozen=True, slots=True)
class Contact:
    """Where a person wants to hear that it is their turn, while no page of theirs is open."""

    webhook: str = ""
    mail: str = ""  # as long as nobody has confirmed it: `?`, the hash of a code, and the address

    @property
    def confirmed(self) -> bool:
        return not self.mail.startswith("?")

    @property
    def reachable(self) -> bool:
        """Whether there is any way to tell this seat something."""
        return bool(self.webhook or (self.mail and self.confirmed))

    @property
    def address(self) -> str:
        """The e-mail address, confirmed or not."""
        return self.mail if self.confirmed else self.mail.partition(" ")[2]

    def asking(self, code: str) -> Contact:
        """The same with an address that waits for whoever was sent this code."""
        return Contact(self.webhook, f"?{token_hash(code)} {self.address}")

    def confirmed_by(self, code: str) -> Contact | None:
        """The same once it is confirmed; None if this is not the code."""
        if self.confirmed or self.mail.partition(" ")[0] != f"?{token_hash(code)}":
            return None
        return Contact(self.webhook, self.address)


@dataclass(frozen=True, slots=True)
class RulesRecord:
    """A compiled rulebook: its GameDef in canonical JSON, and the texts it came from."""

    hash: str
    gamedef: bytes
    sources: Mapping[str, str]
    parameters: Mapping[str, int | bool]


@dataclass(frozen=True, slots=True)
class MatchRecord:
    """A match without its entries."""

    id: str
    rules: str  # the hash of its rules
    title: str
    seed: int
    players: int
    scenario: str | None
    created: float
    seats: tuple[SeatRecord, ...] = field(default=())

"""Messages to absent players: a webhook or an e-mail, once for each turn, none while they are here.

A seat says itself where it wants to be told. Whoever knows a seat's link could name any address, so
a server asks nothing of its own network: an address must be a public one, the connection goes to
the very address that was looked at, and nobody is followed to another one. An e-mail address gets
no message about turns before somebody has opened the link that was sent to it.
"""

from __future__ import annotations

import asyncio
import http.client
import ipaddress
import json
import logging
import re
import smtplib
import socket
import ssl
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from email.message import EmailMessage
from functools import partial
from typing import Any
from urllib.parse import urlsplit

from ludwright.errors import LudwrightError
from ludwright.table.match import Match
from ludwright.table.records import Contact, new_token
from ludwright.table.store import Store, StoreFailed

log = logging.getLogger("ludwright.table")
PATIENCE = 15.0  # seconds that somebody may be away before a message is sent
SECONDS = 10.0  # for one message
MOST_TO_ONE_ADDRESS = 200  # messages to one address, until the server is started again
QUESTIONS = 3  # mails that ask one address to confirm itself, until the server is started again
LONGEST = 500  # characters of an address
_MAIL = re.compile(r"[^@\s,;<>\"()\\]{1,64}@[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)*")
# addresses that stand for others, which may be private
_TRANSLATED = tuple(
    map(ipaddress.ip_network, ("64:ff9b::/96", "64:ff9b:1::/48", "2002::/16", "2001::/32"))
)


class BadContact(LudwrightError):
    """An address that no message is sent to."""


@dataclass(frozen=True)
class Settings:
    """How this server sends messages."""

    address: str = ""  # of this server as players know it: https://table.example.org
    smtp: str = ""  # host:port; without it there is no mail
    user: str = ""
    password: str = ""
    sender: str = ""
    private: bool = False  # whether webhooks may go to addresses that are not public
    patience: float = PATIENCE

    @classmethod
    def from_environment(cls, env: Mapping[str, str], address: str) -> Settings:
        return cls(
            env.get("LUDWRIGHT_ADDRESS", address).rstrip("/"),
            env.get("LUDWRIGHT_SMTP", ""),
            env.get("LUDWRIGHT_SMTP_USER", ""),
            env.get("LUDWRIGHT_SMTP_PASSWORD", ""),
            env.get("LUDWRIGHT_SMTP_FROM", ""),
            env.get("LUDWRIGHT_PRIVATE_WEBHOOKS", "") == "yes",
        )

    @property
    def mails(self) -> bool:
        return bool(self.smtp and self.sender)


@dataclass(frozen=True)
class Message:
    """That it is somebody's turn. It holds no secret: who may act is known to their browser."""

    match: str
    title: str
    seat: str
    link: str

    @property
    def text(self) -> str:
        return f"{self.title}: it is your turn as {self.seat}. {self.link}".strip()


def turn_of(match: Match, seat: str) -> int:
    """The number of the decision with which the turn of a seat began: its own answers since then
    belong to the same turn."""
    number = match.number(seat)
    while number and match.entries[number - 1].seat == seat:
        number -= 1
    return number


class Messenger:
    def __init__(self, store: Store, settings: Settings) -> None:
        self._store = store
        self.settings = settings
        self._sent: Counter[str] = Counter()
        self._asked: Counter[str] = Counter()
        self._waiting: dict[tuple[str, str], asyncio.Task[None]] = {}

    def kinds(self) -> list[str]:
        return ["webhook", "mail"] if self.settings.mails else ["webhook"]

    async def set_contact(self, match: str, seat: str, contact: Contact) -> Contact:
        """Checked first; refused with a reason. An address that is new has to confirm itself."""
        if contact.webhook:
            await asyncio.to_thread(checked_webhook, contact.webhook, self.settings.private)
        if contact.mail and not self.settings.mails:
            raise BadContact("this server sends no mail")
        if contact.mail and (len(contact.mail) > LONGEST or not _MAIL.fullmatch(contact.mail)):
            raise BadContact("this is no e-mail address")
        known = (await asyncio.to_thread(self._store.contacts, match)).get(seat, Contact())
        code = ""
        if contact.mail and (contact.mail, True) != (known.mail, known.confirmed):
            if self._asked[contact.mail] >= QUESTIONS:
                raise BadContact("this address was asked to confirm itself often enough")
            self._asked[contact.mail] += 1
            code = new_token()
            contact = contact.asking(code)
        await asyncio.to_thread(self._store.set_contact, match, seat, contact)
        if code:
            await asyncio.to_thread(self._ask, match, seat, contact.address, code)
        return contact

    def _ask(self, match: str, seat: str, to: str, code: str) -> None:
        """The code stands behind the # of a link: no log sees it, and only a page opens it."""
        link = f"{self.settings.address}/m/{match}#confirm={seat}.{code}"
        text = (
            f"Somebody who plays {seat} wants to be told of their turns at this address. If that "
            f"is you, open {link}\n\nIf not, do nothing: no further message will be sent."
        )
        self._safely(match, self._post_mail, to, "Confirm your e-mail address", text)

    async def confirm(self, match: str, seat: str, code: str) -> bool:
        """Whether a code is the one that was sent; from then on turns are told to its address."""
        known = (await asyncio.to_thread(self._store.contacts, match)).get(seat, Contact())
        contact = known.confirmed_by(code)
        if contact is None:
            return False
        await asyncio.to_thread(self._store.set_contact, match, seat, contact)
        return True

    def consider(self, match: Match, is_here: Callable[[str], bool]) -> None:
        """After every change, and when somebody leaves: who is asked and not here is told soon."""
        for seat in match.record.seats:
            key = (match.record.id, seat.name)
            if seat.holder == "person" and key not in self._waiting and not is_here(seat.name):
                if seat.name not in match.asked_seats():
                    continue
                task = asyncio.create_task(self._soon(match, seat.name, is_here))
                self._waiting[key] = task
                task.add_done_callback(partial(self._done, key))

    def _done(self, key: tuple[str, str], task: asyncio.Task[None]) -> None:
        self._waiting.pop(key, None)

    async def _soon(self, match: Match, seat: str, is_here: Callable[[str], bool]) -> None:
        try:
            while True:
                turn = turn_of(match, seat)
                await asyncio.sleep(self.settings.patience)
                if is_here(seat) or seat not in match.asked_seats():
                    return
                if turn == turn_of(match, seat):
                    break
            contact = (await asyncio.to_thread(self._store.contacts, match.record.id)).get(seat)
            if (
                contact is None
                or not contact.reachable
                or not await asyncio.to_thread(
                    self._store.claim_message, match.record.id, seat, turn
                )
            ):
                return
            await asyncio.to_thread(self._send, contact, self._message(match, seat))
        except StoreFailed as failed:
            log.error("match %s: no message to %s: %s", match.record.id[:6], seat, failed)

    def _message(self, match: Match, seat: str) -> Message:
        base = self.settings.address
        link = f"{base}/m/{match.record.id}" if base else ""
        return Message(match.record.id, match.record.title, seat, link)

    def _send(self, contact: Contact, message: Message) -> None:
        mail = contact.mail if contact.confirmed else ""
        for to, send in ((contact.webhook, self._post), (mail, self._mail)):
            if not to or self._sent[to] >= MOST_TO_ONE_ADDRESS:
                continue
            self._sent[to] += 1
            self._safely(message.match, send, to, message)

    @staticmethod
    def _safely(match: str, send: Callable[..., None], *what: Any) -> None:
        try:
            send(*what)
        except (OSError, http.client.HTTPException, smtplib.SMTPException, LudwrightError,
                ValueError) as problem:  # fmt: skip
            # what failed, not where to: addresses are no one's business in a log
            log.warning("match %s: a message failed: %s", match[:6], type(problem).__name__)

    def _post(self, url: str, message: Message) -> None:
        body = {
            "text": message.text, "content": message.text, "match": message.match,
            "title": message.title, "seat": message.seat, "link": message.link,
        }  # fmt: skip
        post(url, json.dumps(body).encode(), self.settings.private)

    def _mail(self, to: str, message: Message) -> None:
        self._post_mail(to, f"Your turn: {message.title}", message.text)

    def _post_mail(self, to: str, subject: str, text: str) -> None:
        mail = EmailMessage()
        mail["From"], mail["To"] = self.settings.sender, to
        mail["Subject"] = " ".join(subject.split())
        mail.set_content(f"{text}\n")
        host, _, port = self.settings.smtp.rpartition(":")
        with smtplib.SMTP(host or port, int(port) if host else 25, timeout=SECONDS) as line:
            if self.settings.user:
                line.starttls(context=ssl.create_default_context())
                line.login(self.settings.user, self.settings.password)
            line.send_message(mail)

    def close(self) -> None:
        for task in self._waiting.values():
            task.cancel()


# ------------------------------------------------------------------------ webhooks


@dataclass(frozen=True)
class _Target:
    scheme: str
    host: str
    port: int
    path: str
    address: str  # the number that the host's name stood for when it was looked at


def checked_webhook(url: str, private: bool) -> _Target:
    """Where a webhook goes; refused unless that is a public address."""
    try:
        parts = urlsplit(url)
        host, port = parts.hostname, parts.port
    except ValueError:
        raise BadContact("this is no address of the web") from None
    if parts.scheme not in ("http", "https") or not host or len(url) > LONGEST:
        raise BadContact("a webhook is an address that begins with https://")
    if parts.username or parts.password or not url.isprintable() or " " in url:
        raise BadContact("a webhook is written without names, passwords and spaces")
    port = port or (443 if parts.scheme == "https" else 80)
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        raise BadContact("there is no such host") from None
    addresses = [str(one[4][0]) for one in found]
    # all of them: which one a connection takes is not for the name to choose
    if not private and not all(map(is_public, addresses)):
        raise BadContact("a webhook goes to a public address")
    path = parts.path or "/"
    return _Target(
        parts.scheme, host, port, f"{path}?{parts.query}" if parts.query else path, addresses[0]
    )


def is_public(address: str) -> bool:
    ip = ipaddress.ip_address(address.partition("%")[0])
    mapped = isinstance(ip, ipaddress.IPv6Address) and ip.ipv4_mapped is not None
    translated = any(ip.version == network.version and ip in network for network in _TRANSLATED)
    return ip.is_global and not (ip.is_multicast or mapped or translated)


def post(url: str, body: bytes, private: bool) -> int:
    """Sends to the address that was checked, and to no other."""
    target = checked_webhook(url, private)
    line: socket.socket = socket.create_connection((target.address, target.port), SECONDS)
    try:
        if target.scheme == "https":
            line = ssl.create_default_context().wrap_socket(line, server_hostname=target.host)
        request = http.client.HTTPConnection(target.host, target.port, timeout=SECONDS)
        request.sock = line
        headers = {"content-type": "application/json", "user-agent": "ludwright"}
        request.request("POST", target.path, body, headers)
        return request.getresponse().status
    finally:
        line.close()

"""The server: pages, matches and sockets. Knows HTTP and nothing of games.

Every response carries a policy that allows no inline code. Requests that change something, and
sockets, must come from a page of this very server.
"""

from __future__ import annotations

import asyncio
import json
import logging
import re
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import urlsplit

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, PlainTextResponse, Response
from starlette.routing import BaseRoute, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocket, WebSocketDisconnect

from ludwright.characters import is_line
from ludwright.errors import LudwrightError
from ludwright.language.reading.prose import rules_text
from ludwright.table import frames
from ludwright.table.developing import behind
from ludwright.table.editor import LARGEST, Changed, Writing
from ludwright.table.glossary import glossary
from ludwright.table.hall import Hall, NotPossible, Wanted
from ludwright.table.store import StoreFailed
from ludwright.table.sweeping import Sweeper
from ludwright.table.uploads import Uploads

log = logging.getLogger("ludwright.table")
STATIC = Path(__file__).parent / "static"
BODY = 16 * 1024  # bytes of a request
CREDIT = 60  # frames that a socket may send at once
CREDIT_PER_SECOND = 20.0
WAITING = 64  # messages that may wait for a slow page
MINE = 100  # matches asked for at once
POLICY = {
    "content-security-policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
        "connect-src 'self'; font-src 'self'; base-uri 'none'; form-action 'none'; "
        "frame-ancestors 'none'"
    ),
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    "cross-origin-opener-policy": "same-origin",
}


def app_of(
    hall: Hall, static: Path = STATIC, develop: bool = False, writing: Writing | None = None,
    uploads: Uploads | None = None, sweeper: Sweeper | None = None,
) -> Starlette:  # fmt: skip
    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        hall.start()
        sweeping = asyncio.create_task(sweeper.work()) if sweeper is not None else None
        yield
        if sweeping is not None:
            sweeping.cancel()
        hall.close()
        for part in (writing, uploads):
            if part is not None:
                part.close()

    site = Site(hall, static, develop)
    routes: list[BaseRoute] = [
        Route("/", site.page),
        Route("/m/{match}", site.page),
        Route("/api/games", site.games),
        Route("/api/games/{game}", site.game),
        Route("/api/games/{game}/picture", site.picture),
        Route("/api/rules/{match}", site.rules),
        Route("/api/words/{match}", site.words),
        Route("/api/matches", site.create, methods=["POST"]),
        Route("/api/mine", site.mine, methods=["POST"]),
        Route("/api/confirm", site.confirm, methods=["POST"]),
        WebSocketRoute("/socket", site.socket),
    ]
    if develop:
        routes.append(Route("/api/behind/{match}", site.behind))
    if writing is not None:
        routes += write_routes(writing, site.page)
    if uploads is not None:
        upload = UploadSite(hall, uploads).upload
        routes.append(Route("/api/upload", upload, methods=["POST"]))
    app = Starlette(routes=routes, lifespan=lifespan, middleware=[Middleware(Headers)])
    if static.is_dir():
        app.mount("/static", GZipMiddleware(StaticFiles(directory=static)), name="static")
    return app


class Headers:
    """Puts the policy on every response."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def sending(message: Message) -> None:
            if message["type"] == "http.response.start":
                extra = [(name.encode(), value.encode()) for name, value in POLICY.items()]
                message["headers"] = [*message["headers"], *extra]
            await send(message)

        await self._app(scope, receive, sending if scope["type"] == "http" else send)


def own_origin(headers: Any) -> bool:
    """Whether a request comes from a page of this server, as browsers say truthfully."""
    origin = headers.get("origin")
    return origin is not None and urlsplit(origin).netloc == headers.get("host")


class Refused(LudwrightError):
    """A request that gets a short word and a status."""

    def __init__(self, status: int, reason: str) -> None:
        super().__init__(reason)
        self.status = status


Subject = TypeVar("Subject")
Handler = Callable[[Subject, Request], Awaitable[Response]]


def answering(handler: Handler[Subject]) -> Handler[Subject]:
    """Every refusal is a status and a sentence; nothing reaches the log as unhandled."""

    async def answer(site: Subject, request: Request) -> Response:
        try:
            return await handler(site, request)
        except Refused as refused:
            return JSONResponse({"reason": str(refused)}, refused.status)
        except NotPossible as problem:
            return JSONResponse({"reason": str(problem)}, 422)
        except (StoreFailed, OSError) as failed:
            log.error("%s", failed)
            return JSONResponse({"reason": "the store does not answer"}, 503)
        except LudwrightError as problem:
            return JSONResponse({"reason": str(problem)}, 422)

    return answer


class Site:
    def __init__(self, hall: Hall, static: Path, develop: bool) -> None:
        self._hall = hall
        self._develop = develop
        self._static = static

    async def page(self, request: Request) -> Response:
        index = self._static / "index.html"
        if not index.is_file():
            return PlainTextResponse("The page has not been built: run `make page`.", 503)
        return FileResponse(index, headers={"cache-control": "no-cache"})

    @answering
    async def games(self, request: Request) -> Response:
        return JSONResponse(await self._hall.listing())

    @answering
    async def game(self, request: Request) -> Response:
        name = request.path_params["game"]
        if name not in self._hall.games():
            raise Refused(404, "there is no such game")
        return JSONResponse(await self._hall.about(name))

    @answering
    async def picture(self, request: Request) -> Response:
        name = request.path_params["game"]
        if name not in self._hall.games():
            raise Refused(404, "there is no such game")
        found = await self._hall.thumbnail(name)
        if not found:
            return Response(status_code=204)  # it has mistakes, which are told elsewhere
        return Response(found, media_type="image/svg+xml", headers={"cache-control": "no-cache"})

    @answering
    async def rules(self, request: Request) -> Response:
        room = await self._hall.room(request.path_params["match"])
        if room is None:
            raise Refused(404, "there is no such match")
        return PlainTextResponse(rules_text(room.match.rules.record.sources))

    @answering
    async def words(self, request: Request) -> Response:
        """What the rulebook says of its cards: the same for everybody."""
        room = await self._hall.room(request.path_params["match"])
        if room is None:
            raise Refused(404, "there is no such match")
        return JSONResponse(await asyncio.to_thread(glossary, room.match.rules))

    @answering
    async def behind(self, request: Request) -> Response:
        """Everything about a position; only there for whoever develops a rulebook."""
        room = await self._hall.room(request.path_params["match"])
        if room is None:
            raise Refused(404, "there is no such match")
        at = request.query_params.get("at", "")
        number = int(at) if re.fullmatch(r"[0-9]{1,9}", at) else None
        return JSONResponse(behind(room.match, number))

    @answering
    async def create(self, request: Request) -> Response:
        return JSONResponse(await self._hall.create(_wanted(await body_of(request))))

    @answering
    async def confirm(self, request: Request) -> Response:
        data = _texts(await body_of(request))
        if set(data) != {"match", "seat", "code"}:
            raise Refused(422, "`match`, `seat` and `code` are needed")
        if not await self._hall.confirm(**data):
            raise Refused(403, "this link is no longer good; name the address again")
        return JSONResponse({"confirmed": True})

    @answering
    async def mine(self, request: Request) -> Response:
        data = await body_of(request)
        if len(data) > MINE or not all(
            isinstance(tokens, list) and all(isinstance(t, str) for t in tokens)
            for tokens in data.values()
        ):
            raise Refused(422, "matches with lists of tokens are expected")
        return JSONResponse(await self._hall.mine(data))

    async def socket(self, socket: WebSocket) -> None:
        if not own_origin(socket.headers):
            await socket.close(1008)
            return
        await socket.accept()
        line = SocketLine(socket)
        try:
            await _converse(self._hall, socket, line, self._develop)
        except (WebSocketDisconnect, RuntimeError):
            pass  # the page has gone
        finally:
            line.close()


async def body_of(request: Request, most: int = BODY) -> dict[str, Any]:
    """What a page of this server has sent, as an object."""
    if not own_origin(request.headers):
        raise Refused(403, "this must come from a page of this server")
    body = b""
    async for chunk in request.stream():
        body += chunk
        if len(body) > most:
            raise Refused(413, "the request is too long")
    try:
        data = json.loads(body)
    except (ValueError, RecursionError):
        raise Refused(400, "the request is not JSON") from None
    if not isinstance(data, dict):
        raise Refused(400, "the request is not an object")
    return data


def _wanted(data: dict[str, Any]) -> Wanted:
    game, seats = data.get("game"), data.get("seats")
    parameters, scenario = data.get("parameters", {}), data.get("scenario")
    seed = data.get("seed")
    if not isinstance(game, str) or not isinstance(seats, list) or len(seats) > 64:
        raise Refused(422, "`game` and `seats` are needed")
    if not all(isinstance(seat, str) and is_line(seat) for seat in seats) or not isinstance(
        parameters, dict
    ):
        raise Refused(422, "`seats` are texts and `parameters` an object")
    if not all(isinstance(value, int) for value in parameters.values()):
        raise Refused(422, "parameters are numbers, or true or false")
    if scenario is not None and not isinstance(scenario, str):
        raise Refused(422, "`scenario` is a name")
    if seed is not None and (not isinstance(seed, int) or not 0 <= seed < 2**63):
        raise Refused(422, "`seed` is a number")
    return Wanted(game, parameters, scenario, tuple(seats), seed)


class WriteSite:
    """Pages and requests of the Write page; all but the page itself need the owner's secret."""

    def __init__(self, writing: Writing) -> None:
        self._writing = writing

    def _owner(self, request: Request) -> str:
        """The rulebook that is asked for, by whoever may."""
        if not self._writing.is_owner(request.headers.get("x-ludwright-owner", "")):
            raise Refused(403, "open this page by the address that the server printed")
        game: str = request.path_params["game"]
        return game

    @answering
    async def read(self, request: Request) -> Response:
        game = self._owner(request)
        return JSONResponse(await asyncio.to_thread(self._writing.read, game))

    @answering
    async def check(self, request: Request) -> Response:
        game = self._owner(request)
        texts = _texts(await body_of(request, LARGEST))
        return JSONResponse(await asyncio.to_thread(self._writing.check, game, texts))

    @answering
    async def save(self, request: Request) -> Response:
        game = self._owner(request)
        data = _texts(await body_of(request, LARGEST))
        if set(data) != {"name", "text", "base"}:
            raise Refused(422, "`name`, `text` and `base` are needed")
        try:
            found = await asyncio.to_thread(self._writing.save, game, **data)
        except Changed as changed:
            raise Refused(409, str(changed)) from None
        return JSONResponse(found)


def _texts(data: dict[str, Any]) -> dict[str, str]:
    if not all(isinstance(text, str) for text in data.values()):
        raise Refused(422, "texts are expected")
    return data


def write_routes(writing: Writing, page: Callable[[Request], Awaitable[Response]]) -> list[Route]:
    site = WriteSite(writing)
    return [
        Route("/write/{game}", page),
        Route("/api/write/{game}", site.read),
        Route("/api/write/{game}/check", site.check, methods=["POST"]),
        Route("/api/write/{game}/save", site.save, methods=["POST"]),
    ]


class UploadSite:
    """Rulebooks that the owner of the server sends from a page."""

    def __init__(self, hall: Hall, uploads: Uploads) -> None:
        self._hall = hall
        self._uploads = uploads

    @answering
    async def upload(self, request: Request) -> Response:
        if not self._uploads.is_owner(request.headers.get("x-ludwright-owner", "")):
            raise Refused(403, "open this page by the address that the server printed")
        data = _texts(await body_of(request, LARGEST))
        if set(data) != {"name", "text"}:
            raise Refused(422, "`name` and `text` are needed")
        name, path = await asyncio.to_thread(self._uploads.take, data["name"], data["text"])
        self._hall.offer(name, path)
        return JSONResponse({"game": name})


class SocketLine:
    """Sends to one page in order, without anybody waiting for it. A page too slow is let go."""

    def __init__(self, socket: WebSocket) -> None:
        self._socket = socket
        self._queue: asyncio.Queue[str] = asyncio.Queue(WAITING)
        self._task = asyncio.create_task(self._work())

    def send(self, message: dict[str, Any] | str) -> None:
        told = message if isinstance(message, str) else json.dumps(message, separators=(",", ":"))
        try:
            self._queue.put_nowait(told)
        except asyncio.QueueFull:
            self._task.cancel()

    async def _work(self) -> None:
        try:
            while True:
                await self._socket.send_text(await self._queue.get())
        except (asyncio.CancelledError, WebSocketDisconnect, RuntimeError, OSError):
            return

    def close(self) -> None:
        self._task.cancel()


class Credit:
    """How many frames a socket may still send."""

    def __init__(self) -> None:
        self._left, self._since = float(CREDIT), time.monotonic()

    def spend(self) -> bool:
        now = time.monotonic()
        self._left = min(CREDIT, self._left + (now - self._since) * CREDIT_PER_SECOND)
        self._since = now
        self._left -= 1
        return self._left >= 0


async def _converse(hall: Hall, socket: WebSocket, line: SocketLine, develop: bool) -> None:
    """One page from hello to goodbye."""
    credit = Credit()
    room = visitor = None
    try:
        while True:
            message = await socket.receive()
            if message["type"] != "websocket.receive":
                return
            if not credit.spend():
                line.send({"tell": "refused", "code": "too-many", "reason": "too many messages"})
                await asyncio.sleep(0)
                await socket.close(1008)
                return
            try:
                frame = frames.parse(message.get("text") or message.get("bytes") or "")
            except frames.BadFrame as bad:
                line.send({"tell": "refused", "code": "bad-frame", "reason": str(bad)})
                continue
            if room is None or visitor is None:
                if not isinstance(frame, frames.Hello):
                    line.send({"tell": "refused", "code": "no-hello", "reason": "say hello first"})
                    continue
                room = await hall.room(frame.match)
                if room is None:
                    line.send({"tell": "refused", "code": "no-match", "reason": "no such match"})
                    continue
                visitor = hall.visitor(room, line, frame.tokens)
                visitor.narrow = frame.narrow
                visitor.sees_all = develop and visitor.seats >= set(room.match.seats)
                line.send({"tell": "welcome", **room.welcome(visitor, develop)})
                room.enter(visitor)
                hall.entered_or_left(room)
                continue
            await room.hear(visitor, frame)
    finally:
        if room is not None and visitor is not None:
            room.leave(visitor)
            hall.entered_or_left(room)

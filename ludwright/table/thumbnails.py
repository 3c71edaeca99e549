"""A small picture of each game's first position, for the lobby.

They are drawn in a process of their own, which waits for everything else, and kept on disk under a
hash of the texts.
"""

from __future__ import annotations

from pathlib import Path

from ludwright.diagnostics import Diagnostics
from ludwright.disk_cache import Shelf, key, sources
from ludwright.language.reading.files import read_sources
from ludwright.table.apart import Apart, Stopped

SECONDS = 60.0
SHELF = Shelf("thumbnails", b"LWT1")


class Thumbnails:
    def __init__(self) -> None:
        self._apart = Apart(drawn, SECONDS, patient=True)
        self._known: dict[str, str] = {}  # by the hash of the texts; "" where there is none

    def of(self, path: Path) -> str:
        """The picture of a rulebook as an SVG; "" where it has mistakes."""
        texts = (source.text for source in read_sources(path, Diagnostics()))
        name = key(sources("scene", "language"), *texts)
        if name not in self._known:
            kept = SHELF.load(name)
            self._known[name] = kept.decode() if kept is not None else self._made(name, path)
        return self._known[name]

    def _made(self, name: str, path: Path) -> str:
        try:
            made: str = self._apart.ask(path)
        except Stopped:
            return ""
        if made:
            SHELF.save(name, made.encode(), SHELF.folder())
        return made

    def close(self) -> None:
        self._apart.close()


def drawn(path: Path) -> str:
    """In the process: compiled and drawn, as somebody sees it who watches."""
    from ludwright.errors import LudwrightError
    from ludwright.kernel.views.observation import SPECTATOR
    from ludwright.loading import compile_files, game_from
    from ludwright.scene import scene_of
    from ludwright.scene.thumbnail import thumbnail

    try:
        game = game_from(compile_files(path), engine="python")
        scene = scene_of(game, game.observe(game.initial_state(seed=1), SPECTATOR))
    except (LudwrightError, ValueError):
        return ""
    return thumbnail(scene)

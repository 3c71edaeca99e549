"""`ludwright serve`: the table in the browser."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

from ludwright.cli.shared.loading import compile_rulebook
from ludwright.cli.shared.output import Failure, UsageFailure


def run(
    games: Sequence[str],
    host: str,
    port: int,
    store: str | None,
    browse: bool,
    pause: float,
    develop: bool,
    uploads: Path | None = None,
) -> None:
    missing = [name for name in ("starlette", "uvicorn", "websockets") if find_spec(name) is None]
    if missing:
        raise Failure(f"the table needs {', '.join(missing)}: pip install 'ludwright[table]'")
    from ludwright.table.serving import LOOPBACK, CannotListen, default_store, own_files, serve
    from ludwright.table.store import StoreFailed

    if develop and host not in LOOPBACK:
        raise UsageFailure("--develop shows all that is hidden: it listens on this machine only")
    for name in games:
        if not Path(name).exists():  # a name, or a mistake; a file may still have mistakes in it
            if name.endswith(".md"):
                raise UsageFailure(
                    f"there is no file {name}; begin with an empty one: touch {name}"
                )
            compile_rulebook(name, {})
    try:
        kept = store or str(default_store())
        serve(own_files(games), kept, host, port, browse, pause, develop, uploads)
    except (CannotListen, StoreFailed) as failed:
        raise Failure(str(failed)) from None

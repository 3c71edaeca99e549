"""Several servers share a PostgreSQL store: they tell each other, and none takes another's number."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator

import pytest

from tests.table.databases import Database, database
from tests.table.server_under_test import Page, Served, serving


@pytest.fixture(scope="module")
def postgres() -> Iterator[Database]:
    with database() as found:
        yield found


@pytest.fixture
def pair(postgres: Database, request: pytest.FixtureRequest) -> Iterator[tuple[Served, Served]]:
    from ludwright.table.postgres_store import PostgresStore

    address = postgres.fresh(f"t{abs(hash(request.node.name)) % 10**9}")
    with serving(PostgresStore(address)) as one, serving(PostgresStore(address)) as two:
        yield one, two


def test_a_match_is_played_at_two_servers(pair: tuple[Served, Served]) -> None:
    one, two = pair
    match = one.create("tic-tac-toe", ["me", "link"])
    tokens = match["tokens"]
    with (
        one.page(match["match"], tokens["cross"]) as cross,
        two.page(match["match"], tokens["nought"]) as nought,
    ):
        cross.until("view")
        nought.until("view")
        for at, cell in enumerate(["b2", "a1", "b1", "a2", "b3"]):
            page, other = (cross, nought) if at % 2 == 0 else (nought, cross)
            page.answer(page.option(cell))
            assert page.until("done", "refused")["tell"] == "done"
            page.until_view(at + 1)
            other.until_view(at + 1)
        assert cross.view["result"]["winners"] == nought.view["result"]["winners"] == ["cross"]
        assert cross.view["scene"] == nought.view["scene"]


def test_who_is_at_the_other_server_is_here(pair: tuple[Served, Served]) -> None:
    one, two = pair
    match = one.create("tic-tac-toe", ["me", "link"])
    with one.page(match["match"], match["tokens"]["cross"]) as cross:
        cross.until("view")
        with two.page(match["match"], match["tokens"]["nought"]):
            _until_here(cross, "nought", True)
        _until_here(cross, "nought", False)


def _until_here(page: Page, seat: str, here: bool) -> None:
    while True:
        told = page.until("company")
        if any(one["id"] == seat and one["here"] == here for one in told["seats"]):
            return


def test_two_servers_never_store_two_answers_to_one_decision(pair: tuple[Served, Served]) -> None:
    one, two = pair
    for _ in range(8):
        match = one.create("tic-tac-toe", ["me", "me"])
        told = _raced(pair, match["match"], match["tokens"]["cross"])
        assert sorted(told) == ["done", "refused"]
        assert len(one.hall._store.entries(match["match"])) == 1
    assert two.hall is not one.hall


def _raced(pair: tuple[Served, Served], match: str, token: str) -> list[str]:
    """What two servers say to two answers that are given at the same moment."""
    told: list[str] = []
    barrier = threading.Barrier(2)

    def race(served: Served, option: int) -> None:
        with served.page(match, token) as page:
            page.until("view")
            barrier.wait()
            page.answer(option)
            told.append(page.until("done", "refused")["tell"])

    racing = [threading.Thread(target=race, args=(s, at)) for at, s in enumerate(pair)]
    for thread in racing:
        thread.start()
    for thread in racing:
        thread.join()
    return told


def test_a_database_that_is_killed_and_started_again_is_a_pause(postgres: Database) -> None:
    from ludwright.table.postgres_store import PostgresStore

    with serving(PostgresStore(postgres.fresh("killed"))) as served:
        match = served.create("tic-tac-toe", ["me", "me"])
        with served.page(match["match"], *match["tokens"].values()) as page:
            page.until("view")
            page.answer(4)
            assert page.until("done", "refused")["tell"] == "done"
            page.until_view(1)
            postgres.stop(signal.SIGQUIT)  # at once, without a checkpoint
            page.answer(0, "nought", 1)
            refused = page.until("done", "refused")
            assert (refused["tell"], refused["code"]) == ("refused", "not-stored")
            postgres.start()
            page.answer(0, "nought", 1)
            assert page.until("done", "refused")["tell"] == "done"
            page.until_view(2)
        assert len(served.hall._store.entries(match["match"])) == 2

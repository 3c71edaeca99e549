"""Bots in workers: their answers are answers of their seat, whole sets included."""

from __future__ import annotations

import asyncio

import pytest

import ludwright as lw
from ludwright.bots.naming import bot_maker
from ludwright.table.bots import NAMES, Bots, Task, think
from ludwright.table.match import Match
from ludwright.table.rules import rules_from
from tests.cli.test_greedy import OVERBID
from tests.table.playing import new_match, record_of


def task_of(match: Match, seat: str, bot: str) -> Task:
    return Task(match.rules.record.gamedef, match.state.to_bytes(), seat, bot, 5)


CASES = [(game, bot) for game in ("tic-tac-toe", "hearts") for bot in ("random", "greedy")]


@pytest.mark.parametrize(
    ("game", "bot"), [*CASES, ("tic-tac-toe", "level:3"), ("tic-tac-toe", "search:1s")]
)
def test_an_answer_of_a_bot_can_be_taken(game: str, bot: str) -> None:
    match = new_match(game, seed=4)
    for _ in range(2):
        seat = match.asked_seats()[-1]
        entry = match.entry(seat, think(task_of(match, seat, bot)).answer)
        match.take(entry, match.stepped(entry))


def test_every_bot_of_the_page_exists() -> None:
    for name in NAMES:
        bot_maker(name)


def test_a_worker_that_was_killed_is_replaced() -> None:
    match = new_match("tic-tac-toe")

    async def twice() -> None:
        pool = Bots()
        await pool.answer(task_of(match, "cross", "random"))
        assert pool._pool is not None
        for process in list(pool._pool._processes.values()):
            process.kill()
            process.join()
        assert await pool.answer(task_of(match, "cross", "random")) is not None
        pool.close()

    asyncio.run(twice())


def test_a_fault_in_the_thoughts_of_a_bot_comes_with_its_answer() -> None:
    rules = rules_from(lw.compile_text(OVERBID), {})
    match = Match(record_of(rules), rules)
    thought = think(task_of(match, "red", "greedy"))
    match.take(entry := match.entry("red", thought.answer), match.stepped(entry))
    assert [fault.code for fault in thought.faults] == ["range"]

"""Tournaments on a real Ray cluster of two nodes on this machine, one of which is lost."""

from __future__ import annotations

import importlib
import os
import signal
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from ludwright.bots.tournaments.keeping import Journal
from ludwright.bots.tournaments.on_ray import on_ray
from ludwright.bots.tournaments.playing import Contest, Outcome
from ludwright.bots.tournaments.running import in_this_process
from ludwright.bots.tournaments.tournament import hold
from ludwright.cli.main import app

ray = pytest.importorskip(
    "ray", reason="Ray is not installed: pip install 'ludwright[ray]' to test clusters"
)

CONTEST = Contest("tic-tac-toe", (), ("search:200", "random"), 2, 7, 1_000)
LONGER = Contest("connect-four", (), ("search:1500", "search:1000"), 2, 5, 1_000)
GAMES = 16


def timeless(outcomes: Sequence[Outcome]) -> list[Outcome]:
    return [replace(each, seconds=0.0) for each in outcomes]


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    cluster_utils: Any = importlib.import_module("ray.cluster_utils")

    made = cluster_utils.Cluster(
        initialize_head=True, connect=True,
        head_node_args={"num_cpus": 1, "object_store_memory": 80 << 20},
    )  # fmt: skip
    made.add_node(num_cpus=1, object_store_memory=80 << 20)
    made.wait_for_nodes()
    yield made
    ray.shutdown()
    made.shutdown()


def busy_workers(cluster: Any) -> list[int]:
    """The processes of this cluster that are playing."""
    raylets = {
        info.process.pid
        for node in cluster.list_all_nodes()
        for info in node.all_processes.get("raylet", ())
    }
    found: list[int] = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            parent = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
            title = (folder / "cmdline").read_bytes()
        except (OSError, ValueError):
            continue
        if parent in raylets and title.startswith(b"ray::play_shipped"):
            found.append(int(folder.name))
    return found


def test_a_cluster_gives_the_same_results_as_one_process(cluster: Any) -> None:
    alone = hold(CONTEST, 8, in_this_process)
    spread = hold(CONTEST, 8, on_ray("auto"))
    assert timeless(spread.outcomes) == timeless(alone.outcomes)
    assert spread.standings == alone.standings


def test_a_rulebook_and_a_policy_travel_with_the_games(cluster: Any, tmp_path: Path) -> None:
    """Workers read no file: what they need is sent to them."""
    path = tmp_path / "kuhn.json"
    assert CliRunner().invoke(app, ["solve", "kuhn-poker", "-o", str(path)]).exit_code == 0
    contest = Contest("kuhn-poker", (), (f"policy:{path}", "random"), 2, 1, 1_000)

    def without_the_file(contest: Contest, numbers: Sequence[int]) -> Iterator[Outcome]:
        for outcome in on_ray("auto")(contest, numbers):
            path.unlink(missing_ok=True)
            yield outcome

    alone = hold(contest, 12, in_this_process)
    assert timeless(hold(contest, 12, without_the_file).outcomes) == timeless(alone.outcomes)
    assert not path.exists()


def test_a_lost_worker_and_a_lost_machine_lose_no_game(cluster: Any, tmp_path: Path) -> None:
    """A process is killed in the middle of a game, then a whole node; every game is played once."""
    path, killed = tmp_path / "games.journal", list[str]()

    def disturbed(contest: Contest, numbers: Sequence[int]) -> Iterator[Outcome]:
        for done, outcome in enumerate(on_ray("auto")(contest, numbers), 1):
            yield outcome
            if done == 3:
                victims = busy_workers(cluster)
                assert victims
                os.kill(victims[0], signal.SIGKILL)
                killed.append("process")
            if done == 6:
                other = next(n for n in cluster.list_all_nodes() if n is not cluster.head_node)
                cluster.remove_node(other, allow_graceful=False)
                killed.append("node")

    journal = Journal(path, LONGER, "x")
    table = hold(LONGER, GAMES, disturbed, journal)
    journal.close()
    assert killed == ["process", "node"]
    assert [each.number for each in table.outcomes] == list(range(GAMES))
    assert timeless(table.outcomes) == timeless(hold(LONGER, GAMES, in_this_process).outcomes)
    lines = path.read_text().splitlines()[1:]
    assert len(lines) == GAMES  # none was played twice, none was lost


def test_no_cluster_is_told() -> None:
    if ray.is_initialized():
        ray.shutdown()
    given = ["tournament", "tic-tac-toe", "--bots", "random,greedy", "-n", "2"]
    result = CliRunner().invoke(app, [*given, "--ray", "127.0.0.1:1"])
    assert result.exit_code != 0
    assert "no Ray cluster answers" in str(result.exception)
    both = CliRunner().invoke(app, [*given, "--ray", "auto", "--workers", "2"])
    assert both.exit_code != 0
    assert "--workers" in str(both.exception)

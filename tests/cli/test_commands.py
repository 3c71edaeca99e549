"""The command line as its users meet it: output, JSON and exit codes."""

from __future__ import annotations

import json
import os
import pty
import re
import shlex
import socket
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from ludwright.cli import main as cli
from tests.cli.conversation import BROKEN, CARDS, sit


@dataclass
class Outcome:
    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        (line,) = self.out.splitlines()
        return json.loads(line)


Run = Callable[..., Outcome]


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    def run_command(*args: str | Path) -> Outcome:
        monkeypatch.setattr(sys, "argv", ["ludwright", *map(str, args)])
        code = 0
        try:
            cli.main()
        except SystemExit as end:
            code = end.code if isinstance(end.code, int) else int(end.code is not None)
        captured = capsys.readouterr()
        assert "Traceback" not in captured.err
        return Outcome(code, captured.out, captured.err)

    return run_command


@pytest.fixture
def rulebook(tmp_path: Path) -> Path:
    path = tmp_path / "cards.md"
    path.write_text(CARDS)
    return path


@pytest.fixture
def broken(tmp_path: Path) -> Path:
    path = tmp_path / "broken.md"
    path.write_text(BROKEN)
    return path


def test_games_lists_every_folder_with_a_rulebook(run: Run) -> None:
    games = run("games", "--json").json["games"]
    folder = Path(cli.__file__).parents[1] / "games"
    assert [game["id"] for game in games] == sorted(
        path.parent.name for path in folder.glob("*/rulebook.md")
    )
    text = run("games").out
    assert all(game["id"] in text for game in games)
    tic_tac_toe = next(game for game in games if game["id"] == "tic-tac-toe")
    assert tic_tac_toe["min_players"] == tic_tac_toe["max_players"] == 2
    assert {"size", "run"} <= {parameter["name"] for parameter in tic_tac_toe["parameters"]}


def test_check_of_a_good_rulebook(run: Run, rulebook: Path) -> None:
    report = run("check", rulebook, "--json")
    assert report.code == 0
    assert report.json["ok"] is True
    assert report.json["state_bytes"] > 0
    assert len(report.json["hash"]) == 64
    last = run("check", rulebook).out.splitlines()[-1]
    assert "0 errors" in last
    assert "state bytes" in last
    assert "decisions" in last


def test_check_of_a_bad_rulebook_shows_everything(run: Run, broken: Path, rulebook: Path) -> None:
    outcome = run("check", broken)
    assert outcome.code == 1
    assert f"{broken}:4:" in outcome.out
    report = run("check", "--json", broken)
    assert report.code == 1
    assert report.json["ok"] is False
    assert report.json["hash"] is None
    assert all({"code", "line", "message"} <= set(d) for d in report.json["diagnostics"])
    both = run("check", "--json", rulebook, broken)
    assert both.code == 1
    assert both.json["files"][str(rulebook)]["ok"] is True
    assert both.json["diagnostics"] == report.json["diagnostics"]


@pytest.mark.parametrize("content", [b"", b"\xff\xfe\x00", b"\x00" * 100, b"[" * 5000])
def test_check_of_anything_is_a_diagnostic(run: Run, content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "odd.md"
    path.write_bytes(content)
    report = run("check", "--json", path)
    assert report.code == 1
    assert report.json["diagnostics"]


def test_check_of_what_is_not_there(run: Run, tmp_path: Path) -> None:
    report = run("check", "--json", tmp_path / "nowhere.md")
    assert report.code == 1
    assert report.json["diagnostics"][0]["code"] == "file-missing"


def test_explain_knows_every_code(run: Run) -> None:
    assert "does not exist" in run("explain", "file-missing").out
    assert run("explain", "file-missing", "--json").json["severity"] == "error"
    assert "does not fit into 64 bits" in run("explain", "overflow").out
    assert run("explain", "no-moves", "--json").json["severity"] == "fault"
    unknown = run("explain", "file-mising")
    assert unknown.code == 2
    assert "did you mean `file-missing`?" in unknown.err


def test_compile_prints_canonical_json_that_loads_again(
    run: Run, rulebook: Path, tmp_path: Path
) -> None:
    text = run("compile", rulebook).out
    output = tmp_path / "game.json"
    assert run("compile", rulebook, "-o", output).code == 0
    assert json.loads(output.read_text()) == json.loads(text)
    hashes = [run("check", path, "--json").json["hash"] for path in (output, rulebook)]
    assert hashes[0] == hashes[1]


def test_compiled_games_follow_the_schema(run: Run, rulebook: Path) -> None:
    from jsonschema import Draft202012Validator

    schema = json.loads(run("compile", "--schema").out)
    Draft202012Validator.check_schema(schema)
    Draft202012Validator(schema).validate(json.loads(run("compile", rulebook).out))


def test_simulate_reports_and_repeats(run: Run) -> None:
    args = ("simulate", "tic-tac-toe", "-n", "30", "--seed", "4", "--json")
    report = run(*args).json
    assert report == run(*args).json
    assert report["games"] == 30
    assert sum(report["wins"].values()) + report["draws"] == 30
    assert report["decisions"] == pytest.approx(report["avg_decisions"] * 30, abs=0.1)
    assert sum(report["reasons"].values()) == 30
    text = run(*args[:-1]).out
    assert "30 games" in text


def test_greedy_beats_random(run: Run) -> None:
    report = run("simulate", "tic-tac-toe", "-n", "40", "--agents", "greedy,random", "--json").json
    first, second = report["wins"].values()
    assert first > 2 * second


def test_parameters_change_the_game(run: Run) -> None:
    args = ("perft", "tic-tac-toe", "--depth", "1", "--json", "--param")
    assert run(*args, "size=4").json["nodes"] == 16


def test_perft_counts_and_divides(run: Run) -> None:
    assert run("perft", "tic-tac-toe", "--depth", "3", "--json").json["nodes"] == 504
    report = run("perft", "tic-tac-toe", "-d", "2", "--divide", "--json").json
    assert report["nodes"] == 72
    assert set(report["divide"].values()) == {8}
    told = run("perft", "tic-tac-toe", "-d", "2", "--divide").out
    assert re.search(r"^depth 2: 72 nodes, [\d,]+ nodes/s$", told, re.MULTILINE)
    assert run("perft", "tic-tac-toe", "-d", "0", "--json").json["nodes"] == 1


def test_bench_gives_rates(run: Run) -> None:
    report = run("bench", "tic-tac-toe", "--seconds", "0.05", "--json").json
    assert report["playouts_per_s"] > 0
    assert 5 <= report["avg_decisions"] <= 9
    assert "playouts/s" in run("bench", "tic-tac-toe", "--seconds", "0.05").out


def test_without_a_terminal_bots_play_one_game(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    with open(os.devnull) as nothing:
        monkeypatch.setattr(sys, "stdin", nothing)
        outcome = run("play", "tic-tac-toe", "--seed", "3")
    assert outcome.code == 0
    *_, result, seed = outcome.out.splitlines()
    assert "won" in result or "draw" in result
    assert seed == "seed 3"


def test_replay_verifies_a_saved_game(run: Run, rulebook: Path, tmp_path: Path) -> None:
    import ludwright as lw

    table, _ = sit(lw.load(str(rulebook)), [], people=[])
    table.play()
    path = tmp_path / "game.json"
    trace = replace(table.trace, game=str(rulebook))
    trace.write(path)
    report = run("replay", path, "--json").json
    assert report["ok"] is True
    assert report["steps"] == report["verified"] == len(trace.entries)

    entries = list(trace.entries)
    entries[1] = replace(entries[1], state_hash="0")
    replace(trace, entries=tuple(entries)).write(path)
    outcome = run("replay", path, "--json")
    assert outcome.code == 1
    assert outcome.json["difference"]["step"] == 2
    assert "step 2" in outcome.err

    path.write_text(trace.to_json().replace(entries[2].seat, "nobody"))
    outcome = run("replay", path)
    assert outcome.code == 1
    assert "entry 1 is not as it was saved" in outcome.err

    trace.write(path)
    rulebook.write_text(CARDS.replace("count(table) >= 4", "count(table) >= 5"))
    outcome = run("replay", path)
    assert outcome.code == 1
    assert "another version of the rules" in outcome.err


@pytest.mark.parametrize(
    ("args", "code", "words"),
    [
        (["play", "tic-tac-to"], 2, "did you mean `tic-tac-toe`?"),
        (["play"], 2, "which game?"),
        (["play", "tic-tac-toe", "--bot", "gredy"], 2, "did you mean `greedy`?"),
        (["play", "tic-tac-toe", "--players", "5"], 2, "players"),
        (["play", "tic-tac-toe", "--resume", "nowhere.json"], 1, "can't be read"),
        (["simulate", "tic-tac-toe", "--agents", "x"], 2, "bots are random, greedy"),
        (["simulate", "tic-tac-toe", "--players", "9"], 2, "is for 2 players, not 9"),
        (["simulate", "tic-tac-toe", "--agents", "greedy,greedy,greedy"], 2, "but 2 seats play"),
        (["play", "tic-tac-toe", "--seat", "X"], 2, "there is no seat `X`"),
        (["draw", "tic-tac-toe", "-o", "no-such-folder/x.svg"], 1, "x.svg can't be used: No such"),
        (["draw", "tic-tac-toe", "-o", "x.svg", "--moves", "d9"], 2, "possible are a1, b1"),
        (["draw", "tic-tac-toe", "-o", "x.svg", "--theme", "pink"], 2, "light or dark, not pink"),
        (["explain", "foo"], 2, "codes in brackets"),
        (["simulate", "tic-tac-toe", "-n", "0"], 2, "-n"),
        (["perft", "tic-tac-toe"], 2, "--depth"),
        (["perft", "tic-tac-toe", "--depth", "-1"], 2, "--depth"),
        (["perft", "tic-tac-toe", "--depth", "1", "--param", "size"], 1, "size"),
        (["perft", "tic-tac-toe", "--depth", "1", "--param", "size=x"], 2, "whole number"),
        (["perft", "tic-tac-toe", "--depth", "1", "--param", "=3"], 2, "NAME=VALUE"),
        (["perft", "tic-tac-toe", "--depth", "1", "-p", "run=3", "-p", "run=3"], 2, "twice"),
        (["perft", "tic-tac-toe", "--depth", "1", "--param", "chance=3"], 1, "chance"),
        (["replay", "nowhere.json"], 1, "can't be read"),
        (["compile"], 2, "which rulebook?"),
        (["bench", "no-such-game"], 2, "no game"),
        (["no-such-command"], 2, "no-such-command"),
    ],
)
def test_bad_input_is_a_message_and_an_exit_code(
    run: Run, args: Sequence[str], code: int, words: str
) -> None:
    outcome = run(*args)
    assert outcome.code == code, outcome.err
    assert words in outcome.err


def test_a_rulebook_beside_the_command_is_proposed(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "treasure.md").touch()
    monkeypatch.chdir(tmp_path)
    assert "did you mean `treasure.md`?" in run("play", "tresure.md").err


def test_a_port_in_use_is_told_before_any_address(run: Run, tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        outcome = run("serve", "--port", str(port), "--store", tmp_path / "matches.db")
    assert outcome.code == 1
    assert f"port {port} is in use" in outcome.err
    assert not outcome.out


def test_a_broken_rulebook_is_refused_with_its_diagnostics(run: Run, broken: Path) -> None:
    outcome = run("simulate", broken)
    assert outcome.code == 1
    assert f"{broken}:4:" in outcome.err
    assert not outcome.out


@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")
def test_a_person_at_a_real_terminal_leaves_politely() -> None:
    ours, theirs = pty.openpty()
    program = "from ludwright.cli.main import main; main()"
    process = subprocess.Popen(
        [sys.executable, "-c", program, "play", "tic-tac-toe", "--seed", "918273645"],
        stdin=theirs,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=Path(cli.__file__).parents[2],
    )
    os.write(ours, b"b2\nquit\n")
    out, err = process.communicate(timeout=60)
    os.close(ours)
    os.close(theirs)
    assert process.returncode == 0, err
    assert "goodbye" in out
    assert "918273645" not in out, "whoever knows the seed knows every card and roll to come"


def test_same_seed_and_agents_give_identical_traces_in_two_processes(tmp_path: Path) -> None:
    written: list[dict[str, bytes]] = []
    for number in (1, 2):
        folder = tmp_path / str(number)
        subprocess.run(
            [sys.executable, "-c", "from ludwright.cli.main import main; main()", "simulate", "delta", "-n", "2",
             "--agents", "random,greedy", "--seed", "5", "--players", "3", "--traces", str(folder)],
            check=True,
            capture_output=True,
            env={**os.environ, "PYTHONHASHSEED": str(number)},
        )  # fmt: skip
        written.append({path.name: path.read_bytes() for path in folder.iterdir()})
    assert len(written[0]) == 2
    assert written[0] == written[1]


def test_traces_of_a_series_replay(run: Run, rulebook: Path, tmp_path: Path) -> None:
    folder = tmp_path / "traces"
    assert run("simulate", str(rulebook), "-n", "3", "--traces", str(folder)).code == 0
    for path in sorted(folder.iterdir()):
        assert run("replay", str(path)).code == 0


@pytest.mark.parametrize("engine", ["auto", "python"])
def test_bench_names_its_engine(run: Run, engine: str) -> None:
    report = run("bench", "nim", "--seconds", "0.05", "--engine", engine, "--json").json
    assert report["engine"] in ("native", "python")
    assert engine == "auto" or report["engine"] == engine
    assert report["playouts"] >= 1
    assert report["playouts_per_s"] > 0


def test_bench_refuses_an_unknown_engine(run: Run) -> None:
    outcome = run("bench", "nim", "--engine", "steam")
    assert outcome.code == 2
    assert "auto, native or python" in outcome.err


FAULTY = """
# Faulty

```yaml
game: { id: faulty, title: Faulty, players: 2..3 }
parameters: { most: 20 }
vars: { total: 0..most, turns: 0..6 clamp }
actions:
  - { id: add, params: { n: 0..6 }, effects: [total += n, turns += 1] }
end: [{ when: turns == 6, win: actor, reason: done }]
```
"""


@pytest.fixture
def faulty(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "faulty.md"
    path.write_text(FAULTY)
    return path


@pytest.mark.parametrize("engine", ["python", "native"])
def test_a_fault_ends_one_game_and_can_be_seen_again(
    run: Run, faulty: Path, engine: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LUDWRIGHT_ENGINE", engine)
    series = ["simulate", str(faulty), "-n", "40", "--seed", "3", "--players", "3", "-p", "most=18"]
    outcome = run(*series, "--json")
    assert outcome.code == 1
    report = outcome.json
    assert report["games"] > 0
    assert report["faulted"] > 0
    assert report["games"] + report["faulted"] == 40
    assert sum(report["reasons"].values()) == report["games"]
    first = report["faults"][0]
    assert "[range]" in first["error"]
    assert f"{faulty}:9" in first["error"]

    again = run(*shlex.split(first["again"])[1:], "--json")
    assert again.code == 1
    assert [again.json["games"], again.json["faulted"]] == [0, 1]
    assert again.json["faults"][0] == {**first, "alike": 1}

    replayed = run(*shlex.split(first["replay"])[1:])
    assert replayed.code == 0
    assert "then the same fault as before: [range]" in replayed.out

    told = run(*series)
    assert told.code == 1
    assert f"{report['faulted']} of 40 games ended in a fault" in told.err
    assert first["again"] in told.err
    assert f"{report['games']} games" in told.out


def test_traces_of_faults_lie_beside_the_others(run: Run, faulty: Path, tmp_path: Path) -> None:
    folder = tmp_path / "traces"
    outcome = run("simulate", str(faulty), "-n", "12", "--traces", str(folder), "--json")
    faulted = {report["game"] for report in outcome.json["faults"]}
    assert faulted
    assert len(list(folder.iterdir())) == 12
    for number in range(12):
        replayed = run("replay", str(folder / f"{number:06}.json"), "--json")
        assert replayed.code == 0
        assert (replayed.json["fault"] is not None) == (number in faulted)


@pytest.mark.parametrize("engine", ["python", "native"])
def test_bench_counts_faults_and_goes_on(run: Run, faulty: Path, engine: str) -> None:
    outcome = run("bench", str(faulty), "--seconds", "0.1", "--engine", engine, "--json")
    assert outcome.code == 1
    assert outcome.json["faulted"] > 0
    assert outcome.json["playouts"] > 0
    assert "ended in a fault" in outcome.err
    again = run(*shlex.split(outcome.json["faults"][0]["again"])[1:], "--json")
    assert again.json["faulted"] == 1

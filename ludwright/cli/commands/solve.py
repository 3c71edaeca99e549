"""`ludwright solve GAME`: exact values, or an equilibrium where something is hidden."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from ludwright.cli.commands.analyse import table
from ludwright.cli.screen.moves_text import played
from ludwright.cli.shared.loading import first_state, load_game
from ludwright.cli.shared.output import Failure, UsageFailure, print_json

if TYPE_CHECKING:
    from ludwright.kernel.play.game import Game


def run(
    name: str, moves: str, seconds: float, memory: int, exploitability: float,
    output: Path | None, players: int | None, parameters: Sequence[str], as_json: bool,
) -> None:  # fmt: skip
    from ludwright.bots.solving.exact import Unsolved, is_open, solve

    game = load_game(name, parameters)
    if not is_open(game):
        if moves:
            raise UsageFailure("--moves is for games in which nothing is hidden or rolled")
        _equilibrium(name, game, parameters, seconds, exploitability, output, players, as_json)
        return
    if output is not None:
        raise UsageFailure("--output keeps the policy of a game with hidden information")
    state, _ = played(game, first_state(game, 0, players), moves)
    if game.decision(state) is None:
        raise UsageFailure("the game is over after these moves")
    try:
        found = solve(game, state, seconds, memory << 20)
    except Unsolved as error:
        raise Failure(str(error)) from None
    if as_json:
        print_json(
            {
                "game": name, "solved": True, "seat": found.seat, "values": dict(found.values),
                "best": found.best, "line": list(found.line), "seconds": round(found.seconds, 6),
                "positions": found.nodes,
            }
        )  # fmt: skip
    else:
        print(table(found))


def _equilibrium(
    name: str, game: Game, parameters: Sequence[str], seconds: float, wanted: float,
    output: Path | None, players: int | None, as_json: bool,
) -> None:  # fmt: skip
    from ludwright.bots.policy import Policy
    from ludwright.bots.solving.cfr import equilibrium
    from ludwright.bots.solving.game_tree import TooLarge, whole_tree

    explicit = load_game(name, parameters, chance="explicit")
    if players not in (None, 2):
        raise UsageFailure("games with hidden information are solved for two seats")
    try:
        tree = whole_tree(explicit)
    except TooLarge as error:
        raise Failure(f"{error}; `ludwright analyse` searches games of any size") from None
    found = equilibrium(tree, wanted, seconds=seconds)
    facts = {
        "value": found.value, "exploitability": found.exploitability,
        "iterations": found.iterations,
    }  # fmt: skip
    if output is not None:
        chances = dict(zip(tree.set_keys(explicit), found.strategy, strict=True))
        Policy(name, game.gamedef_hash, chances, facts).write(output)
    told = {
        "game": name, **facts, "positions": len(tree.kinds),
        "informationSets": len(tree.set_sizes), "seconds": round(found.seconds, 6),
    }  # fmt: skip
    if as_json:
        print_json(told)
        return
    print(f"value for {game.seats[0]}: {found.value:.6f}")
    print(f"exploitability: {found.exploitability:.6f} after {found.iterations:,} iterations")
    print(
        f"{len(tree.kinds):,} positions, {len(tree.set_sizes):,} information sets, "
        f"{found.seconds:.2f} s"
    )
    if output is not None:
        print(f"{output}: play against it with --bot policy:{output}")

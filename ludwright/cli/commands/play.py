"""`ludwright play GAME`."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from textwrap import fill

from ludwright.agents import Agent
from ludwright.cli.screen.menu import Item, Menu, find, find_beginning
from ludwright.cli.screen.record import Setting
from ludwright.cli.screen.table import Table
from ludwright.cli.screen.terminal import Screen, Terminal
from ludwright.cli.shared.bots import fitting, named_maker
from ludwright.cli.shared.loading import compile_rulebook, first_state, parse_parameters
from ludwright.cli.shared.output import Failure, UsageFailure
from ludwright.kernel.interpreter.machine import ChanceMode
from ludwright.kernel.play.game import Game
from ludwright.language.reading.prose import rules_text
from ludwright.loading import game_from
from ludwright.program.rng import mix
from ludwright.simulate import Trace, TraceError, read_trace
from ludwright.spelling import did_you_mean

ALL = "all"
PERSON = "person"


@dataclass(frozen=True, slots=True)
class Wishes:
    """What was asked for on the command line."""

    name: str | None = None
    seed: int | None = None
    players: int | None = None
    seats: Sequence[str] = ()
    bot: str | None = None  # else greedy, or who sat there when the game was saved
    parameters: Sequence[str] = ()
    resume: Path | None = None
    scenario: str | None = None
    by_hand: bool = False  # chance is asked

    @property
    def begins_anew(self) -> bool:
        """Whether anything was asked for that only a new game can have."""
        given = (self.seed, self.players, self.scenario)
        return any(wish is not None for wish in given) or bool(self.parameters) or self.by_hand


def run(wishes: Wishes) -> None:
    at_terminal = sys.stdin.isatty()
    maker = named_maker(wishes.bot or "greedy")
    if wishes.name is None and wishes.resume is None and at_terminal:
        wishes = replace(wishes, name=chosen_game(Screen()))
    trace = _read(wishes)
    chance: ChanceMode = "explicit" if wishes.by_hand else "generator"
    if trace is not None:
        setting = Setting(
            trace.game, trace.parameters, trace.seed, trace.players, trace.scenario, trace.sitting
        )
        chance = trace.chance
    elif wishes.name is None:
        raise UsageFailure("which game? `ludwright games` lists the shipped ones")
    else:
        # Without a seed, every game is different; a save records the seed drawn here.
        setting = Setting(
            wishes.name, parse_parameters(wishes.parameters), _seed(wishes.seed),
            wishes.players or 0, wishes.scenario,
        )  # fmt: skip
    if chance == "explicit" and not at_terminal:
        raise UsageFailure("--by-hand asks for every roll and draw; it needs a terminal")
    compilation = compile_rulebook(setting.name, setting.parameters)
    game = game_from(compilation, chance)
    if trace is None:
        first_state(game, setting.seed, wishes.players, wishes.scenario)
        setting = replace(setting, players=wishes.players or game.program.world.min_players)
    in_play = game.seats[: setting.players]
    people = _people(wishes.seats, in_play, setting)
    if not at_terminal:
        people = frozenset[str]()
    bots: dict[str, Agent] = {}
    sitting: dict[str, str] = {}
    for i, seat in enumerate(in_play):
        if seat in people:
            sitting[seat] = PERSON
            continue
        sitting[seat] = _bot_of(wishes, setting, seat)
        # A save is a file from anywhere: what it names is never imported.
        made = maker if sitting[seat] == wishes.bot else named_maker(sitting[seat], own=False)
        fitting({sitting[seat]: made}, game, setting.players)
        bots[seat] = made(mix(setting.seed ^ (i + 1)))
    if at_terminal:
        _enable_line_editing()
    setting = replace(setting, sitting=sitting)
    table = Table(game, setting, people, bots, Screen(), rules_text(compilation.sources))
    if trace is not None:
        try:
            table.resume(replace(trace, sitting=sitting))
        except TraceError as error:
            raise Failure(f"{wishes.resume}: {error}") from None
    print(greeting(game, setting.name, table.sitting()))
    if len(people) > 1 and game.decision(table.state) is not None:
        table.terminal.ask("Press Enter to begin. ")  # the first screen may be cleared
    table.play()
    # The seed reveals every card and roll, so it is printed only when the game is over.
    if game.result(table.state) is not None:
        print(f"seed {setting.seed}")


def greeting(game: Game, name: str, sitting: str) -> str:
    """What is played, by whom, and what it is about."""
    title = getattr(game.gamedef, "title", "") or name
    if not sitting:
        return title
    summary = getattr(game.gamedef, "summary", "")
    about = f"\n{fill(summary, 100)}" if summary else ""
    return f"{title}: {sitting}.{about}\nType `help` for help, `rules` for the rules."


def _read(wishes: Wishes) -> Trace | None:
    if wishes.resume is None:
        return None
    if wishes.begins_anew:
        raise UsageFailure("--resume takes seed, players and parameters from the saved game")
    try:
        trace = read_trace(wishes.resume)
    except TraceError as error:
        raise Failure(str(error)) from None
    if wishes.name is not None and wishes.name != trace.game:
        raise UsageFailure(f"{wishes.resume} is a game of `{trace.game}`, not of `{wishes.name}`")
    return trace


def _seed(seed: int | None) -> int:
    if seed is not None:
        return seed
    import secrets

    return secrets.randbelow(2**32)


def _bot_of(wishes: Wishes, setting: Setting, seat: str) -> str:
    """The bot that was asked for, or that sat there when the game was saved."""
    saved = setting.sitting.get(seat, PERSON)
    return wishes.bot or (saved if saved != PERSON else "greedy")


def _people(wanted: Sequence[str], seats: Sequence[str], setting: Setting) -> frozenset[str]:
    if ALL in wanted:
        return frozenset(seats)
    for seat in wanted:
        if seat not in seats:
            hint = did_you_mean(seat, seats) or f"there are {', '.join(seats)}"
            raise UsageFailure(f"there is no seat `{seat}`; {hint}")
    sat = [seat for seat in seats if setting.sitting.get(seat) == PERSON]
    return frozenset(wanted or sat or seats[:1])


# -------------------------------------------------------------- which game


def chosen_game(terminal: Terminal) -> str:
    """The name of the shipped game that a person chooses from a list."""
    from ludwright.cli.commands.games import describe, players_text
    from ludwright.kernel.views.board import table
    from ludwright.loading import shipped_games

    found = [describe(name, path) for name, path in shipped_games().items()]
    rows = [
        [f"{at:>2}", game["title"], f"{players_text(game)} players", game["id"]]
        for at, game in enumerate(found, 1)
    ]
    terminal.say("\n".join(table(("", "game", "", "called"), rows)))
    items = tuple(Item(game["id"], game["id"], game["title"]) for game in found)
    menu = Menu("Which game?", items)
    while True:
        try:
            entry = terminal.ask("Which game? ").strip()
        except (EOFError, KeyboardInterrupt):
            raise UsageFailure("no game was chosen") from None
        item = find(menu, entry) or find_beginning(menu, entry)
        if item is not None:
            return str(item.value)
        if entry in ("quit", "q"):
            raise UsageFailure("no game was chosen")
        names = [item.text for item in items]
        hint = did_you_mean(entry, names) or "type its number or the beginning of its name"
        terminal.say(f"there is no game `{entry}`; {hint}")


def _enable_line_editing() -> None:
    """`input` gets arrow keys and history once readline is loaded, where the system has it."""
    try:
        import readline  # noqa: F401
    except ImportError:
        return

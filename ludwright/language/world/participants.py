"""Parameters, as chosen for this game, and the seats."""

from __future__ import annotations

from collections.abc import Mapping

from ludwright.diagnostics import Diagnostics
from ludwright.language.gamedef import GameDef, Parameter
from ludwright.language.world.encoding import choices
from ludwright.language.world.values import suggest
from ludwright.program.types import INT_MAX, INT_MIN

MAX_SEATS = 64


def build_parameters(
    gamedef: GameDef, overrides: Mapping[str, int | bool], diagnostics: Diagnostics
) -> dict[str, int | bool]:
    """Every parameter's value: the override where there is an acceptable one, else the default."""
    values: dict[str, int | bool] = {}
    declared: dict[str, Parameter] = {}
    for parameter in gamedef.parameters:
        if parameter.name in declared:
            diagnostics.error(
                "name-clash", parameter.span,
                f"the parameter `{parameter.name}` is declared twice", "rename one of them",
            )  # fmt: skip
            continue
        declared[parameter.name] = parameter
        _acceptable(parameter, parameter.default, "the default of", diagnostics)
        values[parameter.name] = parameter.default
    for name, value in {**dict(gamedef.parameter_values), **overrides}.items():
        if name not in declared:
            diagnostics.error(
                "unknown-parameter", None, f"there is no parameter `{name}`",
                suggest(name, declared, choices(declared) or "this game has no parameters"),
            )  # fmt: skip
        elif _acceptable(declared[name], value, "the value given for", diagnostics):
            values[name] = value
    return values


def _acceptable(
    parameter: Parameter, value: int | bool, what: str, diagnostics: Diagnostics
) -> bool:
    span = parameter.span
    if isinstance(parameter.default, bool):
        if isinstance(value, bool):
            return True
        diagnostics.error(
            "parameter-type", span, f"{what} `{parameter.name}` must be true or false, not {value}",
            f"write {parameter.name}=true or {parameter.name}=false",
        )  # fmt: skip
        return False
    if isinstance(value, bool):
        diagnostics.error(
            "parameter-type", span,
            f"{what} `{parameter.name}` must be a number, not {str(value).lower()}",
            f"write for example {parameter.name}={parameter.default}",
        )  # fmt: skip
        return False
    low = INT_MIN if parameter.min is None else max(INT_MIN, parameter.min)
    high = INT_MAX if parameter.max is None else min(INT_MAX, parameter.max)
    if low <= value <= high:
        return True
    diagnostics.error(
        "parameter-out-of-range", span,
        f"{what} `{parameter.name}` is {value}, outside {low}..{high}",
        f"choose a number in {low}..{high}" if low <= high else "make `min` at most `max`",
    )  # fmt: skip
    return False


def build_seats(gamedef: GameDef, diagnostics: Diagnostics) -> tuple[str, ...]:
    """The declared seats, or `p1` … `pN`; always at least one."""
    if gamedef.min_players < 1 or gamedef.max_players < gamedef.min_players:
        diagnostics.error(
            "bad-players", gamedef.span,
            f"a game cannot have {gamedef.min_players}..{gamedef.max_players} players",
            "write `players: 2`, or a range such as `players: 2..4`",
        )  # fmt: skip
    names = [seat.name for seat in gamedef.seats]
    wanted = max(1, gamedef.max_players, len(names))
    if wanted > MAX_SEATS:
        diagnostics.error(
            "too-large", gamedef.span, f"{wanted} seats are too many; {MAX_SEATS} are allowed",
            f"have at most {MAX_SEATS} players",
        )  # fmt: skip
        wanted = MAX_SEATS
    if not names:
        return tuple(f"p{number}" for number in range(1, wanted + 1))
    if len(names) < gamedef.max_players:
        diagnostics.error(
            "too-few-seats", gamedef.seats[-1].span,
            f"up to {gamedef.max_players} players need as many seats, but only {len(names)} "
            "are named",
            f"name {gamedef.max_players - len(names)} more under `seats:`, or lower `players:`",
        )  # fmt: skip
        taken = set(names)
        spare = (f"p{number}" for number in range(1, wanted + len(names) + 1))
        free = [name for name in spare if name not in taken]
        names += free[: wanted - len(names)]
    return tuple(names[:MAX_SEATS])

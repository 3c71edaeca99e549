"""What a `look` adds to a question: words on the buttons of actions, and numbers with names."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ludwright.language.look import LookDecl
from ludwright.scene.looks import label


def action_label(
    look: LookDecl | None, observation: Mapping[str, Any], seat: str, action: str
) -> str:
    """What stands on the button of an action; "" where nothing is said, or not all is known."""
    found = next((a.label for a in look.actions if a.name == action), "") if look else ""
    unknown = False

    def of(name: str) -> Any:
        nonlocal unknown
        value = _value(observation, seat, name)
        unknown = unknown or value is None
        return value

    text = label(found, of)
    return "" if unknown else text


def presets(
    look: LookDecl | None, observation: Mapping[str, Any], seat: str, name: str, lo: int, hi: int
) -> Iterator[tuple[str, int]]:
    """Numbers with names inside a range; of two that are equal the first."""
    found = next((a.presets for a in look.amounts if a.name == name), ()) if look else ()
    told: set[int] = set()
    for preset in found:
        ends = {"lowest": lo, "highest": hi}
        value = ends.get(preset.value, _value(observation, seat, preset.value))
        if isinstance(value, int) and lo <= value <= hi and value not in told:
            told.add(value)
            yield preset.title, value


def _value(observation: Mapping[str, Any], seat: str, name: str) -> Any:
    """A variable or a value of `show`, of the game or of this seat; None: it is not known."""
    for known in (observation["variables"], observation.get("shown", {})):
        if name in known:
            value = known[name]
            return value.get(seat) if isinstance(value, Mapping) else value
    return None

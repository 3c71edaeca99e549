"""A scene as one SVG text, with its own style: light or dark as the reader's system is."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Literal
from xml.sax.saxutils import escape, quoteattr

from ludwright.scene import shapes
from ludwright.scene.colours import DARK, LIGHT
from ludwright.scene.letters import BOLD, SIZES, cut, wrapped
from ludwright.scene.model import Item, Mark, Scene, SeatPanel, Shape, Text, Value

Theme = Literal["auto", "light", "dark"]
PANEL = 236.0
_SANS = "system-ui, -apple-system, 'Segoe UI', Roboto, 'DejaVu Sans', sans-serif"
_SERIF = "'Source Serif 4', Georgia, 'Noto Serif', 'DejaVu Serif', serif"
_STYLES = {
    style: (
        size,
        600 if style in BOLD else 500 if style == "label" else 400,
        _SERIF if style in ("title", "name", "card") else _SANS,
    )
    for style, size in SIZES.items()
}


def svg(scene: Scene, theme: Theme = "auto", panel: bool = True) -> str:
    """The whole table; `panel`: with the seats and values at its left."""
    left = PANEL if panel and (scene.seats or scene.values) else 0.0
    rows = list(_panel(scene)) if left else []
    height = max(scene.height, rows[-1][1] + 20 if rows else 0.0)
    width = left + scene.width
    ground = _colour(scene.background or "board")
    body = [
        f'<rect width="{_n(width)}" height="{_n(height)}" fill="{ground}"/>',
        *(
            [f'<rect width="{_n(left)}" height="{_n(height)}" fill="var(--panel)"/>']
            if left
            else []
        ),
        *(row for row, _ in rows),
        f'<g transform="translate({_n(left)} {_n((height - scene.height) / 2)})">',
        *map(_item, scene.items),
        "</g>",
    ]
    text = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_n(width)} {_n(height)}" '
        f'width="{_n(width)}" height="{_n(height)}" role="img" '
        f"aria-label={quoteattr(f'{scene.title}. {scene.status}')}>"
        f"<style>{_style(theme)}</style>{''.join(body)}</svg>\n"
    )
    if theme == "auto":
        return text
    # Not every program that draws SVG knows variables.
    colours = DARK if theme == "dark" else LIGHT
    return re.sub(r"var\(--([\w-]+)\)", lambda found: colours[found[1]], text)


def _style(theme: Theme) -> str:
    def tokens(colours: dict[str, str]) -> str:
        return "svg{" + "".join(f"--{name}:{value};" for name, value in colours.items()) + "}"

    fonts = "".join(
        f".{name}{{font:{weight} {size}px {family};font-variant-numeric:tabular-nums}}"
        for name, (size, weight, family) in _STYLES.items()
    )
    day = night = ""
    if theme == "auto":
        day, night = tokens(LIGHT), f"@media (prefers-color-scheme:dark){{{tokens(DARK)}}}"
    return f"{day}{night}text{{dominant-baseline:central}}{fonts}"


def _item(item: Item) -> str:
    turn = f" rotate({_n(item.turn)})" if item.turn else ""
    title = f"<title>{escape(item.name)}</title>" if item.name else ""
    place = f"translate({_n(item.x)} {_n(item.y)}){turn}"
    marks = "".join(map(_mark, item.marks))
    return f'<g data-id={quoteattr(item.id)} transform="{place}">{title}{marks}</g>'


def _mark(mark: Mark) -> str:
    match mark:
        case Shape():
            stroke = (
                ""
                if mark.stroke == "none"
                else (f' stroke="{_colour(mark.stroke)}" stroke-width="{_n(mark.width)}"')
            )
            dash = ' stroke-dasharray="4 3"' if mark.dash else ""
            faint = f' opacity="{_n(mark.opacity)}"' if mark.opacity < 1 else ""
            return (
                f'<path d={quoteattr(mark.path)} fill="{_colour(mark.fill)}"{stroke}{dash}{faint}/>'
            )
        case Text():
            anchor = "" if mark.anchor == "start" else f' text-anchor="{mark.anchor}"'
            place = f'x="{_n(mark.x)}" y="{_n(mark.y)}"'
            if mark.scale != 1:
                place = f'transform="translate({_n(mark.x)} {_n(mark.y)}) scale({_n(mark.scale)})"'
            return (
                f'<text class="{mark.style}" {place}{anchor} '
                f'fill="{_colour(mark.fill)}">{escape(mark.text)}</text>'
            )


def _colour(token: str) -> str:
    return token if token == "none" or token.startswith("#") else f"var(--{token})"


# ------------------------------------------------------------------- the side panel


def _panel(scene: Scene) -> Iterator[tuple[str, float]]:
    """Rows of the panel, each with where it ends."""
    y = 34.0
    yield _mark(Text(scene.title, 20, y, "title", "ink", "start")), y
    y += 26
    for line in wrapped(scene.status, PANEL - 36):
        yield _mark(Text(line, 20, y, "label", "ink2", "start")), y
        y += 17
    y += 10
    for seat in scene.seats:
        marks, height = _seat(seat, y)
        yield "".join(marks), y + height
        y += height
    if scene.values:
        y += 12
        yield _mark(Text("VALUES", 20, y, "detail", "ink3", "start")), y
        y += 22
        for value in scene.values:
            yield "".join(_value_row(value, y)), y + 8
            y += 21


def _seat(seat: SeatPanel, y: float) -> tuple[list[str], float]:
    marks: list[str] = []
    height = 30 + 19 * len(seat.values)
    if seat.to_act:
        marks.append(
            f'<rect y="{_n(y - 4)}" width="{_n(PANEL)}" height="{_n(height)}" '
            'fill="var(--act)" opacity="0.1"/>'
            f'<rect y="{_n(y - 4)}" width="3" height="{_n(height)}" fill="var(--act)"/>'
        )
    place = f"translate(28 {_n(y + 11)})"
    mark = _mark(Shape(shapes.seat_mark(seat.number, 8), seat.colour, "outline", 1))
    marks.append(f'<g transform="{place}">{mark}</g>')
    notes = ["you"] if seat.is_viewer else []
    if seat.rank is not None:
        notes.append(f"rank {seat.rank}")
    elif seat.to_act:
        notes.append("to act")
    marks.append(_mark(Text(seat.name, 46, y + 11, "name", "ink", "start")))
    if notes:
        marks.append(_mark(Text(" · ".join(notes), PANEL - 16, y + 11, "detail", "ink3", "end")))
    for at, value in enumerate(seat.values):
        marks += _value_row(value, y + 32 + 19 * at, 46)
    return marks, height + 6


def _value_row(value: Value, y: float, left: float = 20.0) -> Iterable[str]:
    room = (PANEL - 24 - left) / 2
    yield _mark(Text(cut(value.name, room), left, y, "label", "ink2", "start"))
    most = f" / {value.most}" if value.most is not None and value.most < 1000 else ""
    text = cut(value.text + most, room, "number")
    yield _mark(Text(text, PANEL - 16, y, "number", "ink", "end"))


def _n(value: float) -> str:
    return shapes.number(value)

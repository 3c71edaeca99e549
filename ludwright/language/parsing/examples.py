"""Examples in a rulebook: positions, and what must hold in them (`examples:`, `play` blocks).

An example is no rule. It is read into plain lines with their places; `ludwright.testing.examples`
runs them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from ludwright.diagnostics import Diagnostics, Span
from ludwright.language.gamedef import FunctionDecl, ProcDecl
from ludwright.language.parsing.effects import read_block
from ludwright.language.parsing.fields import Fields, Unique, wrong_shape
from ludwright.language.parsing.rules import items, read_functions, read_procs
from ludwright.language.reading.nodes import YList, YMap, YScalar, position
from ludwright.language.reading.source import PlayBlock
from ludwright.language.tree import Block

_SETTINGS = ("players", "seed", "chance", "scenario")
_IN_EXAMPLE_FILES = ("examples", "fns", "procs")
_WHOEVER = "?"  # in the place of a seat: whoever decides


@dataclass(frozen=True, slots=True)
class ExampleLine:
    text: str
    file: str
    line: int


@dataclass(frozen=True, slots=True)
class ExampleDecl:
    """One example as it is written."""

    title: str
    span: Span
    text: str = ""
    settings: dict[str, str] = field(default_factory=dict)  # players, seed, chance, scenario
    parameters: dict[str, int | bool] = field(default_factory=dict)
    setup: Block = ()
    drawing: str = ""
    lines: tuple[ExampleLine, ...] = ()


def read_examples(
    blocks: list[YMap], plays: list[PlayBlock], diagnostics: Diagnostics
) -> tuple[ExampleDecl, ...]:
    """All examples of a rulebook, those in `play` blocks last."""
    found: list[ExampleDecl] = []
    for block in blocks:
        node = block.get("examples")
        for item in items(node, "examples", diagnostics) if isinstance(node, YList) else ():
            found.append(_example(item, diagnostics))
        if node is not None and not isinstance(node, YList):
            wrong_shape(node, "`examples`", "a list", diagnostics)
    return (*found, *map(_played, plays))


def read_example_file(
    blocks: list[YMap], diagnostics: Diagnostics
) -> tuple[tuple[FunctionDecl, ...], tuple[ProcDecl, ...]]:
    """What a file of examples has besides them: functions and procedures of its own."""
    functions: list[FunctionDecl] = []
    procs: list[ProcDecl] = []
    unique = Unique("a function", diagnostics)
    for block in blocks:
        for key, _ in block.entries:
            if key.text not in _IN_EXAMPLE_FILES:
                diagnostics.error(
                    "unknown-key",
                    key.span,
                    f"`{key.text}` cannot stand in a file of examples",
                    "it may have `examples`, and `fns` and `procs` for their set-ups and "
                    "conditions; write rules into another file",
                )
        functions += read_functions(block.get("fns"), diagnostics, unique, modifiable=False)
        procs += read_procs(block.get("procs"), diagnostics)
    return tuple(functions), tuple(procs)


def _played(play: PlayBlock) -> ExampleDecl:
    """A ```play``` block: settings behind the mark, lines inside."""
    given = dict(word.split("=", 1) for word in play.mark.split()[1:] if "=" in word)
    settings = {key: value for key, value in given.items() if key in _SETTINGS}
    parameters = {key: _number(text) for key, text in given.items() if key not in _SETTINGS}
    lines = tuple(
        ExampleLine(text, play.span.file, play.first_line + at)
        for at, text in enumerate(play.text.split("\n"))
    )
    return ExampleDecl(
        f"the play in line {play.span.line}", play.span, "", settings, parameters, lines=lines
    )


def _number(text: str) -> int | bool:
    if text in ("true", "false"):
        return text == "true"
    return int(text) if text.lstrip("-").isdecimal() else 0


def _example(node: YMap, diagnostics: Diagnostics) -> ExampleDecl:
    fields = Fields(node, "an example", diagnostics)
    parameters: dict[str, int | bool] = {}
    given = fields.mapping("parameters")
    for key, value in given.entries if given is not None else ():
        parameters[key.text] = _number(value.text) if isinstance(value, YScalar) else 0
    settings = {key: text for key in _SETTINGS if (text := fields.text(key))}
    example = ExampleDecl(
        fields.text("title", "id") or "an example",
        node.span,
        fields.text("text"),
        settings,
        parameters,
        read_block(fields.get("setup"), diagnostics),
        fields.text("drawing"),
        tuple(_lines(fields)),
    )
    fields.finish()
    return example


def _lines(fields: Fields) -> Iterator[ExampleLine]:
    """What is done and what must hold, in the order in which it makes sense."""
    yield from _each(fields, "moves", f"{_WHOEVER} plays {{}}")
    yield from _each(fields, "asked", f"{_WHOEVER} asked {{}}")
    yield from _each(fields, "can", f"{_WHOEVER} can {{}}")
    yield from _refusals(fields)
    yield from _each(fields, "play", "{}")
    yield from _each(fields, "holds", "check {}")
    yield from _each(fields, "over", "over: {}")


def _each(fields: Fields, key: str, pattern: str) -> Iterator[ExampleLine]:
    """The items of a list, or the lines of a text."""
    node = fields.get(key)
    found = node.items if isinstance(node, YList) else () if node is None else (node,)
    for item in found:
        if not isinstance(item, YScalar):
            wrong_shape(item, f"`{key}`", "a text or a list of texts", fields.diagnostics)
            continue
        at = 0
        for text in item.text.split("\n"):
            line, _ = position(item, at)
            at += len(text) + 1
            if text.strip():
                yield ExampleLine(pattern.format(text.strip()), item.span.file, line)


def _refusals(fields: Fields) -> Iterator[ExampleLine]:
    """`cannot: [e1g1]`, or with words of the reason: `cannot: { e1g1: in check }`."""
    node = fields.get("cannot")
    if not isinstance(node, YMap):
        yield from _each(fields, "cannot", f"{_WHOEVER} cannot {{}}")
        return
    for key, reason in node.entries:
        words = reason.text if isinstance(reason, YScalar) else ""
        text = f"{_WHOEVER} cannot {key.text}: {words}"
        yield ExampleLine(text, key.span.file, key.span.line)

"""One of several named alternatives: menus, sides and branches of a card, special activities."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from ludwright import program as ir
from ludwright.language.compiling.code import Code
from ludwright.language.compiling.lowering import Lowering
from ludwright.program.types import Type


def ask(
    lowering: Lowering,
    code: Code,
    name: str,
    role: ir.Role,
    labels: Sequence[ir.Label],
    by: ir.Expr,
    site: int,
    empty: int | None = None,
    words: ir.Sentence | None = None,
) -> tuple[int, Type]:
    """Let a seat decide; gives where the answer is kept, and its type.

    `empty`: where the code goes on if there is no alternative.
    """
    label_type = lowering.label_type(tuple(label.name for label in labels))
    type_ = label_type if empty is None else replace(label_type, optional=True)
    addr = code.slot(type_, name)
    choice = ir.Choice(
        name,
        role,
        "labels",
        label_type,
        addr,
        type_,
        by,
        labels=tuple(labels),
        empty=empty,
        loops=code.move_loops(),
        site=site,
        ask=words,
    )
    code.emit(ir.Choose(lowering.add_choice(code, choice)))
    return addr, type_


def switch(code: Code, addr: int, bodies: Sequence[Callable[[], None]]) -> None:
    """Go on with the code of the alternative that was chosen."""
    targets = [code.label() for _ in bodies]
    done = code.label()
    code.emit(ir.Switch(ir.Load(addr), tuple(targets), done))
    for target, body in zip(targets, bodies, strict=True):
        code.mark(target)
        body()
        code.jump(done)
    code.mark(done)

"""One of several named alternatives: menus, sides and branches of a card, special activities."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ludwright.kernel import program as ir
from ludwright.kernel.types import Type
from ludwright.language.compiling.code import Code
from ludwright.language.compiling.lowering import Lowering


def ask(
    game: Lowering,
    code: Code,
    name: str,
    role: ir.Role,
    labels: Sequence[ir.Label],
    by: ir.Expr,
    site: int,
) -> tuple[int, Type]:
    """Let a seat decide; gives where the answer is kept, and its type."""
    type_ = game.label_type(tuple(label.name for label in labels))
    addr = code.slot(type_, name)
    choice = ir.Choice(
        name,
        role,
        "labels",
        type_,
        addr,
        type_,
        by,
        labels=tuple(labels),
        loops=code.move_loops(),
        site=site,
    )
    code.emit(ir.Choose(game.add_choice(code, choice)))
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

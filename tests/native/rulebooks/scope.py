"""What a rule may speak of at the place where it stands."""

from __future__ import annotations

from dataclasses import dataclass, field, replace


@dataclass(frozen=True)
class Scope:
    """The names and the freedoms of one place in the rulebook."""

    locals: tuple[tuple[str, str], ...] = ()  # name, kind
    actor: bool = True  # somebody makes a move
    public: bool = False  # only what everybody sees may be read
    refusing: bool = True  # the move may still be refused
    chance: bool = True  # dice may be rolled
    choices: bool = True  # somebody may be asked
    sealed: bool = True  # somebody may be asked in secret
    quiet: bool = False  # only what sets off no trigger may be changed
    loop: bool = False  # inside a loop, so that `stop` has a meaning
    turning: bool = True  # phases and turns may change
    fns: bool = True  # functions may be called
    procs: int = 99  # how many of the procedures are known
    assigned: tuple[tuple[str, str], ...] = field(default=())  # locals that may change

    def of(self, kind: str) -> list[str]:
        return [name for name, own in self.locals if own == kind]

    def knows(self, name: str, kind: str) -> Scope:
        return replace(self, locals=(*self.locals, (name, kind)))

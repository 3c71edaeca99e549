"""What the native engine says when it cannot do something."""

from __future__ import annotations

from ludwright.errors import LudwrightError


class NativeUnsupported(LudwrightError):
    """A Program uses something the native engine does not translate; `what` names it."""

    def __init__(self, what: str) -> None:
        self.what = what
        super().__init__(f"the native engine does not support {what}")


class NativeMissing(LudwrightError):
    """The native engine was asked for where it cannot run."""


class OutOfReach(LudwrightError, ValueError):
    """A position was laid out to which the rules never lead. Native code relies on that."""

    def __init__(self) -> None:
        super().__init__(
            "the rules never lead to this position, and native code relies on that; "
            'load the game with engine="python" to play on from it'
        )


class ProcessCopied(LudwrightError):
    """The process was forked in the middle of what another thread did: its argument says what."""

    def __str__(self) -> str:
        return (
            f"the process was copied in the middle of {self.args[0]}; "
            "only the original goes on with it"
        )

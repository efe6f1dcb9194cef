"""The errors a user can cause, in one small family.

Every message names what is wrong, where, the value and the remedy; the command line prints it
on one line, the window shows it in a dialog that can be copied.
"""

from __future__ import annotations


class PlacewiseError(Exception):
    """Base of all errors that Placewise reports to its user.

    Parameters
    ----------
    what : str
        What is wrong, as a sentence fragment ("the speed must be positive").
    where : str
        The place: file and entry, e.g. ``cluster.toml: machine "M1"``.
    value : object
        The offending value; ``None`` where there is none to show.
    remedy : str
        What to do about it, or what is allowed.
    """

    exit_status = 2

    def __init__(
        self, what: str, *, where: str = "", value: object = None, remedy: str = ""
    ) -> None:
        self.what, self.where, self.value, self.remedy = what, where, value, remedy
        super().__init__(what)

    def __str__(self) -> str:
        text = f"{self.where}: {self.what}" if self.where else self.what
        if self.value is not None:
            text += f" (got {_short(self.value)})"
        return f"{text}. {self.remedy}" if self.remedy else text

    def __reduce__(self) -> tuple[object, ...]:
        return (_rebuild, (type(self), self.what, self.where, self.value, self.remedy))

    def at(self, where: str) -> PlacewiseError:
        """The same error with `where` put before its place: the caller knows the file."""
        place = f"{where}: {self.where}" if self.where else where
        return type(self)(self.what, where=place, value=self.value, remedy=self.remedy)


class InputError(PlacewiseError, ValueError):
    """Unusable input: a file, an argument, a field (exit status 2)."""


class InfeasibleError(PlacewiseError):
    """No allocation satisfies the workload on the platform (exit status 3)."""

    exit_status = 3


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 80 else text[:77] + "…"


def _rebuild(
    kind: type[PlacewiseError], what: str, where: str, value: object, remedy: str
) -> PlacewiseError:
    return kind(what, where=where, value=value, remedy=remedy)

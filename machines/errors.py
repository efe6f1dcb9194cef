"""The errors a user can cause, in one small family.

Every message names what is wrong, where, the value and the remedy; the command line prints it
on one line, the window shows it in a dialog that can be copied. Each part is of readable length
and holds nothing that steers a terminal or turns text around: `readable` sees to both, here alone.
"""

from __future__ import annotations

import re
from reprlib import Repr

# controls, line and paragraph separators, what is drawn as nothing, what reverses the direction of
# text, halves of surrogate pairs and no characters; joiners stay, scripts and emoji need them
UNSEEN = re.compile(
    "[\x00-\x1f\x7f-\x9f\xad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff"
    "\ufff9-\ufffb\ufffe\uffff\ud800-\udfff]"
)
LONGEST_LINE = 1000  # characters of a line on a terminal
_LONGEST = {"what": 300, "where": 400, "value": 80, "remedy": LONGEST_LINE}  # characters
_LEAST = 24  # of what is cut out; less is not worth the gap


def readable(text: str, most: int = _LONGEST["value"]) -> str:
    r"""A text on one line, of some `most` characters: cut in the middle, nothing unseen in it.

    What is left out is counted; what is unseen is written as `visible` does.
    """
    return visible(_cut(text, most))


def visible(text: str) -> str:
    r"""The text with controls and the like written as ``\u`` escapes."""
    return UNSEEN.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def shown_value(value: object, most: int = _LONGEST["value"]) -> str:
    """A value as messages show it: as it is written in Python, of readable length."""
    text = _Short().repr(value)
    return text if isinstance(value, str) else readable(text, most)  # a text is cut already


def _cut(text: str, most: int) -> str:
    if len(text) <= most + _LEAST:
        return text
    gap = f"…({len(text):,} characters)…"
    kept = max(most - len(gap), 2 * _LEAST)
    return f"{text[: kept - kept // 3]}{gap}{text[-(kept // 3) :]}"


class _Short(Repr):
    """What Python writes of a value, without walking through all of a long one."""

    def __init__(self) -> None:
        super().__init__()
        self.maxlevel, self.maxother = 4, 10_000
        self.maxtuple = self.maxlist = self.maxdict = self.maxset = self.maxfrozenset = 30

    def repr_str(self, x: str, level: int) -> str:
        """A long text is cut before it is written."""
        del level
        return repr(_cut(x, _LONGEST["value"]))

    def repr_int(self, x: int, level: int) -> str:
        """Python refuses to write the longest."""
        del level
        digits = int(x.bit_length() * 0.30103) + 1
        return repr(x) if digits < _LONGEST["what"] else f"a whole number of {digits:,} digits"


def capital(text: str) -> str:
    """A text as it begins a sentence."""
    return f"{text[:1].upper()}{text[1:]}"


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
        self.what = readable(what, _LONGEST["what"])
        self.where = readable(where, _LONGEST["where"])
        self.value = value
        self.remedy = readable(remedy, _LONGEST["remedy"])
        super().__init__(self.what)

    def __str__(self) -> str:
        text = f"{self.where}: {self.what}" if self.where else self.what
        if self.value is not None:
            text += f" (got {shown_value(self.value)})"
        return f"{text}. {self.remedy}" if self.remedy else text

    def __reduce__(self) -> tuple[object, ...]:
        return (_rebuild, (type(self), self.what, self.where, self.value, self.remedy))

    def at(self, where: str) -> PlacewiseError:
        """The same error with `where` put before its place: the caller knows the file."""
        error = type(self)(self.what, where=where, value=self.value, remedy=self.remedy)
        if self.where == where or self.where.startswith(f"{where}: "):
            error.where = self.where  # it names this place itself
        elif self.where:
            error.where += f": {self.where}"
        return error


class InputError(PlacewiseError, ValueError):
    """Unusable input: a file, an argument, a field (exit status 2)."""


class InfeasibleError(PlacewiseError):
    """No allocation satisfies the workload on the platform (exit status 3)."""

    exit_status = 3


def _rebuild(
    kind: type[PlacewiseError], what: str, where: str, value: object, remedy: str
) -> PlacewiseError:
    error = kind(what, value=value, remedy=remedy)
    error.where = where  # cut already, piece by piece
    return error

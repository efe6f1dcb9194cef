"""A shelf: the files of one kind that ship, by name, each read when it is first asked for."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Generic, TypeVar, cast

import resources
from machines.errors import InputError
from machines.formats.fields import suggestion

T = TypeVar("T")


@dataclass(frozen=True)
class Catalogue(Generic[T]):
    """The files of one folder of `resources`.

    Attributes
    ----------
    folder : str
        The folder's name, or the path of another.
    read : callable
        path → what a file holds.
    what : str
        What each file describes: "network".
    suffix : str
        Of the files.
    first : callable
        The names that lead, in this order; the others follow by name.
    index : str
        A file in the folder that is none of them.
    titled : callable (what a file holds) → str, or None
        What it calls itself; ``None``: nothing but its file's name.
    """

    folder: str
    read: Callable[[Path], T]
    what: str
    suffix: str = ".toml"
    first: Callable[[], Iterable[str]] = tuple
    index: str = ""
    titled: Callable[[T], str] | None = None

    def names(self) -> tuple[str, ...]:
        """What is on the shelf, in the order in which it is offered."""
        return _names(self)

    def load(self, name: str) -> T:
        """What the file of that name holds."""
        return cast("T", _load(self, name))

    def title(self, name: str) -> str:
        """What the file of that name calls itself; of another text, the text."""
        if self.titled is None or name not in self.names():
            return name
        return self.titled(self.load(name))

    def path(self, name: str) -> Path:
        """The file of that name; InputError if there is none."""
        known(name, self.names(), self.what)
        return resources.folder(self.folder) / f"{name}{self.suffix}"


def known(name: str, names: Iterable[str], what: str, where: str = "catalogue") -> None:
    """InputError, with the nearest of the names, unless `name` is one of them."""
    names = tuple(names)
    if name not in names:
        raise InputError(f"unknown {what}", where=where, value=name, remedy=suggestion(name, names))


@cache
def _names(shelf: Catalogue[T]) -> tuple[str, ...]:
    files = resources.folder(shelf.folder).glob(f"*{shelf.suffix}")
    found = {path.name.removesuffix(shelf.suffix) for path in files if path.name != shelf.index}
    leading = tuple(shelf.first())
    return (*leading, *sorted(found.difference(leading)))


@cache
def _load(shelf: Catalogue[T], name: str) -> T:
    return shelf.read(shelf.path(name))

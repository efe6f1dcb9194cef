"""The platforms and networks that ship: each with its source, and with what that does not say.

`resources/platforms/catalogue.toml` lists the platforms; every value that no source gives is named
there with the reason for its choice. A network says so itself, in `resources/networks`.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import resources
from machines.errors import InputError
from machines.formats.fields import suggestion
from machines.formats.network_table import read_interconnect
from machines.formats.platform_toml import read_platform
from machines.interconnect import Interconnect
from machines.platform import Platform


@dataclass(frozen=True)
class Assumption:
    """A value that no source gives: its key in the platform file, and why it is what it is."""

    key: str
    why: str

    def __str__(self) -> str:
        return f"{self.key}: {self.why}"


@dataclass(frozen=True)
class Entry:
    """One preset.

    Attributes
    ----------
    name : str
        What the command line calls it.
    title : str
        A few words.
    source : str
        Where its figures are published.
    assumed : tuple of Assumption
        The figures that are not.
    path : Path
        The platform file.
    """

    name: str
    title: str
    source: str
    assumed: tuple[Assumption, ...]
    path: Path


@cache
def entries() -> tuple[Entry, ...]:
    """All presets, in the order in which they are offered."""
    home = resources.folder("platforms")
    index = tomllib.loads((home / "catalogue.toml").read_text(encoding="utf-8"))
    return tuple(
        Entry(
            name=entry["name"],
            title=entry["title"],
            source=entry["source"],
            assumed=tuple(Assumption(**each) for each in entry.get("assumed", ())),
            path=home / f"{entry['name']}.toml",
        )
        for entry in index["platform"]
    )


def entry(name: str) -> Entry:
    """The preset of that name.

    Raises
    ------
    InputError
        There is none; the nearest name is suggested.
    """
    known = {each.name: each for each in entries()}
    if name not in known:
        raise InputError(
            "unknown platform", where="catalogue", value=name, remedy=suggestion(name, known)
        )
    return known[name]


def load(name: str) -> Platform:
    """The platform of the preset of that name; InputError if there is none."""
    return read_platform(entry(name).path)


@cache
def interconnect_names() -> tuple[str, ...]:
    """The networks that ship: the first is the paper's, then by name."""
    names = sorted(path.stem for path in resources.folder("networks").glob("*.toml"))
    return tuple(sorted(names, key=lambda name: not name.startswith("alewife")))


@cache
def interconnect(name: str) -> Interconnect:
    """The network that ships under that name.

    Raises
    ------
    InputError
        There is none; the nearest name is suggested.
    """
    known = interconnect_names()
    if name not in known:
        raise InputError(
            "unknown network", where="catalogue", value=name, remedy=suggestion(name, known)
        )
    return read_interconnect(resources.folder("networks") / f"{name}.toml")

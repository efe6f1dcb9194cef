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
from machines.catalogue.shelf import Catalogue, known
from machines.formats.network_table import read_interconnect
from machines.formats.platform_toml import read_platform

_INDEX = "catalogue.toml"


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
    index = tomllib.loads((home / _INDEX).read_text(encoding="utf-8"))
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
    """The preset of that name."""
    found = {each.name: each for each in entries()}
    known(name, found, PLATFORMS.what)
    return found[name]


def _listed() -> tuple[str, ...]:
    return tuple(each.name for each in entries())


def _paper() -> tuple[str, ...]:
    return ("alewife", "alewife-0", "alewife-1")


PLATFORMS = Catalogue("platforms", read_platform, "platform", first=_listed, index=_INDEX)
load = PLATFORMS.load
NETWORKS = Catalogue(
    "networks", read_interconnect, "network", first=_paper, titled=lambda network: network.name
)
interconnect_names = NETWORKS.names
interconnect_title = NETWORKS.title
interconnect = NETWORKS.load

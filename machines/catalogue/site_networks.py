"""Networks that may stand for a site's own, which its files never describe: one link each.

The figures are those of platforms and networks of the catalogue; their files name the sources.
"""

from __future__ import annotations

from dataclasses import dataclass

from machines.catalogue import NETWORKS, load
from machines.catalogue.shelf import known
from machines.platform import Direction

DEFAULT = "gigabit"
_OF_PLATFORMS = {  # name → platform of the catalogue, title
    "gigabit": ("star", "Gigabit Ethernet"),
    "10-gigabit": ("two-level-tree", "10 Gb/s Ethernet"),
}
_OF_NETWORKS = ("infiniband", "slingshot", "oracle-hpc")


@dataclass(frozen=True)
class SiteNetwork:
    """A network by one of its links; `title` and `source` for people."""

    name: str
    title: str
    direction: Direction
    source: str


def names() -> tuple[str, ...]:
    """The networks that can be named, slowest first."""
    return (*_OF_PLATFORMS, *_OF_NETWORKS)


def network(name: str) -> SiteNetwork:
    """The network of that name; InputError: there is none.

    Of LogGP figures a node's link has half the startup L + o_s + o_r and the bandwidth 1 / G.
    """
    known(name, names(), "network")
    if name in _OF_PLATFORMS:
        platform, title = _OF_PLATFORMS[name]
        link = load(platform).links[0]
        return SiteNetwork(name, title, link.to_second, f"Figures: catalogue, {platform}")
    found = NETWORKS.load(name)
    long = found.long
    startup = (long.L + long.o_s + long.o_r) * found.unit_s
    way = Direction(startup / 2, 1.0 / (long.G * found.unit_s))
    return SiteNetwork(name, found.name, way, f"Figures: catalogue, {name}")

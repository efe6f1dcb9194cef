"""Networks by the name of their kind and their dimensions, as files and settings give them."""

from __future__ import annotations

import re
from collections.abc import Sequence

from machines.checks import whole
from machines.dragonfly import Dragonfly
from machines.errors import InputError
from machines.fat_tree import FatTree
from machines.network import Crossbar, Hypercube, Mesh, Network

Shape = Mesh | Hypercube | Crossbar | FatTree | Dragonfly
KINDS = ("mesh", "torus", "hypercube", "crossbar", "fat tree", "dragonfly")

_TAPERED = re.compile(r"fat tree(?: ([0-9]{1,4}):1)?")


def network_of(kind: str, dims: Sequence[object]) -> Shape:
    """The network of that kind and those dimensions, as `kind` and `dims` of a network give them.

    Parameters
    ----------
    kind : str
        One of `KINDS`; "fat tree 2:1" has one link up for two hosts of a leaf switch.
    dims : sequence of int
        Nodes along each dimension: 2 along each of a hypercube, one number for a crossbar; of a
        fat tree the links down of each level, of a dragonfly hosts a router, routers a group and
        groups.

    Raises
    ------
    InputError
        An unknown kind, or dimensions that it can't have.
    """
    sizes = tuple(whole("dims", k, low=1, where=kind) for k in dims)
    if kind in ("mesh", "torus"):
        return Mesh(sizes, wrap=kind == "torus")
    if kind == "hypercube":
        if any(k != 2 for k in sizes):
            raise InputError(
                "a hypercube has 2 nodes along each dimension", where=kind, value=sizes
            )
        return Hypercube(len(sizes))
    if kind == "crossbar":
        if len(sizes) != 1:
            raise InputError("a crossbar has one dimension", where=kind, value=sizes)
        return Crossbar(sizes[0])
    if kind == "dragonfly":
        return Dragonfly(sizes)
    tapered = _TAPERED.fullmatch(kind)
    if tapered:
        return FatTree(sizes, int(tapered[1] or 1))
    raise InputError(
        "unknown kind of network", where="kind", value=kind, remedy="Known: " + ", ".join(KINDS)
    )


def switched(network: Network) -> bool:
    """Whether its hosts hang at switches, so that dimensions are levels and not directions."""
    return network.kind.startswith("fat tree") or network.kind == "dragonfly"

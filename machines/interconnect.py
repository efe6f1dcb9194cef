"""An interconnect: a network and what messages cost on it, short and long.

What a parallel machine has inside (`Machine.network`) and what the message studies ask. The
presets, with their sources, are in `machines.catalogue`.

LogGP: what one message costs its sender, the network and its receiver.

The parameters that LogP-style models share (Culler et al. 1993; Alexandrov et al. 1995), with the
memory terms of Moritz & Frank 2001. Any one unit of time, sizes in bytes.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, fields

from machines.checks import number, plain_name, text, whole
from machines.dragonfly import Dragonfly
from machines.errors import InputError
from machines.fat_tree import FatTree
from machines.network import Crossbar, Hypercube, Mesh, Network


@dataclass(frozen=True)
class LogGP:
    """Message costs of a machine.

    Attributes
    ----------
    L : float
        Latency: time in the network of a short message.
    o_s, o_r : float
        Overhead: processor time to send and to receive a message.
    g : float
        Gap: least time between two messages of one processor.
    G, G_m : float
        Gap per byte on the network and to memory.
    a : float
        Bytes that arrive before the receiver is interrupted.

    Raises
    ------
    InputError
        A parameter that is negative or not finite.

    Notes
    -----
    Moritz & Frank 2001, sec. 2. A link's startup and bandwidth follow as
    alpha = o_s + L + o_r and 1/beta = G.
    """

    L: float
    o_s: float
    o_r: float
    g: float = 0.0
    G: float = 0.0
    G_m: float = 0.0
    a: float = 0.0

    def __post_init__(self) -> None:
        for parameter in fields(self):
            value = number(parameter.name, getattr(self, parameter.name), where="LogGP")
            object.__setattr__(self, parameter.name, value)


# Networks by the name of their kind and their dimensions, as files and settings give them.

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


@dataclass(frozen=True)
class Interconnect:
    """A network with its message costs.

    Attributes
    ----------
    name : str
        What people call it.
    network : Mesh, Hypercube, Crossbar, FatTree or Dragonfly
        Nodes, routes and channels.
    short, long : LogGP
        Costs of short messages and of long ones (bulk transfer, DMA), in `unit`.
    unit : str
        The unit of time of the costs, e.g. "cycle" or "µs".
    unit_s : float
        Seconds of one unit.
    source : str
        Where the figures are published; empty: the user's own.
    assumed : tuple of str
        One sentence for each figure that the source does not print.

    Raises
    ------
    InputError
        An empty name or unit, unit_s ≤ 0, or a field of another type.
    """

    name: str
    network: Shape
    short: LogGP
    long: LogGP
    unit: str
    unit_s: float
    source: str = ""
    assumed: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        plain_name("name", self.name, where="network")
        where = f'network "{self.name}"'
        if not isinstance(self.network, Shape):
            raise InputError("unknown kind of network", where=where, value=self.network)
        for costs in (self.short, self.long):
            if not isinstance(costs, LogGP):
                raise InputError("message costs must be LogGP", where=where, value=costs)
        text("unit", self.unit, where=where)
        number("unit_s", self.unit_s, above=True, where=where)
        text("source", self.source, where=where, empty=True)
        for sentence in self.assumed:
            text("assumed", sentence, where=where)

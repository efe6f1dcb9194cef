"""An interconnect: a network and what messages cost on it, short and long.

What a parallel machine has inside (`Machine.network`) and what the message studies ask. The
presets, with their sources, are in `machines.catalogue`.
"""

from __future__ import annotations

from dataclasses import dataclass

from machines.checks import number, plain_name, text
from machines.errors import InputError
from machines.loggp import LogGP
from machines.shapes import Shape


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

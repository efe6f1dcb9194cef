"""A network by name and shape, and the nodes that processes take on it."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from advisor.basics.quantities import duration, measured
from advisor.basics.units import Unit, durations
from advisor.messages.mapping.orders import ORDERS, Mapping, checked, fits, shuffled
from machines import InputError, Interconnect
from machines.catalogue import interconnect
from machines.interconnect import network_of
from machines.multicore import cores_of, nodes_of, unequal
from machines.network import Network

RANDOM = "random"
ORDER_NAMES = (*ORDERS, RANDOM)

_SECONDS = ("s", "ms", "µs", "us", "ns")
_DIMS = re.compile(
    r"\s*+(0*+[1-9][0-9]{0,8}(?:\s*+[x×*,]\s*+0*+[1-9][0-9]{0,8})*)\s*+"
    r"(?!x)([a-z]*|fat[ -]?tree(?:\s+[1-9][0-9]{0,3}:1)?)\s*+"  # no kind begins with an x
)
SHAPES = "Write 8x4, 8x8x8 torus, 32 crossbar, 16x4 fat tree, 16x4 fat tree 2:1 or 4x8x9 dragonfly"


def chosen_network(name: str, dims: str = "") -> Interconnect:
    """The preset of that name, reshaped to `dims` where given.

    `name`: a preset of the catalogue.
    `dims`: nodes along each dimension and, if it is another one, the kind: "8x4", "8x8x8 torus",
        "32 crossbar"; "16x4 fat tree" has 16 hosts a leaf switch and 4 of those, "16x4 fat tree
        2:1" half the links up; "4x8x9 dragonfly" 4 hosts a router, 8 routers a group, 9 groups;
        empty: the preset's own.
    """
    return reshaped(interconnect(name), dims)


def reshaped(net: Interconnect, dims: str) -> Interconnect:
    """The same costs on another shape, e.g. "8x8x8 torus"; empty: its own."""
    if not dims.strip():
        return net
    found = _DIMS.fullmatch(dims.lower())
    if found is None:
        raise InputError("these are no dimensions", value=dims, remedy=SHAPES)
    sizes = [int(size) for size in re.findall(r"[0-9]+", found[1])]
    kind = re.sub(r"fat[ -]?tree\s*", "fat tree ", found[2]).strip()
    return replace(net, network=network_of(kind or net.network.kind, sizes))


def placed(network: Network, order: str | Mapping, processes: int, seed: int = 0) -> Mapping:
    """The node of each process.

    `order`: one of `ORDER_NAMES`, or the node of every process. `processes`: at most as many as
    nodes. `seed`: of the random order.
    """
    if not isinstance(order, str):
        return checked(network, processes, order)
    fits(network, processes)
    if order == RANDOM:
        return shuffled(network, seed)[:processes]
    if order not in ORDERS:
        remedy = "Orders: " + ", ".join(ORDER_NAMES)
        raise InputError("unknown order", where="mapping", value=order, remedy=remedy)
    return ORDERS[order](network)[:processes]


def shape(network: Network) -> str:
    """Dimensions and kind in words: "8 × 4 mesh", "8 × 4 mesh of 2 cores a node"."""
    nodes, cores = nodes_of(network), cores_of(network)
    words = f"{' × '.join(map(str, nodes.dims))} {nodes.kind}"
    some = f"{min(network.counts)} to {cores}" if unequal(network) else f"{cores}"
    return f"{words} of {some} cores a node" if cores > 1 else words


@dataclass(frozen=True)
class Clock:
    """How times of a network are shown: seconds where its unit is one of them, else its own."""

    unit: str  # "s", or the interconnect's own, e.g. "cycle"
    factor: float  # `unit` per unit of the interconnect

    @classmethod
    def of(cls, net: Interconnect) -> Clock:
        """The clock of an interconnect."""
        return cls("s", net.unit_s) if net.unit in _SECONDS else cls(net.unit, 1.0)

    def shown(self, time: float) -> float:
        """A time of the interconnect in the unit that is shown."""
        return time * self.factor

    def text(self, time: float) -> str:
        """A time of the interconnect in words: "453 cycles", "3.20 µs"."""
        if self.unit == "s":
            return duration(self.shown(time))
        return self.texts(time)[0]

    def texts(self, *times: float) -> tuple[str, ...]:
        """Times that are compared, with the digits that tell them apart."""
        if self.unit == "s":
            return durations(*(self.shown(time) for time in times))
        unit = Unit.of(f"{self.unit}s", *times)
        return tuple(unit.text(time) for time in times)

    def measured(self, time: float, half_width: float) -> str:
        """A mean time with the half width of its interval: "1,742 ± 6 cycles", "14.2 ± 0.1 µs"."""
        if self.unit == "s":
            return measured(self.shown(time), self.shown(half_width), "s")
        told = measured(time, half_width)
        return f"{told} {self.unit}s" if "±" in told else self.text(time)

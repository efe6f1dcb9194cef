"""What joins machines beside links: switches that pass data on, and stores that hold files.

Neither runs a task. A switch with a bandwidth is a resource of its own (a bus, a hub, a backplane):
all transfers through it share it. A store is an end of transfers, linked as a machine is.
"""

from __future__ import annotations

from dataclasses import dataclass

from machines.parameters import check_properties, parameter


@dataclass(frozen=True)
class Switch:
    """A switch, bus or router: joins links, runs nothing.

    Attributes
    ----------
    name : str
        Unique among machines, stores and switches.
    bandwidth : float or None
        Bytes/s that all transfers through it share, both directions together; ``None``: it never
        holds a transfer up.
    """

    name: str = parameter(title="Name", help="Unique among machines, stores and switches")
    bandwidth: float | None = parameter(
        None,
        low=0.0,
        above=True,
        title="Shared bandwidth",
        unit="B/s",
        empty="not limited",
        help="Bandwidth shared by all transfers through it: a bus, a hub, a backplane. A "
        "switch that forwards at the rate of its links has none",
    )

    def __post_init__(self) -> None:
        check_properties(self, "switch")


@dataclass(frozen=True)
class Store:
    """A file server or object store: holds files, runs nothing.

    Attributes
    ----------
    name : str
        Unique among machines, stores and switches.
    """

    name: str = parameter(title="Name", help="Unique among machines, stores and switches")

    def __post_init__(self) -> None:
        check_properties(self, "store")

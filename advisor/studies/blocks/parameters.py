"""The parameters of the blocks study, and the wavefront that they describe."""

from __future__ import annotations

from dataclasses import dataclass, replace

from advisor.messages.diamond_blocks import (
    AS_PRINTED,
    NETWORKS_OWN,
    READINGS,
    Diamond,
    stripes_load,
)
from advisor.messages.network_load import NETWORK_MODELS, PUBLISHED, ROUTE_AWARE, NetworkLoad
from advisor.messages.networks import ORDER_NAMES, RANDOM, Clock
from advisor.models.logpc import OCCUPANCIES
from advisor.studies.network_settings import ShapedNetworkSettings, network_unit
from advisor.studies.network_source import network_of_settings, processors_on, said_of
from advisor.studies.parameters import parameter
from advisor.studies.study import Note
from machines import InputError
from machines.traffic import Routes, routes_of


@dataclass(frozen=True)
class BlocksParameters(ShapedNetworkSettings):
    """What the blocks study asks for; times in the network's unit."""

    n: int = parameter(
        1024, title="matrix size n", low=1, high=10**6, help="Rows and columns of the matrix."
    )
    processors: int | None = parameter(
        None, low=2, high=4096, help="Stripes, one a processor; auto: one on each node."
    )
    task_time: float = parameter(
        100.0, title="time of an element", unit_of=network_unit, low=1e-9, high=1e15,
        help="Computing time of one element of the matrix, in the network's unit.",
    )  # fmt: skip
    bytes_per_value: float = parameter(
        8.0, unit="B", low=1e-3, high=1e9, help="Bytes of one value of a block's last row."
    )
    aggregation: float = parameter(
        0.0, unit_of=network_unit, low=0.0, high=1e15,
        help="alpha: time to pack and unpack one value of a message.",
    )  # fmt: skip
    receiving: str = parameter(
        NETWORKS_OWN,
        title="receive overhead",
        choices=READINGS,
        help='What a processor spends to receive: "network" charges the network\'s own o_r; '
        '"printed" leaves it out, as O_r of Moritz & Frank 2001.',
    )
    blocks: int | None = parameter(
        None, low=1, high=10**6, help="Blocks of a stripe to draw; auto: the best."
    )
    against: int = parameter(16, low=1, high=10**6, help="Blocks to compare with.")
    mapping: str = parameter(
        RANDOM, choices=ORDER_NAMES, help="Order in which stripes take the nodes."
    )
    seed: int = parameter(
        0, low=0, high=2**31 - 1, help="Of the random mapping.", only={"mapping": (RANDOM,)}
    )
    contention: str = parameter(
        ROUTE_AWARE, choices=NETWORK_MODELS, help="Model of network contention."
    )
    occupancy: str = parameter(
        "physical",
        choices=OCCUPANCIES,
        help='Time that B bytes occupy a channel: "physical" B·G; "bytes" B, as printed.',
        only={"contention": (PUBLISHED,)},
    )

    @property
    def prices_bytes(self) -> bool:
        """A channel is taken for the time of a message's bytes."""
        return True

    @property
    def message_sizes(self) -> tuple[float, float]:
        """Bytes of the messages of the blocks that are drawn, or compared with."""
        blocks = self.against if self.blocks is None else self.blocks
        each = max(1.0, self.bytes_per_value * self.n / blocks)
        return each, each


@dataclass(frozen=True, eq=False)
class BlocksCase:
    """The parameters resolved: the Diamond DAG, its mapping's load and what is possible."""

    asked: BlocksParameters
    diamond: Diamond
    routes: Routes
    load: NetworkLoad
    most: int
    origin: tuple[Note, ...] = ()

    @classmethod
    def of(cls, asked: BlocksParameters) -> BlocksCase:
        """Resolve the parameters; InputError where they name nothing that exists."""
        found = network_of_settings(asked)
        net = found.net
        P = processors_on(net, asked, asked.processors)
        diamond = Diamond(
            net,
            asked.n,
            P,
            asked.task_time,
            asked.bytes_per_value,
            asked.aggregation,
            asked.receiving,
        )
        routes = routes_of(net.network)
        load = load_of(asked, diamond, routes)
        with said_of("n", asked.n):
            most = diamond.most()
        return cls(asked, diamond, routes, load, most, found.notes)

    @property
    def clock(self) -> Clock:
        """How its times are shown."""
        return Clock.of(self.diamond.net)

    def makespan(self, b: int) -> float:
        """With the contention that was asked for."""
        return self.diamond.makespan(b, self.load)

    @property
    def charged(self) -> Diamond:
        """The same with the network's own o_r for every receiver."""
        return replace(self.diamond, receiving=NETWORKS_OWN)

    @property
    def printed(self) -> Diamond:
        """The same as printed, where receivers pay no o_r."""
        return replace(self.diamond, receiving=AS_PRINTED)

    def chosen(self, best: int) -> int:
        """The b that was asked for, or the best; InputError if it can't be."""
        b = best if self.asked.blocks is None else self.asked.blocks
        if b > self.most:
            raise InputError(
                "a stripe can't have so many blocks",
                where="setting blocks",
                value=b,
                remedy=f"Allowed: 1 to {self.most:,}, where messages have 1 + a bytes",
            )
        return b

    def slower(self, b: int, than: int) -> float:
        """How much longer b blocks take than others, as a share."""
        return self.makespan(b) / self.makespan(than) - 1.0


def load_of(
    asked: BlocksParameters, diamond: Diamond, routes: Routes, order: str | None = None
) -> NetworkLoad:
    """The load of the stripes' messages in an order of the nodes; ``None``: the one asked for."""
    name = asked.mapping if order is None else order
    return stripes_load(
        diamond.net, routes, diamond.P, name, asked.seed, asked.contention, asked.occupancy
    )

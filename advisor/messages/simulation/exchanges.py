"""An exchange message by message: every process sends all it has to send, on the simulated network.

Sender by sender the time of LoGPC's exchange
(`advisor.messages.mapping.mapping_measures.logpc_time`) with what its formula leaves out: the waits
of messages that hold a part of their way. `exchange_estimate` is the route-aware model of the same.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from advisor.basics.stop_rule import ShouldStop
from advisor.messages.mapping.mapping_measures import process_times
from advisor.messages.mapping.mapping_problem import MappingProblem
from advisor.messages.mapping.orders import Mapping
from advisor.messages.mapping.process_communication import Communication
from advisor.messages.simulation.simulated_programs import DrivenNetwork
from advisor.models.wormhole import demand_of, estimate
from machines.arrays import Flags, Ints
from machines.errors import PlacewiseError
from machines.interconnect import LogGP

MOST_MESSAGES = 300_000
"""An exchange of more is not simulated."""

_SIZES_DIFFER = 1e-6
_CUT = 4.0  # packets of the smallest of different messages
_PACKETS = 20_000  # of all of them, at most about


@dataclass(frozen=True, eq=False)
class Exchange:
    """What every process sends, in messages of one size."""

    problem: MappingProblem
    costs: LogGP  # of long messages
    counts: Ints  # shape (flows,); messages of each flow
    size_bytes: float  # of each message
    packets: bool  # whether messages of different sizes were cut to come to that

    @classmethod
    def of(cls, problem: MappingProblem, costs: LogGP) -> Exchange:
        """The exchange of a communication.

        Messages of different sizes are cut into packets of one, for that is what the simulated
        network knows; what the processors do for them stays as it is.
        """
        flows = problem.communication
        if costs.G == 0.0 or not len(flows.sources):
            wrong = (
                "no process sends" if costs.G else ("messages take no time on the channels (G = 0)")
            )
            raise PlacewiseError(f"this exchange can't be simulated: {wrong}", where=flows.name)
        sizes = flows.size_bytes / flows.messages
        size = float(sizes.min())
        packets = bool(sizes.max() > size * (1.0 + _SIZES_DIFFER))
        if packets:
            size = max(size / _CUT, flows.total_bytes / _PACKETS)
        counts = np.maximum(np.rint(flows.size_bytes / size), 1.0)
        if counts.sum() > MOST_MESSAGES:
            raise PlacewiseError(
                "these are too many messages to simulate",
                where=flows.name,
                value=int(counts.sum()),
                remedy=f"Allowed: up to {MOST_MESSAGES}",
            )
        return cls(problem, costs, counts.astype(np.int64), size, packets)

    @property
    def flows(self) -> Communication:
        """Communication pattern."""
        return self.problem.communication

    @property
    def occ(self) -> float:
        """Time that a message occupies a channel."""
        return self.size_bytes * self.costs.G

    @property
    def messages(self) -> int:
        """Of all processes."""
        return int(self.counts.sum())

    @property
    def sent(self) -> Ints:
        """Messages of each process, (processes,)."""
        flows = self.flows
        return np.bincount(flows.sources, self.counts, flows.processes).astype(np.int64)

    @property
    def used(self) -> Flags:
        """Which processes send to which, (processes, processes)."""
        pairs = np.zeros((self.flows.processes, self.flows.processes), np.bool_)
        pairs[self.flows.sources, self.flows.targets] = True
        return pairs


@dataclass(frozen=True, eq=False)
class ExchangeRun:
    """Attributes: the time of the whole exchange, and the mean wait of its messages."""

    time: float
    wait: float


def simulate_exchange(
    exchange: Exchange,
    mapping: Mapping,
    seed: int = 0,
    should_stop: ShouldStop | None = None,
) -> ExchangeRun | None:
    """One exchange: all processes begin together and send in an order of their own, drawn.

    A process sends its next message when the one before has been taken in, after the processor's
    time for it and for an equal share of what the process receives; without waits that adds up to
    `process_times`.

    `mapping`: node of each process. `seed`: of the orders. Returns None when stopped.
    """
    flows, sent = exchange.flows, exchange.sent
    rng = np.random.default_rng(seed)
    nodes = exchange.problem.network.size
    at = np.asarray(mapping)
    used = np.zeros((nodes, nodes), np.bool_)
    used[np.ix_(at, at)] = exchange.used
    network = DrivenNetwork(exchange.problem.tables, used, exchange.occ)
    own = process_times(flows, exchange.costs)
    pauses = np.maximum(own / np.maximum(sent, 1) - exchange.occ, 0.0)
    queues = _queues(exchange, at, rng)
    process_at = {int(node): process for process, node in enumerate(at)}
    waited, ends = 0.0, [float(own[sent == 0].max(initial=0.0))]

    def send(process: int, now: float) -> None:
        if queues[process]:
            network.send(int(at[process]), queues[process].pop(), now + float(pauses[process]))

    def landed(node: int, now: float, wait: float) -> None:
        nonlocal waited
        waited += wait
        ends[0] = max(ends[0], now)
        send(process_at[node], now)

    for process in rng.permutation(flows.processes).tolist():
        send(process, 1e-9 * float(rng.random()) * exchange.occ)  # who is first, is drawn
    if not network.run(landed, should_stop):
        return None
    return ExchangeRun(exchange.costs.L + ends[0], waited / exchange.messages)


def exchange_estimate(exchange: Exchange, mapping: Mapping) -> float | None:
    """Time of the exchange by the route-aware model of network contention: L + messages · T_c.

    Returns None where its assumption does not hold that every sender sends equally many messages,
    or where a single message each makes no steady traffic.
    """
    sent = exchange.sent
    most = int(sent.max())
    if most < 2 or (sent[sent > 0] != most).any():
        return None
    nodes, at = exchange.problem.network.size, np.asarray(mapping)
    chances = np.zeros((nodes, nodes))
    chances[at[exchange.flows.sources], at[exchange.flows.targets]] = exchange.counts / most
    demand = demand_of(exchange.problem.tables, chances)
    alone = float(process_times(exchange.flows, exchange.costs).max()) / most
    return exchange.costs.L + most * estimate(demand, alone, exchange.occ).T_c


def _queues(exchange: Exchange, at: NDArray[np.int_], rng: np.random.Generator) -> list[list[int]]:
    """The nodes that each process sends to, in an order drawn for each."""
    flows = exchange.flows
    sources = np.repeat(flows.sources, exchange.counts)
    targets = np.repeat(at[flows.targets], exchange.counts)
    # packets of one message stay together
    drawn = rng.random(len(flows.sources) if exchange.packets else len(sources))
    turn = np.repeat(drawn, exchange.counts) if exchange.packets else drawn
    order = np.lexsort((turn, sources))
    ends = np.cumsum(exchange.sent)[:-1]
    return [part.tolist() for part in np.split(targets[order], ends)]

"""What a mapping costs after one change, without measuring all of it again.

A change puts a process on another node; whoever was there takes its place. Only the flows of
these two processes take other routes.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from advisor.messages.mapping.mapping_measures import (
    Measures,
    exchange_time,
    process_times,
)
from advisor.messages.mapping.mapping_problem import MappingProblem
from advisor.messages.mapping.orders import Mapping
from machines.arrays import Floats, Indices, Ints
from machines.interconnect import LogGP


@dataclass(frozen=True, eq=False)
class Standing:
    """A mapping with what its channels carry, from which changes are measured.

    `loads`, `flows`: shape (channels,); bytes and number of flows over every channel.
    """

    problem: MappingProblem
    costs: LogGP  # of long messages
    mapping: Mapping  # fits the problem
    loads: Floats
    flows: Ints
    busy_time: float  # of the process that handles its messages longest

    @classmethod
    def of(cls, problem: MappingProblem, costs: LogGP, mapping: Mapping) -> Standing:
        """Where a mapping stands; a full measure's work, so that changes are quick."""
        _ = problem.landscape  # made once, and not at the first change
        sent, at = problem.communication, np.asarray(mapping)
        loads, flows = problem.routes.loads(at[sent.sources], at[sent.targets], sent.size_bytes)
        return cls(
            problem,
            costs,
            mapping,
            loads,
            flows,
            float(process_times(sent, costs).max(initial=0.0)),
        )

    @cached_property
    def hops(self) -> tuple[Ints, Indices]:
        """(flow, channel) of every hop of every flow; for many flows worth a thread of its own."""
        sent, at = self.problem.communication, np.asarray(self.mapping)
        return self.problem.routes.taken(at[sent.sources], at[sent.targets])

    def flows_over(self, channel: int) -> Ints:
        """Positions of the flows that take a channel."""
        flows, channels = self.hops
        over: Ints = flows[channels == channel]
        return over

    def holder(self, node: int) -> int | None:
        """The process on a node."""
        return self.mapping.index(node) if node in self.mapping else None

    def changed(self, process: int, node: int) -> Mapping:
        """The mapping after a process was put on a node."""
        other, nodes = self.holder(node), list(self.mapping)
        if other is not None:
            nodes[other] = nodes[process]
        nodes[process] = node
        return tuple(nodes)

    def measures(self) -> Measures:
        """What the mapping costs."""
        total, loads = self.problem.communication.total_bytes, self.loads
        hop_bytes, busiest = float(loads.sum()), float(loads.max(initial=0.0))
        return Measures(
            hop_bytes=hop_bytes,
            mean_hops=hop_bytes / total if total else 0.0,
            busiest_bytes=busiest,
            shared_channels=int((self.flows > 1).sum()),
            logpc_time=self._time(busiest),
            loads=loads,
            socket_bytes=self.problem.between_sockets(self.mapping),
            computing=self.problem.computing_time(self.mapping),
            least_computing=self.problem.least_computing,
        )

    def _time(self, busiest: float) -> float:
        if self.problem.cores > 1:
            return exchange_time(self.problem, self.costs, self.mapping, busiest)
        total = self.problem.communication.total_bytes
        return self.costs.L + max(self.busy_time, self.costs.G * busiest) if total else 0.0

    def moved(self, process: int, node: int) -> Standing:
        """Where the mapping stands after a process was put on a node."""
        after, loads, flows = self.changed(process, node), self.loads.copy(), self.flows.copy()
        sources, targets, sizes = self._flows_of(process, self.holder(node))
        for mapping, sign in ((self.mapping, -1), (after, 1)):
            at = np.asarray(mapping)
            taken, channels = self.problem.routes.taken(at[sources], at[targets])
            loads += sign * np.bincount(channels, sizes[taken], len(loads))
            flows += sign * np.bincount(channels, minlength=len(flows))
        loads[flows == 0] = 0.0  # what rounding left
        return replace(self, mapping=after, loads=loads, flows=flows)

    def channels_from(self, process: int) -> Ints:
        """The channels that what a process sends takes."""
        sent, at = self.problem.communication, np.asarray(self.mapping)
        own = np.flatnonzero(sent.sources == process)
        _, channels = self.problem.routes.taken(at[sent.sources[own]], at[sent.targets[own]])
        return np.unique(channels).astype(np.int64)

    def _flows_of(self, process: int, other: int | None) -> tuple[Ints, Ints, Floats]:
        """(senders, receivers, bytes) of all flows of one or two processes, each flow once."""
        land = self.problem.landscape
        sources, targets, sizes = [], [], []
        for each in dict.fromkeys((process, other)):
            if each is None:
                continue
            mine = slice(land.first[each], land.first[each + 1])
            partners = land.partner[mine].astype(np.int64)
            owner = np.full_like(partners, each)
            new = (partners != process) | (each == process)  # those of both were counted before
            for start, end, amount in (
                (owner, partners, land.sent[mine]),
                (partners, owner, land.received[mine]),
            ):
                wanted = new & (amount > 0)
                sources.append(start[wanted])
                targets.append(end[wanted])
                sizes.append(amount[wanted])
        return np.concatenate(sources), np.concatenate(targets), np.concatenate(sizes)

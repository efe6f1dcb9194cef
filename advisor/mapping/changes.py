"""What a mapping costs after one change, without measuring all of it again.

A change puts a process on another node; whoever was there takes its place. Only the flows of
these two processes take other routes.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from advisor.mapping.measures import Measures, process_times
from advisor.mapping.orders import Mapping
from advisor.mapping.problem import MappingProblem
from machines.loggp import LogGP

Ints = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Standing:
    """A mapping with what its channels carry, from which changes are measured.

    Attributes
    ----------
    problem : MappingProblem
    costs : LogGP
        Of long messages.
    mapping : Mapping
        Fits the problem.
    hop_flows, hop_channels : int arrays, (hops of all flows,)
        Which flow takes which channel.
    loads, flows : float and int arrays, (channels,)
        Bytes and number of flows over every channel.
    busy_time : float
        Of the process that handles its messages longest.
    """

    problem: MappingProblem
    costs: LogGP
    mapping: Mapping
    hop_flows: Ints
    hop_channels: NDArray[np.int32]
    loads: NDArray[np.float64]
    flows: Ints
    busy_time: float

    @classmethod
    def of(cls, problem: MappingProblem, costs: LogGP, mapping: Mapping) -> Standing:
        """Where a mapping stands; a full measure's work."""
        sent, at = problem.communication, np.asarray(mapping)
        hop_flows, hop_channels = _hops(problem, at[sent.sources], at[sent.targets])
        count = len(problem.network.channels)
        return cls(
            problem,
            costs,
            mapping,
            hop_flows,
            hop_channels,
            np.bincount(hop_channels, sent.size_bytes[hop_flows], count).astype(np.float64),
            np.bincount(hop_channels, minlength=count),
            float(process_times(sent, costs).max(initial=0.0)),
        )

    def flows_over(self, channel: int) -> Ints:
        """Positions of the flows that take a channel."""
        return self.hop_flows[self.hop_channels == channel]

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
        return self._measures(self.loads, self.flows)

    def after(self, process: int, node: int) -> Measures:
        """What it costs after a process was put on a node."""
        after, loads, flows = self.changed(process, node), self.loads.copy(), self.flows.copy()
        sources, targets, sizes = self._flows_of({process, self.holder(node)})
        for mapping, sign in ((self.mapping, -1), (after, 1)):
            at = np.asarray(mapping)
            taken, channels = _hops(self.problem, at[sources], at[targets])
            loads += sign * np.bincount(channels, sizes[taken], len(loads))
            flows += sign * np.bincount(channels, minlength=len(flows))
        loads[flows == 0] = 0.0  # what rounding left
        return self._measures(loads, flows)

    def _flows_of(self, processes: set[int | None]) -> tuple[Ints, Ints, NDArray[np.float64]]:
        """(senders, receivers, bytes) of all flows of the processes, each flow once."""
        sent, moved = self.problem.communication, [p for p in processes if p is not None]
        mine = np.isin(sent.sources, moved) | np.isin(sent.targets, moved)
        return (
            sent.sources[mine].astype(np.int64),
            sent.targets[mine].astype(np.int64),
            sent.size_bytes[mine],
        )

    def _measures(self, loads: NDArray[np.float64], flows: Ints) -> Measures:
        total = self.problem.communication.total_bytes
        hop_bytes, busiest = float(loads.sum()), float(loads.max(initial=0.0))
        time = self.costs.L + max(self.busy_time, self.costs.G * busiest) if total else 0.0
        loads.flags.writeable = False
        return Measures(
            hop_bytes=hop_bytes,
            mean_hops=hop_bytes / total if total else 0.0,
            busiest_bytes=busiest,
            shared_channels=int((flows > 1).sum()),
            logpc_time=time,
            loads=loads,
        )


def _hops(problem: MappingProblem, sources: Ints, targets: Ints) -> tuple[Ints, NDArray[np.int32]]:
    """(position in the lists, channel) of every hop from the nodes `sources` to `targets`."""
    routes = problem.routes
    pairs = sources * problem.network.size + targets
    first = routes.offsets[pairs]
    lengths = routes.offsets[pairs + 1] - first
    which = np.repeat(np.arange(len(pairs)), lengths)
    along = np.arange(len(which)) - np.repeat(np.cumsum(lengths) - lengths, lengths)
    return which, routes.channels[first[which] + along]

"""What a mapping says about its nodes and channels, in words: tooltips and the line below."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from advisor.basics.quantities import count, exact, percent, size
from advisor.messages.mapping.mapping_moves import Standing
from advisor.messages.networks import shape
from machines.arrays import Indices, Ints
from machines.multicore import cores_of, node_at, nodes_of

_LISTED = 6


@dataclass(frozen=True, eq=False)
class MeshFacts:
    """The words for one mapping; `ends` are the nodes of its channels, (channels, 2)."""

    standing: Standing
    ends: Ints

    def node_sentence(self, node: int) -> str:
        """A node in a few words."""
        process = self.standing.holder(node)
        who = "no process" if process is None else f"process {self.name(process)}"
        return f"{self._place(node)}: {who}"

    def node_tip(self, node: int) -> str:
        """Its place, its process, and what that sends and receives."""
        network = self.standing.problem.network
        place = f"{self._place(node)} of the {shape(network)}"
        process = self.standing.holder(node)
        if process is None:
            return f"{place}\nNo process runs here"
        flows = self.standing.problem.communication
        sends = np.flatnonzero(flows.sources == process)
        receives = np.flatnonzero(flows.targets == process)
        return "\n".join(
            (
                place,
                f"Process {self.name(process)}",
                self._exchange("Sends", "to", sends, flows.targets),
                self._exchange("Receives", "from", receives, flows.sources),
            )
        )

    def channel_tip(self, channel: int) -> str:
        """From where to where, its load, and whose messages share it."""
        standing, flows = self.standing, self.standing.problem.communication
        start, end = self.ends[channel].tolist()
        load, most = float(standing.loads[channel]), float(standing.loads.max())
        head = f"Channel from node {start} {self._coordinates(start)} to node {end}"
        head += f" {self._coordinates(end)}"
        if not load:
            return f"{head}\nNothing is sent over it"
        over = standing.flows_over(channel)
        over = over[np.argsort(-flows.size_bytes[over], kind="stable")]
        exactly = f" = {exact(load, 'B')}" if size(load) != exact(load, "B") else ""
        lines = [
            head,
            f"{size(load)}{exactly}, {percent(load / most)} of the busiest channel",
            f"{count(len(over), 'process')} sends over it:"
            if len(over) == 1
            else f"{len(over)} flows share it:",
        ]
        lines += [
            f"    process {self.name(int(flows.sources[flow]))} → "
            f"{self.name(int(flows.targets[flow]))}, {size(float(flows.size_bytes[flow]))}"
            for flow in over[:_LISTED]
        ]
        if len(over) > _LISTED:
            lines.append(f"    and {len(over) - _LISTED:,} more")
        return "\n".join(lines)

    def channels_from(self, process: int) -> Ints:
        """The channels that the messages of a process take."""
        return self.standing.channels_from(process)

    def name(self, process: int) -> str:
        """The name of a process, or its number."""
        labels = self.standing.problem.communication.labels
        return labels[process] if labels else str(process)

    def _exchange(self, verb: str, side: str, which: Ints, partners: Indices) -> str:
        flows = self.standing.problem.communication
        if not len(which):
            return f"{verb} nothing"
        messages = round(float(flows.messages[which].sum()))
        amount = size(float(flows.size_bytes[which].sum()))
        most = which[np.argsort(-flows.size_bytes[which], kind="stable")]
        names = _listed([self.name(int(partners[flow])) for flow in most[:_LISTED]], len(most))
        return f"{verb} {amount} in {count(messages, 'message')} {side} {names}"

    def _place(self, place: int) -> str:
        """A node, or the core of one: "Node 3 (3, 0), core 1"."""
        network = self.standing.problem.network
        nodes = node_at(network, np.arange(network.size))
        node, turn = int(nodes[place]), place - int(np.searchsorted(nodes, nodes[place]))
        core = turn // self.standing.problem.sharing
        words = f"Node {node} {self._coordinates(node)}"
        return f"{words}, core {core}" if cores_of(network) > 1 else words

    def _coordinates(self, node: int) -> str:
        """The place of a node along each dimension: "(4, 1)"; none where there is but one."""
        dims, along = nodes_of(self.standing.problem.network).dims, []
        if len(dims) < 2:
            return ""
        for k in dims:
            node, rest = divmod(node, k)
            along.append(str(rest))
        return f"({', '.join(along)})"


def _listed(names: Sequence[str], total: int) -> str:
    more = f" and {total - len(names):,} more" if total > len(names) else ""
    return ", ".join(names) + more

"""Which attribute of a node is its time, and which of an edge its data, in graphs of anybody.

Named attributes are taken at their word ("runtime", "bytes"); a bare "weight" or "size" is taken as
seconds of a node and bytes of an edge, or, where a generator counts operations, as operations at
1 Gflop/s. What was assumed is said.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from advisor.project.sources.source import quantity

_FLOPS_PER_S = 1e9
_SECONDS = ("seconds", "runtime", "runtime_s", "duration", "time", "time_s", "exec_time")
_FLOPS = ("flops", "flop", "computation")
_PLAIN = ("cost", "weight", "size", "work")
_BYTES = ("bytes", "size_bytes", "data", "data_size", "communication", "transfer", "size", "weight",
          "cost")  # fmt: skip
_MANY = 1e6  # as large a bare weight of a node counts operations, no seconds


@dataclass(frozen=True)
class Told:
    """The attributes that are read, and by what a node's is divided to be seconds."""

    time: str = ""
    per_second: float = 1.0
    data: str = ""
    notes: tuple[str, ...] = ()

    def seconds(self, attributes: Mapping[str, object], where: str) -> float | None:
        """Seconds of a node; None: not told."""
        if self.time not in attributes:
            return None
        return quantity(attributes[self.time], self.time, where) / self.per_second

    def bytes(self, attributes: Mapping[str, object], where: str) -> float:
        """Bytes of an edge; below one: none."""
        if self.data not in attributes:
            return 0.0
        found = quantity(attributes[self.data], self.data, where)
        return found if found >= 1.0 else 0.0


def told_of(nodes: Iterable[Mapping[str, object]], edges: Iterable[Mapping[str, object]]) -> Told:
    """What the attributes of a graph's nodes and edges are taken for."""
    nodes, edges = list(nodes), list(edges)
    keys = {key for one in nodes for key in one if _is_number(one[key])}
    of_edges = {key for one in edges for key in one if _is_number(one[key])}
    data = next((key for key in _BYTES if key in of_edges), "")
    notes = [f"“{data}” of edges is taken as bytes"] if data else []
    time = next((key for key in (*_SECONDS, *_FLOPS, *_PLAIN) if key in keys), "")
    if not time:
        return Told(data=data, notes=tuple(notes))
    largest = max(float(str(one[time])) for one in nodes if _is_number(one.get(time)))
    if time in _FLOPS or (time in _PLAIN and largest >= _MANY):
        notes.insert(0, f"“{time}” of nodes is taken as operations at 1 Gflop/s: a machine's speed "
                     "is its Gflop/s")  # fmt: skip
        return Told(time, _FLOPS_PER_S, data, tuple(notes))
    if time in _PLAIN:
        notes.insert(0, f"“{time}” of nodes is taken as seconds on a machine of speed 1")
    return Told(time, 1.0, data, tuple(notes))


def _is_number(value: object) -> bool:
    try:
        float(str(value))
    except ValueError:
        return False
    return True

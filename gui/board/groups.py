"""Which tasks the items of a board view hold: bars of the schedule, cards of the graph."""

from __future__ import annotations

from dataclasses import dataclass

from machines.arrays import Ints


@dataclass(frozen=True, eq=False)
class Groups:
    """Tasks by item.

    Attributes
    ----------
    member_from, members : int64 arrays
        Item i holds the tasks ``members[member_from[i]:member_from[i + 1]]``.
    kind : int64 array (items,)
        Position in the workload's `Kinds`.
    """

    member_from: Ints
    members: Ints
    kind: Ints

    def tasks(self, item: int) -> Ints:
        """Task positions of an item."""
        return self.members[self.member_from[item] : self.member_from[item + 1]]

"""Which tasks the items of a board view hold: bars of the schedule, cards of the graph."""

from __future__ import annotations

from dataclasses import dataclass

from machines.arrays import Ints


@dataclass(frozen=True, eq=False)
class Groups:
    """Tasks by item.

    `member_from`, `members`: item i holds the tasks ``members[member_from[i]:member_from[i + 1]]``.
    """

    member_from: Ints
    members: Ints
    kind: Ints  # shape (items,); position in the workload's `Kinds`

    def tasks(self, item: int) -> Ints:
        """Task positions of an item."""
        return self.members[self.member_from[item] : self.member_from[item + 1]]

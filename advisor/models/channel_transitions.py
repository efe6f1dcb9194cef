"""Which turns messages take on their routes, and how often.

Few messages are followed from their sources, many from all sources to a target at a time, where
they gather: then the time is that of the pairs of a vertex and a target, not of all their hops.
The turns are numbered by `advisor.kernels.transitions_kernel`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from dataclasses import dataclass, field
from typing import TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from advisor import kernels
from advisor.kernels import gathering_kernel as gathering
from advisor.kernels import transitions_kernel as kernel
from advisor.kernels.gathering_kernel import Kept, Tree
from advisor.kernels.transitions_kernel import Ways
from advisor.models.message_paths import Slots
from machines.arrays import Floats, Indices, Ints
from machines.errors import InputError
from machines.route_tables import Shorts
from machines.stopping import ask, stopped

Block: TypeAlias = tuple[Floats, Indices, Ints]
"""(weights, turns, where those of each node begin) of some nodes, one after the other."""

_Kind = TypeVar("_Kind", bound=np.generic)

COMPILED = 250_000  # pairs above which starting the compiled kernels takes less than it saves
_MOST = 32_000_000  # turns, of 8 bytes in a few arrays
_BLOCK = 64  # nodes whose shares are kept together, or to which messages are gathered together
_KEPT = 34_000_000  # turns, and states on the ways to all nodes, of 12 bytes
_QUICK = 64  # nodes of a network that is solved at once, whoever wants to stop


def pause(nodes: int) -> None:
    """`ask`, on a network whose solution takes long."""
    if nodes > _QUICK:
        ask()


@dataclass(frozen=True, eq=False)
class ChannelTransitions:
    """The turns of a network of P nodes, and who sends where on it.

    Attributes
    ----------
    ways : Ways
        The network and the numbers of its turns.
    chances : array, (P, P)
        Probability of the destination (column) of a message of each node (row).
    pairs : int
        How many of them are above zero.
    trees : list of Kept
        The ways to so many nodes after the other as there is room for, once `loads` has found them.
    """

    ways: Ways
    chances: Floats
    pairs: int
    trees: list[Kept] = field(default_factory=list)

    @classmethod
    def of(cls, held: Slots, chances: Floats) -> ChannelTransitions:
        """Number the turns; many pairs wait for the compiled kernels.

        Raises
        ------
        InputError
            Routers with so many links that the turns would need gigabytes.
        """
        pairs = int(np.count_nonzero(chances))
        if pairs > COMPILED:
            kernels.load(stopped)
        made = cls(_ways(held), chances, pairs)
        if made.count > _MOST:
            raise InputError(
                f"messages can take {made.count:,} turns from channel to channel here",
                where=held.routes.network.kind,
                value=held.routes.network.dims,
                remedy=f"At most {_MOST:,}: fewer links a router, or the published contention",
            )
        return made

    @property
    def count(self) -> int:
        """Numbers of turns, of which not all can be taken."""
        return int(self.ways.first_turn[-1]) + len(self.ways.heads) + 1

    def shares(self, sources: Sequence[int] | Ints) -> tuple[list[Block], Floats]:
        """What the messages of some nodes take: their shares block by block, and the loads."""
        share, load = np.zeros(self.count), np.zeros(self.count)
        touched = np.empty(self.count, np.int32)
        room, blocks = kernel.bench(self.ways), []
        for begin in range(0, len(sources), _BLOCK):
            weights, turns, counts = [], [], [0]
            for source in sources[begin : begin + _BLOCK]:
                pause(len(self.chances))
                found = kernel.turns_from(
                    self.ways, room, source, self.chances[source], share, load, touched
                )
                turns.append(touched[:found].copy())
                weights.append(share[turns[-1]])
                share[turns[-1]] = 0.0
                counts.append(found)
            blocks.append((np.concatenate(weights), np.concatenate(turns), np.cumsum(counts)))
        return blocks, load

    def loads(self) -> Floats:
        """Messages that take each turn per message of every node, (count,)."""
        load, amount = np.zeros(self.count), np.zeros(2 * len(self.ways.first_out))
        room = gathering.tree(self.ways), gathering.kept(self.ways, _BLOCK)
        self.trees.clear()
        states = 0
        for first, chances in self._targets():
            towards = _turned(self.ways.ways[:, first : first + _BLOCK])
            found = self._found(first, towards, chances, *room)
            gathering.loads_to(self.ways, first, towards, chances, found, amount, load)
            states += len(found.order)
            if states + self.count <= _KEPT:
                self.trees.append(Kept(*(part.copy() for part in found)))
        return load

    def met(self, each: Floats, injected: Floats, kinds: Indices | None = None) -> Floats:
        """What a message of each node meets in all, (P, n), by what it meets at turns, (turns, n).

        `injected` is `loads`, from turn `injecting` on or of all; with `kinds`, by turn, `each` is
        by kind, and so are the `trees` that are kept.
        """
        first = self.ways.first_turn[-len(self.chances) :]  # turns that no other node takes
        sent = each[first[0] :] if kinds is None else each[kinds[first[0] :]]
        sent = np.append(injected[-len(sent) :, np.newaxis] * sent, np.zeros_like(sent[:1]), axis=0)
        # half of the targets on a thread of its own: the kernel leaves the interpreter alone
        with ThreadPoolExecutor(1) as other:
            rest = other.submit(copy_context().run, self._met_to, 1, each, kinds)
            met = self._met_to(0, each, kinds)
        met += rest.result()
        met += np.add.reduceat(sent, first - first[0], axis=0)
        return met

    def _met_to(self, half: int, each: Floats, kinds: Indices | None) -> Floats:
        """What a message of each node meets on its way to every other block of targets."""
        amount = np.zeros((2 * len(self.ways.first_out), each.shape[1]))
        room = gathering.tree(self.ways), gathering.kept(self.ways, _BLOCK)
        met: Floats = np.zeros((len(self.chances), each.shape[1]))
        for first, chances in self._targets(half * _BLOCK, 2 * _BLOCK):
            block = first // _BLOCK
            if block < len(self.trees):
                found = self.trees[block]
            else:
                towards = _turned(self.ways.ways[:, first : first + _BLOCK])
                found = self._found(first, towards, chances, *room)
                if kinds is not None:
                    gathering.regarded(found, kinds)
            gathering.met_to(first, chances, found, each, amount, met)
        return met

    @property
    def injecting(self) -> int:
        """The first of the turns at which nodes inject messages, the last ones."""
        return int(self.ways.first_turn[-len(self.chances)])

    def regard(self, kinds: Indices) -> None:
        """Keep the trees by kinds of turns."""
        for found in self.trees:
            pause(len(self.chances))
            gathering.regarded(found, kinds)

    def _found(self, first: int, towards: Shorts, chances: Floats, tree: Tree, kept: Kept) -> Kept:
        """The ways to some nodes."""
        states = gathering.trees_to(self.ways, tree, first, towards, chances, kept)
        order, after, turn = kept.order[:states], kept.after[:states], kept.turn[:states]
        return Kept(order, after, turn, kept.ends[: len(chances)])

    def _targets(self, begin: int = 0, step: int = _BLOCK) -> Iterator[tuple[int, Floats]]:
        """(first of some nodes, how often each node sends to them (nodes, P))."""
        for first in range(begin, len(self.chances), step):
            pause(len(self.chances))
            yield first, _turned(self.chances[:, first : first + _BLOCK])

    def ends(self, turns: Ints) -> tuple[Ints, Ints]:
        """(what was held before, what is held) of turns by their numbers, which increase."""
        ways = self.ways
        channels, nodes = len(ways.heads), ways.ways.shape[1]
        slots = len(ways.first_turn) - nodes
        lanes = 2 if slots > channels + nodes else 1
        inputs = np.searchsorted(ways.first_turn, turns, side="right") - 1
        place = turns - ways.first_turn[inputs]
        leads = np.concatenate([ways.heads, np.arange(nodes), ways.heads, np.arange(nodes)])
        if lanes == 1:
            leads = np.concatenate([ways.heads, np.arange(nodes), np.arange(nodes)])
        at = leads[inputs]
        channel = ways.first_out[at] + place // lanes
        receives = (inputs < slots) & (place == ways.room[at])
        on = channel + place % lanes * (channels + nodes)
        return inputs, np.where(receives, channels + at, on)


def _ways(held: Slots) -> Ways:
    """The network and the numbers of its turns."""
    routes, lanes = held.routes, held.lanes
    ends = np.array(routes.network.channels, dtype=np.int64).reshape(-1, 2)
    first_out = np.searchsorted(ends[:, 0], np.arange(len(routes.row) + 1))
    rows = 2 if lanes.second.any() or held.partner.max(initial=-1) >= 0 else 1
    out = np.diff(first_out) * rows
    # where nobody goes on, channels lead to receivers alone
    room = out if routes.away.max(initial=0) > 1 else np.zeros_like(out)
    nodes = routes.network.size
    behind = room[routes.heads] + 1
    second = behind if rows == 2 else behind[:0]
    counts = np.concatenate([behind, np.zeros(nodes, np.int64), second, out[:nodes]])
    return Ways(
        row=routes.row,
        ways=routes.ways,
        heads=routes.heads,
        along=lanes.along,
        seam=lanes.seam,
        second=lanes.second,
        first_out=first_out[:-1],
        room=room,
        first_turn=np.cumsum(counts) - counts,
    )


def _turned(table: NDArray[_Kind]) -> NDArray[_Kind]:
    """A table's columns as rows, square by square: rows of powers of two share lines of a cache."""
    rows, columns = table.shape
    turned = np.empty((columns, rows), table.dtype)
    for begin in range(0, rows, _BLOCK):
        turned[:, begin : begin + _BLOCK] = table[begin : begin + _BLOCK].T
    return turned

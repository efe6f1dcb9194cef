"""Routes of all pairs of hosts as arrays, walked hop by hop for many pairs at once."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import NoReturn, Protocol

import numpy as np

from machines.arrays import Flags, Indices, Ints
from machines.errors import InputError
from machines.hops import Graph, Hop, Pair, Route

MOST_HOPS = 1 << 26  # of all routes together: 256 MiB
_PAIRS = 1 << 14  # walked at once: arrays that stay in the cache


class Choose(Protocol):
    """What says where pairs go next."""

    def reaches(self, sources: Ints, targets: Ints, /) -> Flags:
        """Whether each pair of hosts, linked directly or not, can exchange data."""
        ...

    def begin(self, sources: Ints, targets: Ints, /) -> Ints:
        """What it remembers of each pair while it is under way."""
        ...

    def choose(self, at: Ints, sources: Ints, targets: Ints, memory: Ints, /) -> tuple[Ints, Ints]:
        """The code of the hop that each pair takes from the vertex `at`, and its memory after."""
        ...


@dataclass(frozen=True, eq=False)
class Routes(Mapping[Pair, Route]):
    """(p, q), positions of two hosts → the hops from p to q in order.

    Pairs that can't exchange data are absent. Whoever needs the routes of all pairs takes the
    arrays: the hops of the pair (p, q) are ``codes[begin[i] : begin[i + 1]]`` with
    i = p hosts + q, each 2 link + forward (`Hop.code`).

    Attributes
    ----------
    hosts : int
    begin : ndarray of int, shape (hosts² + 1,)
    codes : ndarray of int
    """

    hosts: int
    begin: Ints
    codes: Indices

    def __getitem__(self, pair: Pair) -> Route:
        p, q = pair
        if 0 <= p < self.hosts and 0 <= q < self.hosts:
            cell = p * self.hosts + q
            hops = self._hops
            codes = self.codes[self.begin[cell] : self.begin[cell + 1]].tolist()
            if codes:
                return tuple(hops[code] for code in codes)
        raise KeyError(pair)

    def __iter__(self) -> Iterator[Pair]:
        cells = np.flatnonzero(np.diff(self.begin))
        sources, targets = divmod(cells, max(self.hosts, 1))
        return iter(list(zip(sources.tolist(), targets.tolist(), strict=True)))

    def __len__(self) -> int:
        return int(np.count_nonzero(np.diff(self.begin)))

    @cached_property
    def _hops(self) -> list[Hop]:
        count = int(self.codes.max(initial=-1)) + 1
        return [Hop(code // 2, code % 2 == 1) for code in range(count)]


def walked(graph: Graph, chooser: Choose) -> Routes:
    """The routes of all pairs of hosts; a linked pair takes its link, others what is chosen."""
    direct = np.full((graph.hosts, graph.hosts), -1, dtype=np.int32)
    between = np.flatnonzero((graph.source < graph.hosts) & (graph.target < graph.hosts))
    direct[graph.source[between], graph.target[between]] = between
    height = max(1, _PAIRS // max(graph.hosts, 1))
    lengths: list[Ints] = []
    parts: list[Indices] = []
    hops = 0
    for first in range(0, graph.hosts, height):
        rows = np.arange(first, min(first + height, graph.hosts))
        length, codes = _walked_rows(graph, chooser, direct, rows)
        hops += codes.size
        told = hops if first else max(hops, _at_least(length[: graph.hosts]) / 2.0)
        if told > MOST_HOPS:
            _refuse(graph, told * graph.hosts / (first + rows.size) if first else 2.0 * told)
        lengths.append(length)
        parts.append(codes)
    begin = np.concatenate([[0], np.cumsum(np.concatenate(lengths))])
    return Routes(graph.hosts, begin, _joined(parts, hops))


def _at_least(lengths: Ints) -> float:
    """Hops of all routes, by those from one host: two ways differ at most by that between them."""
    rank = np.arange(1 - lengths.size, lengths.size, 2, dtype=np.float64)
    return float(2.0 * (np.sort(lengths) @ rank))


def _refuse(graph: Graph, hops: float) -> NoReturn:
    raise InputError(
        f"the routes between {graph.hosts:,} machines and stores have some {hops:.1e} hops in all",
        where="platform",
        remedy=f"Allowed: {MOST_HOPS:,}, which take 256 MiB; take fewer machines, or join them by "
        "switches with fewer hops between",
    )


def _joined(parts: list[Indices], hops: int) -> Indices:
    """All parts in one array; each is given up when it is copied."""
    codes, place = np.empty(hops, dtype=np.int32), hops
    while parts:
        part = parts.pop()
        codes[place - part.size : place] = part
        place -= part.size
    return codes


def _walked_rows(
    graph: Graph, chooser: Choose, direct: Indices, rows: Ints
) -> tuple[Ints, Indices]:
    """(number of hops of each pair, codes of all their hops) of some sources."""
    sources = np.repeat(rows, graph.hosts)
    targets = np.tile(np.arange(graph.hosts), rows.size)
    linked = direct[rows].ravel()
    lengths = np.zeros(sources.size, dtype=np.int64)
    lengths[linked >= 0] = 1
    under_way = (linked < 0) & (sources != targets)
    under_way[under_way] = chooser.reaches(sources[under_way], targets[under_way])
    pairs = np.flatnonzero(under_way)
    at, memory = sources[pairs], chooser.begin(sources[pairs], targets[pairs])
    steps = [(np.flatnonzero(linked >= 0), linked[linked >= 0])]
    while pairs.size:
        codes, memory = chooser.choose(at, sources[pairs], targets[pairs], memory)
        steps.append((pairs, codes.astype(np.int32)))
        lengths[pairs] += 1
        at = graph.target[codes]
        going = at != targets[pairs]
        pairs, at, memory = pairs[going], at[going], memory[going]
    return lengths, _in_order(lengths, steps)


def _in_order(lengths: Ints, steps: list[tuple[Ints, Indices]]) -> Indices:
    """The hops of each step, which are of different pairs, pair by pair."""
    place = np.cumsum(lengths) - lengths
    result = np.empty(int(lengths.sum()), dtype=np.int32)
    for pairs, codes in steps:
        result[place[pairs]] = codes
        place[pairs] += 1
    return result

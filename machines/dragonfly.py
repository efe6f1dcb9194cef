"""Dragonflies: groups of routers that all know each other, and one link between any two groups."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from machines.arrays import Ints
from machines.checks import whole
from machines.errors import InputError
from machines.network import Channel, walked, without_own


@dataclass(frozen=True, init=False)
class Dragonfly:
    """A dragonfly of dims[0] hosts a router, dims[1] routers a group and dims[2] groups.

    Every two routers of a group and every two groups have a link. The links of a group to the
    others, in the order of their distance in numbers (the next group first), are dealt to its
    routers in equal shares, the first ones to the first router. Hosts are numbered router by
    router, routers after them, group by group.

    Kim, Dally, Scott & Abts, "Technology-driven, highly-scalable dragonfly topology", 2008.

    Attributes
    ----------
    dims : tuple of int
        Hosts a router, routers a group, groups; ≥ 1.

    Raises
    ------
    InputError
        Not three dimensions, or one below 1.
    """

    dims: tuple[int, int, int]

    def __init__(self, dims: Iterable[int]) -> None:
        sizes = tuple(whole("dims", k, low=1, where="dragonfly") for k in dims)
        if len(sizes) != 3:
            raise InputError(
                "a dragonfly has hosts a router, routers a group and groups",
                where="dragonfly",
                value=sizes,
                remedy="Write three numbers, e.g. 4x8x9",
            )
        object.__setattr__(self, "dims", sizes)

    @property
    def size(self) -> int:
        """Number of hosts."""
        return math.prod(self.dims)

    @property
    def kind(self) -> str:
        """What such networks are called: "dragonfly"."""
        return "dragonfly"

    @property
    def global_links(self) -> int:
        """Links to other groups that a router has at most."""
        return -(-(self.dims[2] - 1) // self.dims[1])

    @property
    def channels(self) -> tuple[Channel, ...]:
        """All directed channels (u, v), by u, then by v; a link is one each way."""
        return _channels(self)

    def distance(self, i: int, j: int) -> int:
        """Channels from host `i` to host `j` on the minimal route, at most 5."""
        return len(self.route(i, j))

    def mean_distance(self, distinct: bool = False) -> float:
        """Mean channels over all ordered pairs of hosts, i = j left out if `distinct`."""
        _, routers, groups = self.dims
        other = np.arange(1, groups)
        leaving, arriving = self._gateway(other), self._gateway(groups - other)
        # seen from all routers of a group; all groups are alike
        same = routers * (2.0 + 3.0 * (routers - 1))
        each = np.arange(routers)
        away = sum(
            float((3.0 + (each != out)[:, None] + (each != into)[None, :]).sum())
            for out, into in zip(leaving, arriving, strict=True)
        )
        mean = (same + away) / (routers * routers * groups) - 2.0 / self.size
        return without_own(mean, self, "dragonfly") if distinct else mean

    def route(self, i: int, j: int) -> list[Channel]:
        """The directed channels (u, v) from host `i` to host `j`, in order: minimal routing.

        To the router of the link between the groups, over it, to the router of the target.

        Raises
        ------
        InputError
            A host outside 0 … size − 1.
        """
        return walked(self, i, j, "dragonfly")

    def next_nodes(self, here: Ints, target: Ints) -> Ints:
        """For each pair the host or router after `here` on the way to `target`; equal: itself."""
        hosts, routers, groups = self.dims
        here, target = np.asarray(here), np.asarray(target)
        router = here - self.size
        group, place = np.divmod(router, routers)
        wanted = target // hosts  # the target's router
        far = wanted // routers
        ahead = (far - group) % groups
        gateway = self._gateway(ahead)
        arrival = far * routers + self._gateway(groups - ahead)
        towards = np.where(
            group == far,
            wanted,
            np.where(place == gateway, arrival, group * routers + gateway),
        )
        after = np.where(router == wanted, target, self.size + towards)
        after = np.where(here < self.size, self.size + here // hosts, after)
        return np.where(here == target, here, after)

    def _gateway(self, ahead: Ints) -> Ints:
        """The router of a group with its link to the group that is so far ahead."""
        found: Ints = (ahead - 1) // max(self.global_links, 1)
        return found


@lru_cache(maxsize=16)
def _channels(network: Dragonfly) -> tuple[Channel, ...]:
    hosts, routers, groups = network.dims
    size, every = network.size, np.arange(network.size)
    down = np.column_stack([size + every // hosts, every])
    one, other = (each.reshape(-1) for each in np.indices((routers, routers)))
    local = np.column_stack([one, other])[one != other]
    inside = (local + routers * np.arange(groups)[:, None, None]).reshape(-1, 2) + size
    ahead, group = (each.reshape(-1) for each in np.meshgrid(np.arange(1, groups), range(groups)))
    leaving = group * routers + network._gateway(ahead)
    arriving = (group + ahead) % groups * routers + network._gateway(groups - ahead)
    between = np.column_stack([leaving, arriving]) + size
    found = np.concatenate([down, down[:, ::-1], inside, between])
    return tuple(map(tuple, found[np.lexsort((found[:, 1], found[:, 0]))].tolist()))

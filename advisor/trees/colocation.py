"""Internal processes of a tree on hosts of their own, or on hosts that the application uses.

Hosts of their own are lost to the application; shared ones are slower, and the slowest sets the
pace of the whole. Roth, Arnold & Miller 2003, sec. 4, advise against sharing; here it has a price.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from advisor.models.contention import EXACT, check_reading, machine_slowdown
from machines import Contender, Machine
from machines.arrays import Floats
from machines.checks import number, whole
from machines.errors import InputError

MOST_PER_HOST = 200
SHARED, DEDICATED, DEPENDS = "shared", "dedicated", "depends"
_BISECTIONS = 50
_POINTS = 101


@dataclass(frozen=True)
class Price:
    """What sharing costs by one reading.

    `break_even`: share of a processor up to which sharing beats hosts of their own; None where it
        always does.
    """

    loss: float  # share of the application's pace that is lost
    break_even: float | None


@dataclass(frozen=True, eq=False)
class LossCurves:
    """Loss of pace against the share of a processor that an internal process takes.

    `share`, `dedicated`, `fixed_rate`, `contender`: shape (points,); read-only.
    """

    share: Floats
    dedicated: Floats
    fixed_rate: Floats
    contender: Floats


@dataclass(frozen=True)
class Colocation:
    """Internal processes beside an application that fills all cores of all its hosts.

    `hosts`, `dedicated`: of the application, and those that the internal processes would have to
        themselves.
    """

    hosts: int
    dedicated: int
    per_host: int  # internal processes on the host that has most of them when they share
    share: float  # of a processor, that an internal process takes
    cores: int  # of each host
    reading: str  # {"exact", "published"}; of the slowdown model

    @classmethod
    def of(
        cls,
        back_ends: int,
        internal: int,
        share: float,
        cores: int = 1,
        reading: str = EXACT,
        *,
        hosts: int | None = None,
        dedicated: int | None = None,
    ) -> Colocation:
        """Of a tree with one back-end a host and one internal process a dedicated host.

        `share`: of a processor, at most 1: `advisor.trees.tree_costs.TreeCosts.share`.
        `reading`: {"exact", "published"}.
        `hosts`, `dedicated`: hosts of the application and of the internal processes, if they are
            others.
        """
        whole("back_ends", back_ends, low=1)
        inner = whole("internal", internal)
        check_reading(reading)
        many = back_ends if hosts is None else whole("hosts", hosts, low=1)
        per_host = -(-inner // many)
        if per_host > MOST_PER_HOST:
            raise InputError(
                "too many internal processes share a host",
                where="co-location",
                value=per_host,
                remedy=f"Allowed: up to {MOST_PER_HOST} a host: take more hosts",
            )
        return cls(
            hosts=many,
            dedicated=inner if dedicated is None else whole("dedicated", dedicated),
            per_host=per_host,
            share=number("share", share, high=1.0, where="internal process"),
            cores=whole("cores", cores, low=1),
            reading=reading,
        )

    @property
    def dedicated_loss(self) -> float:
        """Of N + m hosts the application has N: m/(N + m)."""
        return self.dedicated / (self.hosts + self.dedicated)

    @property
    def fixed_rate(self) -> Price:
        """Operations come at their rate, whatever the application does: it loses U n/cores.

        n processes on the slowest host take the share U each; break-even m/(N + m) on one core.
        """
        each = self.per_host / self.cores
        even = self.dedicated_loss / each if each else None
        return Price(self._taken(self.share), even if even is not None and even <= 1.0 else None)

    @property
    def contender(self) -> Price:
        """Each process is one more contender of the application: pace 1/slowdown.

        `advisor.models.contention.machine_slowdown`; break-even m/N for one process on one core.
        """
        return Price(self._slowed(self.share), self._even())

    @property
    def better(self) -> str:
        """SHARED or DEDICATED, whichever loses less by both prices; DEPENDS where they differ."""
        losses = (self.fixed_rate.loss, self.contender.loss)
        if max(losses) <= self.dedicated_loss:
            return SHARED
        return DEDICATED if min(losses) >= self.dedicated_loss else DEPENDS

    def curves(self, points: int = _POINTS) -> LossCurves:
        """Losses for shares from 0 to 1."""
        share = np.linspace(0.0, 1.0, whole("points", points, low=2))
        dedicated = np.full_like(share, self.dedicated_loss)
        fixed, slowed = (
            np.array([loss(one) for one in share.tolist()]) for loss in (self._taken, self._slowed)
        )
        for array in (share, dedicated, fixed, slowed):
            array.flags.writeable = False
        return LossCurves(share, dedicated, fixed, slowed)

    def _taken(self, share: float) -> float:
        return min(1.0, share * self.per_host / self.cores)

    def _slowed(self, share: float) -> float:
        contenders = tuple(Contender(f"internal {n + 1}", share) for n in range(self.per_host))
        host = Machine("host", cores=self.cores, contenders=contenders)
        return 1.0 - 1.0 / machine_slowdown(host, self.cores, self.reading).value

    def _even(self) -> float | None:
        if self._slowed(1.0) <= self.dedicated_loss:
            return None
        if self.per_host == self.cores == 1:  # both readings: 1 + U
            return self.dedicated / self.hosts
        return _root(lambda share: self._slowed(share) - self.dedicated_loss)


def _root(rising: Callable[[float], float]) -> float:
    """Where a function that rises from 0 or below to above 0 between 0 and 1 crosses 0."""
    low, high = 0.0, 1.0
    for _ in range(_BISECTIONS):
        middle = (low + high) / 2.0
        low, high = (low, middle) if rising(middle) > 0.0 else (middle, high)
    return (low + high) / 2.0

"""The parameters of the sharing study: the contenders, and both ways to count them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from advisor.models.processor_sharing import (
    CPU,
    LINK,
    PRIVATE,
    SHARED,
    link_sharing_slowdown,
    resident_slowdown,
)
from advisor.models.simultaneous import simultaneous
from advisor.models.slowdown import resource_slowdown
from advisor.studies.parameters import number_list, pairs, parameter
from machines import InputError
from machines.arrays import Floats
from machines.links import check_rising

_MOST = 30
_TITLES = {CPU: "Processor", LINK: "Link", SHARED: "Shared by all", PRIVATE: "One each"}

Shares = tuple[tuple[float, float], ...]


@dataclass(frozen=True)
class SharingParameters:
    """What the study asks for; shares are those of each contender's time when it runs alone."""

    contenders: str = parameter(
        "0.5, 0.5",
        help='One entry a contender: its share computing, or "computing/transferring"; the rest '
        "it sleeps.",
    )
    resource: str = parameter(
        CPU, choices=(CPU, LINK), titled=_TITLES.__getitem__,
        help="Where the newcomer works: at the processor or on the link.",
    )  # fmt: skip
    link: str = parameter(
        SHARED, choices=(SHARED, PRIVATE), titled=_TITLES.__getitem__,
        help="Whether the contenders' transfers share one link.",
    )  # fmt: skip
    delays: str = parameter(
        "",
        help="Relative delays by 1, 2, … transferring contenders, for the formula; empty: none at "
        "the processor, i on the link.",
    )
    most: int = parameter(
        8, title="contenders up to", low=1, high=_MOST, help="Right end of the curve against p."
    )


@dataclass(frozen=True)
class SharingCase:
    """The contenders, where the newcomer works and the delays that the formula takes."""

    shares: Shares
    resource: str
    link: str
    delays: tuple[float, ...]
    most: int

    @classmethod
    def of(cls, asked: SharingParameters) -> SharingCase:
        """Resolve the parameters; InputError where they describe no contenders."""
        where = "setting contenders"
        shares = pairs(asked.contenders, where, most=_MOST)
        for pair in shares:
            if sum(pair) > 1.0 + 1e-12:
                raise InputError(
                    "computing and transferring take more than all of a contender's time",
                    where=where,
                    value=pair,
                    remedy="Together at most 1",
                )
        delays = number_list(asked.delays, "setting delays") if asked.delays.strip() else ()
        if 0 < len(delays) < len(shares):
            raise InputError(
                "there are fewer delays than contenders",
                where="setting delays",
                value=asked.delays,
                remedy=f"Give {len(shares)} of them; they are not extrapolated",
            )
        check_rising("the table", delays, "setting delays")
        most = max(asked.most, len(shares))
        return cls(shares, asked.resource, asked.link, delays, min(most, len(delays) or most))

    @property
    def place(self) -> str:
        """Where the newcomer works, in words."""
        return "at the processor" if self.resource == CPU else "on the link"

    def own(self, pair: tuple[float, float]) -> float:
        """The share of its time that a contender is where the newcomer works."""
        return pair[0] if self.resource == CPU else pair[1]

    def group(self, p: int) -> Shares:
        """The first p contenders, the list repeated where it is too short."""
        return tuple(self.shares[k % len(self.shares)] for k in range(p))

    def at_share(self, share: float) -> Shares:
        """All contenders with another share here; of the rest each keeps its kinds of phases."""
        changed = []
        for pair in self.shares:
            own, other = self.own(pair), sum(pair) - self.own(pair)
            elsewhere = (1.0 - share) * (other / (1.0 - own) if own < 1.0 else 0.0)
            changed.append((share, elsewhere) if self.resource == CPU else (elsewhere, share))
        return tuple(changed)

    def formula(self, shares: Shares) -> float:
        """Figueira & Berman 1996, sec. 3.2.1 (link) and 3.2.2 (processor)."""
        transferring = [pair[1] for pair in shares]
        delays = self.delays[: len(shares)]
        if self.resource == CPU:
            computing = [pair[0] for pair in shares]
            return resource_slowdown(
                [(computing, None), *([(transferring, delays)] if delays else [])]
            )
        if self.link == PRIVATE:
            return 1.0
        return resource_slowdown([(transferring, delays or None)])

    def queue(self, shares: Shares) -> float:
        """1 + the mean number of contenders that a newcomer meets (arrival theorem)."""
        if self.resource == CPU:
            return resident_slowdown(shares, link=self.link)
        return 1.0 if self.link == PRIVATE else link_sharing_slowdown([(shares, 1)])

    def present(self, shares: Shares) -> tuple[Floats, Floats]:
        """P(n contenders here), n = 0 … p, by the formula and in the queue without the newcomer.

        The formula's is Poisson-binomial; in the queue a state of n here and m there weighs n!
        and, on a shared link, m! times as much (product form), since phases wait for each other.
        """
        own = simultaneous([self.own(pair) for pair in shares])
        here = np.array([self.own(pair) for pair in shares])
        there = np.array([sum(pair) for pair in shares]) - here
        waits = self.link == SHARED or self.resource == LINK
        weights = np.ones((1, 1))
        for n, (at, beside) in enumerate(zip(here, there, strict=True), 1):
            grown = np.zeros((n + 1, n + 1))
            grown[:n, :n] = max(0.0, 1.0 - at - beside) * weights
            grown[1:, :n] += at * np.arange(1.0, n + 1.0)[:, None] * weights
            grown[:n, 1:] += beside * (np.arange(1.0, n + 1.0) if waits else 1.0) * weights
            weights = grown / grown.max()
        marginal = weights.sum(axis=1)
        return own, marginal / marginal.sum()

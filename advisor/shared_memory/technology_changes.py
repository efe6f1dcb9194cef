"""What better technology would do for a shared-memory program: savings, limits, cheapest changes.

A parameter is what a message, a fault, a lock or a signal costs; a change makes it better by a
relative share. Faster processors are none of them: they never raise the efficiency, since nothing
but the computing speeds up fully. Parsons, Brorsson & Sevcik 1997, Figures 5 and 7.

How far a technology can plausibly get better: the best that anybody states or sells.

Factors end where the paper's future ends (Parsons, Brorsson & Sevcik 1997, Table 7); latencies,
wire and signal at the best of that and of the networks that ship (`resources/dvsm_networks`).
Beyond them a change is arithmetic and no advice.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import combinations
from typing import Any

from advisor.basics.rounding import ROUNDING
from advisor.basics.stop_rule import ShouldStop
from advisor.models.dvsm import COMPONENTS, FUTURE, ApplicationTime, Technology
from advisor.models.dvsm import Network as DvsmNetwork
from advisor.models.dvsm_network import message_costs
from advisor.shared_memory.network_file import dvsm_network, dvsm_network_names

Timed = Callable[[Technology], ApplicationTime]

_STEPS = 16  # of a whole relative change; between two of them a change is searched for by halving
_HALVINGS = 40


@dataclass(frozen=True)
class TechnologyParameter:
    """One cost of a technology that could be better."""

    name: str  # the field of `Technology`
    title: str  # in words
    unit: str = ""  # "s", "s/B", or "" of a factor; the model's µs are `scale` of it
    scale: float = 1.0
    rises: bool = False  # whether more of it is better

    def value(self, net: DvsmNetwork, technology: Technology) -> float:
        """Its value under a technology, in the model's unit."""
        given = getattr(technology, self.name)
        if given is not None:
            return float(given)
        if self.name == "signal":  # the network's, which gets faster with the system
            return message_costs(net, technology).signal
        return float(getattr(net, self.name))

    def better(
        self, net: DvsmNetwork, technology: Technology, share: float, end: float = 0.0
    ) -> Technology:
        """The technology with a relative change for the better; beyond its end: its end.

        `end` is the least value of a cost, in the model's unit; what is below it stays.
        """
        value = self.value(net, technology)
        risen, fallen = min(1.0, value * (1.0 + share)), value * max(0.0, 1.0 - share)
        fallen = max(fallen, min(value, end))
        changed: dict[str, Any] = {self.name: risen if self.rises else fallen}
        return replace(technology, **changed)

    def most(self, net: DvsmNetwork, technology: Technology, end: float = 0.0) -> float:
        """The largest relative change for the better; 0 where nothing can change."""
        value = self.value(net, technology)
        if self.rises:
            return (1.0 - value) / value if technology.processor > 1.0 else 0.0
        return (value - end) / value if value > end else 0.0


PARAMETERS = (
    TechnologyParameter("protocol", "protocol software"),
    TechnologyParameter("fault", "faults not prefetched"),
    TechnologyParameter("lock", "locks"),
    TechnologyParameter("signal", "signal", "s", 1e-6),
    TechnologyParameter("interface_latency", "interface latency", "s", 1e-6),
    TechnologyParameter("switch_latency", "switch latency", "s", 1e-6),
    TechnologyParameter("wire_per_byte", "wire time per byte", "s/B", 1e-6),
    TechnologyParameter("system_benefit", "benefit of system software", rises=True),
)


@dataclass(frozen=True)
class Saving:
    """Share of the overhead that one better parameter saves; negative where it costs."""

    parameter: TechnologyParameter
    before: float
    after: float
    share: float


def savings(
    timed: Timed,
    net: DvsmNetwork,
    technology: Technology,
    change: float,
    should_stop: ShouldStop | None = None,
) -> tuple[Saving, ...]:
    """How much of the overhead each parameter saves when it alone gets better, most first.

    `timed`: execution time of the application under a technology.
    `net`, `technology`: where it starts.
    `change`: relative change, 0..1: 0.5 halves a cost. Where less is possible, what is possible.
    `should_stop`: asked before each prediction.
    Returns: empty without overhead; parameters that can't change are left out, and those that were
    not looked at when stopped.
    """
    overhead = timed(technology).overhead
    if overhead <= 0.0:
        return ()
    found = []
    for one in PARAMETERS:
        if should_stop is not None and should_stop():
            break
        if one.most(net, technology) > 0.0:
            changed = one.better(net, technology, change)
            share = 1.0 - timed(changed).overhead / overhead
            before, after = one.value(net, technology), one.value(net, changed)
            found.append(Saving(one, before, after, share))
    return tuple(sorted(found, key=lambda saving: -saving.share))


@dataclass(frozen=True)
class Change:
    """Parameters that get better together, each by the same relative share."""

    parameters: tuple[TechnologyParameter, ...]
    share: float  # relative change of each, > 0; where less is possible, what is possible
    technology: Technology  # afterwards
    efficiency: float


@dataclass(frozen=True)
class Reach:
    """How a target efficiency can be reached from a technology.

    `change`: the cheapest change that reaches it; ``None``: none is needed, none does, or it was
        stopped.
    """

    reached: bool  # it is reached without any change
    change: Change | None
    best: float  # efficiency with every parameter at its best, or at its limit
    complete: bool = True  # False when it was stopped before its end


def cheapest_change(
    timed: Timed,
    net: DvsmNetwork,
    technology: Technology,
    target: float,
    should_stop: ShouldStop | None = None,
    limits: Mapping[str, float] | None = None,
) -> Reach:
    """The least relative change of one parameter that reaches an efficiency, else of a pair.

    Else of all that matter to the application. The relative change of a cost c to c' is
    (c − c')/c, at most 1; of the benefit of system software (c' − c)/c. Parameters that change
    together do so by the same share.
    Shares are tried in steps of 1/16 and then halved down to rounding, so that a change that
    reaches the target only between two neighbouring steps goes unseen.

    `timed`: execution time of the application under a technology.
    `net`, `technology`: where it starts.
    `target`: efficiency, > 0.
    `should_stop`: asked before each prediction.
    `limits`: least value of costs by name, in the model's unit; 0 where not named.
    """
    ends = {one.name: (limits or {}).get(one.name, 0.0) for one in PARAMETERS}
    present = timed(technology)
    possible = [
        one
        for one in PARAMETERS
        if (most := one.most(net, technology, ends[one.name])) > 0.0
        and timed(one.better(net, technology, most, ends[one.name])).time != present.time
    ]
    search = _Search(timed, net, technology, target, should_stop, ends)
    everything = technology
    for one in possible:
        end = ends[one.name]
        everything = one.better(net, everything, one.most(net, everything, end), end)
    best = max(present.efficiency, timed(everything).efficiency)
    if present.efficiency >= target:
        return Reach(True, None, best)
    change = None
    for size in (1, 2, len(possible)):
        if change is None and 1 <= size <= len(possible):
            change = search.least(list(combinations(possible, size)))
    return Reach(False, change, best, not search.stopped)


def time_without(found: ApplicationTime) -> dict[str, float]:
    """Execution time without each component of overhead: what remains of `time`, µs.

    A component is taken away from all processors, and each phase lasts as long as its slowest then;
    without idling it lasts as long as its mean.
    """
    own = found.parts[..., :-1]
    work = own.sum(axis=2)
    left = {
        name: min(found.time, float(found.repeats @ (work - own[..., place]).max(axis=1)))
        for place, name in enumerate(COMPONENTS[:-1])
        if name != "busy"
    }
    left["idle"] = float(found.repeats @ work.mean(axis=1))
    return left


@dataclass
class _Search:
    """The search for the least share at which some of several groups of parameters reach."""

    timed: Timed
    net: DvsmNetwork
    technology: Technology
    target: float
    should_stop: ShouldStop | None
    least_values: Mapping[str, float]
    stopped: bool = False

    def least(self, groups: Sequence[tuple[TechnologyParameter, ...]]) -> Change | None:
        """The group that reaches at the least share; `None`: none does, or it was stopped."""
        ends = [
            max(one.most(self.net, self.technology, self.least_values[one.name]) for one in group)
            for group in groups
        ]
        for low, high in self._steps(max(ends, default=0.0)):
            trying = [group for group, end in zip(groups, ends, strict=True) if end > low]
            reaching = [group for group in trying if self._reaches(group, high)]
            shares = [self._halved(group, low, high) for group in reaching]
            if self.stopped:
                return None
            if shares:
                share = min(shares)
                return self._change(reaching[shares.index(share)], share)
        return None

    def _steps(self, end: float) -> Iterator[tuple[float, float]]:
        """(from, to) of each share that is tried."""
        yield from ((n / _STEPS, (n + 1) / _STEPS) for n in range(math.ceil(end * _STEPS)))

    def _reaches(self, group: tuple[TechnologyParameter, ...], share: float) -> bool:
        if self.stopped or (self.should_stop is not None and self.should_stop()):
            self.stopped = True
            return False
        changed = self._changed(group, share)
        return self.timed(changed).efficiency >= self.target * (1.0 - ROUNDING)

    def _halved(self, group: tuple[TechnologyParameter, ...], low: float, high: float) -> float:
        for _ in range(_HALVINGS):
            middle = (low + high) / 2.0
            if self._reaches(group, middle):
                high = middle
            else:
                low = middle
        return high

    def _changed(self, group: tuple[TechnologyParameter, ...], share: float) -> Technology:
        changed = self.technology
        for one in group:
            changed = one.better(self.net, changed, share, self.least_values[one.name])
        return changed

    def _change(self, group: tuple[TechnologyParameter, ...], share: float) -> Change:
        changed = self._changed(group, share)
        return Change(group, share, changed, self.timed(changed).efficiency)


TABLE_7 = "Table 7"


@dataclass(frozen=True)
class Limit:
    """The best plausible value of a parameter, in the model's unit, and who states it."""

    value: float
    source: str


@lru_cache(maxsize=1)
def plausible_limits() -> Mapping[str, Limit]:
    """The limits by name of the parameter."""
    found = {"system_benefit": Limit(1.0, "system software as fast as the processor")}
    nets = [dvsm_network(name).network for name in dvsm_network_names()]
    for name in (one.name for one in PARAMETERS if one.name not in found):
        limits = [Limit(float(getattr(FUTURE, name)), TABLE_7)]
        # what is 0 is not there at all, as a switch between two workstations
        limits += [
            Limit(float(getattr(net, name)), net.name) for net in nets if getattr(net, name, 0.0)
        ]
        found[name] = min(limits, key=lambda one: one.value)
    return found

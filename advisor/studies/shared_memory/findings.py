"""The steps of the shared-memory study: predictions, curves, savings, changes and messages.

Each step is short, so that the study can be stopped and shown as it grows. The words and pictures
of what is found are in `advisor.studies.shared_memory.run` and
`advisor.studies.shared_memory.views`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from advisor.basics.stop_rule import ShouldStop
from advisor.messages.styles import Style
from advisor.models.dvsm import ApplicationTime
from advisor.programs.program import ProgramCost
from advisor.programs.shared_memory_program import (
    SAME_NETWORK,
    Messages,
    on_network,
    on_workstations,
)
from advisor.shared_memory.technology_changes import (
    Reach,
    Saving,
    cheapest_change,
    plausible_limits,
    savings,
)
from advisor.studies.shared_memory.other_ways import Way, ways
from advisor.studies.shared_memory.parameters import Scenario, SharedMemoryCase
from machines import InputError
from machines.catalogue import interconnect

FULL = 1.0
FASTER = 8.0
FACTORS = tuple(2.0 ** (quarter / 4.0) for quarter in range(-8, 17))
"""Processor factors of the curves, from a quarter to 16 as in the paper."""


@dataclass(frozen=True)
class Curve:
    """Speedup and efficiency of a scenario against the processor factor."""

    scenario: str
    system_benefit: float
    speedups: tuple[float, ...]
    efficiencies: tuple[float, ...]


@dataclass(frozen=True)
class SavingsThere:
    """What each parameter saves somewhere: in the base, with faster processors, in the what-if."""

    where: str
    savings: tuple[Saving, ...]


@dataclass(eq=False)
class Findings:
    """What the study has found so far; by name of the scenario where it is a mapping.

    `reaches` are within the plausible limits of technology, `beyond` without any, where those do
    not suffice; `ways` are what else can be done about the base, where no single plausible change
    does.
    """

    times: dict[str, ApplicationTime]
    curves: list[Curve] = field(default_factory=list)
    savings: list[SavingsThere] = field(default_factory=list)
    reaches: dict[str, Reach] = field(default_factory=dict)
    beyond: dict[str, Reach] = field(default_factory=dict)
    ways: tuple[Way, ...] = ()
    messages: dict[str, dict[Style, ProgramCost]] = field(default_factory=dict)
    no_messages: str = ""
    complete: bool = False

    def settled(self, case: SharedMemoryCase) -> bool:
        """Whether the base reaches the target, or a single plausible change makes it."""
        reach = self.reaches.get(case.base.name)
        if reach is None or not reach.complete:
            return True
        return reach.reached or (reach.change is not None and len(reach.change.parameters) == 1)

    @classmethod
    def of(cls, case: SharedMemoryCase) -> Findings:
        """The predictions of both scenarios."""
        return cls({one.name: one.timed(one.technology) for one in case.scenarios})


def search(
    case: SharedMemoryCase, found: Findings, should_stop: ShouldStop | None
) -> Iterator[tuple[float, str]]:
    """Fill `found` step by step; yields (share done, what comes next) before each."""
    asked = case.asked
    for scenario in case.scenarios:
        for benefit in dict.fromkeys((FULL, asked.partial_benefit)):
            times: list[ApplicationTime] = []
            for factor in FACTORS:
                yield 0.1 * len(found.curves), f"Processors, {scenario.name}"
                times.append(scenario.at(factor, benefit))
            found.curves.append(_curve(scenario, benefit, times))
    for place, (where, scenario) in enumerate(_places(case)):
        yield 0.4 + 0.05 * place, f"Savings, {where}"
        saved = savings(
            scenario.timed, scenario.net, scenario.technology, asked.reduction, should_stop
        )
        found.savings.append(SavingsThere(where, saved))
    for place, scenario in enumerate(case.scenarios):
        yield 0.6 + 0.1 * place, f"Changes, {scenario.name}"
        _reach(case, found, scenario, should_stop)
    if not found.settled(case):
        yield 0.78, "Other ways"
        found.ways = ways(case, found.times[case.base.name])
    if asked.messages is not None:
        yield 0.8, "Messages"
        messages = Messages(asked.messages, asked.message_bytes, asked.message_pattern)
        _price_messages(case, found, messages)


def _reach(
    case: SharedMemoryCase, found: Findings, scenario: Scenario, should_stop: ShouldStop | None
) -> None:
    """What reaches the target with plausible technology, and what it takes if that does not."""
    start = (scenario.timed, scenario.net, scenario.technology, case.asked.target, should_stop)
    limits = {name: limit.value for name, limit in plausible_limits().items()}
    reach = found.reaches[scenario.name] = cheapest_change(*start, limits)
    if reach.complete and not reach.reached and reach.change is None:
        found.beyond[scenario.name] = cheapest_change(*start)


def _curve(scenario: Scenario, benefit: float, times: Sequence[ApplicationTime]) -> Curve:
    return Curve(
        scenario.name,
        benefit,
        tuple(one.speedup for one in times),
        tuple(one.efficiency for one in times),
    )


def _places(case: SharedMemoryCase) -> Iterator[tuple[str, Scenario]]:
    """Where savings are asked for: as Figure 5, as Figure 7, and in the what-if."""
    base = case.base
    yield base.name, base
    factor = FASTER * base.technology.processor
    faster = replace(base.technology, processor=factor)
    yield f"{base.name}, processors {FASTER:g} times as fast", replace(base, technology=faster)
    yield case.what_if.name, case.what_if


def _price_messages(case: SharedMemoryCase, found: Findings, messages: Messages) -> None:
    network = case.asked.message_network
    try:
        for one in case.scenarios:
            if network == SAME_NETWORK:
                priced = on_workstations(messages, one.counts, one.net, one.technology)
            else:
                speed = one.technology.processor
                priced = on_network(messages, one.counts, interconnect(network), speed)
            found.messages[one.name] = priced
    except InputError as error:
        found.messages.clear()
        found.no_messages = str(error)

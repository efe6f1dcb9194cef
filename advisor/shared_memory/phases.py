"""A shared-memory application: what each processor does in each phase between barriers.

Frozen records of counts and measured inputs, as an instrumented run gives them; the prediction
itself is in `advisor.models.dvsm`. Times in µs, sizes in bytes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from advisor.basics.quantities import number as shown
from advisor.models.dvsm_application import Operation, OperationCounts
from advisor.shared_memory.network_file import DVSM_NETWORKS
from machines.checks import number, plain_name, repeated, text, whole
from machines.errors import InputError
from machines.formats.fields import place, suggestion

Inputs = tuple[tuple[str, float], ...]

# what counts differ by at most when they agree but for rounding
_COUNTS_DIFFER = 1e-6


@dataclass(frozen=True)
class OperationKind:
    """An operation that an application performs, with its sizes and what was measured of it.

    `inputs`: pairs (argument, value); what holds on every network: sizes, parts, parties, and what
        was measured on one alone.
    `measured`: pairs (network, inputs); what was measured on each of several networks; it comes
        before `inputs`.
    """

    name: str  # what the counts call it
    kind: str  # one of `advisor.models.dvsm.KINDS`
    inputs: Inputs = ()
    measured: tuple[tuple[str, Inputs], ...] = ()

    def __post_init__(self) -> None:
        plain_name("name", self.name, where="operation")
        for network in (name for name, _ in self.measured):
            self.on(network)
        if not self.measured:
            self.on("")

    def on(self, network: str) -> Operation:
        """The operation as measured on that network; on the first where it was not."""
        by_network = dict(self.measured)
        first = next(iter(by_network.values()), ())
        with place(f'operation "{self.name}"'):
            values = {**dict(self.inputs), **dict(by_network.get(network, first))}
            return Operation(self.kind, tuple(values.items()))

    @property
    def asked(self) -> float:
        """Requests that one such operation makes of other processors.

        The parts of a fault or collection, 1 of an empty miss, parties − 1 of a lock.
        """
        given = dict(self.on("").inputs)
        if self.kind in {"fault", "collection"}:
            return given["parts"]
        if self.kind == "lock":
            return given["parties"] - 1
        return 1.0 if self.kind == "empty_miss" else 0.0


@dataclass(frozen=True)
class Load:
    """What one processor does in one run of a phase: µs busy, and (operation, count) pairs."""

    busy: float
    counts: tuple[tuple[str, float], ...] = ()


@dataclass(frozen=True)
class Phase:
    """What happens between two barriers: its name, how often, and one load for each processor."""

    name: str
    repeat: int
    loads: tuple[Load, ...]


@dataclass(frozen=True)
class Application:
    """A shared-memory application as it ran on so many processors.

    `networks`: what it was measured on: names of `advisor.shared_memory.network_file` or the user's
        own.
    """

    name: str  # what people call it
    sequential_time: float  # µs of the sequential program on one processor, > 0
    operations: tuple[OperationKind, ...]  # what it does, by name
    phases: tuple[Phase, ...]  # at least one; every one has the same processors
    networks: tuple[str, ...] = ()
    source: str = ""  # where the figures are from; empty: the user's own
    assumed: tuple[str, ...] = ()  # one sentence for each figure that the source does not give

    def __post_init__(self) -> None:
        plain_name("name", self.name, where="application")
        with place(f'application "{self.name}"'):
            number("sequential_time", self.sequential_time, above=True)
            text("source", self.source, empty=True)
            for network in self.networks:
                plain_name("networks", network)
            for sentence in self.assumed:
                text("assumed", sentence)
            self._check_operations()
            if not self.phases:
                raise InputError("there is no phase", remedy="Give at least one [[phase]]")
            if not self.phases[0].loads:
                raise InputError("no processor has a load", where=f'phase "{self.phases[0].name}"')
            names = frozenset(kind.name for kind in self.operations)
            for position, phase in enumerate(self.phases, 1):
                plain_name("name", phase.name, where=f"phase {position}")
                with place(f'phase "{phase.name}"'):
                    self._check_phase(phase, names)

    def _check_operations(self) -> None:
        twice = repeated(kind.name for kind in self.operations)
        if twice is not None:
            raise InputError("two operations have this name", value=twice)
        for kind in self.operations:
            for network in (name for name, _ in kind.measured):
                if network not in self.networks:
                    where = f'operation "{kind.name}"'
                    remedy = suggestion(network, self.networks)
                    raise InputError(
                        "not one of networks", where=where, value=network, remedy=remedy
                    )

    def _check_phase(self, phase: Phase, names: frozenset[str]) -> None:
        whole("repeat", phase.repeat, low=1)
        if len(phase.loads) != self.processors:
            raise InputError(
                "the number of processors differs between phases",
                value=len(phase.loads),
                remedy=f'Expected: {self.processors}, as in phase "{self.phases[0].name}"',
            )
        for processor, load in enumerate(phase.loads):
            where = f"processor {processor}"
            number("busy", load.busy, where=where)
            for name, count in load.counts:
                if name not in names:
                    remedy = suggestion(name, names)
                    raise InputError("unknown operation", where=where, value=name, remedy=remedy)
                number(f"count of {name}", count, where=where)

    @property
    def processors(self) -> int:
        """How many processors it ran on."""
        return len(self.phases[0].loads)

    def measured_on(self, network: str) -> bool:
        """Whether its inputs were measured on the network of that name."""
        return network in self.networks

    def counted(self, network: str = "") -> OperationCounts:
        """The application as `advisor.models.dvsm.application_time` takes it.

        `network`: whose measured inputs to take; those of the first where it was not measured
        there.
        """
        index = {kind.name: k for k, kind in enumerate(self.operations)}
        P = self.processors
        counts = np.zeros((len(self.phases), P, len(index)))
        for j, phase in enumerate(self.phases):
            for i, load in enumerate(phase.loads):
                for name, count in load.counts:
                    counts[j, i, index[name]] += count
        return OperationCounts(
            processors=P,
            sequential_time=self.sequential_time,
            operations=tuple(kind.on(network) for kind in self.operations),
            repeats=np.array([phase.repeat for phase in self.phases], dtype=np.float64),
            busy=np.array([[load.busy for load in phase.loads] for phase in self.phases]),
            counts=counts,
        )


@dataclass(frozen=True)
class Imbalance:
    """A phase whose requests and services do not agree: how many there are of each."""

    phase: str
    requested: float
    served: float

    def __str__(self) -> str:
        more = self.served - self.requested
        return (
            f'phase "{self.phase}": processors ask {shown(self.requested)} times but serve '
            f"{shown(self.served)} requests, {shown(abs(more))} too {'many' if more > 0 else 'few'}"
        )


def imbalances(application: Application) -> tuple[Imbalance, ...]:
    """The phases in which not every request is served once, with the amounts.

    Σ services = Σ parts of faults and collections + empty misses + (parties − 1) of each lock: a
    request that nobody serves costs nobody time, so such counts predict too little.
    """
    asked = {kind.name: kind.asked for kind in application.operations}
    serving = {kind.name for kind in application.operations if kind.kind == "service"}
    found = []
    for phase in application.phases:
        pairs: Sequence[tuple[str, float]] = [pair for load in phase.loads for pair in load.counts]
        requested = sum(asked[name] * count for name, count in pairs)
        served = sum(count for name, count in pairs if name in serving)
        if abs(served - requested) > _COUNTS_DIFFER * max(served, requested, 1.0):
            found.append(Imbalance(phase.name, requested, served))
    return tuple(found)


def application_notes(application: Application, network: str) -> tuple[str, ...]:
    """What to know of the counts before believing a prediction from them.

    `network`: the network that it is predicted for.
    """
    notes = []
    if application.networks and not application.measured_on(network):
        there, here = map(DVSM_NETWORKS.title, (application.networks[0], network))
        notes.append(
            f"Extra times, handlers and delays were measured on {there}, not on {here}: measure "
            "them there."
        )
    notes += [f"Not every request is served once: {one}." for one in imbalances(application)]
    return tuple(notes)

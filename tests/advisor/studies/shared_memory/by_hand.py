"""A shared-memory program whose times are worked out by hand, on a network of round numbers.

Software takes 100 µs a side whatever the size, the wire nothing, an interface 5 µs, a signal 10.
Processor 0 asks and processor 1 serves it, in three runs of a phase and one run of another.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from advisor.shared_memory.application_file import write_application
from advisor.shared_memory.phases import Application, Load, OperationKind, Phase
from advisor.studies import Table
from advisor.studies.shared_memory.findings import Findings, search
from advisor.studies.shared_memory.parameters import OWN, SharedMemoryCase, SharedMemoryParameters

SEQUENTIAL = 8000.0
KINDS = (
    OperationKind("read", "fault", (("parts", 1), ("request", 12.0), ("reply", 20.0))),
    OperationKind("serve", "service", (("request", 12.0), ("reply", 20.0))),
    OperationKind("mutex", "lock", (("parties", 2),)),
    OperationKind("meet", "barrier", (("request", 40.0), ("release", 200.0))),
)
PHASES = (
    Phase(
        "ask",
        3,
        (
            Load(1000.0, (("read", 2.0), ("meet", 1.0))),
            Load(500.0, (("serve", 2.0), ("meet", 1.0))),
        ),
    ),
    Phase(
        "lock", 1, (Load(2000.0, (("mutex", 1.0), ("meet", 1.0))), Load(2000.0, (("meet", 1.0),)))
    ),
)
SMALL = Application("small", SEQUENTIAL, KINDS, PHASES)
NUMBERS = SharedMemoryParameters(
    network=OWN,
    technology="today",
    own_software=100.0,
    own_software_per_byte=0.0,
    own_wire_per_byte=0.0,
    own_wire_overhead=0.0,
    own_interface_latency=5.0,
    own_signal=10.0,
)


@dataclass(frozen=True)
class Costs:
    """What operations take when processor and system software are so many times as fast."""

    processor: float = 1.0
    system: float = 1.0
    software: float = 100.0
    signal: float = 10.0
    latency: float = 10.0  # two interfaces

    @property
    def side(self) -> float:
        return self.software / self.system

    @property
    def interrupt(self) -> float:
        return self.signal / self.system

    @property
    def read(self) -> float:
        """Request and reply, both sides of each, there and back, and the signal."""
        return 4 * self.side + 2 * self.latency + self.interrupt

    @property
    def serve(self) -> float:
        return 2 * self.side + self.interrupt

    @property
    def mutex(self) -> float:
        """To the manager and back."""
        return 4 * self.side + 2 * self.latency + self.interrupt

    @property
    def meet(self) -> float:
        """One message to the master, one back; the master waits, so that no signal is needed."""
        return 4 * self.side + 2 * self.latency

    @property
    def loads(self) -> tuple[tuple[float, float], tuple[float, float]]:
        """What either processor has to do in one run of each phase."""
        x = self.processor
        return (
            (1000 / x + 2 * self.read + self.meet, 500 / x + 2 * self.serve + self.meet),
            (2000 / x + self.mutex + self.meet, 2000 / x + self.meet),
        )

    @property
    def time(self) -> float:
        ask, lock = self.loads
        return 3 * max(ask) + max(lock)

    @property
    def efficiency(self) -> float:
        return SEQUENTIAL / self.processor / (2 * self.time)

    @property
    def overhead(self) -> float:
        return self.time - SEQUENTIAL / self.processor / 2


def written(path: Path, application: Application = SMALL) -> SharedMemoryParameters:
    """The settings of a study of an application that is written there."""
    write_application(application, path)
    return replace(NUMBERS, file=str(path))


@cache
def searched(asked: SharedMemoryParameters) -> tuple[SharedMemoryCase, Findings]:
    """All that the study finds."""
    case = SharedMemoryCase.of(asked)
    found = Findings.of(case)
    for _ in search(case, found, None):
        pass
    return case, found


def titled(tables: Iterable[Table], title: str) -> Table:
    (found,) = [one for one in tables if one.title.startswith(title)]
    return found

"""A program whose processes share memory, on workstations that do so through software.

Parsons, Brorsson & Sevcik 1997. What it takes is in `advisor.shared_memory.shared_memory_costs`.

A shared-memory program as one of messages: what the same computing takes with messages between.

The user says how many messages each processor would send and how large they are; LoGPC prices
them (`advisor.messages.styles`), on the same workstations or on a network of the catalogue.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from advisor.basics.quantities import count
from advisor.messages.patterns import ALL_TO_ALL
from advisor.messages.styles import ASYNCHRONOUS, SHORT, STYLES, SYNCHRONOUS, Style
from advisor.models.dvsm import Network as DvsmNetwork
from advisor.models.dvsm import OperationCounts, Technology
from advisor.models.dvsm_network import message_costs
from advisor.programs.choices.technology import (
    TECHNOLOGY,
    SoftwareTechnology,
    technology_from,
    technology_table,
)
from advisor.programs.program import Held, ProgramCost, ProgramKind
from advisor.programs.remap import Remap
from advisor.shared_memory.application_file import (
    APPLICATIONS,
    application_from,
    application_names,
    application_table,
    shipped_application,
)
from advisor.shared_memory.phases import Application
from advisor.shared_memory.shared_memory_costs import dedicated_time, program_notes, split_s
from machines import Crossbar, InputError, Interconnect, LogGP, Machine
from machines.checks import number, whole
from machines.formats.fields import Table, place
from machines.parameters import parameter


@dataclass(frozen=True, slots=True)
class SharedMemoryProgram:
    """A program whose processes share memory, on workstations that do so through software.

    Parsons, Brorsson & Sevcik 1997.

    `application`: what each processor does in each phase. The counts themselves and no name: a task
        then means the same wherever it is read, whatever applications ship.
    `technology`: software that it runs on instead of the machine's.
    """

    application: Application = parameter(  # noqa: RUF009 - a field, as of any record
        title="Application",
        help="What each processor does in each phase: computing, page faults, locks, barriers, as "
        "counted. Those that ship are reconstructions (Parsons, Brorsson & Sevcik 1997); your own "
        "counts come with a workload file",
    )

    technology: SoftwareTechnology | None = parameter(  # noqa: RUF009 - a field, as of any record
        None,
        title="Technology",
        help=f"{TECHNOLOGY.help}; as the machine has it unless stated",
    )

    def __post_init__(self) -> None:
        if not isinstance(self.application, Application):
            raise InputError(
                "application must be an application",
                where="shared-memory",
                value=self.application,
            )

    def check(self, machine: Machine) -> None:
        """Refuse a machine without shared memory, or one whose network its extra times exceed."""
        dedicated_time(self.application, self._on(machine))  # sums of counts: nothing is solved

    def cost(self, machine: Machine, contended: bool = True) -> ProgramCost:  # noqa: ARG002
        """Computing, and all the rest as overhead; the counts already hold what waits."""
        computing, overhead = split_s(self.application, self._on(machine))
        return ProgramCost((computing, 0.0, 0.0, 0.0, 0.0, overhead))

    def caveats(self, machine: Machine) -> tuple[str, ...]:
        """What was measured elsewhere, and where the model leaves its domain."""
        return program_notes(self.application, self._on(machine))

    def _on(self, machine: Machine) -> Machine:
        """The machine with the program's technology."""
        if self.technology is None or machine.shared_memory is None:
            return machine
        return replace(machine, shared_memory=self.technology.on(machine.shared_memory))

    def words(self) -> str:
        """Which application, on how many processors."""
        application = self.application
        return (
            f"{application.name} shares memory among {count(application.processors, 'processor')} "
            f"in {count(len(application.phases), 'phase')}."
        )


def _read(value: object) -> Application:
    """An application that ships, by its name, or a table of counts."""
    if isinstance(value, str):
        return shipped_application(value)
    with place("application"):
        return application_from(value)


def _bare_table(application: Application) -> Table:
    """The table of an application without what marks a file of its own."""
    found = application_table(application)
    return {key: found[key] for key in found if key not in {"format", "version"}}


def _none() -> Mapping[str, object]:
    return {"as the machine has it": None}


def _shipped() -> Mapping[str, object]:
    return {name: shipped_application(name) for name in application_names()}


SHARED_MEMORY = ProgramKind(
    "shared-memory",
    "an application on workstations that share memory through software (Parsons et al. 1997)",
    SharedMemoryProgram,
    lambda: SharedMemoryProgram(shipped_application("water")),
    "that shares memory",
    "shared memory",
    held={
        "application": Held(_read, _bare_table, _shipped, "own counts", APPLICATIONS.title),
        "technology": Held(technology_from, technology_table, _none, "own factors"),
    },
    choices=(TECHNOLOGY,),
)


SAME_NETWORK = "the same"
# the processor writes every byte through its sockets: no DMA engine does it for the program
SOCKET_STYLES = (Style(SYNCHRONOUS, SHORT), Style(ASYNCHRONOUS, SHORT))

_US = 1e-6


@dataclass(frozen=True)
class Messages:
    """The messages of a program that shares no memory."""

    count: int  # messages that each processor sends in the whole run
    size: float  # bytes of each
    pattern: str = ALL_TO_ALL  # who sends to whom (`advisor.messages.patterns.KINDS`)

    def __post_init__(self) -> None:
        whole("messages", self.count, low=1)
        number("message_bytes", self.size, low=1.0)


def computing_s(application: OperationCounts) -> float:
    """Seconds that the slowest processors compute, phase by phase: all that is left of it."""
    return float(application.repeats @ application.busy.max(axis=1)) * _US


def on_network(
    messages: Messages, application: OperationCounts, net: Interconnect, speed: float = 1.0
) -> dict[Style, ProgramCost]:
    """What each style of sending takes on a network of a multicomputer.

    `application`: whose computing lies between them, spread evenly.
    `net`: with at least as many nodes as the application has processors.
    `speed`: of its processors, relative to those that the computing was measured on.
    """
    return _priced(messages, application, net, speed, STYLES, 16.0)


def on_workstations(
    messages: Messages, application: OperationCounts, net: DvsmNetwork, technology: Technology
) -> dict[Style, ProgramCost]:
    """What sending takes on the network that the memory is shared over, with the same software.

    S of a message is the overhead o on either side, the hardware's latency L, the wire G.
    """
    costs = message_costs(net, technology)
    overhead = costs.software(messages.size)
    each = LogGP(L=costs.latency, o_s=overhead, o_r=overhead, G=costs.wire_per_byte)
    nodes = Crossbar(application.processors)
    inside = Interconnect(net.name, nodes, each, each, "µs", _US)
    speed = technology.processor
    return _priced(messages, application, inside, speed, SOCKET_STYLES, messages.size)


def _priced(
    messages: Messages,
    application: OperationCounts,
    net: Interconnect,
    speed: float,
    styles: tuple[Style, ...],
    short_bytes: float,
) -> dict[Style, ProgramCost]:
    machine = Machine(net.name, speed=speed, network=net)
    between_s = computing_s(application) / messages.count
    return {
        style: Remap(
            messages.count,
            messages.size,
            between_s,
            messages.pattern,
            completion=style.completion,
            transport=style.transport,
            short_bytes=short_bytes,
            processes=application.processors,
        ).cost(machine)
        for style in styles
    }

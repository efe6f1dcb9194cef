"""What the shared-memory study asks for, and the scenarios that it compares.

A scenario is an application on a network under a technology. The base and the what-if have their
own network and technology; readings of the model hold for both.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from advisor.allocation.workload import Workload
from advisor.messages.patterns import ALL_TO_ALL
from advisor.messages.patterns import KINDS as PATTERNS
from advisor.models.dvsm import FUTURE as TABLE_7
from advisor.models.dvsm import (
    HANDLERS,
    LOCK_MODES,
    TODAY,
    ApplicationTime,
    OperationCounts,
    Technology,
    application_time,
)
from advisor.models.dvsm import Network as DvsmNetwork
from advisor.programs.shared_memory_program import SAME_NETWORK
from advisor.shared_memory.application_file import (
    APPLICATIONS,
    read_application,
    shipped_application,
)
from advisor.shared_memory.network_file import (
    DVSM_NETWORKS,
    NetworkPreset,
    dvsm_network,
    read_dvsm_network,
)
from advisor.shared_memory.phases import Application
from advisor.studies.network_settings import PLATFORM
from advisor.studies.parameters import parameter
from advisor.studies.shared_memory.of_open import application_of_task, network_of_machine
from machines import InputError, Platform
from machines.catalogue import NETWORKS
from machines.checks import number

OWN = "own numbers"
OPEN_TASK = "task"
NOW, FUTURE = "today", "Table 7 future"
PRESETS: Mapping[str, Technology] = {NOW: TODAY, FUTURE: TABLE_7}

_FACTORS = ("processor", "system_benefit", "protocol", "fault", "lock")
_TIMES = ("interface_latency", "switch_latency", "wire_per_byte", "signal")
_NUMBERS = (*_FACTORS, *_TIMES)
_READINGS = ("handlers", "protocol_on_extra", "lock_mode")
_OWN = {"network": (OWN,), "other_network": (OWN,)}
_SPEEDS: Mapping[str, Any] = {"low": 1e-3, "high": 1e4}
_SHARE: Mapping[str, Any] = {"low": 0.0, "high": 1.0}
_BENEFIT: Mapping[str, Any] = {"low": 1e-3, "high": 1.0}
_TIME: Mapping[str, Any] = {"unit": "µs", "low": 0.0, "high": 1e9}


def _application_title(name: str) -> str:
    return "of a task" if name == OPEN_TASK else APPLICATIONS.title(name)


def _network_title(name: str) -> str:
    return PLATFORM if name == PLATFORM else DVSM_NETWORKS.title(name)


@dataclass(frozen=True)
class SharedMemoryParameters:
    """What the shared-memory study asks for; "auto" of the what-if is the preset's value."""

    application: str = parameter(
        "water",
        choices=(*APPLICATIONS.names(), OPEN_TASK),
        titled=_application_title,
        help="An application that ships, a reconstruction; or a task's of the open project.",
        heading="Application and network",
    )
    file: str = parameter(
        "",
        title="application file",
        path=True,
        help="Your own application, as counted by an instrumented run; replaces the shipped one.",
    )
    task: str = parameter(
        "",
        only={"application": (OPEN_TASK,)},
        help="The task of the open project whose shared-memory program it is.",
    )
    open_workload: Workload | None = parameter(  # noqa: RUF009 - as all the others
        None, help="The open project's workload."
    )
    network: str = parameter(
        "fast-ethernet",
        choices=(*DVSM_NETWORKS.names(), PLATFORM, OWN),
        titled=_network_title,
        help="Network of the base: the paper's two, present-day ones, the workstations of a "
        "machine of the open project, or your own numbers below.",
    )
    machine: str = parameter(
        "",
        only={"network": (PLATFORM,)},
        help="The machine of the open project whose workstations they are.",
    )
    open_platform: Platform | None = parameter(  # noqa: RUF009 - as all the others
        None, help="The open project's platform."
    )
    other_network: str = parameter(
        SAME_NETWORK,
        title="what-if network",
        choices=(SAME_NETWORK, *DVSM_NETWORKS.names(), OWN),
        titled=DVSM_NETWORKS.title,
        help="Network of the what-if.",
    )
    technology: str = parameter(
        FUTURE,
        title="what-if technology",
        choices=tuple(PRESETS),
        help="What the what-if starts from; the numbers below take precedence.",
        heading="What if",
    )
    processor: float | None = parameter(
        None, **_SPEEDS, help="How many times as fast as today's the processor is."
    )
    system_benefit: float | None = parameter(
        None,
        **_BENEFIT,
        title="system software's benefit",
        help="Share of each doubling of the processor's speed that system software gains.",
    )
    protocol: float | None = parameter(
        None, **_SHARE, title="protocol software", help="Its time over today's."
    )
    fault: float | None = parameter(
        None,
        **_SHARE,
        title="faults not prefetched",
        help="Share of the page faults that is not prefetched.",
    )
    lock: float | None = parameter(
        None, **_SHARE, title="locks", help="Time of a lock over today's, or see lock mode."
    )
    interface_latency: float | None = parameter(
        None, **_TIME, help="Latency of one network interface; a message meets two."
    )
    switch_latency: float | None = parameter(None, **_TIME, help="Latency of the switch.")
    wire_per_byte: float | None = parameter(
        None,
        unit="µs/B",
        low=0.0,
        high=1e6,
        title="wire time per byte",
        help="1 over the bandwidth: 0.08 is 100 Mbit/s, 0.0008 is 10 Gbit/s.",
    )
    signal: float | None = parameter(
        None, **_TIME, help="To interrupt a program; given, it no longer speeds up with the system."
    )
    target: float = parameter(
        0.7,
        title="target efficiency",
        low=0.01,
        high=1.0,
        help="Which change of technology reaches it?",
        heading="Wanted",
    )
    reduction: float = parameter(
        0.5,
        title="reduction by",
        low=0.01,
        high=1.0,
        help="By how much each parameter is reduced in turn to see what it saves.",
    )
    partial_benefit: float = parameter(
        0.5, **_BENEFIT, help="Benefit of system software in the second curve against processors."
    )
    base: str = parameter(
        NOW,
        title="base technology",
        choices=tuple(PRESETS),
        help="What the what-if is compared with; the numbers below take precedence.",
        heading="Base",
    )
    base_processor: float | None = parameter(None, **_SPEEDS, help="Processor factor of the base.")
    base_system_benefit: float | None = parameter(
        None, **_BENEFIT, help="Benefit of system software in the base."
    )
    base_protocol: float | None = parameter(None, **_SHARE, help="Protocol factor of the base.")
    base_fault: float | None = parameter(
        None, **_SHARE, help="Share of faults that is not prefetched in the base."
    )
    base_lock: float | None = parameter(None, **_SHARE, help="Lock factor of the base.")
    handlers: str = parameter(
        HANDLERS[0],
        choices=HANDLERS,
        help="Interpretation: how handlers speed up.",
        heading="Readings",
    )
    protocol_on_extra: bool = parameter(
        True,
        help="Interpretation: whether the protocol factor scales the measured extra times, too.",
    )
    lock_mode: str = parameter(
        LOCK_MODES[0],
        choices=LOCK_MODES,
        help="Interpretation: the lock factor scales a lock's time, or is the share not "
        "prefetched.",
    )
    own_file: str = parameter(
        "",
        title="own network's file",
        path=True,
        only=_OWN,
        help="A network's file; takes the place of the own numbers below.",
        heading="Own network",
    )
    own_software: float = parameter(
        102.0,
        unit="µs",
        low=1e-6,
        high=1e9,
        only=_OWN,
        help="Software of one side of one empty message.",
    )
    own_software_per_byte: float = parameter(
        0.03, unit="µs/B", low=0.0, high=1e6, only=_OWN, help="Software per byte of a message."
    )
    own_wire_per_byte: float = parameter(
        0.08, unit="µs/B", low=0.0, high=1e6, only=_OWN, help="Wire time per byte."
    )
    own_wire_overhead: float = parameter(
        58.0, unit="B", low=0.0, high=1e9, only=_OWN, help="Bytes that a message adds on the wire."
    )
    own_interface_latency: float = parameter(
        25.0, **_TIME, only=_OWN, help="Latency of one network interface."
    )
    own_switch_latency: float = parameter(
        0.0, **_TIME, only=_OWN, help="Latency of the switch; 0: there is none."
    )
    own_signal: float = parameter(40.0, **_TIME, only=_OWN, help="To interrupt a program.")
    messages: int | None = parameter(
        None,
        low=1,
        high=10**12,
        help="Messages that each processor would send in the whole run, were the program one of "
        "messages; auto: no comparison.",
        heading="The same with messages",
    )
    message_bytes: int = parameter(1000, unit="B", low=1, high=10**9, help="Bytes of each.")
    message_network: str = parameter(
        SAME_NETWORK,
        choices=(SAME_NETWORK, *NETWORKS.names()),
        titled=NETWORKS.title,
        help="Network of the messages: that of the workstations, or a multicomputer's.",
    )
    message_pattern: str = parameter(
        ALL_TO_ALL, choices=PATTERNS, help="Communication pattern of the messages."
    )


@dataclass(frozen=True, eq=False)
class Scenario:
    """An application on a network under a technology."""

    name: str
    preset: NetworkPreset
    counts: OperationCounts
    technology: Technology

    @property
    def net(self) -> DvsmNetwork:
        """Its network."""
        return self.preset.network

    def timed(self, technology: Technology) -> ApplicationTime:
        """Execution time under another technology."""
        return application_time(self.net, self.counts, technology)

    def at(self, processor: float, system_benefit: float) -> ApplicationTime:
        """Execution time with another processor and benefit of system software."""
        changed = replace(self.technology, processor=processor, system_benefit=system_benefit)
        return self.timed(changed)


@dataclass(frozen=True, eq=False)
class SharedMemoryCase:
    """The parameters resolved: an application and two scenarios of it."""

    asked: SharedMemoryParameters
    application: Application
    base: Scenario
    what_if: Scenario

    @classmethod
    def of(cls, asked: SharedMemoryParameters) -> SharedMemoryCase:
        """Resolve the parameters; InputError where they name nothing that exists."""
        for name in ("target", "reduction", "partial_benefit"):
            number(name, getattr(asked, name), high=1.0, above=True, where=f"setting {name}")
        application = _application(asked)
        network = _network(asked, asked.network)
        other = network
        if asked.other_network != SAME_NETWORK:
            other = _network(asked, asked.other_network)
        return cls(
            asked,
            application,
            _scenario("base", application, network, _base(asked)),
            _scenario("what-if", application, other, _what_if(asked)),
        )

    @property
    def scenarios(self) -> tuple[Scenario, Scenario]:
        """Base and what-if."""
        return self.base, self.what_if


def _scenario(
    name: str, application: Application, preset: NetworkPreset, technology: Technology
) -> Scenario:
    return Scenario(name, preset, application.counted(preset.key), technology)


def _application(asked: SharedMemoryParameters) -> Application:
    """Of a file, which comes first, of a task of the open project, or one that ships."""
    if asked.file:
        return read_application(asked.file)
    if asked.application == OPEN_TASK:
        return application_of_task(asked.open_workload, asked.task)
    return shipped_application(asked.application)


def _network(asked: SharedMemoryParameters, name: str) -> NetworkPreset:
    if name == PLATFORM:
        return network_of_machine(asked.open_platform, asked.machine)
    if name != OWN:
        return dvsm_network(name)
    if asked.own_file:
        return read_dvsm_network(asked.own_file)
    line = (asked.own_software, asked.own_software_per_byte)
    return NetworkPreset(
        OWN,
        DvsmNetwork(
            OWN,
            software_small=line,
            software_large=line,
            knee=math.inf,
            wire_per_byte=asked.own_wire_per_byte,
            interface_latency=asked.own_interface_latency,
            switch_latency=asked.own_switch_latency,
            wire_overhead=asked.own_wire_overhead,
            signal=asked.own_signal,
        ),
    )


def _base(asked: SharedMemoryParameters) -> Technology:
    given = {name: getattr(asked, f"base_{name}") for name in _FACTORS}
    return _technology(asked, asked.base, given)


def _what_if(asked: SharedMemoryParameters) -> Technology:
    return _technology(asked, asked.technology, {name: getattr(asked, name) for name in _NUMBERS})


def _technology(
    asked: SharedMemoryParameters, preset: str, given: Mapping[str, float | None]
) -> Technology:
    """The preset with what is given in its place, and the readings of both scenarios."""
    if preset not in PRESETS:
        remedy = "Allowed: " + ", ".join(PRESETS)
        raise InputError("unknown technology", where="setting", value=preset, remedy=remedy)
    changes: dict[str, Any] = {name: value for name, value in given.items() if value is not None}
    changes |= {name: getattr(asked, name) for name in _READINGS}
    return replace(PRESETS[preset], **changes)

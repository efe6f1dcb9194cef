"""What the scaling study asks for, and the machine repairman that its settings describe.

Times are in the unit that the settings name. The mapping from LogP, with its readings, is in
`logp`; data are read in `measured`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from advisor.messages.networks import Clock
from advisor.messages.styles import ASYNCHRONOUS, SYNCHRONOUS
from advisor.models.mrm import optimal_processors, serial_fraction
from advisor.scaling.data import KINDS, PARAMETER, SCALINGS, STRONG, WEAK
from advisor.scaling.fits import REPLICATES
from advisor.scaling.law import MOST_TASK_PROCESSORS, Scaling, speedups
from advisor.scaling.noise import ABSOLUTE, RELATIVE
from advisor.studies.network_settings import (
    NUMBERED,
    OWN,
    PING_PONG,
    ShapedNetworkSettings,
    network_choice,
)
from advisor.studies.parameters import number_list, parameter
from advisor.studies.study import Note
from machines import InputError
from machines.arrays import Floats

DEMANDS, LOGP, DATA = SOURCES = ("demands", "LogP", "data")
_TITLES = {DEMANDS: "Known times", LOGP: "LogP", DATA: "Measured"}
_SCALINGS = {STRONG: "Strong: same work", WEAK: "Weak: work grows", PARAMETER: "Not of P"}
NUMBERS = OWN

STAGES, ONE_STAGE, EQUAL_STAGES, CHANNEL = LATENCY_READINGS = (
    "H hops of r and M/W",
    "L in one stage",
    "L in H equal stages",
    "M/W alone",
)
THINK, OVERHEADS, BOTH, GAPS = TIME_READINGS = ("Z", "2 o", "2 o + Z", "P g")

_LEAST_DRAWN = 16
_MOST_COHERENT = 2048  # each needs a chain of its own
# which fields matter when
_MEASURED = {"source": (DATA,)}
_LOGP = {"source": (LOGP,)}
_KNOWN = {"source": (DEMANDS, LOGP)}
_NUMBERS = {"network": (NUMBERS,)}
_OVERHEAD = 3200.0  # of the nCUBE/2, in cycles
_SECONDS = {"s": 1.0, "ms": 1e-3, "µs": 1e-6, "us": 1e-6, "ns": 1e-9}


def _scaling_title(choice: str) -> str:
    return _SCALINGS.get(choice, choice.capitalize())


@dataclass(frozen=True)
class _Source:
    """Where the figures come from."""

    source: str = parameter(
        DEMANDS, choices=SOURCES, titled=_TITLES.__getitem__,
        help="Known times Z and D_k, LogP parameters, or measurements.",
    )  # fmt: skip
    data: str = parameter(
        "specsdm91",
        lines=6,
        path=True,
        example="P,time (s)\n1,100\n2,52.3\n4,28.1\n…",
        only=_MEASURED,
        help="A CSV file or one of Extra-P, its text pasted here, or the name of measurements that "
        "ship: specsdm91, raytracer.",
    )
    against: str = parameter(
        "",
        lines=3,
        path=True,
        example="A second set, or empty",
        only=_MEASURED,
        help="A second set, laid over the first: which is faster where, beyond noise.",
    )
    quantity: str | None = parameter(
        None, choices=KINDS, titled=str.capitalize, only=_MEASURED,
        help="What the data are where they have no header.",
    )  # fmt: skip
    columns: str = parameter(
        "", only=_MEASURED, example="by their titles",
        help="Of a table: titles of P and of what was measured, e.g. nodes,time; and title=value "
        "for the rows of one series.",
    )  # fmt: skip
    region: str = parameter(
        "", only=_MEASURED, help="Of a file of Extra-P with several regions (call paths), or of "
        "a file with several tables: its title.",
    )  # fmt: skip
    metric: str = parameter("", only=_MEASURED, help="Of several of Extra-P; empty: time.")
    hold: str = parameter(
        "", only=_MEASURED, help="Of several parameters of Extra-P those held fixed, e.g. n=5000; "
        "none: all are fitted together.",
    )  # fmt: skip
    scaling: str | None = parameter(
        None, choices=SCALINGS, titled=_scaling_title, only=_MEASURED,
        help="Strong: the work stays the same. Weak: it grows with P. Parameter: the numbers are "
        "none of processors. Auto: by names, else asked where times rise from the least P on.",
    )  # fmt: skip
    base: int | None = parameter(
        None, low=1, only=_MEASURED, empty="the least measured",
        help="P that speedups and efficiencies are against, one that was measured.",
    )  # fmt: skip
    runnable: str = parameter(
        "", title="can be run", only=_MEASURED, example="as measured",
        help="Which P can be run: multiple of 48; divides 960; powers of 2; any; or a list. Empty: "
        "multiples of the smallest run, if all are.",
    )  # fmt: skip
    noise: str | None = parameter(
        None, choices=(ABSOLUTE, RELATIVE), titled=str.capitalize, only=_MEASURED,
        help="How measurements scatter, which weighs them in the fits. Auto: by their repetitions, "
        "else whichever fits clearly better.",
    )  # fmt: skip


@dataclass(frozen=True)
class ScalingParameters(ShapedNetworkSettings, _Source):
    """What the scaling study asks for; times in `unit`, or in that of the network."""

    network: str = network_choice(
        (NUMBERS,),
        only=_LOGP,
        help="Of LogP: the numbers below, or a network that replaces L, o, g, H, r and M/W.",
    )
    latency: float | None = parameter(
        None, title="latency L", low=0.0, high=1e15, only=_NUMBERS, help="L; auto: H r + M/W."
    )
    overhead: float | None = parameter(
        None, title="overhead o", low=0.0, high=1e15, only=NUMBERED, formerly=("overhead_send",),
        help=f"o, of a message; auto: {_OVERHEAD:g}, or of a ping-pong assumed.",
    )  # fmt: skip
    gap: float | None = parameter(
        None, title="gap g", low=0.0, high=1e15, only=NUMBERED,
        help="g, between messages; auto: 2 o, or of a ping-pong the longer o.",
    )  # fmt: skip
    gap_per_byte: float | None = parameter(
        None, title="gap per byte G", low=0.0, high=1e15, only=_NUMBERS,
        help="G: time of each byte on a channel; auto: by W.",
    )  # fmt: skip
    unit: str = parameter(
        "cycle", only={"source": (DEMANDS,), **_NUMBERS}, help="Of all times: s, ms, µs, cycle, …"
    )
    cycle_ns: float | None = parameter(None, in_forms=False, help="Not used: times stay in cycles.")
    dims: str = parameter(
        "", title="shape", only=_LOGP, example="its own",
        help='Another shape, e.g. 8x8 or "4x4x4 torus", whose mean hops are H; empty: its own, or '
        "H as below.",
    )  # fmt: skip
    hops: int = parameter(
        5, title="hops H", low=1, high=1000, only=_NUMBERS,
        help="H: mean hops of a message, where there is no shape.",
    )  # fmt: skip
    hop_time: float = parameter(
        40.0, title="hop time r", unit_of="unit", low=0.0, high=1e15, only=_NUMBERS,
        help="r: time of one hop.",
    )  # fmt: skip
    message_bits: float = parameter(
        160.0, title="message M", unit="bit", low=0.0, high=1e15, only=_LOGP,
        help="M: size of a message.",
    )  # fmt: skip
    channel_bits: float = parameter(
        1.0, title="channel W", low=1e-9, high=1e15, only=_NUMBERS,
        unit_of=lambda values: f"bit/{values['unit']}" if "unit" in values else "",
        help="W: bits that a channel takes per unit of time.",
    )  # fmt: skip
    latency_reading: str = parameter(
        STAGES, choices=LATENCY_READINGS, only=_LOGP,
        help="Of LogP: what the demands of the stages are.",
    )  # fmt: skip
    demands: str = parameter(
        "5x40, 160",
        title="stages' demands D",
        unit_of="unit",
        only={"source": (DEMANDS,)},
        help="D: time of a message in each stage, e.g. five of 40 and one of 160: 5x40, 160.",
    )
    think_time: float = parameter(
        12_800.0, title="time Z", unit_of="unit", low=0.0, high=1e15, only=_KNOWN,
        help="Z: computation between two messages.",
    )  # fmt: skip
    time_reading: str = parameter(
        THINK, choices=TIME_READINGS, only=_LOGP,
        help="Of LogP: what the time between messages is.",
    )  # fmt: skip
    style: str = parameter(
        ASYNCHRONOUS, choices=(ASYNCHRONOUS, SYNCHRONOUS), titled=str.capitalize, only=_KNOWN,
        title="messaging",
        help="Whether messages are independent, or all processors wait for the last (a barrier).",
    )  # fmt: skip
    coherency: float = parameter(
        0.0, low=0.0, high=1.0, only=_KNOWN,
        help="c: share by which each further message slows the service.",
    )  # fmt: skip
    processors: int | None = parameter(
        None, title="processors up to", low=2, high=MOST_TASK_PROCESSORS,
        help="Right end of the curves; auto: by the knee, of data as far as was measured.",
    )  # fmt: skip
    budget: float | None = parameter(
        None, low=0.0, high=1e15, empty="no limit",
        help="Most processors, or most to pay where they have a price.",
    )  # fmt: skip
    price: float = parameter(1.0, title="price of a processor", low=1e-9, high=1e12, help="Of one.")
    hourly: float | None = parameter(
        None, title="price per hour", low=0.0, high=1e9, only=_MEASURED, empty="not known",
        help="Of one processor: what a run costs in money.",
    )  # fmt: skip
    watts: float | None = parameter(
        None, unit="W", low=0.0, high=1e9, only=_MEASURED, empty="not known",
        help="Of one processor while it runs: what a run takes in energy.",
    )  # fmt: skip
    watts_beside: float = parameter(
        0.0, unit="W", low=0.0, high=1e12, only=_MEASURED, help="Of all else."
    )
    replicates: int = parameter(
        REPLICATES, low=0, high=10_000, only=_MEASURED,
        help="Samples of the bootstrap of data; 0: no bands.",
    )  # fmt: skip
    seed: int = parameter(0, low=0, high=2**31 - 1, only=_MEASURED, help="Of the bootstrap.")

    @property
    def time_unit(self) -> str:
        """Of o and g beside a ping-pong: a file is in seconds."""
        return "µs" if self.network == PING_PONG else self.unit

    @property
    def message_sizes(self) -> tuple[float, float]:
        """Bytes of a message, short or long."""
        return self.message_bits / 8.0, self.message_bits / 8.0

    @property
    def overheads(self) -> tuple[float, float]:
        """Stated o, to send and to receive."""
        sent = _OVERHEAD if self.overhead is None else self.overhead
        return sent, sent if self.overhead_receive is None else self.overhead_receive


@dataclass(frozen=True)
class Repairman:
    """Processors that compute for Z and queue at the stages of an interconnect."""

    demands: tuple[float, ...]  # D_k; one of them > 0
    think: float  # Z

    @property
    def total(self) -> float:
        """D, of all stages."""
        return math.fsum(self.demands)

    @property
    def largest(self) -> float:
        """D_max."""
        return max(self.demands)

    @property
    def bottleneck(self) -> int:
        """The first stage of the largest demand, from 0."""
        return self.demands.index(self.largest)

    @property
    def several(self) -> bool:
        """Whether more than one stage takes any time."""
        return sum(demand > 0.0 for demand in self.demands) > 1

    @property
    def sigma(self) -> float:
        """D/(D + Z). Gunther 2005, Eq. (12)."""
        return serial_fraction(self.total, self.think)

    @property
    def knee(self) -> float:
        """P_opt. Gunther 2005, Eq. (30); also the limit of the speedup."""
        return optimal_processors(self.total, self.think, self.largest)

    def halved(self, stage: int) -> Repairman:
        """With half the demand at one stage."""
        changed = list(self.demands)
        changed[stage] /= 2.0
        return replace(self, demands=tuple(changed))

    def speedups(self, messaging: str, up_to: int) -> Floats:
        """S(1) … S(up_to), synchronous or asynchronous, by `advisor.scaling.law`."""
        law = Scaling(think_time_s=self.think, demands_s=self.demands, completion=messaging)
        return speedups(law, np.arange(1, up_to + 1))


@dataclass(frozen=True)
class Reading:
    """One way to read LogP parameters as a repairman."""

    latency: str
    time: str
    machine: Repairman


@dataclass(frozen=True)
class ScalingCase:
    """Settings resolved: the repairman, how its times are shown, and what may be bought."""

    asked: ScalingParameters
    machine: Repairman
    clock: Clock
    up_to: int  # right end of the curves
    affordable: int | None  # processors within the budget
    readings: tuple[Reading, ...] = ()  # all of LogP; empty: the times were given
    origin: str = ""  # where the figures come from
    notes: tuple[Note, ...] = ()  # of the network, which of its numbers are whose

    @property
    def synchronous(self) -> bool:
        """Whether all await the last message."""
        return self.asked.style == SYNCHRONOUS

    @property
    def coherent(self) -> float:
        """c, where the chosen messaging can take it into account; else 0."""
        several = self.machine.several and not self.synchronous
        return 0.0 if several else self.asked.coherency


def stated_case(asked: ScalingParameters) -> ScalingCase:
    """The case of given times."""
    demands = number_list(asked.demands, "setting demands", most=1000)
    return case_of(asked, Repairman(demands, asked.think_time), clock_of(asked.unit))


def case_of(
    asked: ScalingParameters,
    machine: Repairman,
    clock: Clock,
    readings: tuple[Reading, ...] = (),
    origin: str = "",
    notes: tuple[Note, ...] = (),
) -> ScalingCase:
    """A case with its range and budget."""
    if not any(machine.demands):
        raise InputError(
            "the network is empty: no stage takes any time",
            where="setting demands",
            value=machine.demands,
            remedy="Give a demand > 0; without one every number of processors scales",
        )
    bought = affordable(asked)
    most = _most(asked, machine)
    if asked.processors is not None and asked.processors > most:
        raise InputError(
            "so many independent messages that slow each other take too long",
            where="setting processors",
            value=asked.processors,
            remedy=f"Allowed with coherency: 2 to {most}",
        )
    up_to = asked.processors
    if up_to is None:
        up_to = min(max(span(asked, machine), bought or 0), most)
    return ScalingCase(asked, machine, clock, up_to, bought, readings, origin, notes)


def span(asked: ScalingParameters, machine: Repairman) -> int:
    """Right end of curves that show where a repairman saturates.

    Amdahl's law nears its limit far more slowly than independent messages do.
    """
    knees = 4.0 if asked.style == SYNCHRONOUS else 2.0
    return min(max(_LEAST_DRAWN, math.ceil(knees * machine.knee)), _most(asked, machine))


def _most(asked: ScalingParameters, machine: Repairman) -> int:
    chains = asked.coherency and not machine.several and asked.style == ASYNCHRONOUS
    return _MOST_COHERENT if chains else MOST_TASK_PROCESSORS


def affordable(asked: ScalingParameters) -> int | None:
    """Processors that the budget buys; InputError if it is none."""
    if asked.budget is None:
        return None
    bought = math.floor(min(asked.budget / asked.price * (1.0 + 1e-12), 2.0**53))
    if bought < 1:
        raise InputError(
            "the budget buys no processor",
            where="setting budget",
            value=asked.budget,
            remedy=f"One costs {asked.price:g}",
        )
    return bought


def clock_of(unit: str) -> Clock:
    """How times of a unit are shown: seconds in all their prefixes, else as they are."""
    name = unit.strip()
    if not name:
        raise InputError("times need a unit", where="setting unit", remedy="Write s, µs or cycle")
    return Clock("s", _SECONDS[name]) if name in _SECONDS else Clock(name, 1.0)

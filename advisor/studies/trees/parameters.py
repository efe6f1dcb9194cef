"""What the trees study asks for, and the costs and limits that its settings describe."""

from __future__ import annotations

from dataclasses import dataclass

from advisor.basics.quantities import duration, number
from advisor.models.mrnet import BROADCAST, CONVENTIONS, FIRST, REDUCTION
from advisor.studies.network_settings import (
    NUMBERED,
    PING_PONG,
    STATED,
    NetworkSettings,
    network_choice,
)
from advisor.studies.network_settings import OWN as OWN_NETWORK
from advisor.studies.network_source import fitted_text, network_of_settings
from advisor.studies.parameters import parameter
from advisor.studies.study import Note
from advisor.trees.costs import ASKED, ROUND_TRIP, US, FrontEndLoad, TreeCosts
from advisor.trees.picture import OWN as OWN_TREE
from advisor.trees.search import Limits, Weights
from machines import InputError, LogGP
from machines.formats.pingpong_csv import read_pingpong

BEST = "best"
SHAPES = OPTIMAL, FLAT, BALANCED, LEVELS, KNOMIAL, OWN = (
    "optimal",
    "flat",
    "balanced",
    "levels",
    "k-nomial",
    OWN_TREE,
)
TEXTBOOK, OWN_COSTS = "textbook", OWN_NETWORK
MOST_BACK_ENDS = 2_000_000

_TEXTBOOK = LogGP(L=6.0, o_s=2.0, o_r=2.0, g=4.0)
_FILTERED = {"operation": (REDUCTION, ROUND_TRIP)}
_MS = 1e3  # µs


@dataclass(frozen=True)
class _Tree:
    """Which tree is asked for."""

    back_ends: int = parameter(
        512,
        title="back-ends N",
        low=1,
        high=MOST_BACK_ENDS,
        help="N: leaves of the tree.",
        heading="Tree",
    )
    operation: str = parameter(
        BROADCAST,
        choices=ASKED,
        help="What is to be fast; a round trip is a broadcast and then a reduction.",
    )
    shape: str = parameter(
        BEST,
        choices=(BEST, *SHAPES),
        help="Which tree is recommended: the best of all, or the one of this shape.",
    )


@dataclass(frozen=True)
class TreesParameters(NetworkSettings, _Tree):
    """What the trees study asks for."""

    network: str = network_choice(
        (TEXTBOOK,),
        title="message costs",
        help="LogGP parameters: those of the LogP paper's example (L 6, o 2, g 4 µs), a network "
        "that ships, a parallel machine's of the platform, your own, or fitted to a ping-pong.",
        heading="Message costs",
        formerly=("costs",),
    )
    latency: float = parameter(
        6.0, title="latency L", unit="µs", low=0.0, high=1e9, only=STATED, help="L of a message."
    )
    overhead: float = parameter(
        2.0, title="overhead o", unit="µs", low=0.0, high=1e9, only=NUMBERED,
        help="o: processor time to send, and to receive, a message. A ping-pong does not show it.",
        formerly=("overhead_send",),
    )  # fmt: skip
    gap: float = parameter(
        4.0, title="gap g", unit="µs", low=0.0, high=1e9, only=NUMBERED,
        help="g: least time between two messages of a process. A ping-pong does not show it.",
    )  # fmt: skip
    gap_per_byte: float = parameter(
        0.0, title="gap per byte G", unit="ns", low=0.0, high=1e9, only=STATED,
        help="G: time of each further byte of a message.",
    )  # fmt: skip
    overhead_receive: float | None = parameter(
        None, title="o to receive", unit="µs", low=0.0, high=1e9, only=STATED, empty="as to send",
        help="o_r: processor time to receive a message; the model takes the mean of both.",
    )  # fmt: skip
    unit: str = parameter(
        "µs", choices=("µs",), in_forms=False, only=NUMBERED, help="Of L, o and g; G is in ns."
    )
    size_bytes: float = parameter(
        1.0, title="message size", unit="B", low=1.0, high=1e12, help="Bytes of each message."
    )
    filter_cost: float = parameter(
        0.0, title="filter cost c", unit="µs", low=0.0, high=1e9, only=_FILTERED,
        help="c: time of the filter for each incoming message of a reduction.",
    )  # fmt: skip
    convention: str = parameter(
        FIRST,
        choices=CONVENTIONS,
        help='Whether the first message of a process pays the gap: "first" as LogP\'s textbooks '
        '(no), "each" as the MRNet paper (yes).',
    )
    rate: float = parameter(
        0.0, title="rate", unit="1/s", low=0.0, high=1e9,
        help="Operations per second that every process must keep up with; 0: none wanted.",
        heading="Limits",
    )  # fmt: skip
    max_fanout: int | None = parameter(
        None, title="most children", low=1, high=MOST_BACK_ENDS,
        help="Largest fan-out of any process, the front-end included.",
    )  # fmt: skip
    max_internal: int | None = parameter(
        None, title="most internal processes", low=0, high=MOST_BACK_ENDS,
        help="Processes between the front-end and the back-ends.",
    )  # fmt: skip
    max_period: float | None = parameter(
        None, title="longest period", unit="µs", low=1e-6, high=1e15,
        help="Time between two operations of a stream.",
    )  # fmt: skip
    max_share: float = parameter(
        100.0, title="most of a processor", unit="%", low=0.01, high=100.0,
        help="Largest share of a processor that a process may take at the rate.",
    )  # fmt: skip
    period_weight: float = parameter(
        0.0, title="weight of the period", low=0.0, high=1e6,
        help="How many µs of latency a µs of period is worth; 0: the period does not count.",
        heading="What counts",
    )  # fmt: skip
    internal_weight: float = parameter(
        0.0, title="weight of a process", unit="µs", low=0.0, high=1e9,
        help="How many µs of latency an internal process is worth; 0: as few as the least "
        "latency allows.",
    )  # fmt: skip
    fanout: int = parameter(
        8, title="fan-out to compare", low=2, high=MOST_BACK_ENDS,
        help="Of the balanced tree to compare with; back-ends of a process of the k-nomial one.",
        heading="To compare with",
    )  # fmt: skip
    k: int = parameter(
        2, title="base k", low=2, high=1000, help="Of the k-nomial tree; 2: binomial."
    )
    own: str = parameter(
        "", title="own tree", lines=3, path=True,
        help="Numbers of children level by level, e.g. g:2:8,4, or b:8^3, k:2@16, or an MRNet "
        "topology file. The picture writes here when you change the tree.",
    )  # fmt: skip
    create: float = parameter(
        100.0, title="creating a process", unit="ms", low=0.0, high=1e9,
        help="Time of a parent to create one child, one after the other.",
        heading="Start-up",
    )  # fmt: skip
    connect: float = parameter(
        0.0, title="connecting it", unit="ms", low=0.0, high=1e9,
        help="Until the child is connected.",
    )  # fmt: skip
    report: float = parameter(
        0.0, title="its report", unit="ms", low=0.0, high=1e9,
        help="Until its report that the subtree runs has come.",
    )  # fmt: skip
    metrics: int = parameter(
        32,
        low=1,
        high=10**6,
        help="Samples that each input of the front-end sends at a time.",
        heading="Front-end load",
    )
    sample_cost: float = parameter(
        2.543132, title="sample cost", unit="µs", low=0.0, high=1e9,
        help="Time to align a sample against one input; the default is fitted to the paper's "
        "Fig. 9.",
    )  # fmt: skip
    sample_rate: float = parameter(
        5.0, title="sample rate", unit="1/s", low=1e-6, high=1e9,
        help="Samples of a metric per second.",
    )  # fmt: skip
    hosts: str = parameter(
        "", title="hosts of the back-ends", lines=3, path=True, example="node01:8\nnode02:8",
        help="One a line with the processes that it takes; or a file. Empty: as many as needed.",
        heading="Hosts",
    )  # fmt: skip
    internal_hosts: str = parameter(
        "", title="hosts of internal processes", lines=3, path=True, example="node51:4",
        help="Empty: they share the hosts of the back-ends.",
    )  # fmt: skip
    front_end: str = parameter("", title="front-end's host", help="Empty: the first host.")
    host_cores: int = parameter(
        1, title="cores of a host", low=1, high=4096,
        help="Of a host that internal processes share with the application.",
    )  # fmt: skip

    @property
    def per_byte(self) -> float:
        """G in µs."""
        return self.gap_per_byte / 1e3

    @property
    def message_sizes(self) -> tuple[float, float]:
        """Bytes of a message, short or long."""
        return self.size_bytes, self.size_bytes

    @property
    def limits(self) -> Limits:
        """What the tree may have."""
        return Limits(self.max_fanout, self.max_internal, self.max_period, self.max_share / 100.0)

    @property
    def weights(self) -> Weights:
        """What counts."""
        return Weights(1.0, self.period_weight, self.internal_weight)

    @property
    def load(self) -> FrontEndLoad:
        """Samples that the front-end must process."""
        return FrontEndLoad(self.metrics, self.sample_cost, self.sample_rate)


def costs_of(asked: TreesParameters) -> tuple[TreeCosts, tuple[Note, ...]]:
    """What messages, filters and processes cost, and where the message costs come from.

    Raises
    ------
    InputError
        A ping-pong file that can't be read, or whose startup is less than twice the overhead.
    """
    p, notes = _message_costs(asked)
    costs = TreeCosts(
        p=p,
        size=asked.size_bytes,
        filter_cost=0.0 if asked.operation == BROADCAST else asked.filter_cost,
        convention=asked.convention,
        create=asked.create * _MS,
        connect=asked.connect * _MS,
        report=asked.report * _MS,
        rate=asked.rate,
        operation=asked.operation,
    )
    return costs, notes


def _message_costs(asked: TreesParameters) -> tuple[LogGP, tuple[Note, ...]]:
    if asked.network == TEXTBOOK:
        return _TEXTBOOK, (
            Note(True, "L 6, o 2, g 4: the example of the LogP paper, read as µs", "Culler 1993"),
        )
    if asked.network == PING_PONG:
        return _fitted(asked)
    found = network_of_settings(asked)
    net = found.net
    unit, p = net.unit_s / US, net.long
    mean = (p.o_s + p.o_r) / 2.0
    notes = list(found.notes) or [Note(True, f"Message costs of {net.name}", net.source)]
    if p.o_s != p.o_r:
        text = (
            f"The model has one overhead: o = {number(mean * unit * US, 's')}, the mean of "
            f"o_s and o_r of {net.name}"
        )
        notes.append(Note(False, text, "Roth, Arnold & Miller 2003"))
    return LogGP(p.L * unit, mean * unit, mean * unit, p.g * unit, p.G * unit), tuple(notes)


def _fitted(asked: TreesParameters) -> tuple[LogGP, tuple[Note, ...]]:
    """L and G from a ping-pong; o and g as they are given, for it does not show them."""
    if not asked.pingpong.strip():
        raise InputError(
            "message costs ping-pong need a file", where="setting pingpong", remedy="Give pingpong="
        )
    measured = read_pingpong(asked.pingpong)
    (alpha, beta), threshold = measured.line(asked.size_bytes)
    o, L = asked.overhead, alpha / US - 2.0 * asked.overhead
    if L < 0.0:
        raise InputError(
            f"a message that takes {duration(alpha)} can't have two overheads of {number(o)} µs",
            where="setting overhead",
            value=o,
            remedy=f"Allowed: up to {number(alpha / US / 2.0)} µs",
        )
    fitted = fitted_text(measured, (alpha, beta), threshold, asked.size_bytes)
    assumed = "A ping-pong does not show o and g: they are your numbers, L is what o leaves of it"
    p = LogGP(L, o, o, asked.gap, 1.0 / beta / US)
    return p, (Note(True, fitted), Note(False, assumed, "Culler 1993; Kielmann 2000"))

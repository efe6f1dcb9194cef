"""What messages, filters and processes cost by the settings of the trees study, and who says so.

Overhead and gap that a ping-pong does not show: the interval that they lie in, not a number.

A one-way time is 2o + L and no more: o lies between 0 and half of it. A process of the ping-pong
sends once in a round trip, so that g is no more than that. What is recommended loses least, at
worst, against the best tree for each pair of o and g.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from advisor.basics.quantities import duration, number
from advisor.models.mrnet import BROADCAST
from advisor.project.sites.network_benchmarks import pingpong_of
from advisor.studies.network_settings import PING_PONG
from advisor.studies.network_source import fitted_text, network_of_settings
from advisor.studies.study import ASSUMED, MEASURED, RANGE, STATED, Note, Table
from advisor.studies.trees.parameters import OWN_COSTS, TEXTBOOK, TreesParameters
from advisor.trees.tree_costs import US, TreeCosts, measure
from advisor.trees.tree_hosts import Hosts
from advisor.trees.tree_picture import NamedTree
from machines import InputError, LogGP

_SHARES = (0.0, 0.01, 0.05, 0.2, 0.5, 1.0)  # of the interval; small gaps are the usual ones
WORKING = 3  # which of them pictures and curves are drawn for
ALONE_BEST = 1.005  # times the best that still counts as the best


@dataclass(frozen=True)
class Unknown:
    """Message costs that agree with a ping-pong, from the cheapest to the dearest; µs.

    `overhead`, `gap`: what o and g may be; both ends are the same where the user said it.
    """

    alpha: float  # 2o + L, as measured
    overhead: tuple[float, float]
    gap: tuple[float, float]
    per_byte: float

    @classmethod
    def of(cls, alpha: float, per_byte: float, o: float | None, g: float | None) -> Unknown:
        """The intervals of what is None."""
        overhead = (0.0, alpha / 2.0) if o is None else (o, o)
        gap = (overhead[0], 2.0 * alpha) if g is None else (g, g)
        return cls(alpha, overhead, gap, per_byte)

    def samples(self) -> tuple[LogGP, ...]:
        """Costs along the interval; g is never less than o where it is unknown."""
        found = []
        for share in _SHARES:
            o, g = (low + share * (high - low) for low, high in (self.overhead, self.gap))
            if self.gap[0] < self.gap[1]:
                g = max(g, o)
            found.append(LogGP(self.alpha - 2.0 * o, o, o, g, self.per_byte))
        return tuple(found)

    @property
    def text(self) -> str:
        """What is not known, e.g. "overhead o (0 to 5 µs) and gap g (0 to 20 µs) are unknown"."""
        parts = [
            f"{name} ({number(low)} to {number(high)} µs)"
            for name, (low, high) in (("overhead o", self.overhead), ("gap g", self.gap))
            if low < high
        ]
        return f"{' and '.join(parts)} {'are' if len(parts) > 1 else 'is'} unknown"


@dataclass(frozen=True, eq=False)
class Spread:
    """What trees take over the interval."""

    unknown: Unknown
    costs: tuple[TreeCosts, ...]  # the samples
    latencies: tuple[tuple[float, ...], ...]  # of each tree under each of the costs, µs

    @classmethod
    def of(cls, unknown: Unknown, costs: Sequence[TreeCosts], trees: Sequence[NamedTree]) -> Spread:
        """Measure the trees."""
        rows = tuple(
            tuple(measure(one.tree, each).latency(each.operation) for each in costs)
            for one in trees
        )
        return cls(unknown, tuple(costs), rows)

    def best(self, allowed: Sequence[int]) -> tuple[int, ...]:
        """The fastest of the allowed trees under each of the costs."""
        return tuple(
            min(allowed, key=lambda at: self.latencies[at][sample])
            for sample in range(len(self.costs))
        )

    def loss(self, at: int, allowed: Sequence[int]) -> float:
        """How many times slower than the best a tree is at worst."""
        best = self.best(allowed)
        return max(
            mine / self.latencies[other][sample]
            for sample, (mine, other) in enumerate(zip(self.latencies[at], best, strict=True))
        )

    def ends(self, at: int) -> tuple[float, float]:
        """The least and the most that a tree takes."""
        return min(self.latencies[at]), max(self.latencies[at])

    def table(self, at: int, allowed: Sequence[int], trees: Sequence[NamedTree]) -> Table:
        """The best tree beside the recommended one, from end to end."""
        rows = tuple(
            (
                each.p.o_s * US,
                each.p.g * US,
                trees[best].name,
                self.latencies[best][sample] * US,
                self.latencies[at][sample] * US,
                self.latencies[at][sample] / self.latencies[best][sample],
            )
            for sample, (each, best) in enumerate(zip(self.costs, self.best(allowed), strict=True))
        )
        columns = (
            ("overhead o", "s"),
            ("gap g", "s"),
            ("best tree", ""),
            ("takes", "s"),
            ("the recommended one", "s"),
            ("times", ""),
        )
        return Table("Unknown o and g", columns, rows)


_TEXTBOOK = LogGP(L=6.0, o_s=2.0, o_r=2.0, g=4.0)
_PING_PONG = "Culler 1993; Kielmann 2000"
_MS = 1e3  # µs

Found = tuple[LogGP, tuple[Note, ...], Unknown | None]


def costs_of(
    asked: TreesParameters, hosts: Hosts | None = None
) -> tuple[TreeCosts, tuple[Note, ...], Unknown | None]:
    """The costs, where those of messages come from, and what of them is not known."""
    p, notes, unknown = _message_costs(asked)
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
        hosts=hosts,
        cores=asked.host_cores,
    )
    return costs, notes, unknown


def _message_costs(asked: TreesParameters) -> Found:
    if asked.network == TEXTBOOK:
        note = "Latency L 6, overhead o 2, gap g 4: the example of the LogP paper, read as µs"
        return _TEXTBOOK, (Note(True, note, "Culler 1993", STATED),), None
    if asked.network == OWN_COSTS:
        return _own(asked)
    if asked.network == PING_PONG:
        return _fitted(asked)
    return _of_network(asked)


def _of_network(asked: TreesParameters) -> Found:
    """Those of a network, with one overhead."""
    found = network_of_settings(asked)
    net = found.net
    unit, p = net.unit_s / US, net.long
    mean = (p.o_s + p.o_r) / 2.0
    notes = list(found.notes) or [Note(True, f"Message costs of {net.name}", net.source, STATED)]
    if p.o_s != p.o_r:
        text = (
            f"The model has one overhead o, {number(mean * unit * US, 's')}, the mean of "
            f"o_s and o_r of {net.name}"
        )
        notes.append(Note(False, text, "Roth, Arnold & Miller 2003"))
    own = LogGP(p.L * unit, mean * unit, mean * unit, p.g * unit, p.G * unit)
    return own, tuple(notes), None


def _own(asked: TreesParameters) -> Found:
    """The user's numbers; the textbook's o and g never stand in for them unsaid."""
    o = _TEXTBOOK.o_s if asked.overhead is None else asked.overhead
    g = _TEXTBOOK.g if asked.gap is None else asked.gap
    missing = [
        f"{name} {number(value)} µs"
        for name, value, said in (("overhead o", o, asked.overhead), ("gap g", g, asked.gap))
        if said is None
    ]
    notes: tuple[Note, ...] = ()
    if missing:
        text = f"Not given; from the LogP paper's example: {' and '.join(missing)}"
        notes = (Note(False, text, "Culler 1993", ASSUMED),)
    costs, said, _ = _of_network(replace(asked, overhead=o, gap=g))
    return costs, (*said, *notes), None


def _fitted(asked: TreesParameters) -> Found:
    """2o + L and G from a ping-pong; o and g as they are given, or as the interval they lie in."""
    if not asked.pingpong.strip():
        raise InputError(
            "message costs ping-pong need a file", where="setting pingpong", remedy="Give pingpong="
        )
    measured = pingpong_of(asked.pingpong)
    (alpha_s, beta), threshold = measured.line(asked.size_bytes)
    alpha, o, g = alpha_s / US, asked.overhead, asked.gap
    if alpha <= 0.0 or (o is not None and 2.0 * o > alpha):
        raise InputError(
            f"a message that takes {duration(alpha_s)} can't have two overheads of "
            f"{number(o or 0.0)} µs",
            where="setting overhead",
            value=o,
            remedy=f"Allowed: up to {number(max(alpha, 0.0) / 2.0)} µs",
        )
    fitted = fitted_text(measured, (alpha_s, beta), threshold, asked.size_bytes)
    unknown = Unknown.of(alpha, 1.0 / beta / US, o, g)
    p = unknown.samples()[WORKING]
    if o is not None and g is not None:
        said = (
            "A ping-pong does not show overhead o and gap g: they are your numbers, the latency L "
            "is what o leaves of it"
        )
        doubt = Note(False, said, _PING_PONG, STATED)
        return p, (Note(True, fitted, kind=MEASURED), doubt), None
    text = (
        f"A ping-pong does not show o and g: {unknown.text}. Pictures, curves and tables are drawn "
        f"for o {number(p.o_s)} and g {number(p.g)} µs, within the interval and no more; give "
        "overhead= and gap= from a measurement of o and g"
    )
    doubt = Note(False, text, _PING_PONG, RANGE)
    return p, (Note(True, fitted, kind=MEASURED), doubt), unknown

"""What else a user can do where better technology is out of reach.

Another network that ships, messages in place of shared memory, fewer processors: each with its time
and efficiency, as an interval where the counts leave it open.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from advisor.basics.quantities import count
from advisor.models.dvsm import ApplicationTime, OperationCounts, Technology, application_time
from advisor.models.dvsm import Network as DvsmNetwork
from advisor.programs.shared_memory_program import Messages, on_workstations
from advisor.shared_memory.network_file import dvsm_network, dvsm_network_names
from advisor.studies.shared_memory.parameters import Scenario, SharedMemoryCase
from machines import InputError

MODEL_ERROR = 0.10
"""Of full applications (Parsons, Brorsson & Sevcik 1997): what saves less helps nobody."""

NETWORK, MESSAGES, BOTH, FEWER = "network", "messages", "messages on a network", "fewer"
KINDS = (NETWORK, MESSAGES, BOTH, FEWER)
"""In the order in which they are advised where several reach the target."""

_PAGE = 4096.0
_LOCK = 24.0  # bytes of a message that hands on a lock


@dataclass(frozen=True)
class Way:
    """Something that can be done."""

    kind: str  # one of `KINDS`
    name: str  # "messages over InfiniBand EDR"
    times: tuple[float, float]  # least and most, µs
    efficiencies: tuple[float, float]  # least and most

    def reaches(self, target: float) -> str:
        """Whether it reaches an efficiency: "yes", "perhaps" or "no"."""
        least, most = self.efficiencies
        return "yes" if least >= target else "perhaps" if most >= target else "no"


def ways(case: SharedMemoryCase, base: ApplicationTime) -> tuple[Way, ...]:
    """All ways from the base, in the order of `KINDS`, faster ones first."""
    found = [*_networks(case), *_messages(case), *_fewer(case.base, base)]
    return tuple(sorted(found, key=lambda way: (KINDS.index(way.kind), way.times[1])))


def best_way(found: Sequence[Way], base: ApplicationTime, target: float) -> Way | None:
    """The way to advise; ``None``: nothing helps.

    The first that reaches the target, else the first that perhaps does, else the one that saves
    most, if that is more than the model's error.
    """
    for answer in ("yes", "perhaps"):
        for way in found:
            if way.reaches(target) == answer:
                return way
    saving = [way for way in found if way.times[1] < (1.0 - MODEL_ERROR) * base.time]
    return min(saving, key=lambda way: way.times[1], default=None)


def _networks(case: SharedMemoryCase) -> Iterator[Way]:
    """The same program on each other network that ships."""
    for key, net in _others(case.base):
        try:
            found = application_time(net, case.application.counted(key), _bare(case.base))
        except InputError:  # the measured extra times do not fit its software
            continue
        yield Way(NETWORK, net.name, (found.time,) * 2, (found.efficiency,) * 2)


def _messages(case: SharedMemoryCase) -> Iterator[Way]:
    """The same computing with messages for what is shared, here and on each other network.

    Between sending and going on, and awaiting a reply to each message.
    """
    base = case.base
    messages = messages_of(case)
    if messages is None:
        return
    places = [(MESSAGES, base.net, base.technology)]
    places += [(BOTH, net, _bare(base)) for _, net in _others(base)]
    for kind, net, technology in places:
        try:
            priced = on_workstations(messages, base.counts, net, technology)
        except InputError:
            continue
        times = sorted(1e6 * one.seconds for one in priced.values())
        yield _way(base, kind, f"messages over {net.name}", (times[0], times[-1]))


def messages_of(case: SharedMemoryCase) -> Messages | None:
    """The messages that were asked for, else those of a program that sends what this one fetches.

    ``None``: it fetches nothing.
    """
    asked = case.asked
    if asked.messages is not None:
        return Messages(asked.messages, asked.message_bytes, asked.message_pattern)
    return fetched(case.base.counts)


def fetched(counts: OperationCounts) -> Messages | None:
    """Messages for what is fetched; ``None``: nothing is.

    One for each part of a fault or collection, each page, each lock that is handed on, and two
    for each barrier; the mean over the processors.
    """
    many = (counts.repeats[:, None, None] * counts.counts).sum(axis=0).mean(axis=0)
    sent = total = 0.0
    for operation, often in zip(counts.operations, many.tolist(), strict=True):
        given = dict(operation.inputs)
        if operation.kind in {"fault", "collection"}:
            each = [given["reply"]] * int(given["parts"])
        elif operation.kind == "empty_miss":
            each = [_PAGE]
        elif operation.kind == "barrier":
            each = [given["request"], given["release"]]
        else:
            each = [_LOCK] if operation.kind == "lock" and given["parties"] > 1 else []
        sent += often * len(each)
        total += often * sum(each)
    if sent < 1.0:
        return None
    return Messages(round(sent), max(1.0, total / sent))


def _fewer(base: Scenario, found: ApplicationTime) -> Iterator[Way]:
    """Halves of the processors, whose counts nobody took: from one assumption to the other.

    What is shared was last used by any processor with equal chance, so that a share
    r = (1 − 1/P')/(1 − 1/P) of the overhead remains. Either each of P' processors has r of what
    one has now (everybody reads all), or all together have (the work of sharing is split).
    """
    P = base.counts.processors
    busy = found.breakdown["busy"]
    fewer = P // 2
    while fewer >= 2:
        left = (1.0 - 1.0 / fewer) / (1.0 - 1.0 / P) * (found.time - busy)
        times = (P / fewer * busy + left, P / fewer * (busy + left))
        yield _way(base, FEWER, count(fewer, "processor"), times, fewer)
        fewer //= 2


def _way(
    base: Scenario, kind: str, name: str, times: tuple[float, float], processors: int = 0
) -> Way:
    alone = base.counts.sequential_time / base.technology.processor
    P = processors or base.counts.processors
    return Way(kind, name, times, (alone / (P * times[1]), alone / (P * times[0])))


def _others(base: Scenario) -> Iterator[tuple[str, DvsmNetwork]]:
    for key in dvsm_network_names():
        net = dvsm_network(key).network
        if net != base.net:
            yield key, net


def _bare(base: Scenario) -> Technology:
    """The technology without latencies, wire and signal of its own: those of the network count."""
    return replace(
        base.technology,
        interface_latency=None,
        switch_latency=None,
        wire_per_byte=None,
        signal=None,
    )

"""MRNet (Roth, Arnold & Miller, SC2003): what a tree of processes costs to start and to use.

Pure functions of a `Tree` and plain numbers; any one unit of time, sizes in bytes. The cost of a
message is LogP's (Culler et al. 1993) with LogGP's gap per byte (Alexandrov et al. 1995). The
shapes live in `process_tree`, the exact optimum in `optimal_tree`; this module offers them all.
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache

from advisor.models.optimal_tree import OptimalTree, earliest_tree, exact
from advisor.models.process_tree import Tree, balanced, flat, kary, knomial
from advisor.models.tree_times import Message, root_latency
from machines.checks import number, whole
from machines.errors import InputError
from machines.interconnect import LogGP

__all__ = [
    "BROADCAST",
    "CONVENTIONS",
    "EACH",
    "FIRST",
    "OPERATIONS",
    "REDUCTION",
    "Message",
    "OptimalTree",
    "Tree",
    "balanced",
    "broadcast_latency",
    "broadcast_message",
    "broadcast_period",
    "exact_message",
    "flat",
    "front_end_share",
    "front_end_utilisation",
    "instantiation_latency",
    "kary",
    "knomial",
    "optimal_tree",
    "period_of",
    "reduction_latency",
    "reduction_message",
    "reduction_period",
    "utilisation",
]


FIRST, EACH = "first", "each"
CONVENTIONS = (FIRST, EACH)
BROADCAST, REDUCTION = "broadcast", "reduction"
OPERATIONS = (BROADCAST, REDUCTION)


def broadcast_message(p: LogGP, size: float = 1, convention: str = FIRST) -> Message:
    """A message down: step max(o, g + tail), delay 2o + L + tail, tail = (size − 1) G.

    Parameters
    ----------
    p : LogGP
        With o_s = o_r = o.
    size : float
        Bytes, ≥ 1.
    convention : {"first", "each"}
        "first" is LogP as in its textbooks; "each" charges a gap for the first message, too, as
        Roth, Arnold & Miller 2003 do in sec. 2.6: one more step in the delay.

    Raises
    ------
    InputError
        o_s ≠ o_r, size < 1, or an unknown convention.
    """
    return reduction_message(p, size, 0.0, convention)


def reduction_message(
    p: LogGP, size: float = 1, filter_cost: float = 0.0, convention: str = FIRST
) -> Message:
    """A message up, with c = `filter_cost`: step max(o + c, g + tail), delay 2o + L + tail + c.

    Parameters and errors as of `broadcast_message`; InputError for a negative `filter_cost`, too.
    """
    if p.o_s != p.o_r:
        raise InputError(
            "the tree model has one overhead o for sending and receiving",
            where="LogGP",
            value=(p.o_s, p.o_r),
            remedy="Give o_s = o_r, e.g. their mean",
        )
    tail = (number("size", size, low=1.0) - 1.0) * p.G
    c = number("filter_cost", filter_cost)
    step = max(p.o_s + c, p.g + tail)
    delay = 2.0 * p.o_s + p.L + tail + c
    if _one_of("convention", convention, CONVENTIONS) == EACH:
        delay += step
    return Message(step, delay, 2.0 * p.o_s + c)


def _one_of(name: str, value: str, allowed: tuple[str, ...]) -> str:
    if value not in allowed:
        raise InputError(
            f"unknown {name}", where=name, value=value, remedy=f"Allowed: {', '.join(allowed)}"
        )
    return value


def broadcast_latency(tree: Tree, p: LogGP, size: float = 1, convention: str = FIRST) -> float:
    """Time from the front-end's first send to the last back-end's receive overhead.

    B of the front-end: see `latencies`. Roth, Arnold & Miller 2003, sec. 2.6: 8g + 4o + 2L for
    the 4-ary tree of depth 2 in the convention "each".

    Parameters and errors as of `broadcast_message`.
    """
    return root_latency(tree, broadcast_message(p, size, convention))


def reduction_latency(
    tree: Tree, p: LogGP, size: float = 1, filter_cost: float = 0.0, convention: str = FIRST
) -> float:
    """Time from the start of all back-ends to the front-end's result, first come first served.

    The recursion of `latencies` with the messages of `reduction_message`; equal to the broadcast
    where the filter costs nothing. Roth, Arnold & Miller 2003, sec. 2.6.

    Parameters and errors as of `reduction_message`.
    """
    return root_latency(tree, reduction_message(p, size, filter_cost, convention))


def broadcast_period(tree: Tree, p: LogGP, size: float = 1) -> float:
    """Least time between two broadcasts of a stream.

    Max over the processes: front-end k step, internal k step + max(0, 2o − step), k its
    children. Roth, Arnold & Miller 2003, sec. 2.6: 4g for fan-out 4, if g ≥ 2o.

    Parameters and errors as of `broadcast_message`.
    """
    return period_of(*tree.busiest, broadcast_message(p, size))


def reduction_period(tree: Tree, p: LogGP, size: float = 1, filter_cost: float = 0.0) -> float:
    """Least time between two reductions of a stream.

    Max over the processes: front-end k step, internal k step + max(0, 2o + c − step).

    Parameters and errors as of `reduction_message`.
    """
    return period_of(*tree.busiest, reduction_message(p, size, filter_cost))


def period_of(own: int, inner: int, message: Message) -> float:
    """Least time between two operations by the fan-outs of the front-end and of the busiest inside.

    `inner` is 0 where there is no internal process.
    """
    through = inner * message.step + max(0.0, message.busy - message.step) if inner else 0.0
    return max(own * message.step, through)


def utilisation(
    fanout: int,
    p: LogGP,
    rate: float,
    operation: str = BROADCAST,
    filter_cost: float = 0.0,
) -> float:
    """Share of a processor that an internal process takes; above 1 it can't keep up.

    Broadcast rate·o (k + 1), reduction rate·(k (o + c) + o), k the fan-out, c the filter's cost.

    Parameters
    ----------
    fanout : int
        Children of the process, ≥ 1.
    p : LogGP
        With o_s = o_r = o.
    rate : float
        Operations per time.
    operation : {"broadcast", "reduction"}
    filter_cost : float
        Time of the filter for each incoming message of a reduction.

    Raises
    ------
    InputError
        A value out of range, o_s ≠ o_r, or an unknown operation.
    """
    own = front_end_utilisation(fanout, p, rate, operation, filter_cost)
    return own + number("rate", rate) * p.o_s


def front_end_utilisation(
    fanout: int,
    p: LogGP,
    rate: float,
    operation: str = BROADCAST,
    filter_cost: float = 0.0,
) -> float:
    """Share of a processor that the front-end takes: `utilisation` without its own parent.

    Parameters and errors as of `utilisation`.
    """
    k = whole("fanout", fanout, low=1)
    busy = reduction_message(p, 1, filter_cost).busy - p.o_s  # o + c
    if _one_of("operation", operation, OPERATIONS) == BROADCAST:
        busy = p.o_s
    return number("rate", rate) * k * busy


def instantiation_latency(
    tree: Tree, create: float, connect: float = 0.0, report: float = 0.0
) -> float:
    """Time to start all processes of a tree.

    A process creates its children one after the other, subtrees start concurrently: the
    recursion of `latencies` with step = create, delay = create + connect + report. Roth, Arnold
    & Miller 2003, sec. 2.5.

    Parameters
    ----------
    tree : Tree
    create : float
        Time of a parent for creating one child.
    connect, report : float
        Until a child is connected, and until its report that the subtree runs has come.

    Raises
    ------
    InputError
        A negative or infinite time.
    """
    step = number("create", create)
    delay = step + number("connect", connect) + number("report", report)
    if delay == 0.0:
        return 0.0
    return root_latency(tree, Message(step, delay, 0.0))


def optimal_tree(
    N: int,
    p: LogGP,
    max_fanout: int | None = None,
    max_internal: int | None = None,
    max_period: float | None = None,
    operation: str = BROADCAST,
    *,
    size: float = 1,
    filter_cost: float = 0.0,
) -> OptimalTree:
    """The tree of least latency, among those the one with fewest internal processes.

    Exact (see `optimal_tree.earliest_tree`), in the convention "first"; Karp, Sahay, Santos &
    Schauser 1993 for trees whose every process is a back-end.

    Parameters
    ----------
    N : int
        Back-ends.
    p : LogGP
        With o_s = o_r = o.
    max_fanout : int, optional
        Most children of any process, the front-end included.
    max_internal : int, optional
        Most internal processes.
    max_period : float, optional
        Most time between two operations of a stream.
    operation : {"broadcast", "reduction"}
    size : float
        Bytes of a message.
    filter_cost : float
        Time of the filter for each incoming message; of a reduction only.

    Raises
    ------
    InputError
        A value out of range, o = g = 0, or no tree within the limits: the message says what
        would be feasible.
    """
    whole("N", N, low=1)
    _one_of("operation", operation, OPERATIONS)
    c = filter_cost if operation == REDUCTION else 0.0
    message = reduction_message(p, size, c)
    if message.step == 0.0:
        raise InputError(
            "without overhead and gap any tree is free",
            where="LogGP",
            value=0.0,
            remedy="Give an overhead o or a gap g above 0",
        )
    step, delay, extra = exact_message(p, size, c)
    own = inner = N
    if max_fanout is not None:
        own = inner = min(N, whole("max_fanout", max_fanout, low=1))
    if max_period is not None:
        limit = exact(number("max_period", max_period))
        own, inner = min(own, int(limit // step)), min(inner, int((limit - extra) // step))
    most = None if max_internal is None else whole("max_internal", max_internal)
    return earliest_tree(N, step, delay, (own, inner), most, extra)


@lru_cache(maxsize=256)
def exact_message(
    p: LogGP, size: float = 1, filter_cost: float = 0.0
) -> tuple[Fraction, Fraction, Fraction]:
    """Step and delay of `reduction_message` as the decimal numbers that they are, unrounded.

    With them what an internal process adds to the period of its children: max(0, 2o + c − step).
    """
    o, c, tail = exact(p.o_s), exact(filter_cost), (exact(size) - 1) * exact(p.G)
    step = max(o + c, exact(p.g) + tail)
    return step, 2 * o + exact(p.L) + tail + c, max(2 * o + c - step, Fraction(0))


def front_end_share(inputs: int, metrics: int, cost: float, rate: float = 5.0) -> float:
    """Share of the offered samples that a front-end processes: min(1, 1/load).

    load = rate · inputs · metrics · cost · inputs: every sample is aligned against every input.
    Fitted to Roth, Arnold & Miller 2003, sec. 4 and Fig. 9.

    Parameters
    ----------
    inputs : int
        Processes that send to the front-end: the daemons of a flat tree, its children else.
    metrics : int
        Samples that each input sends at a time.
    cost : float
        Time per sample and input.
    rate : float
        Samples of a metric per time.

    Raises
    ------
    InputError
        inputs or metrics < 1, cost < 0, rate ≤ 0.
    """
    D, M = whole("inputs", inputs, low=1), whole("metrics", metrics, low=1)
    load = number("rate", rate, above=True) * D * M * number("cost", cost) * D
    return 1.0 if load <= 1.0 else 1.0 / load

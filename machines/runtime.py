"""What runs the tasks of a platform: when it fetches data, how often, in which order it starts.

The words of `[runtime]` in platform files; the executed timeline reads them.
"""

from __future__ import annotations

from dataclasses import dataclass

from machines.parameters import check_properties, parameter

AHEAD, SLOT = "ahead", "slot"
ONCE, EACH = "once", "each"
PLAN, READY = "plan", "ready"
EQUAL, RTT = "equal", "rtt"
ENGINE_TIMES = ("begin_s", "poll_s", "submit_s", "cycle_s", "reclaim_s")
"""What an engine adds between a task's last input, or a free slot, and its start."""
_MOST_S = 86_400.0  # a day
_TITLES = {
    AHEAD: "Ahead of the task",
    SLOT: "In the task's slot",
    ONCE: "Once a machine",
    EACH: "For every reader",
    PLAN: "As planned",
    READY: "First that is ready",
    EQUAL: "Equal weights",
    RTT: "By round-trip time",
}


@dataclass(frozen=True)
class Runtime:
    """How tasks and their data are brought to the machines.

    Attributes
    ----------
    fetch : {"ahead", "slot"}
        "ahead": an item moves as soon as its producer ends. "slot": a task takes its cores, then
        fetches what is not there (Slurm and Snakemake stage-in).
    copies : {"once", "each"}
        "once": an item crosses to a machine once and stays. "each": for every reader.
    task_overhead_s : float
        Seconds that a task holds its cores before it computes.
    order : {"plan", "ready"}
        "plan": a machine starts its tasks strictly in the plan's order. "ready": the first in
        that order whose data are there.
    fairness : {"equal", "rtt"}
        Weights of transfers that share a resource: all equal, or 1 / startup of the route, as
        long-lived TCP connections share (Casanova et al. 2014).
    begin_s : float
        Seconds until the engine and its workers are up; it hands out no task before.
    poll_s : float
        The engine looks for what has ended every so many seconds; 0: it is told at once.
    submit_s : float
        Seconds that the engine takes to hand out a task, one after the other, those that it sees
        together in the plan's order.
    cycle_s : float
        A task that was handed out can start at the next multiple of this; 0: at once.
    reclaim_s : float
        What a task held can be taken again at the next multiple of this after its end; 0: at once.
    """

    fetch: str = parameter(
        AHEAD,
        title="Fetch data",
        choices=(AHEAD, SLOT),
        titled=_TITLES.__getitem__,
        help="Ahead: an item moves as soon as its producer ends. In the slot: a task takes its "
        "cores, then fetches missing data",
    )
    copies: str = parameter(
        ONCE,
        title="Copies of data",
        choices=(ONCE, EACH),
        titled=_TITLES.__getitem__,
        help="Once: an item crosses to a machine once and stays for later readers. For every "
        "reader: it crosses for each of them",
    )
    task_overhead_s: float = parameter(
        0.0,
        low=0.0,
        title="Overhead of a task",
        unit="s",
        help="How long a task holds its cores before it computes: container, interpreter, queue",
    )
    order: str = parameter(
        PLAN,
        title="Order of tasks",
        choices=(PLAN, READY),
        titled=_TITLES.__getitem__,
        help="As planned: a machine starts its tasks strictly in the plan's order. Ready: the "
        "first in that order whose data have arrived",
    )
    fairness: str = parameter(
        EQUAL,
        title="Link shares (fairness)",
        choices=(EQUAL, RTT),
        titled=_TITLES.__getitem__,
        help="Weights of transfers that share a link, max–min fair: equal, or 1 / startup of "
        "the route, as long-lived TCP does",
    )
    begin_s: float = parameter(
        0.0,
        low=0.0,
        high=_MOST_S,
        title="Start of the engine",
        unit="s",
        heading="Engine",
        help="How long it takes until the engine and its workers are up: no task is handed out "
        "before",
    )
    poll_s: float = parameter(
        0.0,
        low=0.0,
        high=_MOST_S,
        title="Polling period",
        unit="s",
        help="The engine looks for ended tasks every so often, such as DAGMan every 5 s; 0: it "
        "sees them at once",
    )
    submit_s: float = parameter(
        0.0,
        low=0.0,
        high=_MOST_S,
        title="Time of a submission",
        unit="s",
        help="How long the engine takes to hand out a task: one after the other, in the plan's "
        "order among those that it sees together",
    )
    cycle_s: float = parameter(
        0.0,
        low=0.0,
        high=_MOST_S,
        title="Scheduling cycle",
        unit="s",
        help="Tasks that were handed out can start every so often: negotiation of HTCondor, "
        "cycles of a batch system; 0: at once",
    )
    reclaim_s: float = parameter(
        0.0,
        low=0.0,
        high=_MOST_S,
        title="Reclaim period",
        unit="s",
        help="The slot of a task that has ended can be taken again every so often, such as a node "
        "that a batch system clears up once a second; 0: at once",
    )

    def __post_init__(self) -> None:
        check_properties(self, "runtime")

    @property
    def dispatches(self) -> bool:
        """Whether it takes time from a task's last input until it may start."""
        return any(getattr(self, name) > 0.0 for name in ENGINE_TIMES)

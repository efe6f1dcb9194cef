"""Small projects whose plan the network decides, with what happens worked out by hand."""

from __future__ import annotations

from advisor.allocation.data_files import DataFile
from advisor.allocation.plan import Plan
from advisor.allocation.workload import Flow, Task, Workload
from advisor.project.project import Project
from machines import Direction, Link, Machine, Platform
from machines.platform import Store, Switch
from machines.runtime import Runtime

READERS = ("B", "C", "D", "E")


def joined(first: str, second: str, startup_s: float = 0.1, bandwidth: float = 100.0) -> Link:
    """A link with the same costs both ways."""
    both = Direction(startup_s, bandwidth)
    return Link(first, second, both, both)


def four_readers(file: bool, runtime: Runtime | None = None) -> Project:
    """A (1 s) on P sends 100 B to each of four tasks of 1 s on Q, over 0.1 s and 100 B/s.

    As four flows they share the link, 100 B each at 25 B/s: there at 1 + 0.1 + 4 = 5.1 s. As one
    file, which crosses once: there at 1 + 0.1 + 1 = 2.1 s.
    """
    platform = Platform(
        "pair",
        (Machine("P"), Machine("Q")),
        (joined("P", "Q"),),
        runtime=runtime or Runtime(),
    )
    if file:
        tasks = [Task("A", work=1.0, writes=("data",))]
        tasks += [Task(name, work=1.0, reads=("data",)) for name in READERS]
        workload = Workload("file", tuple(tasks), files=(DataFile("data", 100.0),))
    else:
        tasks = [Task(name, work=1.0) for name in ("A", *READERS)]
        flows = tuple(Flow("A", name, ((1, 100.0),)) for name in READERS)
        workload = Workload("flows", tuple(tasks), flows)
    return Project(platform, workload, Plan((0, 1, 1, 1, 1)))


def lab() -> Project:
    """Two machines and a store on a switch; a task fetches 100 B in its slot, then computes 4 s.

    The store sends 100 B/s, without startup: X takes its core at 0 and starts at 1 s, Y (3 s, on
    the other machine) reads nothing; the makespan is 5 s.
    """
    free = {"startup_s": 0.0, "bandwidth": 100.0}
    platform = Platform(
        "lab",
        (Machine("P"), Machine("Q")),
        tuple(joined(end, "hub", **free) for end in ("P", "Q", "disk")),
        switches=(Switch("hub", 400.0),),
        stores=(Store("disk"),),
        runtime=Runtime(fetch="slot"),
    )
    tasks = (Task("X", work=4.0, reads=("raw",)), Task("Y", work=3.0))
    workload = Workload("fetch", tasks, files=(DataFile("raw", 100.0, at="disk"),))
    return Project(platform, workload, Plan((0, 1)))

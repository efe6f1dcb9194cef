"""Two machines and a file server on a hub of 10 B/s: all times of the plan follow by hand.

Files a and b, 100 B each, set out at once and share the hub: 20 s in place of 10. t1 and t2 run
from 20 to 25 s. Then c (50 B, to t3) and t2→t4 (100 B) share it: c is there at 35 s, the other one,
alone from then on, at 40 s. t3 ends at 40 s, t4 at 45 s. On an endless network a and b take 10 s, c
5 s and t2→t4 10 s: 30 s in all; with a hub of 20 B/s it is 27.5 s.
"""

from __future__ import annotations

from advisor.allocation.data_files import DataFile
from advisor.allocation.plan import Plan
from advisor.allocation.timeline_modes import FAIR
from advisor.allocation.workload import Flow, Task, Workload
from advisor.project.project import Project
from machines import Direction, Link, Machine, Platform
from machines.platform import Store, Switch

_WIRE = Direction(0.0, 100.0)


def hub_project(sharing: str = FAIR) -> Project:
    """The project, its tasks on m1, m2, m2, m1."""
    platform = Platform(
        "hub",
        (Machine("m1"), Machine("m2")),
        tuple(Link(name, "hub", _WIRE, _WIRE) for name in ("m1", "m2", "files")),
        switches=(Switch("hub", 10.0),),
        stores=(Store("files"),),
    )
    workload = Workload(
        "four tasks",
        (
            Task("t1", work=5.0, reads=("a",), writes=("c",)),
            Task("t2", work=5.0, reads=("b",)),
            Task("t3", work=5.0, reads=("c",)),
            Task("t4", work=5.0),
        ),
        (Flow("t2", "t4", ((1, 100.0),)),),
        (DataFile("a", 100.0), DataFile("b", 100.0), DataFile("c", 50.0)),
    )
    return Project(platform, workload, Plan((0, 1, 1, 0)), sharing=sharing)

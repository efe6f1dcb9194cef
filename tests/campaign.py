"""A small project with one thing for every study to look at: tasks of each kind, and an overlay."""

from __future__ import annotations

from functools import cache

from advisor.allocation.plan import Plan
from advisor.allocation.workload import Task, Workload
from advisor.overlays.overlay import Overlay
from advisor.programs.diamond_program import DiamondDag
from advisor.programs.remap import Remap
from advisor.programs.shared_memory_program import SharedMemoryProgram
from advisor.project.project import Project
from advisor.scaling.law import Scaling
from advisor.shared_memory.application_file import shipped_application
from advisor.shared_memory.network_file import dvsm_network
from advisor.shared_memory.shared_memory_costs import shared_memory_of
from machines import Crossbar, Direction, Interconnect, Link, LogGP, Machine, Platform
from machines.network import Mesh

COSTS = LogGP(L=10.0, o_s=5.0, o_r=5.0, g=5.0, G=0.5)
NET = Interconnect("grid", Mesh((4, 2)), COSTS, COSTS, "cycle", 5e-8)


@cache
def campaign() -> Project:
    """Remap, wavefront, water, a scalable solver and an ordinary task; a monitor of 8 back-ends."""
    way = Direction(1e-4, 1e8)
    machines = (
        Machine("grid", cores=4, speed=2.0, network=NET),
        Machine("ws", shared_memory=shared_memory_of(dvsm_network("oc3-atm"), 8)),
        Machine("node", cores=16),
        Machine("svc", cores=4),
    )
    links = tuple(
        Link(first.name, second.name, way, way)
        for at, first in enumerate(machines)
        for second in machines[at + 1 :]
    )
    tasks = (
        Task("fft", program=Remap(100, 256.0, 1e-5, "shift", reach=3, completion="choose")),
        Task("align", program=DiamondDag(n=512, element_s=1e-6)),
        Task("water", program=SharedMemoryProgram(shipped_application("water"))),
        Task("flow", work=100.0, scaling=Scaling(sigma=0.05, kappa=0.001)),
        Task("report", work=8.0, cores=2),
    )
    monitor = Overlay("monitor", "svc", (("node", 8),), rate_hz=50.0, filter_s=1e-5)
    workload = Workload("campaign", tasks, overlays=(monitor,))
    return Project(Platform("campus", machines, links), workload, Plan((0, 0, 1, 2, 2)))


OTHER_NET = Interconnect("other", Crossbar(16), COSTS, COSTS, "cycle", 5e-8)

"""A project in which a plan decides much: open programs on two networks, and a tree beside them."""

from __future__ import annotations

from dataclasses import replace

from advisor.allocation.plan import Plan
from advisor.allocation.workload import Flow, Task, Workload
from advisor.overlays.overlay import Overlay
from advisor.programs.choices.program_choice import CHOOSE
from advisor.programs.diamond_program import DiamondDag
from advisor.programs.remap import Remap
from advisor.project.project import Project
from machines import Direction, Link, Machine, Platform
from machines.catalogue import interconnect

ALEWIFE, DIRECT, LOGIN, SERVICE = 0, 1, 2, 3
SPECTRA, ALIGN, REPORT = 0, 1, 2


def choosing(overlay: bool = True) -> Project:
    """Spectra (remap, all open) and align (wavefront, blocks open) on Alewife, a report.

    The second machine has the same network with long messages that cost next to nothing, so that
    another style is best there.
    """
    net = interconnect("alewife-1")
    cheap = replace(net.long, L=1.0, o_s=1.0, o_r=1.0, g=1.0, G=0.01, G_m=0.01, a=0.0)
    direct = replace(net, name="cheap long messages", long=cheap)
    way = Direction(1e-4, 1e8)
    machines = (
        Machine("alewife", cores=2, network=net),
        Machine("direct", cores=2, network=direct),
        Machine("login"),
        Machine("svc", cores=4),
    )
    links = tuple(
        Link(one.name, other.name, way, way)
        for place, one in enumerate(machines)
        for other in machines[place + 1 :]
    )
    remap = Remap(4000, 4.0, completion=CHOOSE, transport=CHOOSE, pattern="shift", reach=5)
    tasks = (
        Task("spectra", program=remap),
        Task("align", program=DiamondDag(n=256, element_s=1e-6)),
        Task("report", work=0.01),
    )
    flows = (Flow("spectra", "report", ((1, 1e5),)), Flow("align", "report", ((1, 1e5),)))
    monitor = Overlay(
        "monitor", "login", (("alewife", 32), ("direct", 32)), rate_hz=600.0, filter_s=1e-5
    )
    workload = Workload("choosing", tasks, flows, (), (monitor,) if overlay else ())
    return Project(Platform("two networks", machines, links), workload, Plan((0, 0, 2)))

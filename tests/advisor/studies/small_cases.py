"""A small case of every study, for what all of them have in common."""

from __future__ import annotations

from advisor.allocation.problem import Problem
from advisor.studies import STUDIES, parse_settings
from tests.conftest import two_machines

DATA = "P,time (s)\n1,100\n2,52\n4,28\n8,17\n16,11\n32,9\n"

CASES: dict[str, tuple[str, tuple[str, ...]]] = {
    "allocation": ("allocation", ("seconds=0.05",)),
    "decision map": ("decision-map", ("points=9",)),
    "what if": ("what-if", ()),
    "styles": ("styles", ("processors=16", "largest_bytes=4000")),
    "styles of a hotspot": ("styles", ("pattern=hotspot", "processors=16")),
    "mapping": ("mapping", ("pattern=ring", "processes=16", "seconds=0.05")),
    "mapping of one's own": ("mapping", ("processes=4", "own=3,2,1,0", "seconds=0.05")),
    "blocks": ("blocks", ("n=64", "processors=4")),
    "blocks with a poor choice": ("blocks", ("n=64", "processors=4", "blocks=1")),
    "trees": ("trees", ("back_ends=16",)),
    "trees with a stream": ("trees", ("back_ends=9", "rate=100", "operation=broadcast")),
    "scaling by times": ("scaling", ("budget=40",)),
    "scaling by LogP": ("scaling", ("source=LogP",)),
    "scaling by data": ("scaling", ("source=data", f"data={DATA}", "replicates=20")),
    "sharing": ("sharing", ("contenders=3x0.5",)),
    "sharing of a link": ("sharing", ("resource=link", "contenders=0.5/0.3, 0.25/0.5")),
    "shared memory": ("shared_memory", ("application=sor",)),
    "shared memory and messages": ("shared_memory", ("technology=today", "messages=100")),
}


def parameters_of_case(name: str) -> object:
    """The record of a case."""
    study_name, settings = CASES[name]
    study = STUDIES[study_name]
    inputs: dict[str, object] = {}
    if study.needs_problem:
        project = two_machines(contenders=2)
        inputs["problem"] = Problem.of(project.platform, project.workload)
    record: object = parse_settings(study.record, settings, **inputs)
    return record

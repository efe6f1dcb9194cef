"""Whether two projects ask the same: what the value of a plan depends on, by its values."""

from __future__ import annotations

from dataclasses import fields

from advisor.allocation.workload import Workload
from advisor.project.project import Project
from machines import Platform


def same_question(one: Project, other: Project) -> bool:
    """Whether two projects differ in their plan, pins and names at most."""
    return (
        (one.objective, one.reading, one.sharing) == (other.objective, other.reading, other.sharing)
        and same_but_name(one.platform, other.platform)
        and same_but_name(one.workload, other.workload)
    )


def same_but_name(one: Platform | Workload, other: Platform | Workload) -> bool:
    """Whether two platforms, or two workloads, differ in their own name at most."""
    pairs = (
        (getattr(one, part.name), getattr(other, part.name))
        for part in fields(one)
        if part.name != "name"
    )
    return one is other or all(first is second or first == second for first, second in pairs)

"""The project of `tests.choosing` with a plan pinned that decides much otherwise."""

from __future__ import annotations

from dataclasses import replace

from advisor.allocation.plan import Plan
from advisor.decisions.registry import known
from advisor.programs.choices.style import style_named
from advisor.project.project import Pin, Project
from tests.choosing import ALIGN, DIRECT, SPECTRA, choosing

LONG = style_named("asynchronous-long-non-blocking")


def with_pin() -> Project:
    """Pinned: all on the second machine, long messages, 256 blocks, the monitor's tree on svc.

    So many blocks leave align no room on the first machine.
    """
    project, kinds = choosing(), known()
    problem, plan = project.problem(), Plan((DIRECT, DIRECT, DIRECT))
    plan = kinds["style"].put(problem, plan, SPECTRA, LONG)
    plan = kinds["block"].put(problem, plan, ALIGN, 256)
    apart = next(
        one for one in kinds["tree"].options(problem, plan, 0) if set(one.internal) == {"svc"}
    )
    plan = kinds["tree"].put(problem, plan, 0, apart)
    return replace(project, pins=(Pin("pin A", plan),))

"""What a search process has done before it is forked: see `forked` in tests/gui/conftest.py."""

from __future__ import annotations

import gc

import advisor.advice.explain  # noqa: F401 - imported for the processes to come
from advisor import kernels
from advisor.allocation.objectives import MAKESPAN
from advisor.allocation.problem import Problem
from advisor.allocation.workload import Flow, Task, Workload
from advisor.search import advise
from machines import Machine, Platform

kernels.load()
# the first searches, of a chain and of a fork, load what each process would load again
_platform = Platform("two machines", (Machine("M1"), Machine("M2")))
for _flows in ((Flow("A", "B"), Flow("B", "C")), (Flow("A", "B"), Flow("A", "C"))):
    _workload = Workload("three tasks", tuple(Task(name, work=1.0) for name in "ABC"), _flows)
    advise(Problem.of(_platform, _workload), MAKESPAN, seconds=0.1)
# what is here by now is not looked at by the collector of a process, hence not copied
gc.collect()
gc.freeze()

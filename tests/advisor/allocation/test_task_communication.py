"""The tasks of a workload as processes that send each other data."""

from __future__ import annotations

import pytest

from advisor.allocation.task_communication import from_workload
from advisor.allocation.workload import Flow, Task, Workload
from machines import InputError


def test_the_tasks_of_a_workload_become_processes() -> None:
    tasks = tuple(Task(name, work=1.0) for name in "ABC")
    flows = (Flow("A", "C", ((2, 10.0), (1, 5.0))), Flow("B", "C"))
    found = from_workload(Workload("w", tasks, flows))
    assert (found.sources.tolist(), found.targets.tolist()) == ([0], [2])
    assert (found.total_bytes, found.messages.tolist()) == (25.0, [3.0])
    assert found.labels == ("A", "B", "C")
    with pytest.raises(InputError, match="has bytes"):
        from_workload(Workload("w", tasks, flows[1:]))

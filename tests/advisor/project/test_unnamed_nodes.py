"""A log beside a graph whose nodes have only kinds for names, as Dask draws it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from advisor.project.gathering import gather
from advisor.project.opening import open_files
from advisor.project.run_start import kind_of
from advisor.project.unnamed_nodes import SAID

GRAPH = """digraph {
  1 [label=load, shape=circle]; 2 [label=load, shape=circle]; 3 [label=load, shape=circle];
  4 [label=fit, shape=circle]; 5 [label=fit, shape=circle]; 6 [label=fit, shape=circle];
  7 [label=join, shape=circle];
  a [label="", shape=box]; b [label="", shape=box]; c [label="", shape=box];
  1 -> a; a -> 4; 2 -> b; b -> 5; 3 -> c; c -> 6; 4 -> 7; 5 -> 7; 6 -> 7;
}
"""

LOADS = [f"load-{one * 32}" for one in "abc"]  # as Dask adds a digest
FITS = [f"fit-{one * 32}" for one in "abc"]


def stream(folder: Path, *tasks: tuple[str, str, float, float]) -> Path:
    """Tasks with worker, start and end."""
    records = [
        {"key": key, "worker": worker, "thread": 1, "status": "OK", "nbytes": 1000,
         "startstops": [{"action": "compute", "start": 1e9 + start, "stop": 1e9 + end}]}
        for key, worker, start, end in tasks
    ]  # fmt: skip
    path = folder / "stream.json"
    path.write_text(json.dumps(records))
    return path


def flows(folder: Path, *tasks: tuple[str, str, float, float]) -> tuple[set[str], tuple[str, ...]]:
    (folder / "graph.dot").write_text(GRAPH)
    opened = open_files([stream(folder, *tasks), folder / "graph.dot"])
    assert all(flow.data_sets == ((1, 1000.0),) for flow in opened.project.workload.flows)
    return {flow.name for flow in opened.project.workload.flows}, opened.notes


def test_tasks_with_numbers_take_the_nodes_after_theirs(tmp_path: Path) -> None:
    names, notes = flows(
        tmp_path,
        ("load-0", "M1", 0.0, 2.0), ("load-1", "M2", 0.0, 2.0), ("load-2", "M1", 2.0, 3.0),
        ("fit-2", "M1", 3.0, 5.0), ("fit-0", "M2", 3.0, 5.0), ("fit-1", "M2", 5.0, 6.0),
        ("join-9", "M1", 6.0, 7.0),
    )  # fmt: skip
    steps = {f"load-{k} → fit-{k}" for k in range(3)}
    assert names == steps | {f"fit-{k} → join-9" for k in range(3)}
    assert SAID in notes


def test_else_a_task_takes_a_node_whose_inputs_were_there_and_on_its_machine(
    tmp_path: Path,
) -> None:
    names, _ = flows(
        tmp_path,
        (LOADS[0], "M1", 0.0, 2.0), (LOADS[1], "M2", 0.0, 2.0), (LOADS[2], "M1", 2.0, 9.0),
        (FITS[0], "M2", 2.0, 5.0), (FITS[1], "M1", 2.5, 5.0), (FITS[2], "M2", 9.0, 10.0),
        ("join", "M1", 10.0, 11.0),
    )  # fmt: skip
    pairs = ((1, 0), (0, 1), (2, 2))
    assert {f"{LOADS[one]} → {FITS[other]}" for one, other in pairs} < names


def test_times_that_fit_no_choice_leave_the_tasks_independent(tmp_path: Path) -> None:
    (tmp_path / "graph.dot").write_text(GRAPH)
    tasks = [(f"load-{k}", "M1", float(k), k + 1.0) for k in range(3)]
    tasks += [(f"fit-{k}", "M2", float(k) / 10, 9.0) for k in range(3)]
    path = stream(tmp_path, *tasks, ("join", "M1", 9.0, 10.0))
    found = gather([path, tmp_path / "graph.dot"])
    assert found.project.workload.flows == ()
    assert any("tells no dependencies" in note for note in found.notes)


@pytest.mark.parametrize(
    ("key", "kind"),
    [
        ("scale-7c9e6679-7425-40de-944b-e07fc1f90ae7", "scale"),
        ("add-1b2c3d4e5f60718293a4b5c6d7e8f901", "add"),
        ("('random_sample-0f1e2d3c4b5a69788796a5b4c3d2e1f0', 0, 1)", "random_sample"),
        ("sum-tree-0-1", "sum-tree"),
        ("WF:SUB:PROC (tag)", "PROC"),
        ("deadbeef", "deadbeef"),
    ],
)
def test_kinds_are_names_without_what_tells_tasks_apart(key: str, kind: str) -> None:
    assert kind_of(key) == kind

"""A WfFormat workflow's files are used as such; no byte goes without a word."""

from __future__ import annotations

import numpy as np
import pytest

from advisor.allocation.plan import Plan
from advisor.allocation.predict import predict
from advisor.allocation.problem import Problem
from advisor.allocation.timeline_modes import NONE
from advisor.allocation.workload import Flow, Task, Workload
from advisor.project.wfformat.wfformat_reader import workload_from
from machines import Direction, Link, Machine, Platform, Store

Json = dict[str, object]
Row = tuple[str, list[str], list[str], list[str]]  # id, parents, files read, files written


def document(rows: list[Row], sizes: dict[str, int | None], **runtimes: float) -> Json:
    """A workflow of schema 1.5."""
    tasks = [
        {"id": name, "name": name, "parents": parents, "inputFiles": reads, "outputFiles": writes}
        for name, parents, reads, writes in rows
    ]
    runs = [{"id": row[0], "runtimeInSeconds": runtimes.get(row[0], 1.0)} for row in rows]
    files = [
        {"id": file} | ({} if size is None else {"sizeInBytes": size})
        for file, size in sizes.items()
    ]
    return {
        "name": "wf",
        "schemaVersion": "1.5",
        "workflow": {
            "specification": {"tasks": tasks, "files": files},
            "execution": {"tasks": runs},
        },
    }


def old_document(rows: list[tuple[str, list[str], dict[str, int], dict[str, int]]]) -> Json:
    """The same of schema 1.4, where each task tells the sizes of its files."""
    tasks = [
        {
            "name": name,
            "parents": parents,
            "runtimeInSeconds": 1.0,
            "files": [
                {"name": file, "link": link, "sizeInBytes": size}
                for link, group in (("input", reads), ("output", writes))
                for file, size in group.items()
            ],
        }
        for name, parents, reads, writes in rows
    ]
    return {"name": "wf", "schemaVersion": "1.4", "workflow": {"tasks": tasks}}


def sizes_of(workload: Workload) -> dict[str, float]:
    return {file.name: file.size_bytes for file in workload.files}


def files_of(workload: Workload) -> dict[str, tuple[tuple[str, ...], tuple[str, ...]]]:
    return {task.name: (task.reads, task.writes) for task in workload.tasks}


BLAST: list[Row] = [
    ("split", [], ["in.fasta", "tool"], ["p1", "p2"]),
    ("blast1", ["split"], ["p1", "db", "tool"], ["o1"]),
    ("blast2", ["split"], ["p2", "db", "tool"], ["o2"]),
    ("cat", ["blast1", "blast2"], ["o1", "o2"], ["out"]),
]
SIZES: dict[str, int | None] = {
    "in.fasta": 70, "tool": 3, "p1": 30, "p2": 40, "db": 90_000, "o1": 11, "o2": 12, "out": 23,
    "README": 5,
}  # fmt: skip


def test_no_byte_is_lost() -> None:
    workload, _, warnings, *_ = workload_from(document(BLAST, SIZES))
    assert sizes_of(workload) == SIZES
    assert warnings == ()
    outside = {workload.files[at].name for at in workload.outside}
    assert outside == {"in.fasta", "tool", "db", "README"}
    assert workload.flows == ()
    assert [edge.name for edge in workload.edges] == [
        "split → blast1", "split → blast2", "blast1 → cat", "blast2 → cat",
    ]  # fmt: skip


def test_what_no_task_makes_is_left_out_with_its_bytes_or_comes_from_the_store() -> None:
    workload, *_ = workload_from(document(BLAST, SIZES))
    way = Direction(0.0, 100.0)
    bare = Platform("p", (Machine("M"),))
    found = predict(Problem.of(bare, workload, sharing=NONE), Plan((0,) * 4))
    assert [text for text in found.warnings if "left out" in text] == [
        "Files that no task writes are left out: 3 files of 90.1 kB, 180 kB by all readers "
        "together; give "
        "the platform a store, or state the machine of these files (at)"
    ]
    store = Platform("p", (Machine("M"),), (Link("nfs", "M", way, way),), stores=(Store("nfs"),))
    found = predict(Problem.of(store, workload, sharing=NONE), Plan((0,) * 4))
    assert found.warnings == ()
    assert found.makespan_s == 900.0 + 3.0  # the database, then both searches and the end
    assert found.total_s == 4.0 + (73 + 2 * 90_003) / 100.0


def test_a_grandparents_file_is_waited_for_and_said() -> None:
    rows: list[Row] = [
        ("a", [], [], ["x"]),
        ("b", ["a"], [], []),
        ("c", ["b"], ["x"], []),
    ]
    workload, _, warnings, *_ = workload_from(document(rows, {"x": 7}))
    assert workload.flows == (Flow("a", "b"), Flow("b", "c"))
    assert workload.edges[2] == Flow("a", "c", ((1, 7.0),))
    assert warnings == (
        "1 file read by tasks that do not name the writer among their parents (x): they wait for "
        "it all the same",
    )


def test_a_file_of_several_writers_becomes_several() -> None:
    rows = [
        ("a", [], {}, {"log": 10}),
        ("b", ["a"], {"log": 10}, {"log": 20}),
        ("c", ["b"], {"log": 20}, {"log (2)": 1}),
        ("d", ["c", "a"], {"log": 10, "log (2)": 1}, {"log": 40}),
    ]
    workload, _, warnings, *_ = workload_from(old_document(rows))
    assert files_of(workload) == {
        "a": ((), ("log",)),
        "b": (("log",), ("log (3)",)),
        "c": (("log (3)",), ("log (2)",)),
        "d": (("log", "log (2)"), ("log (4)",)),
    }
    assert sizes_of(workload) == {"log": 10, "log (2)": 1, "log (3)": 20, "log (4)": 40}
    assert warnings[0] == "1 file written by several tasks (log): each writes a file of its own"
    assert "several sizes" in warnings[1]


def test_a_reader_of_several_writers_takes_what_its_parents_wrote() -> None:
    rows: list[Row] = [
        ("a", [], [], ["x"]),
        ("b", [], [], ["x"]),
        ("c", ["a", "b"], ["x"], []),
        ("d", ["b"], ["x"], []),
    ]
    workload, *_ = workload_from(document(rows, {"x": 7}))
    assert files_of(workload)["c"][0] == ("x", "x (2)")
    assert files_of(workload)["d"][0] == ("x (2)",)
    assert workload.flows == ()


def test_a_file_changed_in_place_comes_from_outside_before() -> None:
    rows: list[Row] = [("a", [], ["x"], ["x"]), ("b", ["a"], ["x"], [])]
    workload, _, warnings, *_ = workload_from(document(rows, {"x": 7}))
    assert files_of(workload) == {"a": (("x",), ("x (2)",)), "b": (("x (2)",), ())}
    assert workload.outside == (0,)
    assert warnings == (
        "1 file that a task reads and writes and no other makes (x): what it reads comes from "
        "outside",
    )


def test_a_file_read_before_it_is_written_is_left_out_with_its_bytes() -> None:
    rows: list[Row] = [("a", [], ["x", "y"], ["z"]), ("b", ["a"], ["z"], ["x", "y"])]
    workload, _, warnings, *_ = workload_from(document(rows, {"x": 7, "y": 4, "z": 1}))
    assert files_of(workload) == {"a": ((), ("z",)), "b": (("z",), ("x", "y"))}
    assert warnings[-1] == (
        "2 files read before they are written, according to the parents (x, y): 11.0 B are left out"
    )


def test_files_without_a_size_are_counted_from_outside_too() -> None:
    rows: list[Row] = [("a", [], ["in", "more"], ["x"]), ("b", ["a"], ["x"], ["out"])]
    workload, _, warnings, *_ = workload_from(document(rows, {"in": 5, "out": None}))
    assert sizes_of(workload) == {"in": 5, "more": 0, "x": 0, "out": 0}
    assert warnings == ("2 files that tasks read have no size in the file; taken as empty",)


@pytest.mark.parametrize("readers", [1, 3])
def test_predictions_are_those_of_flows_with_the_same_bytes(readers: int) -> None:
    rows: list[Row] = [("a", [], [], ["x", "y"])]
    rows += [(f"b{i}", ["a"], ["x", "y"] if i else ["x"], [f"o{i}"]) for i in range(readers)]
    rows += [("c", [row[0] for row in rows], [f"o{i}" for i in range(readers)], [])]
    sizes: dict[str, int | None] = {"x": 100, "y": 300, "o0": 10, "o1": 0, "o2": 70}
    workload, *_ = workload_from(document(rows, sizes))
    flows = [
        Flow("a", f"b{i}", ((1, 100.0), (1, 300.0)) if i else ((1, 100.0),)) for i in range(readers)
    ]
    flows += [
        Flow(f"b{i}", "c", ((1, float(sizes[f"o{i}"] or 0)),) if sizes[f"o{i}"] else ())
        for i in range(readers)
    ]
    flows += [Flow("a", "c")]
    by_hand = Workload("wf", tuple(Task(row[0], 1.0) for row in rows), tuple(flows))
    way = Direction(0.5, 40.0)
    machines = tuple(Machine(f"M{i}", speed=1.0 + i) for i in range(3))
    links = tuple(Link(f"M{i}", f"M{j}", way, way) for i in range(3) for j in range(i))
    platform = Platform("p", machines, links)
    rng = np.random.default_rng(readers)
    for _ in range(5):
        plan = Plan(tuple(rng.integers(0, 3, len(rows)).tolist()))
        here, there = (
            predict(Problem.of(platform, one, sharing=NONE), plan) for one in (workload, by_hand)
        )
        assert here.end_s.tolist() == there.end_s.tolist()
        assert here.total_s == pytest.approx(there.total_s, rel=1e-12)
        assert here.lower_bounds_s == pytest.approx(there.lower_bounds_s, rel=1e-12)
        assert here.breakdown_s == pytest.approx(there.breakdown_s, rel=1e-12)

"""Files that tasks read and write: what follows for the graph, and what is refused."""

from __future__ import annotations

import pickle

import pytest

from advisor.allocation.data_files import DataFile
from advisor.allocation.workload import Flow, Task, Workload
from machines import InputError


def made() -> Workload:
    """A writes a, b and an empty one; B reads a and b, C reads b, the empty one and an input."""
    return Workload(
        "w",
        (
            Task("C", 1.0, reads=("b", "empty", "input")),
            Task("A", 1.0, writes=("a", "b", "empty")),
            Task("B", 1.0, reads=("b", "a"), writes=("c",)),
        ),
        (Flow("A", "C", ((2, 7.0),)),),
        (
            DataFile("input", 1e6, "M1"),
            DataFile("a", 10.0),
            DataFile("b", 20.0),
            DataFile("empty", 0.0),
            DataFile("c", 5.0),
        ),
    )


def test_a_reader_depends_on_the_writer() -> None:
    workload = made()
    assert workload.edges == (
        Flow("A", "C", ((2, 7.0),)),
        Flow("A", "C", ((1, 20.0),)),
        Flow("A", "B", ((1, 20.0), (1, 10.0))),
    )
    assert workload.sources.tolist() == [1, 1, 1]
    assert workload.targets.tolist() == [0, 0, 2]
    assert workload.topological_order.tolist() == [1, 0, 2]


def test_positions_tell_who_makes_and_who_reads() -> None:
    workload = made()
    assert workload.outside == (0,)
    assert workload.use.writer.tolist() == [-1, 1, 1, 1, 2]
    assert workload.use.readers == ((0,), (2,), (0, 2), (0,), ())
    assert [workload.carried(edge) for edge in range(3)] == [(), (2, 3), (2, 1)]


def test_the_bytes_of_edges_are_those_of_flows_and_files() -> None:
    workload = made()
    assert workload.edge_bytes.tolist() == [edge.size_bytes for edge in workload.edges]
    assert workload.edge_bytes.tolist() == [14.0, 20.0, 30.0]
    after = workload.with_flow(0, Flow("A", "C"))
    assert after.edge_bytes.tolist() == [0.0, 20.0, 30.0]


def test_an_empty_file_still_orders() -> None:
    workload = Workload(
        "w",
        (Task("B", 1.0, reads=("f",)), Task("A", 1.0, writes=("f",))),
        files=(DataFile("f", 0.0),),
    )
    assert workload.edges == (Flow("A", "B"),)
    assert workload.topological_order.tolist() == [1, 0]


def test_another_flow_or_task_keeps_what_files_carry() -> None:
    before = made()
    after = before.with_flow(0, Flow("A", "C", ((1, 9.0),)))
    assert after.edges[0].size_bytes == 9.0
    assert after.edges[1:] == before.edges[1:]
    assert after == Workload("w", after.tasks, after.flows, after.files)
    assert before.with_task(1, Task("A", 5.0, writes=("a", "b", "empty"))).use is before.use
    moved = before.with_task(2, Task("B", 1.0, reads=("a",), writes=("c",)))
    assert moved.edges[2] == Flow("A", "B", ((1, 10.0),))


def test_workloads_with_files_compare_hash_and_pickle() -> None:
    assert made() == made()
    assert hash(made()) == hash(made())
    assert pickle.loads(pickle.dumps(made())) == made()
    assert made() != Workload("w", made().tasks, made().flows, (*made().files, DataFile("d", 1)))


@pytest.mark.parametrize(
    ("tasks", "files", "words"),
    [
        ((Task("A", 1.0, reads=("x",)),), (), ("x", "A", "[[file]]")),
        ((Task("A", 1.0, writes=("x",)),), (), ("x", "A", "[[file]]")),
        (
            (Task("A", 1.0, writes=("x",)), Task("B", 1.0, writes=("x",))),
            (DataFile("x", 1.0),),
            ('file "x"', "A and B", "one writer"),
        ),
        (
            (Task("A", 1.0, writes=("x",)),),
            (DataFile("x", 1.0, "M1"),),
            ('file "x"', "at = M1", "A writes"),
        ),
        ((Task("A", 1.0),), (DataFile("x", 1.0), DataFile("x", 2.0)), ("two files", "'x'")),
        (
            (
                Task("A", 1.0, reads=("y",), writes=("x",)),
                Task("B", 1.0, reads=("x",), writes=("y",)),
            ),
            (DataFile("x", 1.0), DataFile("y", 1.0)),
            ("files form a cycle", "x", "y", "A", "B"),
        ),
    ],
)
def test_what_files_contradict_is_refused(tasks, files, words) -> None:
    with pytest.raises(InputError) as caught:
        Workload("w", tasks, (), files)
    for word in words:
        assert word in str(caught.value)


def test_a_cycle_of_a_flow_and_a_file_names_the_file() -> None:
    tasks = (Task("A", 1.0, writes=("x",)), Task("B", 1.0, reads=("x",)))
    with pytest.raises(InputError, match=r"files form a cycle.*'x'"):
        Workload("w", tasks, (Flow("B", "A"),), (DataFile("x", 1.0),))


def test_a_task_does_not_write_what_it_reads() -> None:
    with pytest.raises(InputError, match='task "A": it writes a file that it reads'):
        Task("A", 1.0, reads=("x", "y"), writes=("y",))
    with pytest.raises(InputError, match="reads names a file twice"):
        Task("A", 1.0, reads=("x", "x"))


@pytest.mark.parametrize("size_bytes", [-1.0, float("inf"), float("nan"), "many"])
def test_bytes_of_a_file_are_a_number(size_bytes) -> None:
    with pytest.raises(InputError, match='file "x": bytes'):
        DataFile("x", size_bytes)


def test_a_file_needs_a_name() -> None:
    with pytest.raises(InputError, match="name"):
        DataFile("", 1.0)

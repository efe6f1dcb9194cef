"""Workload values: validation, order, fast edits."""

import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor.allocation.workload import Flow, Task, Workload
from machines import InputError


def diamond():
    tasks = tuple(Task(name, work=1.0) for name in "ABCD")
    flows = tuple(Flow(*pair) for pair in ("AB", "AC", "BD", "CD"))
    return Workload("diamond", tasks, flows)


@given(st.integers(1, 12), st.data())
def test_the_topological_order_puts_every_source_before_its_target(count, data):
    place = data.draw(st.permutations(range(count)))
    edges = data.draw(
        st.sets(st.tuples(st.integers(0, count - 1), st.integers(0, count - 1)), max_size=20)
    )
    flows = tuple(Flow(f"t{a}", f"t{b}") for a, b in sorted(edges) if place[a] < place[b])
    workload = Workload("w", tuple(Task(f"t{k}", work=1.0) for k in range(count)), flows)
    position = np.argsort(workload.topological_order)
    assert (position[workload.sources] < position[workload.targets]).all()
    assert sorted(workload.topological_order.tolist()) == list(range(count))


def test_positions_follow_the_tasks():
    workload = diamond()
    assert workload.index == {"A": 0, "B": 1, "C": 2, "D": 3}
    assert workload.sources.tolist() == [0, 0, 1, 2]
    assert workload.targets.tolist() == [1, 2, 3, 3]
    assert workload.topological_order.tolist() == [0, 1, 2, 3]


def test_arrays_are_read_only():
    with pytest.raises(ValueError, match="read-only"):
        diamond().sources[0] = 3


def test_values_compare_hash_and_pickle():
    assert diamond() == diamond()
    assert hash(diamond()) == hash(diamond())
    assert pickle.loads(pickle.dumps(diamond())) == diamond()


def test_another_task_of_the_same_name_keeps_the_graph():
    before = diamond()
    after = before.with_task(1, Task("B", work=5.0))
    assert after.tasks[1].work == 5.0
    assert before.tasks[1].work == 1.0
    assert after.topological_order is before.topological_order
    assert after == Workload("diamond", after.tasks, after.flows)


def test_a_task_renamed_away_from_its_flows_is_refused():
    with pytest.raises(InputError, match="unknown task"):
        diamond().with_task(1, Task("X", work=5.0))


def test_another_flow_is_checked_when_its_ends_move():
    before = diamond()
    kept = before.with_flow(0, Flow("A", "B", ((2, 10.0),)))
    assert kept.flows[0].size_bytes == 20.0
    assert before.with_flow(0, Flow("B", "C")).topological_order.tolist() == [0, 1, 2, 3]
    with pytest.raises(InputError, match="cycle"):
        before.with_flow(0, Flow("D", "A"))


@pytest.mark.parametrize(
    ("name", "kind", "group"),
    [
        ("mProject_ID000012", "", "mProject"),
        ("blast-7", "", "blast"),
        ("solve", "", "solve"),
        ("12", "", "12"),
        ("t1 2", "", "t"),
        ("task 2", "", "task"),
        ("x9", "stage", "stage"),
    ],
)
def test_tasks_are_grouped_by_kind_or_by_name_without_number(name, kind, group):
    assert Task(name, work=1.0, kind=kind).group == group


@pytest.mark.parametrize(
    ("build", "message"),
    [
        (lambda: Task("A"), "either work or seconds"),
        (lambda: Task("A", work=1.0, seconds=(("M", 1.0),)), "either work or seconds"),
        (lambda: Task("A", work=-1.0), "work"),
        (lambda: Task("A", work=float("nan")), "work"),
        (lambda: Task("A", seconds=(("M", -1.0),)), "seconds on M"),
        (lambda: Task("A", work=1.0, cores=0), "cores"),
        (lambda: Task("A", work=1.0, memory_bytes=-1), "memory_bytes"),
        (lambda: Task(" ", work=1.0), "name"),
        (lambda: Flow("A", "A"), "feed itself"),
        (lambda: Flow("A", "B", ((1.5, 10.0),)), "count"),
        (lambda: Flow("A", "B", ((1, 0.0),)), "bytes"),
        (lambda: Flow("A", "B", seconds=((("M", "N"), -1.0),)), "seconds M>N"),
        (lambda: Workload("w", ()), "at least one task"),
        (lambda: Workload("w", (Task("A", work=1.0),) * 2), "one name"),
        (lambda: Workload("w", (Task("A", work=1.0),), (Flow("A", "B"),)), "unknown task"),
    ],
)
def test_unusable_workloads_are_refused(build, message):
    with pytest.raises(InputError, match=message):
        build()


def test_two_flows_of_one_pair_are_refused():
    tasks = (Task("A", work=1.0), Task("B", work=1.0))
    with pytest.raises(InputError, match="two flows"):
        Workload("w", tasks, (Flow("A", "B"), Flow("A", "B", ((1, 1.0),))))


def test_a_cycle_is_refused_by_its_tasks_in_order():
    tasks = tuple(Task(name, work=1.0) for name in "ABCDE")
    flows = tuple(Flow(*pair) for pair in ("AB", "BC", "CD", "DB", "DE"))
    with pytest.raises(InputError, match="cycle") as caught:
        Workload("w", tasks, flows)
    assert any(
        turn in str(caught.value) for turn in ("B → C → D → B", "C → D → B → C", "D → B → C → D")
    )

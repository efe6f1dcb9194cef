"""What moves between bars, as arrays: real departures and arrivals, copies, outside files."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from advisor.allocation.data_files import DataFile
from advisor.allocation.plan import Plan
from advisor.allocation.predict import predict
from advisor.allocation.problem import Problem
from advisor.allocation.timeline_modes import FAIR, NONE
from advisor.allocation.workload import Flow, Task, Workload
from advisor.project.project import Project
from gui.board import describe
from gui.board.arcs import MANY, Arcs, arcs_of, merged
from gui.document.document import Outcome
from machines import Machine, Platform
from machines.runtime import Runtime
from tests.conftest import cluster
from tests.gui.board.networks import four_readers, joined, lab


def found(project: Project, sharing: str = FAIR) -> Arcs:
    problem = Problem.of(project.platform, project.workload, sharing=sharing)
    return arcs_of(problem, predict(problem, project.plan))


def test_flows_that_share_a_link_are_as_long_as_they_take_together() -> None:
    arcs = found(four_readers(file=False))
    assert arcs.edge.tolist() == [0, 1, 2, 3]
    assert arcs.left_s == pytest.approx([1.0] * 4)
    assert arcs.arrived_s == pytest.approx([5.1] * 4)
    assert len(set(arcs.transfer.tolist())) == 4


def test_alone_a_flow_lasts_from_the_end_of_its_source() -> None:
    arcs = found(four_readers(file=False), NONE)
    assert arcs.left_s == pytest.approx([1.0] * 4)
    assert arcs.arrived_s == pytest.approx([2.1] * 4)


def test_readers_of_one_copy_are_arcs_of_one_transfer() -> None:
    arcs = found(four_readers(file=True))
    assert arcs.edge.tolist() == [0, 1, 2, 3]
    assert arcs.target.tolist() == [1, 2, 3, 4]
    assert arcs.transfer.tolist() == [0] * 4
    assert set(arcs.first.tolist()) == {1}
    assert arcs.arrived_s == pytest.approx([2.1] * 4)


def test_a_copy_for_each_reader_is_a_transfer_for_each() -> None:
    arcs = found(four_readers(file=True, runtime=Runtime(copies="each")))
    assert sorted(arcs.transfer.tolist()) == [0, 1, 2, 3]
    assert arcs.first.tolist() == arcs.target.tolist()
    assert arcs.arrived_s == pytest.approx([5.1] * 4)


def test_what_stays_on_a_machine_does_not_move() -> None:
    project = replace(four_readers(file=True), plan=Plan((0, 0, 0, 1, 1)))
    arcs = found(project)
    assert arcs.transfer.tolist() == [-1, -1, 0, 0]
    assert np.isnan(arcs.left_s[:2]).all()
    assert arcs.seconds == pytest.approx([0.0, 0.0, 1.1, 1.1])


def test_an_outside_file_comes_from_its_store_and_is_critical_when_a_task_waits_for_it() -> None:
    arcs = found(lab())
    assert (arcs.edge.tolist(), arcs.source.tolist(), arcs.target.tolist()) == ([-1], [-1], [0])
    assert arcs.home.tolist() == [2]  # the store, after the two machines
    assert (arcs.left_s[0], arcs.arrived_s[0]) == pytest.approx((0.0, 1.0))
    assert arcs.critical.tolist() == [True]


def test_an_edge_without_data_still_is_an_arc() -> None:
    project = four_readers(file=False)
    flows = (replace(project.workload.flows[0], data_sets=()), *project.workload.flows[1:])
    arcs = found(replace(project, workload=replace(project.workload, flows=flows)))
    assert arcs.edge.tolist() == [0, 1, 2, 3]
    assert arcs.transfer[0] == -1
    assert arcs.arrived_s[1:] == pytest.approx([4.1] * 3)


def test_of_many_only_the_critical_ones_and_those_of_the_selection_are_drawn() -> None:
    arcs = found(cluster(machines=8, width=40, stages=5))
    assert arcs.edge.size > MANY
    plain = arcs.to_draw(frozenset())
    assert set(plain.tolist()) == set(np.flatnonzero(arcs.critical).tolist())
    task = int(arcs.source[np.flatnonzero(~arcs.critical)[0]])
    mine = np.flatnonzero((arcs.source == task) | (arcs.target == task))
    assert set(mine.tolist()) <= set(arcs.to_draw(frozenset({task})).tolist())
    seconds = arcs.seconds[plain]
    assert (np.diff(seconds) <= 0).all()


def several_files() -> Project:
    """A on P writes two files of 100 B and sends 50 B more, all to B on Q: three items."""
    files = (DataFile("first", 100.0), DataFile("second", 100.0))
    tasks = (
        Task("A", work=1.0, writes=("first", "second")),
        Task("B", work=1.0, reads=("first", "second")),
    )
    platform = Platform("pair", (Machine("P"), Machine("Q")), (joined("P", "Q"),))
    flows = (Flow("A", "B", ((1, 50.0),)),)
    return Project(platform, Workload("two files", tasks, flows, files), Plan((0, 1)))


def test_what_one_task_hands_to_another_is_one_line_however_many_files_it_is() -> None:
    alone = found(several_files())
    assert alone.edge.size == 3
    one = merged(alone)
    assert one.lines.tolist() == [3]
    assert (one.source.tolist(), one.target.tolist()) == ([0], [1])
    assert one.left_s[0] == np.nanmin(alone.left_s)
    assert one.arrived_s[0] == np.nanmax(alone.arrived_s)
    last = alone.transfer == one.transfer[0]
    assert alone.arrived_s[last] == one.arrived_s
    assert one.critical.tolist() == [True]
    assert one.between(0, 1).tolist() == [True]


def test_lines_between_other_tasks_stay_as_they_are() -> None:
    alone = found(four_readers(file=True))
    assert merged(alone) is alone
    stores = found(lab())
    assert merged(stores).lines.tolist() == [1] * stores.edge.size


def test_a_line_tells_all_that_it_stands_for() -> None:
    project = several_files()
    problem = Problem.of(project.platform, project.workload)
    outcome = Outcome(project, problem, predict(problem, project.plan))
    arcs = merged(arcs_of(problem, outcome.prediction))
    words = describe.arc(outcome, arcs, 0)
    assert "50 B" in words
    assert "files first, second" in words
    assert "250 B in all" in words
    assert "3 transfers, from 1.00 s to " in words

"""Idle machines that are alike share one lane, which opens; a task dropped there runs on one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import Qt

from advisor.allocation.data_files import DataFile
from advisor.allocation.plan import Plan
from advisor.allocation.predict import predict
from advisor.allocation.problem import Problem
from advisor.allocation.workload import Task, Workload
from advisor.project.project import Project
from gui.board.alike_lanes import LEAST, stands_for
from gui.board.strips_painter import lane_disclosure
from gui.document.document import Document, Outcome
from machines import Machine, Platform, Switch
from machines.links import Direction, Link
from tests.gui.board.conftest import Hand

Show = Callable[[Document], Hand]
Key = Qt.Key
WAY = Direction(1e-4, 1e8)


def site(nodes: int = 20, tasks: tuple[Task, ...] = (), **odd: object) -> Project:
    """Nodes on a switch, tasks on the first; the last node differs in what is `odd`."""
    machines = [Machine(f"n{number}", cores=4) for number in range(nodes)]
    machines[-1] = replace(machines[-1], **odd)  # type: ignore[arg-type]
    links = tuple(Link(one.name, "switch", WAY, WAY) for one in machines)
    platform = Platform("site", tuple(machines), links, (Switch("switch"),))
    own = tasks or tuple(Task(f"t{number}", work=10.0) for number in range(6))
    plan = Plan(allocation=(0,) * len(own))
    return Project(platform=platform, workload=Workload("six", own), plan=plan)


def shown(hand: Hand) -> list[int]:
    return list(map(int, hand.board.schedule.frame().shown))


def stands(project: Project) -> list[int]:
    problem = Problem.of(project.platform, project.workload)
    return list(map(int, stands_for(Outcome(project, problem, predict(problem, project.plan)))))


def test_idle_machines_that_are_alike_share_a_lane(qapp: object, show: Show) -> None:
    hand = show(Document(site(speed=2.0)))
    view = hand.board.schedule
    assert shown(hand) == [0, 1, 19]  # who works, one for the idle ones, and the fast one
    assert view.facts[1].title == "n1 + 17"
    assert "n1 and 17 identical idle machines" in view.facts[1].sentence
    assert view.facts[19].title == "n19"
    band = view.frame().lane_band(1)
    assert view.frame().lane_at(band[0] + band[1] / 2) == 1


def test_the_lane_opens_and_closes_by_its_mark(qapp: object, show: Show) -> None:
    hand = show(Document(site()))
    view = hand.board.schedule
    mark = lane_disclosure(view.ink, view.card_rect(1)).center()
    assert "identical" in view.tip_at(mark)
    hand.click(mark.toPoint())
    assert shown(hand) == list(range(20))
    assert view.facts[1].title == "n1"
    assert hand.board.folds.idle
    hand.click(lane_disclosure(view.ink, view.card_rect(1)).center().toPoint())
    assert shown(hand) == [0, 1]


def test_a_task_dropped_on_it_runs_on_the_first_and_the_rest_stay_one_lane(
    qapp: object, show: Show
) -> None:
    document = Document(site())
    hand = show(document)
    hand.lift(0, to=hand.lane(1))
    hand.release(hand.lane(1))
    hand.wait_until_current()
    assert document.project.plan.allocation[0] == 1
    assert shown(hand) == [0, 1, 2]
    assert hand.board.schedule.facts[2].title == "n2 + 17"


def test_keys_go_from_shown_lane_to_shown_lane(qapp: object, show: Show) -> None:
    document = Document(site(speed=2.0))
    hand = show(document)
    hand.board.surface.set_current(0)
    hand.key(Key.Key_Return, Key.Key_Down, Key.Key_Down)
    assert hand.board.carrying.target == 19
    hand.key(Key.Key_Up)
    assert hand.board.carrying.target == 1
    hand.key(Key.Key_End)
    assert hand.board.carrying.target == 19
    hand.key(Key.Key_Home)
    assert hand.board.carrying.target == 0


@pytest.mark.parametrize(
    ("project", "told"),
    [
        (site(LEAST), [1] * LEAST),  # five idle ones are few
        (site(LEAST + 1), [1, LEAST, *[0] * (LEAST - 1)]),
        (site(LEAST + 2, memory_bytes=10**9), [1, LEAST, *[0] * (LEAST - 1), 1]),
        (
            site(LEAST + 2, (Task("t", work=1.0, allowed=("n0", "n2")),)),
            [1, LEAST, 1, *[0] * (LEAST - 1)],
        ),
    ],
    ids=["few", "alike", "another machine", "a task may run there"],
)
def test_only_what_no_plan_could_tell_apart_is_alike(project: Project, told: list[int]) -> None:
    assert stands(project) == told


def test_a_file_or_another_link_keeps_a_lane() -> None:
    project = site(LEAST + 2)
    file = DataFile("input", 1e6, at="n3")
    workload = replace(project.workload, files=(file,))
    assert stands(replace(project, workload=workload))[3] == 1
    links = list(project.platform.links)
    links[4] = Link("n4", "switch", WAY, Direction(2e-4, 1e8))
    platform = replace(project.platform, links=tuple(links))
    found = np.array(stands(replace(project, platform=platform)))
    assert found[4] == 1
    assert found.sum() == LEAST + 2

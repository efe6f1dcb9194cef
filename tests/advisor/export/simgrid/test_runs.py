"""SimGrid itself runs what is exported: the simulated cases again, and plans done by hand."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from advisor.allocation.data_files import DataFile
from advisor.allocation.evaluation import reached_s
from advisor.allocation.objectives import MAKESPAN
from advisor.allocation.plan import Plan
from advisor.allocation.predict import predict
from advisor.allocation.problem import Problem
from advisor.allocation.workload import Flow, Task, Workload
from advisor.export.simgrid.check import check_with_simgrid
from advisor.export.simgrid.script import script
from advisor.export.simgrid.simgrid_document import simulated
from advisor.export.simgrid.simgrid_python import run_script
from machines import (
    Contender,
    Direction,
    InfeasibleError,
    Link,
    LinkPiece,
    Machine,
    Platform,
    Runtime,
    Store,
    Switch,
)
from tests.advisor.random_outputs import with_outputs
from tests.advisor.random_variants import random_choice, random_variants
from tests.network_cases import Case, spread
from tests.random_plans import random_plan
from tests.simgrid_python import simgrid_here

pytestmark = pytest.mark.engines

ODD = "a \"b\" <&'c'>\\ – é 😀"


def simulate(problem: Problem, plan: Plan) -> dict[str, Any]:
    result = run_script(simgrid_here(), script(simulated(problem, plan)))
    assert result is not None
    return result


def ends(platform: Platform, workload: Workload, *allocation: int) -> list[float]:
    """Simulated end of every task."""
    tasks = simulate(Problem.of(platform, workload), Plan(allocation))["tasks"]
    return [tasks[task.name]["end_s"] for task in workload.tasks]


def pair(
    way: Direction, sharing: str = "duplex", back: Direction | None = None, **runtime: Any
) -> Platform:
    """M1, of one core, M2, of four, and the link between them."""
    link = Link("M1", "M2", way, back or way, sharing=sharing)
    machines = Machine("M1"), Machine("M2", 4)
    return Platform("p", machines, (link,), runtime=Runtime(**runtime))


SLOW = Direction(0.1, 100.0)
FOUR = tuple(Task(f"t{k}", 1.0) for k in range(4))


@pytest.mark.parametrize("case", spread(30), ids=lambda case: f"{case.name}-{case.what}")
def test_a_case_of_simgrid_comes_out_again(case: Case) -> None:
    problem = Problem.of(case.platform, case.workload)
    result = simulate(problem, case.plan)
    assert result["makespan_s"] == pytest.approx(case.makespan_s, rel=1e-6)
    found = [result["tasks"][task.name]["end_s"] for task in case.workload.tasks]
    assert found == pytest.approx(case.end_s, rel=1e-6)


@pytest.mark.parametrize("seed", range(16))
def test_a_random_plan_is_simulated_as_it_is_predicted(seed: int) -> None:
    simgrid_here()
    platform, workload, plan = random_plan(seed)
    found = check_with_simgrid(Problem.of(platform, workload), plan)
    assert found is not None
    assert found.end_s == pytest.approx(found.prediction.end_s, rel=1e-9)
    assert found.start_s == pytest.approx(found.prediction.start_s, rel=1e-9)


@pytest.mark.parametrize(
    ("runtime", "files", "end_s"),
    [({}, False, 9.1), ({}, True, 6.1), ({"fetch": "slot", "copies": "each"}, True, 9.4)],
    ids=["four flows share the link", "one file crosses once", "fetched in the slot, a copy each"],
)
def test_the_small_plans_of_the_model_page(
    runtime: dict[str, Any], files: bool, end_s: float
) -> None:
    reads = ("f",) if files else ()
    tasks = (
        Task("A", 1.0, writes=reads),
        *(Task(one.name, 1.0, reads=reads) for one in FOUR),
    )
    flows = () if files else tuple(Flow("A", one.name, ((1, 100.0),)) for one in FOUR)
    workload = Workload("w", tasks, flows, (DataFile("f", 100.0),) if files else ())
    platform = pair(SLOW, **runtime)
    one_core = Platform("p", (Machine("M1"), Machine("M2")), platform.links, (), (),
                        platform.runtime)  # fmt: skip
    assert max(ends(one_core, workload, 0, 1, 1, 1, 1)) == pytest.approx(end_s, rel=1e-9)


@pytest.mark.parametrize(
    ("sharing", "there_s", "back_s"),
    [("duplex", 6.0, 6.0), ("shared", 8.4, 9.2), ("free", 6.0, 6.0)],
)
def test_directions_share_as_the_link_says(sharing: str, there_s: float, back_s: float) -> None:
    workload = Workload(
        "w",
        (Task("a", 1.0), Task("b", 1.0), Task("x", 0.0), Task("y", 0.0)),
        (Flow("a", "x", ((1, 400.0),)), Flow("b", "y", ((1, 500.0),))),
    )
    platform = pair(Direction(1.0, 100.0), sharing, Direction(1.0, 125.0))
    assert ends(platform, workload, 0, 1, 1, 0)[2:] == pytest.approx([there_s, back_s], rel=1e-9)


def test_a_bus_is_crossed_once_and_shared_by_all() -> None:
    way = Direction(0.5, 1000.0)
    names = ("a", "b", "c", "d")
    platform = Platform(
        "p",
        tuple(Machine(name) for name in names),
        tuple(Link(name, "bus", way, way) for name in names),
        switches=(Switch("bus", 100.0),),
    )
    tasks = tuple(Task(f"{name}{end}", 0.0) for name in "xy" for end in "12")
    flows = (Flow("x1", "x2", ((1, 100.0),)), Flow("y1", "y2", ((1, 200.0),)))
    found = ends(platform, Workload("w", tasks, flows), 0, 1, 2, 3)
    assert found == pytest.approx([0.0, 3.0, 0.0, 4.0], rel=1e-9)


@pytest.mark.parametrize("fairness", ["equal", "rtt"])
def test_messages_pay_their_startups_and_large_ones_the_other_piece(fairness: str) -> None:
    way = Direction(1.0, 100.0, LinkPiece(50.0, 2.0, 40.0))
    workload = Workload(
        "w",
        (Task("a", 0.0), Task("b", 0.0), Task("c", 0.0)),
        (Flow("a", "b", ((3, 20.0),)), Flow("a", "c", ((2, 80.0),))),
    )
    # b: 3 startups and 60 B at 100 B/s; c: 4 s of startups, then 160 B at 40 B/s
    assert ends(pair(way, fairness=fairness), workload, 0, 1, 1)[1:] == pytest.approx(
        [3.6, 8.0], rel=1e-9
    )


@pytest.mark.parametrize(
    ("fairness", "near_s"), [("equal", 2.0), ("rtt", 200.0 / 150.0)], ids=["equal", "rtt"]
)
def test_the_nearer_transfer_gets_more_where_round_trips_count(
    fairness: str, near_s: float
) -> None:
    # both move from 0.3 s on, over a bus of 200 B/s; startups of 0.1 and 0.3 s weigh 3 to 1
    near, far = Direction(0.05, 1e6), Direction(0.15, 1e6)
    platform = Platform(
        "p",
        tuple(Machine(name) for name in "abcd"),
        tuple(Link(name, "bus", *(near if name in "ab" else far,) * 2) for name in "abcd"),
        switches=(Switch("bus", 200.0),),
        runtime=Runtime(fairness=fairness),
    )
    tasks = (Task("w", 0.2), Task("x", 0.0), Task("y", 0.0), Task("z", 0.0))
    flows = (Flow("w", "x", ((1, 200.0),)), Flow("y", "z", ((1, 200.0),)))
    found = ends(platform, Workload("w", tasks, flows), 0, 1, 2, 3)
    assert [found[1], found[3]] == pytest.approx([0.3 + near_s, 2.3], rel=1e-9)


def test_own_tasks_share_processors_with_contenders() -> None:
    busy = tuple(Contender(f"busy {k}", 1.0) for k in range(4))
    platform = Platform("p", (Machine("M", 8, contenders=busy),))
    workload = Workload("w", tuple(Task(f"t{k}", 10.0) for k in range(8)))
    assert ends(platform, workload, *[0] * 8) == pytest.approx([15.0] * 8, rel=1e-9)


def test_a_task_of_several_cores_counts_as_many() -> None:
    busy = (Contender("busy", 1.0),)
    platform = Platform("p", (Machine("M", 3, contenders=busy),))
    workload = Workload("w", (Task("wide", 10.0, cores=2), Task("narrow", 4.0)))
    # 4 on 3 cores until narrow ends at 16/3 s, when 4 of the 10 s are done; then 3 on 3 cores
    assert ends(platform, workload, 0, 0) == pytest.approx([16 / 3 + 6.0, 16 / 3], rel=1e-9)


def test_part_time_contenders_enter_as_speeds() -> None:
    half = (Contender("half", 0.5),)
    platform = Platform("p", (Machine("M", 2, contenders=half), Machine("N", slowdown=2.0)))
    workload = Workload("w", (Task("a", 3.0), Task("b", 6.0), Task("c", 5.0)))
    problem = Problem.of(platform, workload)
    one_s, two_s = (
        1.0 / speed for speed in simulated(problem, Plan((0, 0, 1))).plan["hosts"][0]["speeds"]
    )
    found = ends(platform, workload, 0, 0, 1)
    assert found == pytest.approx([3.0 * two_s, 3.0 * two_s + 3.0 * one_s, 10.0], rel=1e-9)
    assert two_s > one_s >= 1.0


def test_ready_tasks_overtake_and_wide_ones_wait_for_their_cores() -> None:
    runtime = {"order": "ready"}
    workload = Workload(
        "w",
        (
            Task("late", 5.0),
            Task("needs", 1.0),
            Task("wide", 2.0, cores=4),
            Task("x", 3.0),
            Task("y", 1.0),
        ),
        (Flow("late", "needs"),),
    )
    # M2 has 4 cores: wide 0–2, x 2–5, y 2–3, needs 5–6
    problem = Problem.of(pair(SLOW, **runtime), workload)
    tasks = simulate(problem, Plan((0, 1, 1, 1, 1), (0, 1, 2, 3, 4)))["tasks"]
    assert [tasks[name]["end_s"] for name in ("needs", "wide", "x", "y")] == [6.0, 2.0, 5.0, 3.0]


def test_an_overhead_holds_cores_and_stated_seconds_are_taken() -> None:
    workload = Workload(
        "w", (Task("a", 1.0), Task("b", 1.0)), (Flow("a", "b", (), ((("M1", "M2"), 7.0),)),)
    )
    assert ends(pair(SLOW, task_overhead_s=2.5), workload, 0, 1) == [3.5, 14.0]


def test_names_of_all_kinds_come_back() -> None:
    way = Direction(1.0, 10.0)
    platform = Platform(
        ODD,
        (Machine(ODD), Machine("placewise")),
        (Link(ODD, "placewise", way, way), Link(ODD + "2", "placewise", way, way)),
        stores=(Store(ODD + "2"),),
    )
    tasks = (Task(ODD, 1.0, writes=(ODD,)), Task("\ue000{}", 1.0, reads=(ODD, "in")))
    workload = Workload(ODD, tasks, (), (DataFile(ODD, 20.0), DataFile("in", 30.0, ODD + "2")))
    result = simulate(Problem.of(platform, workload), Plan((0, 1)))
    assert set(result["tasks"]) == {ODD, "\ue000{}"}
    assert result["tasks"]["\ue000{}"]["end_s"] == pytest.approx(5.0, rel=1e-9)
    moved = {(one["item"], one["from"], one["to"]) for one in result["transfers"]}
    assert moved == {(ODD, ODD, "placewise"), ("in", ODD + "2", "placewise")}


@pytest.mark.parametrize("seed", range(12))
def test_outputs_that_stay_in_memory_run_as_predicted(seed: int) -> None:
    simgrid_here()
    platform, workload, plan = random_plan(seed)
    problem = Problem.of(*with_outputs(seed, platform, workload))
    if not np.isfinite(reached_s(problem, MAKESPAN, plan)):
        with pytest.raises(InfeasibleError, match="outputs that wait for their readers"):
            check_with_simgrid(problem, plan)
        return
    found = check_with_simgrid(problem, plan)
    assert found is not None
    assert found.end_s == pytest.approx(found.prediction.end_s, rel=1e-12)


@pytest.mark.parametrize("seed", range(12))
def test_memory_resources_unequal_cores_and_variants_run_as_predicted(seed: int) -> None:
    problem = random_variants(seed, most_tasks=9)
    plan = random_choice(problem, seed)
    tasks = simulate(problem, plan)["tasks"]
    found = predict(problem, plan)
    ended = [tasks[task.name]["end_s"] for task in problem.workload.tasks]
    assert ended == pytest.approx(found.end_s.tolist(), rel=1e-12, abs=1e-12)

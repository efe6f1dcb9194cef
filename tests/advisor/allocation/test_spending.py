"""What a plan takes beside its makespan, by hand."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from advisor.allocation.plan import Plan
from advisor.allocation.predict import predict
from advisor.allocation.problem import Problem
from advisor.allocation.spending import Spending, spending
from advisor.allocation.timeline_modes import NONE, SHARINGS
from advisor.allocation.traits import PROCESSORS
from advisor.allocation.workload import Flow, Task, Workload
from advisor.overlays.overlay import Overlay
from advisor.overlays.overlay_plan import OverlayPlan, tree_of_shape
from advisor.scaling.law import Scaling
from machines import Direction, Link, Machine, Platform
from tests.conftest import two_machines
from tests.random_plans import random_plan

WAY = Direction(0.0, 1e6)


def found(platform: Platform, workload: Workload, plan: Plan, sharing: str = NONE) -> Spending:
    problem = Problem.of(platform, workload, sharing=sharing)
    return spending(problem, predict(problem, plan))


def priced(*rates: tuple[float | None, float | None], cores: int = 4) -> Platform:
    """Machines M1, M2, … with these prices per hour and watts, linked in a chain."""
    machines = tuple(
        Machine(f"M{k}", cores=cores, price_per_hour=price, watts=watts)
        for k, (price, watts) in enumerate(rates, 1)
    )
    links = tuple(Link(a.name, b.name, WAY, WAY) for a, b in pairwise(machines))
    return Platform("priced", machines, links)


def test_every_machine_used_is_paid_until_the_makespan() -> None:
    # a runs 0–1800 s on M1, b 0–3600 s on M2; M3 runs nothing and costs nothing
    workload = Workload("w", (Task("a", work=1800.0), Task("b", work=3600.0)))
    platform = priced((2.0, 100.0), (3.0, 250.0), (1000.0, None))
    one = found(platform, workload, Plan((0, 1)))
    assert (one.machines, one.processors) == (2, 2)
    assert one.money == pytest.approx(5.0)  # M1 for the whole hour, too
    assert one.energy_j == pytest.approx(350.0 * 3600.0)
    assert (one.unpriced, one.unmetered) == ((), ())
    # both side by side on M1: an hour of it; the same on M2
    assert found(platform, workload, Plan((0, 0))).money == pytest.approx(2.0)
    assert found(platform, workload, Plan((1, 1))).energy_j == pytest.approx(9e5)


def test_figueira_and_bermans_plans_cost_what_their_times_say() -> None:
    project = two_machines(2)
    rates = ((3600.0, 10.0), (7200.0, 20.0))
    machines = tuple(
        replace(machine, price_per_hour=price, watts=watts)
        for machine, (price, watts) in zip(project.platform.machines, rates, strict=True)
    )
    platform = replace(project.platform, machines=machines)
    # 48 s on M1; 38 s on both (1 + 2 a second); 48 s on M2
    spent = [found(platform, project.workload, Plan(place)) for place in ((0, 0), (1, 0), (1, 1))]
    assert [one.money for one in spent] == pytest.approx([48.0, 114.0, 96.0])
    assert [one.energy_j for one in spent] == pytest.approx([480.0, 1140.0, 960.0])
    assert [one.total_s for one in spent] == pytest.approx([48.0, 38.0, 48.0])


def test_a_machine_without_a_price_is_named_if_it_is_used() -> None:
    workload = Workload("w", (Task("a", work=1.0), Task("b", work=1.0)))
    platform = priced((1.0, None), (None, 5.0))
    one = found(platform, workload, Plan((0, 1)))
    assert (one.money, one.unpriced) == (None, ("M2",))
    assert (one.energy_j, one.unmetered) == (None, ("M1",))
    alone = found(platform, workload, Plan((0, 0)))
    assert (alone.unpriced, alone.unmetered) == ((), ("M1",))
    assert alone.money == pytest.approx(1.0 / 3600.0)


def test_a_machine_of_internal_processes_is_paid_too() -> None:
    way = Direction(1e-5, 1e8)
    names = ("login", "n1", "svc")
    machines = tuple(Machine(name, cores=2, price_per_hour=36.0) for name in names)
    platform = Platform("p", machines, tuple(Link(a, b, way, way) for a, b in pairwise(names)))
    overlay = Overlay("monitor", "login", (("n1", 4),), rate_hz=0.0)
    workload = Workload("w", (Task("a", work=100.0),), overlays=(overlay,))
    flat = OverlayPlan.of(tree_of_shape("4", 4))
    apart = OverlayPlan.of(tree_of_shape("2x2", 4), ("svc", "svc"))
    spent = [found(platform, workload, Plan((1,), overlays=(tree,))) for tree in (flat, apart)]
    assert [one.machines for one in spent] == [1, 2]  # the front-end is there in every plan
    assert [one.money for one in spent] == pytest.approx([1.0, 2.0])
    assert [one.processors for one in spent] == [1, 1]
    assert PROCESSORS.title == "processors of tasks"  # there may be less than machines used


def test_a_free_machine_has_a_price() -> None:
    workload = Workload("w", (Task("a", work=7200.0),))
    assert found(priced((0.0, 0.0)), workload, Plan((0,))).money == 0.0
    assert found(priced((0.0, 0.0)), workload, Plan((0,))).energy_j == 0.0


def test_processors_are_the_most_held_at_a_time_on_each_machine() -> None:
    # a and b side by side hold 1 + 2 cores, c after both holds 2; d alone on M2 holds 1
    tasks = (
        Task("a", work=10.0),
        Task("b", work=10.0, cores=2),
        Task("c", work=10.0, cores=2),
        Task("d", work=10.0),
    )
    workload = Workload("w", tasks, (Flow("a", "c"), Flow("b", "c")))
    platform = priced((1.0, 1.0), (1.0, 1.0))
    assert found(platform, workload, Plan((0, 0, 0, 1))).processors == 4
    assert found(platform, workload, Plan((0, 1, 1, 1))).processors == 1 + 3


def test_a_chain_takes_one_processor_over_from_task_to_task() -> None:
    # 0.1 + 0.2 is not 0.3: ends and starts are one but for rounding
    tasks = tuple(Task(f"t{k}", work=0.1 * (1 + k % 3)) for k in range(30))
    flows = tuple(Flow(one.name, other.name) for one, other in pairwise(tasks))
    workload = Workload("chain", tasks, flows)
    assert found(priced((1.0, 1.0)), workload, Plan((0,) * 30)).processors == 1


def test_a_task_of_no_length_holds_its_cores_too() -> None:
    workload = Workload("w", (Task("a", work=0.0, cores=3), Task("b", work=1.0)))
    assert found(priced((1.0, 1.0)), workload, Plan((0, 0))).processors == 3


def test_scalable_tasks_hold_what_the_plan_gives_them() -> None:
    task = Task("a", work=10.0, scaling=Scaling(sigma=0.1, kappa=0.0, most=4))
    workload = Workload("w", (task,))
    for processors in (1, 3, 4):
        plan = Plan((0,), processors=(processors,))
        assert found(priced((1.0, 1.0)), workload, plan).processors == processors


@given(st.integers(0, 10_000), st.sampled_from(SHARINGS))
def test_a_plan_reserves_no_more_cores_than_its_machines_have(seed: int, sharing: str) -> None:
    platform, workload, plan = random_plan(seed)
    one = found(platform, workload, plan, sharing)
    cores = np.array([machine.cores for machine in platform.machines])
    used = np.unique(plan.allocation)
    assert one.machines == used.size
    assert one.machines <= one.processors <= cores[used].sum()


@given(st.integers(0, 10_000))
@settings(max_examples=20)
def test_doubled_prices_double_what_a_plan_costs(seed: int) -> None:
    platform, workload, plan = random_plan(seed)

    def at(factor: float) -> Spending:
        machines = tuple(
            replace(machine, price_per_hour=factor * (1 + k), watts=factor * (3 + k))
            for k, machine in enumerate(platform.machines)
        )
        return found(replace(platform, machines=machines), workload, plan)

    one, two = at(1.0), at(2.0)
    assert one.money is not None
    assert one.energy_j is not None
    assert two.money == pytest.approx(2 * one.money)
    assert two.energy_j == pytest.approx(2 * one.energy_j)

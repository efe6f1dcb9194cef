"""Loads that flip a plan beside overlays: those of others, with the overlays' processes kept."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from advisor.advice.competition import varied
from advisor.advice.contest import pool_judge, values_on
from advisor.advice.flips import Flips, find_flips
from advisor.allocation.evaluation import reached_s
from advisor.allocation.loads import CONTENDERS
from advisor.allocation.plan import Plan
from advisor.allocation.predict import predict
from advisor.allocation.problem import Problem
from advisor.allocation.recommendation import Recommendation
from advisor.allocation.workload import Flow, Task, Workload
from advisor.overlays.overlay import Overlay
from advisor.project.examples import load_example
from advisor.search import advise
from machines import Contender, Direction, Link, Machine, Platform, Switch


@pytest.fixture(scope="module")
def monitored() -> tuple[Problem, Recommendation, Flips]:
    problem = load_example("monitored").problem()
    found = advise(problem, seconds=0.1)
    return problem, found, find_flips(problem, found, predict(problem, found.plan))


def test_no_process_of_an_overlay_is_counted_as_a_contender(monitored) -> None:
    problem, found, flips = monitored
    on_nodes = [one for one in flips.flips if one.parameter.kind == CONTENDERS]
    assert on_nodes
    for flip in on_nodes:
        assert flip.present == 0.0
        assert "(now 0)" in flip.sentence or "the present 0 CPU-bound" in flip.sentence
    settled = problem.settled(found.plan)
    assert any(machine.contenders for machine in settled.loaded.machines)
    for one in varied(settled, predict(problem, found.plan)):
        if one.kind == CONTENDERS:
            assert one.value(settled.platform) == 0.0


def test_beyond_a_flip_the_other_plan_is_better_with_its_overlay_beside(monitored) -> None:
    """Judged anew: the user's platform under that load, with all that the plans decide."""
    problem, found, flips = monitored
    for flip in flips.flips[:4]:
        beyond = flip.value + 0.02 * (flip.at - flip.value)
        platform = flip.parameter.applied(problem.platform, beyond, problem.reading)
        there = Problem.of(platform, problem.workload, problem.reading, problem.sharing)
        ours, theirs = (
            min(reached_s(there, "makespan", one), reached_s(there, "makespan", free))
            for one in (found.plan, flip.plan)
            for free in (replace(one, order=None),)
        )
        assert theirs < ours


def two(*contenders: Contender) -> Problem:
    """A task that runs on either of two machines; back-ends on the first take 0.4 of it."""
    way = Direction(1e-4, 1e9)
    first = Machine("busy", contenders=contenders)
    machines = (first, Machine("free", speed=0.5), Machine("login", cores=4))
    links = tuple(Link(one.name, "login", way, way) for one in machines[:2])
    overlay = Overlay("tool", "login", (("busy", 4),), rate_hz=1000.0, overhead_s=1e-4)
    task = Task("t", work=10.0, allowed=("busy", "free"))
    return Problem.of(Platform("p", machines, links), Workload("w", (task,), (), (), (overlay,)))


def test_a_plan_flips_at_the_contenders_that_the_overlay_leaves_room_for() -> None:
    """10 s/(1 − 0.4) on the first, 20 s on the other: alike with 0.2 contenders more."""
    problem = two()
    found = advise(problem, seconds=0.1)
    assert found.value_s == pytest.approx(10.0 / 0.6)
    flips = find_flips(problem, found, predict(problem, found.plan))
    (flip,) = [one for one in flips.flips if one.parameter.key == "contenders:busy"]
    assert flip.value == pytest.approx(0.2, rel=1e-3)
    assert flip.present == 0.0
    assert flip.sentence.startswith("Break-even at 0.2 CPU-bound contenders on busy (now 0); above")


def test_others_on_a_machine_with_an_overlay_are_counted_without_it() -> None:
    problem = two(Contender("other", 1.0))
    found = advise(problem, seconds=0.1)
    assert found.value_s == pytest.approx(20.0)
    flips = find_flips(problem, found, predict(problem, found.plan))
    (flip,) = [one for one in flips.flips if one.parameter.key == "contenders:busy"]
    assert flip.present == 1.0
    assert flip.value == pytest.approx(0.2, rel=1e-3)


def test_where_an_overlay_can_not_keep_up_nothing_is_judged_to_run() -> None:
    problem = two()
    plan = Plan((0,))
    settled = problem.settled(plan)
    slow = Machine("busy", speed=0.3)  # 4 · 0.1 of a processor become 1.33
    platform = replace(problem.platform, machines=(slow, *problem.platform.machines[1:]))
    verdict = pool_judge(settled, "makespan", [plan])(platform, plan)
    assert (verdict.value_s, verdict.best_s) == (math.inf, math.inf)
    assert not verdict.beaten
    assert values_on(settled, "makespan", platform, [plan]).tolist() == [math.inf]


def test_a_tie_at_the_present_load_is_no_break_even_beside_it() -> None:
    """Two machines alike: any load on the one that is taken makes the other better."""
    machines = (Machine("one"), Machine("other"))
    way = Direction(1e-4, 1e9)
    links = (Link("one", "other", way, way),)
    workload = Workload(
        "w", (Task("a", work=10.0), Task("b", work=4.0)), (Flow("a", "b", ((1, 1e6),)),)
    )
    problem = Problem.of(Platform("p", machines, links), workload)
    found = advise(problem, seconds=0.1)
    flips = find_flips(problem, found, predict(problem, found.plan)).flips
    (flip,) = [one for one in flips if one.parameter.kind == CONTENDERS and one.value < 1.0]
    assert flip.value == flip.present == 0.0
    assert flip.sentence.startswith("Break-even at the present 0 CPU-bound contenders")


def fork(contenders: int) -> Problem:
    """A diamond on four unlike machines: at present all on one, one task to its neighbour later."""
    others = tuple(Contender(f"c{i}", 1.0) for i in range(contenders))
    machines = tuple(
        Machine(f"n{i}", cores=4, speed=speed, contenders=others if i == 1 else ())
        for i, speed in enumerate((1.0, 4.0, 3.0, 2.0))
    )
    way = Direction(0.05, 1e8)
    links = tuple(
        Link(a.name, b.name, way, way) for i, a in enumerate(machines) for b in machines[:i]
    )
    tasks = tuple(
        Task(name, work=work) for name, work in zip("abcd", (20, 40, 50, 80), strict=True)
    )
    flows = tuple(Flow(a, b, ((1, 1e7),)) for a, b in ("ab", "ac", "bd", "cd"))
    return Problem.of(Platform("p", machines, links), Workload("w", tasks, flows))


def reordered() -> Problem:
    """The other allocation is best beyond the border in an order in which it is not further on."""
    machines = (Machine("m0", speed=2.0), Machine("m1", 2, 1.5, contenders=(Contender("c", 0.3),)))
    slow, quick = Direction(1.0, 5e6), Direction(0.1, 2e7)
    links = (Link("m0", "s", slow, slow), Link("m1", "s", quick, quick))
    works = zip("abcd", (8.7, 14.7, 9.1, 11.1), strict=True)
    flows = (("a", "d", 1.6e7), ("b", "c", 2.5e7), ("b", "d", 3.6e6))
    return Problem.of(
        Platform("p", machines, links, (Switch("s", 5e6),)),
        Workload(
            "w",
            tuple(Task(name, work=work) for name, work in works),
            tuple(Flow(a, b, ((1, size),)) for a, b, size in flows),
        ),
    )


@pytest.mark.parametrize(
    ("problem", "key"), [(fork(0), "contenders:n1"), (reordered(), "contenders:m1")]
)
def test_on_the_way_to_a_flip_the_plan_is_the_best_of_all(problem: Problem, key: str) -> None:
    """The border is where an exhaustive search first finds another plan."""
    found = advise(problem, seconds=0.5)
    flips = find_flips(problem, found, predict(problem, found.plan)).flips
    (flip,) = [one for one in flips if one.parameter.key == key]
    for share, best in ((0.9, True), (1.1, False)):
        platform = flip.parameter.applied(problem.platform, share * flip.value, problem.reading)
        there = problem.on(platform)
        least = advise(there, strategy="exact")
        assert least.proved_optimal
        stays = reached_s(there, "makespan", found.plan) <= least.value_s * (1 + 1e-9)
        assert stays == best

"""The decision map: regions, edges, refinement and stopping."""

from __future__ import annotations

import itertools
from dataclasses import replace

import numpy as np
import pytest

from advisor.advice.flips import find_flips
from advisor.allocation.data_files import DataFile
from advisor.allocation.evaluation import reached_s
from advisor.allocation.plan import Plan
from advisor.allocation.predict import predict
from advisor.allocation.problem import Problem
from advisor.allocation.timeline_modes import FAIR, NONE
from advisor.allocation.workload import Flow, Task, Workload
from advisor.project.examples import load_example
from advisor.search import advise
from advisor.studies import StudyProgress, StudyResult
from advisor.studies.decision_map.map_axes import DecisionMapParameters
from advisor.studies.decision_map.map_picture import DecisionMap
from advisor.studies.decision_map.map_sentences import name_of, names_of
from advisor.studies.decision_map.run import run
from machines import Direction, InfeasibleError, InputError, Link, Machine, Platform, Switch
from tests.advisor.random_variants import every_plan, random_variants
from tests.conftest import cluster, two_machines


def slowed() -> Problem:
    project = two_machines(contenders=2)
    return Problem.of(project.platform, project.workload)


def map_of(parameters: DecisionMapParameters) -> DecisionMap:
    return drawn(run(parameters))


def drawn(result: StudyResult | None) -> DecisionMap:
    assert result is not None
    found = result.picture(DecisionMap)
    assert found is not None
    return found


def test_the_published_example_has_its_three_regions() -> None:
    found = map_of(DecisionMapParameters(slowed(), points=21))
    assert found.exact and found.complete
    assert (found.x.key, found.y.key) == ("contenders:M1", "link slowdown:M1–M2")
    assert found.present == pytest.approx((2.0, 1.0))
    assert set(found.labels) == {"A on M2, B on M1", "both on M1", "both on M2"}
    assert found.labels[0] == "A on M2, B on M1"
    assert sum(found.shares()) == pytest.approx(1.0)


def test_every_point_holds_the_best_of_all_allocations() -> None:
    problem = slowed()
    found = map_of(DecisionMapParameters(problem, points=9))
    for row, column in itertools.product(range(9), repeat=2):
        platform = found.x.applied(problem.platform, float(found.x_values[column]))
        platform = found.y.applied(platform, float(found.y_values[row]))
        here = Problem.of(platform, problem.workload)
        s = 1.0 + found.x_values[column]
        link = found.y_values[row]
        best_s = min(16 * s, 18 + 8 * link + 4 * s, 48.0, 12 * s + 7 * link + 30)
        assert found.values_s[row, column] == pytest.approx(best_s)
        plan = found.plans[found.region[row, column]]
        assert predict(here, plan).makespan_s == pytest.approx(best_s)


def shared_bus(sharing: str) -> Problem:
    """Two tasks of 10 s that each read 300 B from n0, where they share one core, or across a bus.

    Both on n0 take 20 s, both elsewhere 10 s and what moves: 600 B together, 300 B each alone.
    """
    way = Direction(0.0, 1e6)
    names = ("n0", "n1", "n2")
    platform = Platform(
        "bus",
        tuple(Machine(name) for name in names),
        tuple(Link(name, "bus", way, way) for name in names),
        switches=(Switch("bus", 40.0),),
    )
    tasks = tuple(Task(f"t{i}", work=10.0, reads=(f"f{i}", f"g{i}")) for i in range(2))
    files = tuple(DataFile(f"{kind}{i}", 150.0, "n0") for i in range(2) for kind in "fg")
    return Problem.of(platform, Workload("w", tasks, files=files), sharing=sharing)


@pytest.mark.parametrize("sharing", [FAIR, NONE])
def test_a_map_over_a_bandwidth_is_of_the_timeline_that_is_meant(sharing: str) -> None:
    problem = shared_bus(sharing)
    found = map_of(
        DecisionMapParameters(
            problem, x="bandwidth:bus", y="contenders:n0", points=5, x_low=10.0, x_high=90.0,
            y_low=0.0, y_high=4.0, seconds=0.2,
        )
    )  # fmt: skip
    assert found.sharing == sharing
    for row, column in itertools.product(range(5), repeat=2):
        platform = found.x.applied(problem.platform, float(found.x_values[column]))
        platform = found.y.applied(platform, float(found.y_values[row]))
        here = Problem.of(platform, problem.workload, sharing=sharing)
        values = [
            predict(here, Plan(one)).makespan_s for one in itertools.product(range(3), repeat=2)
        ]
        assert found.values_s[row, column] == pytest.approx(min(values))
        shown = found.plans[found.region[row, column]]
        assert predict(here, replace(shown, order=None)).makespan_s == pytest.approx(min(values))


def test_a_point_is_read_by_its_loads() -> None:
    found = map_of(DecisionMapParameters(slowed(), points=11))
    answer = found.at(0.1, 1.0)
    assert answer is not None
    plan, name, value_s = answer
    assert (plan.allocation, name) == ((0, 0), "both on M1")
    assert value_s == pytest.approx(16.0)


def test_axes_and_ranges_can_be_chosen() -> None:
    found = map_of(
        DecisionMapParameters(
            slowed(), "total", "speed:M1", "contenders:M2", 0.5, 2.0, 0.0, 1.0, points=5
        )
    )
    assert found.x_values.tolist() == pytest.approx([0.5, 0.875, 1.25, 1.625, 2.0])
    assert found.y_values[-1] == 1.0
    assert found.objective == "total"


@pytest.mark.parametrize(
    ("x", "y"), [("contenders:M1", "contenders:M1"), ("contenders:M1", "machine slowdown:M1")]
)
def test_axes_of_the_same_load_are_refused(x: str, y: str) -> None:
    with pytest.raises(InputError, match="same load"):
        run(DecisionMapParameters(slowed(), x=x, y=y))


def test_an_empty_range_is_refused() -> None:
    with pytest.raises(InputError, match="range is empty"):
        run(DecisionMapParameters(slowed(), x_low=3.0, x_high=3.0))


def test_a_single_machine_has_a_map_of_its_own_loads() -> None:
    platform = Platform("one", (Machine("M1"),))
    problem = Problem.of(platform, Workload("w", (Task("A", work=1.0),)))
    result = run(DecisionMapParameters(problem, points=3))
    assert drawn(result).labels == ("A on M1",)
    assert "nothing changes that" in result.headline


def test_a_coarse_map_comes_first_and_is_filled_in() -> None:
    seen: list[StudyProgress] = []
    run(DecisionMapParameters(slowed(), points=17), seen.append)
    partial = [drawn(one.partial) for one in seen if one.partial is not None]
    assert len(partial) == 4
    for coarse in partial:
        assert not coarse.complete
        assert (coarse.region >= 0).all()
    known = [int(np.isfinite(one.values_s).sum()) for one in partial]
    assert known == [9, 25, 81, 289]
    shares = [one.fraction for one in seen]
    assert shares == sorted(shares)


def test_a_filled_in_region_is_the_one_computed_before_it() -> None:
    seen: list[StudyProgress] = []
    final = drawn(run(DecisionMapParameters(slowed(), points=17), seen.append))
    first = next(drawn(one.partial) for one in seen if one.partial is not None)
    for row, column in itertools.product(range(17), repeat=2):
        corner = first.region[row - row % 8, column - column % 8]
        assert first.region[row, column] == corner
    assert (first.region[::8, ::8] == final.region[::8, ::8]).all()


def test_stopping_keeps_what_is_known() -> None:
    asked = itertools.count()
    axes = {"x": "contenders:M1", "y": "link slowdown:M1-M2"}
    result = run(
        DecisionMapParameters(slowed(), points=17, **axes), should_stop=lambda: next(asked) >= 40
    )
    assert not result.complete
    known = np.isfinite(drawn(result).values_s)
    assert known.sum() == 19  # it is asked before and after every point, and after a stride
    assert known[::8, ::8].all()


def test_a_graph_is_mapped_among_candidates_and_says_so() -> None:
    project = cluster(machines=3, width=3, stages=2)
    problem = Problem.of(project.platform, project.workload)
    result = run(DecisionMapParameters(problem, points=5, seconds=0.1))
    found = drawn(result)
    assert not found.exact
    assert any("candidate plans" in note.text for note in result.notes)
    for row, column in itertools.product(range(len(found.y_values)), range(len(found.x_values))):
        platform = found.x.applied(problem.platform, float(found.x_values[column]))
        platform = found.y.applied(platform, float(found.y_values[row]))
        here = Problem.of(platform, problem.workload)
        for plan in found.plans:
            assert found.values_s[row, column] <= predict(here, plan).makespan_s * (1 + 1e-9)


def test_with_little_effort_the_grid_is_coarser_and_says_what_bounds_it() -> None:
    result = run(DecisionMapParameters(slowed(), points=41, seconds=0.05))
    points = len(drawn(result).x_values)
    assert points < 41
    (text,) = (note.text for note in result.notes if "points an axis" in note.text)
    assert text.startswith(f"{points} points an axis instead of 41, for a budget of about 50.0 ms")
    assert text.endswith("at each point all 4 allocations are compared.")


def test_a_map_says_what_it_compares_in_the_words_of_the_flips() -> None:
    problem = slowed()
    asked = DecisionMapParameters(problem, x="contenders:M1", y="link slowdown:M1-M2", points=5)
    result = run(replace(asked, x_low=1.0, x_high=4.5))
    text = (
        "Compared all 4 allocations, varying contenders on M1 from 1 to 4.5 with slowdown of link "
        "M1–M2 from 1 to 10."
    )
    assert text in [note.text for note in result.notes if note.inside_domain]
    found = advise(problem)
    flips = find_flips(problem, found, predict(problem, found.plan)).sentence
    assert flips.startswith("Compared all 4 allocations, varying ")
    assert "slowdown of link M1–M2 from 1 to 10" in flips


def test_no_feasible_allocation_is_an_error() -> None:
    platform = Platform("apart", (Machine("M1"), Machine("M2")))
    tasks = (Task("A", work=1.0, allowed=("M1",)), Task("B", work=1.0, allowed=("M2",)))
    problem = Problem.of(platform, Workload("w", tasks, (Flow("A", "B", ((1, 10.0),)),)))
    with pytest.raises(InfeasibleError):
        run(DecisionMapParameters(problem))


def test_the_corners_of_the_axes_that_are_drawn_are_searched() -> None:
    # eight machines alike, of which six are enough: no load of one machine and link costs anything
    project = load_example("survey")
    problem = project.problem()
    found = map_of(DecisionMapParameters(problem, points=3, seconds=0.4, known=(project.plan,)))
    corners = found.values_s[:: len(found.values_s) - 1, :: len(found.values_s) - 1]
    assert corners[0, 0] < 0.5 * predict(problem, project.plan).makespan_s
    assert corners == pytest.approx(corners[0, 0])


def test_moves_of_a_region_say_from_which_plan_they_are_counted() -> None:
    project = cluster(machines=3, width=3, stages=2)
    problem = Problem.of(project.platform, project.workload)
    first, moved = project.plan, list(project.plan.allocation)
    moved[0] = 2 - moved[0]
    name = problem.platform.machines[moved[0]].name
    other = replace(first, allocation=tuple(moved))
    assert names_of(problem, (first, other)) == ("best now", f"{name} takes split")
    alone = replace(first, allocation=tuple(0 for _ in moved))
    assert names_of(problem, (first, alone))[1] == f"all on {problem.platform.machines[0].name}"


def test_a_known_plan_competes_and_the_best_at_the_present_load_comes_first() -> None:
    project = cluster(machines=3, width=3, stages=2)
    problem = Problem.of(project.platform, project.workload)
    best = advise(problem, seconds=0.2)
    found = drawn(run(DecisionMapParameters(problem, points=5, seconds=0.05, known=(best.plan,))))
    assert name_of(problem, project.plan) == "best now"
    assert found.labels[0] == name_of(problem, found.plans[0])
    first = predict(problem, found.plans[0]).makespan_s
    by_rank = predict(problem, replace(found.plans[0], order=None)).makespan_s
    assert min(first, by_rank) <= best.value_s * (1 + 1e-9)


@pytest.mark.parametrize("sharing", [FAIR, NONE])
@pytest.mark.parametrize("seed", [0, 4, 11])
def test_tasks_change_their_variant_where_another_is_better(seed: int, sharing: str) -> None:
    problem = random_variants(seed, 3, sharing)
    found = map_of(
        DecisionMapParameters(problem, x="contenders:M0", y="speed:M1", points=3, seconds=0.1)
    )
    for row, column in itertools.product(range(3), repeat=2):
        platform = found.x.applied(problem.platform, float(found.x_values[column]))
        platform = found.y.applied(platform, float(found.y_values[row]))
        here = problem.on(platform)
        values = [reached(here, plan) for plan in every_plan(here)]
        assert found.values_s[row, column] == pytest.approx(min(values))
    assert len({plan.variants for plan in found.plans}) > 1


def reached(problem: Problem, plan: Plan) -> float:
    try:
        return reached_s(problem, "makespan", plan)
    except InfeasibleError:
        return np.inf

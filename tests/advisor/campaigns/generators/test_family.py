"""A new family is a file and a line: campaigns draw from it by its name."""

from __future__ import annotations

import hashlib
from itertools import permutations
from math import sqrt
from pathlib import Path

import numpy as np
import pytest

from advisor.allocation.character import ccr, heterogeneity
from advisor.allocation.problem import Problem
from advisor.allocation.workload import Workload
from advisor.campaigns.answer_case import Asking, problem_of
from advisor.campaigns.campaign_cases import planned
from advisor.campaigns.campaign_file import parse_campaign
from advisor.campaigns.generators.registry import GENERATORS
from machines import Direction, InputError, Link, LinkPiece, Machine, Platform
from machines.catalogue import PLATFORMS
from tests.advisor.campaigns.generators.making import made
from tests.dummies.generator.pairs import GENERATOR

CAMPAIGN = """
format = "placewise-campaign"
version = 1
name = "pairs"
workloads = [{ generate = "pairs", pairs = [1, 3], machines = 2, ccr = 2.0, seeds = 2 }]
strategies = ["heft"]
"""


def test_a_campaign_draws_from_a_new_family(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setitem(GENERATORS, GENERATOR.name, GENERATOR)
    cases = planned(parse_campaign(CAMPAIGN), tmp_path)
    asks = Asking(cases)
    problems = [problem_of(asks(number))[0] for number in range(len(cases))]
    assert [case.source.label for case in cases] == [
        "pairs pairs=1 machines=2 ccr=2.0", "pairs pairs=1 machines=2 ccr=2.0",
        "pairs pairs=3 machines=2 ccr=2.0", "pairs pairs=3 machines=2 ccr=2.0",
    ]  # fmt: skip
    assert [len(problem.workload.tasks) for problem in problems] == [2, 2, 6, 6]
    assert [ccr(problem) for problem in problems] == [2.0] * 4


LAB, CLUSTER, PARAGON = (PLATFORMS.load(name) for name in ("lab", "cluster", "sun-paragon"))


def seconds_on(workload: Workload, platform: Platform) -> np.ndarray:
    """Seconds of each task on each machine."""
    return np.array(
        [
            [
                dict(task.seconds)[machine.name] if task.work is None else task.work / machine.speed
                for machine in platform.machines
            ]
            for task in workload.tasks
        ]
    )


def moved_s(workload: Workload, platform: Platform) -> list[float]:
    """Seconds of each flow over each pair of linked machines, or over one switch."""
    found = []
    for flow in workload.flows:
        for a, b in permutations(platform.index, 2):
            link = platform.link(a, b)
            if link is None:  # machines of its own, whose links are alike
                startup_s, bandwidth = 2 * 50e-6, platform.links[0].to_first.bandwidth
            else:
                way = link.to_second if link.first == a else link.to_first
                startup_s, bandwidth = way.at(flow.size_bytes)
            found.append(startup_s + flow.size_bytes / bandwidth)
    return found


@pytest.mark.parametrize("family", GENERATORS)
@pytest.mark.parametrize(
    "settings",
    [
        {"ccr": 0.1},
        {"ccr": 10.0, "machines": 3, "consistent": False, "bandwidth": 1e6},
        {"ccr": 0.5, "on": CLUSTER},
        {"ccr": 1.5, "task_seconds": 0.02, "on": PARAGON},  # some below its threshold, some above
    ],
)
def test_the_ccr_is_met(family: str, settings: dict[str, object]) -> None:
    workload, platform = made(family, 3, **settings)
    by_hand = np.mean(moved_s(workload, platform)) / np.mean(seconds_on(workload, platform))
    assert by_hand == pytest.approx(settings["ccr"], rel=1e-12)
    assert ccr(Problem.of(platform, workload)) == pytest.approx(settings["ccr"], rel=1e-11)


@pytest.mark.parametrize("consistent", [True, False])
def test_machines_differ_as_much_as_was_asked(consistent: bool) -> None:
    for asked in (0.0, 0.1, 0.4):
        workload, platform = made(
            "layered", tasks=20, machines=150, heterogeneity=asked, consistent=consistent
        )
        found = heterogeneity(Problem.of(platform, workload))
        assert found == pytest.approx(asked, rel=0.1)
        seconds = seconds_on(workload, platform)
        share = seconds / np.array([task.work or np.nan for task in workload.tasks])[:, None]
        if consistent:  # β of the paper is √12 times as much
            assert share.min() >= 1.0 - sqrt(12.0) * asked / 2 - 1e-12
            assert share.max() <= 1.0 + sqrt(12.0) * asked / 2 + 1e-12


def test_a_consistent_machine_is_faster_for_all_and_others_are_not() -> None:
    for consistent in (True, False):
        seconds = seconds_on(*made("layered", tasks=30, consistent=consistent))
        orders = {tuple(np.argsort(row)) for row in seconds}
        assert (len(orders) == 1) is consistent


def test_times_of_its_own_keep_the_speeds_of_a_platform() -> None:
    workload, platform = made("chains", on=LAB, consistent=False, heterogeneity=0.0)
    for row in seconds_on(workload, platform):
        speeds = [machine.speed for machine in LAB.machines]
        assert row * speeds == pytest.approx([row[0] * speeds[0]] * len(speeds))


def test_the_mean_task_is_the_one_asked_for() -> None:
    workload, _ = made("mosaic", task_seconds=7.0)
    assert np.mean([task.work for task in workload.tasks]) == pytest.approx(7.0, rel=1e-12)


def test_machines_of_its_own_are_as_stated() -> None:
    _, platform = made("fft", machines=5, cores=3, bandwidth=2e6)
    assert [machine.cores for machine in platform.machines] == [3] * 5
    assert {link.to_first.bandwidth for link in platform.links} == {2e6}
    assert len(platform.links) == 5
    assert len(platform.switches) == 1


def test_a_platform_is_taken_as_it_is() -> None:
    assert made("layered", on=LAB)[1] is LAB


def test_no_ccr_moves_no_data() -> None:
    workload, platform = made("layered", ccr=0.0)
    assert workload.flows
    assert all(not flow.data_sets for flow in workload.flows)
    assert ccr(Problem.of(platform, workload)) == 0.0


@pytest.mark.parametrize("family", GENERATORS)
def test_one_seed_is_one_instance(family: str) -> None:
    assert made(family, 5, consistent=False) == made(family, 5, consistent=False)
    assert made(family, 5) != made(family, 6)


def test_a_seed_draws_one_graph_whatever_the_ccr() -> None:
    little, much = (made("layered", 1, ccr=value)[0] for value in (0.1, 10.0))
    assert little.tasks == much.tasks
    factors = {
        round(b.size_bytes / a.size_bytes, 9) for a, b in zip(little.flows, much.flows, strict=True)
    }
    assert len(factors) == 1


@pytest.mark.parametrize(
    ("family", "expected"), [("layered", "442b4ffb232aca05"), ("mosaic", "5e9f8145327c057e")]
)
def test_an_instance_is_the_same_on_every_machine(family: str, expected: str) -> None:
    workload, _ = made(family, 1, consistent=False, machines=3)
    lines = [f"{task.name} {task.seconds}" for task in workload.tasks]
    lines += [f"{flow.name} {flow.data_sets}" for flow in workload.flows]
    assert hashlib.sha256("\n".join(lines).encode()).hexdigest()[:16] == expected


def test_a_ccr_below_the_startups_is_refused_with_the_least() -> None:
    with pytest.raises(InputError, match=r"startups .* CCR of 1e-05 on 4 machines") as refused:
        made("fork-join", ccr=1e-6, heterogeneity=0.0)
    assert "larger ccr" in refused.value.remedy


def test_machines_that_exchange_nothing_have_no_ccr() -> None:
    apart = Platform("apart", (Machine("a"), Machine("b")))
    with pytest.raises(InputError, match="no machines of apart exchange data"):
        made("layered", on=apart)
    assert made("layered", on=apart, ccr=0.0)[0].flows


def test_a_ccr_over_which_the_costs_leap_is_refused() -> None:
    # 100 bytes take 2 s, one more takes 6; the messages of a factorisation are of one size
    way = Direction(1.0, 100.0, LinkPiece(100.0, 5.0, 100.0))
    leaping = Platform("leaping", (Machine("a"), Machine("b")), (Link("a", "b", way, way),))
    for asked, size in ((0.15, 50.0), (0.7, 200.0)):
        workload, _ = made("cholesky", on=leaping, ccr=asked)
        assert workload.flows[0].size_bytes == pytest.approx(size, rel=1e-12)
    with pytest.raises(InputError, match="leaps at a size"):
        made("cholesky", on=leaping, ccr=0.4)

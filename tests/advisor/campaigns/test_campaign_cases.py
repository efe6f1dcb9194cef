"""The cases of a campaign: which, in what order, and what is refused before any is computed."""

from __future__ import annotations

import tracemalloc
from pathlib import Path

import pytest

from advisor.campaigns.campaign_cases import Case
from machines.errors import InputError
from tests.advisor.campaigns.small import campaign, two_machines

FAMILY = 'workloads = [{ generate = "layered", %s }]\nstrategies = ["heft"]\n'


def told(case: Case) -> tuple[object, ...]:
    """A case without its number, in short."""
    return (
        case.source.label,
        case.source.seed,
        case.platform,
        case.load,
        case.sharing,
        case.strategy,
    )


def test_the_order_is_workload_platform_load_sharing_strategy(tmp_path: Path) -> None:
    two_machines(tmp_path)
    (tmp_path / "b.toml").write_bytes((tmp_path / "w.toml").read_bytes())
    found = campaign(
        'workloads = ["[bw].toml"]\nplatforms = ["p.toml", "lab"]\n'
        'loads = [{}, { "p.toml/M1" = 2 }]\nsharing = ["fair", "none"]\n'
        'strategies = ["heft", "refine"]\n',
        tmp_path,
    )
    loaded = (("p.toml", "M1", 2.0),)
    expected = [
        (workload, 0, platform, load, sharing, strategy)
        for workload in ("b.toml", "w.toml")
        for platform, load in (("p.toml", ()), ("p.toml", loaded), ("lab", ()))
        for sharing in ("fair", "none")
        for strategy in ("heft", "refine")
    ]
    assert [told(one) for one in found] == expected
    assert [one.number for one in found] == list(range(24))
    assert found.product == "2 of [bw].toml × 3 platforms and loads × 2 timelines × 2 strategies"
    assert found.files == ("b.toml", "w.toml")


def test_a_load_of_two_platforms_is_on_each_what_it_says_of_it() -> None:
    found = campaign(
        'platforms = ["lab", "star"]\nloads = [{ "lab/desk-1" = 2, "star/n1" = 1 }]\n'
        + FAMILY % "tasks = 3"
    )
    assert [one.load for one in found] == [(("lab", "desk-1", 2.0),), (("star", "n1", 1.0),)]


def test_seeds_vary_before_the_settings_and_the_last_setting_before_the_first() -> None:
    found = campaign(FAMILY % "tasks = [3, 4], machines = 2, ccr = [0.1, 1], seeds = [7, 9]")
    assert [(one.source.label, one.source.seed) for one in found][:3] == [
        ("layered tasks=3 machines=2 ccr=0.1", 7),
        ("layered tasks=3 machines=2 ccr=0.1", 9),
        ("layered tasks=3 machines=2 ccr=1", 7),
    ]
    assert len(found) == 8


def test_a_generator_with_machines_of_its_own_is_not_paired_with_platforms() -> None:
    lines = 'platforms = ["lab", "star"]\n'
    assert {one.platform for one in campaign(FAMILY % "tasks = 3, machines = 2" + lines)} == {""}
    assert [one.platform for one in campaign(FAMILY % "tasks = 3" + lines)] == ["lab", "star"]


def test_studies_come_last_and_have_their_own_seeds() -> None:
    lines = (
        'studies = [{ name = "mapping", set = { pattern = ["random", "all-to-all"] }, seeds = 2 }]'
    )
    found = campaign(FAMILY % "tasks = 3, machines = 2" + lines)
    assert [(one.source.study, one.source.label, one.source.seed) for one in found][1:] == [
        ("mapping", "pattern=random", 0),
        ("mapping", "pattern=random", 1),
        ("mapping", "pattern=all-to-all", 0),
        ("mapping", "pattern=all-to-all", 1),
    ]
    assert found.product == "1 of layered + 4 of mapping"


def test_factors_that_workloads_share_are_told_once() -> None:
    families = ", ".join(
        f'{{ generate = "{name}", {size}, machines = 2, seeds = {seeds} }}'
        for name, size, seeds in (
            ("layered", "tasks = 3", 3), ("fft", "m = 4", 2), ("cholesky", "tiles = 2", 2),
        )
    )  # fmt: skip
    found = campaign(
        f'workloads = [{families}]\nstrategies = ["heft"]\nsharing = ["fair", "none"]\n'
    )
    assert len(found) == 14
    assert found.product == "(3 of layered + 2 each of fft, cholesky) × 2 timelines"


def test_all_names_that_nobody_knows_are_told_at_once(tmp_path: Path) -> None:
    with pytest.raises(InputError) as refused:
        campaign(
            'workloads = ["*.json", { generate = "layred" }, { generate = "layered", task = 3 }]\n'
            'platforms = ["lab", "labb"]\nstrategies = ["heft", "hefty", "best", "heft"]\n'
            'loads = [{ "lab/desk-99" = 1 }, { "star/n" = 1 }]\nsharing = ["often"]\n'
            'studies = [{ name = "maping" }, { name = "allocation" }]\n',
            tmp_path,
        )
    message = str(refused.value)
    for part in (
        "no hefty, best", "heft is listed twice", "no often", "labb", "lab has no machine desk-99",
        "star is none of the platforms", "*.json matches no file", "no layred", "no task",
        "no maping", "nothing was run",
    ):  # fmt: skip
        assert part in message


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ("", "neither workloads nor studies"),
        ('workloads = [{ generate = "layered", machines = 2 }]', "strategies: none"),
        (FAMILY % "tasks = [3, 0], machines = 2", "tasks=0"),
        (FAMILY % 'tasks = "many", machines = 2', "tasks"),
        ('workloads = ["/"]\nstrategies = ["heft"]', "matches no file"),
        ('workloads = ["."]\nstrategies = ["heft"]', "matches no file"),
        ('workloads = ["a\\u0000b"]\nstrategies = ["heft"]', "matches no file"),
        ('workloads = ["a/**b/*.json"]\nstrategies = ["heft"]', "matches no file"),
        ('workloads = ["w.toml", "*.toml"]\nstrategies = ["heft"]', "w.toml is listed twice"),
        ('studies = [{ name = "sharing", seeds = 3 }]', "sharing has no seed"),
        ('studies = [{ name = "mapping", set = { patern = "random" } }]', "patern"),
    ],
)
def test_what_would_fail_in_every_case_is_refused_before(
    lines: str, message: str, tmp_path: Path
) -> None:
    with pytest.raises(InputError, match="small") as refused:
        campaign(lines, two_machines(tmp_path))
    assert message in str(refused.value)


@pytest.mark.parametrize(
    ("settings", "many"),
    [
        ("tasks = [3, 4], machines = 2, seeds = 500_000_000", "1,000,000,000"),
        (
            f"machines = 2, seeds = 9_007_199_254_740_992, ccr = {list(range(1, 3000))}",
            "",
        ),
    ],
)
def test_too_many_cases_are_refused_with_what_makes_them_and_take_no_memory(
    settings: str, many: str
) -> None:
    tracemalloc.start()
    try:
        with pytest.raises(
            InputError, match=r"cases are too many.*of layered.*At most 1,000,000"
        ) as told:
            campaign(FAMILY % settings)
        assert tracemalloc.get_traced_memory()[1] < 8e6
    finally:
        tracemalloc.stop()
    assert many in str(told.value)


def test_a_case_is_found_by_its_number_without_those_before_it() -> None:
    found = campaign(FAMILY % "machines = 2, seeds = 999_999")
    assert len(found) == 999_999
    assert found[999_998].source.seed == 999_998
    with pytest.raises(IndexError):
        found[999_999]

"""What a campaign's file may say, and what it is told where it says something else."""

from __future__ import annotations

from pathlib import Path

import pytest

from advisor.campaigns.campaign_file import (
    CAMPAIGNS,
    AskedStudy,
    Campaign,
    Family,
    Sweep,
    campaign_path,
    dump_campaign,
    parse_campaign,
    read_campaign,
)
from machines.errors import InputError
from tests.advisor.campaigns.small import HEAD

WHOLE = """
workloads = ["wf/*.json.gz", { generate = "layered", tasks = [20, 50], machines = 8, seeds = 20 }]
platforms = ["lab", "lab/north", "cluster.toml"]
strategies = ["heft", "refine"]
loads = [{}, { "lab/desk-1" = 2, "lab/north/n1" = 0.5 }]
sharing = ["fair", "none"]
seconds = 2
objective = "total"
plans = true
studies = [{ name = "mapping", set = { pattern = "random", tasks = [8, 16] }, seeds = [3, 5] }]
"""
CAMPAIGN = Campaign(
    name="small",
    workloads=(
        "wf/*.json.gz",
        Family("layered", Sweep((("tasks", (20, 50)), ("machines", (8,))), range(20))),
    ),
    platforms=("lab", "lab/north", "cluster.toml"),
    strategies=("heft", "refine"),
    loads=((), (("lab", "desk-1", 2.0), ("lab/north", "n1", 0.5))),
    sharing=("fair", "none"),
    seconds=2.0,
    objective="total",
    studies=(
        AskedStudy("mapping", Sweep((("pattern", ("random",)), ("tasks", ("8", "16"))), (3, 5))),
    ),
    plans=True,
)


def test_everything_that_a_file_may_say_is_read() -> None:
    assert parse_campaign(HEAD + WHOLE) == CAMPAIGN


def test_a_campaign_that_is_written_is_read_as_it_was() -> None:
    assert parse_campaign(dump_campaign(CAMPAIGN)) == CAMPAIGN
    least = parse_campaign(HEAD)
    assert parse_campaign(dump_campaign(least)) == least


def test_what_is_not_said_is_as_advise_has_it() -> None:
    found = parse_campaign(HEAD + 'workloads = ["a.json"]')
    assert (found.sharing, found.seconds, found.objective) == (("fair",), 1.0, "makespan")
    assert (found.loads, found.plans) == (((),), False)


def test_a_sweep_is_all_combinations_of_its_settings_the_last_first_and_seeds_before() -> None:
    sweep = Sweep((("tasks", (20, 50)), ("ccr", (0.1, 1.0))), range(2))
    assert len(sweep) == 8
    found = [(dict(settings)["tasks"], dict(settings)["ccr"], seed) for settings, seed in sweep]  # type: ignore[attr-defined]
    assert found[:5] == [(20, 0.1, 0), (20, 0.1, 1), (20, 1.0, 0), (20, 1.0, 1), (50, 0.1, 0)]
    assert len(list(sweep.points())) == 4


@pytest.mark.parametrize(
    ("lines", "told"),
    [
        ('workload = ["a"]', 'unknown key.*"?workload'),
        ("workloads = [3]", "workloads 1: this is neither a pattern of files nor a generator"),
        ('workloads = ["a", { tasks = 3 }]', "workloads 2: .*Give"),
        ("workloads = [{ generate = 3 }]", "workloads 1: generate must be a non-empty text"),
        ('workloads = [{ generate = "layered", tasks = [] }]', "tasks must be a value or a list"),
        ('workloads = [{ generate = "layered", ccr = [nan] }]', "ccr must be a value or a list"),
        ('workloads = [{ generate = "layered", seeds = 0 }]', "seeds must be a whole number"),
        ('workloads = [{ generate = "layered", seeds = [] }]', "seeds is empty.*Give"),
        ('workloads = [{ generate = "layered", seeds = [-1] }]', "seeds must be a whole number"),
        ("loads = [3]", "loads 1: a load is a table"),
        ('loads = [{ "desk-1" = 2 }]', "loads 1: a load names platform and machine.*Write"),
        ('loads = [{ "lab/desk-1" = -2 }]', "loads 1: lab/desk-1 is out of range"),
        ("seconds = 0", "seconds is out of range"),
        ('seconds = "1"', "seconds must be a number"),
        ('objective = "cost"', "unknown objective.*makespan"),
        ("plans = 1", "plans must be true or false"),
        ("studies = [{ set = {} }]", "studies 1: name is missing"),
        ('studies = [{ name = "mapping", set = 3 }]', "studies 1: set must be a table"),
        ('studies = [{ name = "mapping", sets = {} }]', "studies 1.*sets"),
        ("strategies = [3]", "strategies"),
    ],
)
def test_a_wrong_entry_is_told_with_its_place(lines: str, told: str) -> None:
    with pytest.raises(InputError, match=f"^c.toml: .*{told}"):
        parse_campaign(HEAD + lines, "c.toml")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('format = "placewise-workload"\nversion = 1', "another kind of file"),
        ('format = "placewise-campaign"\nversion = 2', "newer Placewise"),
        ('format = "placewise-campaign"\nversion = 1', "name is missing"),
        ("= 3", "not valid TOML"),
    ],
)
def test_another_kind_of_file_is_refused(text: str, told: str) -> None:
    with pytest.raises(InputError, match=told):
        parse_campaign(text, "c.toml")


def test_campaigns_that_ship_are_found_by_name_and_others_by_their_path(tmp_path: Path) -> None:
    assert "lists" in CAMPAIGNS.names()
    assert read_campaign(campaign_path("lists")).strategies
    mine = tmp_path / "mine.toml"
    mine.touch()
    assert campaign_path(str(mine)) == mine
    with pytest.raises(InputError, match=r"no such file.*Names: lists"):
        campaign_path("list")


def test_a_folder_of_results_does_not_hide_the_campaign_of_its_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "lists").mkdir()
    assert read_campaign(campaign_path("lists")).strategies
    (tmp_path / "mine").mkdir()
    assert campaign_path("mine") == Path("mine")  # what is wrong with it is told by its reader

"""What was learnt, in files: read back as it is, with what was learnt said at their heads."""

from __future__ import annotations

from dataclasses import replace

from advisor.learning.learnt_files import learnt_texts
from advisor.learning.lessons import lessons, taught
from advisor.project.workload_file import parse_workload
from advisor.runs.record_csv import parse
from machines.formats.platform_toml import parse_platform
from tests.advisor.learning.site import OTHER, SPLIT, Site, actuals, planned, problem


def texts(*, hostile: str = "", odd: bool = False) -> tuple[dict[str, str], object, object]:
    asked = problem()
    site = Site(odd={("use", "M2"): 3.0} if odd else {})
    runs = [site.run(SPLIT), site.run(OTHER, 1)]
    if hostile:
        runs[0] = replace(runs[0], name=hostile)
    found = lessons(asked, planned(asked, SPLIT), actuals(asked, *runs))
    platform, workload = taught(asked, found)
    return learnt_texts(platform, workload, found, runs), platform, workload


def test_files_are_read_back_as_they_were_learnt() -> None:
    found, platform, workload = texts()
    assert set(found) == {"workload.toml", "platform.toml", "run.csv"}
    assert parse_platform(found["platform.toml"]) == platform
    assert parse_workload(found["workload.toml"]).tasks == workload.tasks
    first, second = parse(found["run.csv"], "run.csv")
    assert {first.name, second.name} == {"run 0", "run 1"}
    assert len(first.tasks) == 13


def test_the_heads_say_what_was_learnt_and_from_which_runs() -> None:
    found, _, _ = texts(odd=True)
    head = found["workload.toml"].split("format =")[0]
    assert all(line.startswith("#") for line in head.split("\n") if line)
    assert "Calibrated by `placewise learn` from run 0, run 1" in head
    assert "# raw0 | M2 |" in head
    assert "measured" in head
    platform = found["platform.toml"].split("format =")[0]
    assert "Machine speeds: " in platform
    assert "Links: " in platform
    assert "Task times: " not in platform


def test_hostile_names_end_as_comments() -> None:
    found, platform, _ = texts(hostile='x\nformat = "evil"\r\x00')
    assert parse_platform(found["platform.toml"]) == platform
    assert "\\u000aformat" in found["platform.toml"]

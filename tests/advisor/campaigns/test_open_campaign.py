"""A campaign is opened by its file or its results, and never over what is another's."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from advisor.campaigns.open_campaign import open_campaign, read_again, suggested_folder
from advisor.campaigns.writing import rows_in
from advisor.project.campaign_files import is_campaign
from machines.errors import InputError
from tests.advisor.campaigns.small import campaign
from tests.gui.campaigns import CASES, TINY, campaign_file, write_rows


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return campaign_file(tmp_path)


def test_a_file_tells_its_plan_and_suggests_a_folder_beside_it(file: Path) -> None:
    found = open_campaign(file)
    assert found.product == "(4 of layered + 1 of bad/*.json) × 2 strategies + 1 of mapping"
    assert (found.total, found.missing, len(found.results)) == (CASES, CASES, 0)
    assert found.out == suggested_folder(file) == file.parent / "tiny-results"
    assert found.refused is None
    assert not found.out.exists()


def test_a_folder_of_results_is_opened_with_its_rows_by_any_of_its_names(file: Path) -> None:
    rows = write_rows(file, 3)
    for path in (
        file,
        file.parent / "tiny-results",
        file.parent / "tiny-results" / "campaign.json",
    ):
        found = open_campaign(path)
        assert list(found.results.rows) == rows
        assert (found.total, found.missing, found.refused) == (CASES, CASES - 3, None)
        assert found.cases is not None


def test_results_can_be_looked_at_when_the_files_are_gone(file: Path) -> None:
    write_rows(file)
    (file.parent / "bad" / "broken.json").unlink()
    found = open_campaign(file.parent / "tiny-results")
    assert len(found.results) == CASES
    assert found.cases is None
    assert "bad/*.json matches no file" in str(found.refused)


def test_results_of_another_campaign_are_left_alone(file: Path) -> None:
    write_rows(file, 2)
    file.write_text(TINY.replace("tasks = 8", "tasks = 9"))
    found = open_campaign(file)
    assert "another campaign" in str(found.refused)
    assert "--out" not in str(found.refused)
    assert len(found.results) == 0
    other = open_campaign(file, file.parent / "elsewhere")
    assert other.refused is None
    assert other.out == file.parent / "elsewhere"


def test_a_folder_with_other_things_and_one_that_can_not_be_are_refused(file: Path) -> None:
    (file.parent / "mine").mkdir()
    (file.parent / "mine" / "thesis.tex").write_text("")
    assert "holds other things" in str(open_campaign(file, file.parent / "mine").refused)
    below_a_file = file / "results"
    assert "can't be written" in str(open_campaign(file, below_a_file).refused)


def test_what_is_wrong_in_a_file_is_told_at_once(file: Path) -> None:
    file.write_text(TINY.replace("heft", "hefty").replace('"lab"', '"labs"'))
    with pytest.raises(InputError, match=r"no hefty.*platform labs"):
        open_campaign(file)
    file.write_text("format = ")
    with pytest.raises(InputError, match=r"tiny\.toml"):
        open_campaign(file)


def test_what_was_written_meanwhile_is_read_again(file: Path) -> None:
    before = open_campaign(file)
    assert read_again(before) is before
    rows = write_rows(file, 4)
    assert list(read_again(before).results.rows) == rows


def test_campaigns_are_told_from_other_files_by_what_they_hold(file: Path) -> None:
    write_rows(file, 1)
    out = file.parent / "tiny-results"
    assert all(map(is_campaign, (file, out, out / "campaign.json")))
    others = {"a.toml": 'format = "placewise-workload"', "b.toml": "", "c.json": json.dumps({})}
    for name, text in others.items():
        (file.parent / name).write_text(text)
        assert not is_campaign(file.parent / name)
    assert not is_campaign(file.parent)
    assert not is_campaign(file.parent / "missing.toml")


def test_a_name_that_no_file_can_have_is_told_like_one_that_is_missing(file: Path) -> None:
    path = file.parent / ("n" * 300)
    assert not is_campaign(path)
    with pytest.raises(InputError, match="name too long"):
        open_campaign(path)
    assert "name too long" in str(open_campaign(file, path).refused)
    with pytest.raises(InputError, match="name too long"):
        rows_in(path, campaign())

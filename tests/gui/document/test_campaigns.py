"""The open campaign: read, computed in a process of its own, cancelled, lost, gone on with."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from advisor.campaigns.open_campaign import read_folder
from gui.document.campaign_words import in_short, pace, rate, told
from gui.document.campaigns import Campaigns, CampaignState
from machines.errors import PlacewiseError
from tests.gui import campaign_doubles
from tests.gui.campaigns import CASES, FAILED, campaign_file, write_rows

SECOND_MS = 1000


@pytest.fixture
def failures() -> list[tuple[str, PlacewiseError]]:
    return []


@pytest.fixture
def campaigns(qtbot: QtBot, failures: list[tuple[str, PlacewiseError]]) -> Iterator[Campaigns]:
    made = Campaigns()
    made.failed.connect(lambda title, error: failures.append((title, error)))
    yield made
    made.close_jobs()
    made.deleteLater()


@pytest.fixture
def opened(qtbot: QtBot, campaigns: Campaigns, tmp_path: Path) -> CampaignState:
    with qtbot.waitSignal(campaigns.opened):
        campaigns.open(campaign_file(tmp_path))
    return state(campaigns)


def state(campaigns: Campaigns) -> CampaignState:
    assert campaigns.state is not None
    return campaigns.state


def begun(
    qtbot: QtBot, campaigns: Campaigns, monkeypatch: pytest.MonkeyPatch, run: Callable[..., object]
) -> None:
    """Start with a double, and wait for its first rows."""
    monkeypatch.setattr("gui.document.campaigns.run_campaign", run)
    campaigns.start()
    qtbot.waitUntil(
        lambda: not campaigns.is_busy or state(campaigns).done == campaign_doubles.FIRST
    )


def over(qtbot: QtBot, campaigns: Campaigns) -> None:
    qtbot.waitUntil(lambda: not campaigns.is_busy and not state(campaigns).going)


@pytest.mark.engines
def test_a_campaign_is_computed_for_real_and_its_rows_are_those_of_the_folder(
    qtbot: QtBot, campaigns: Campaigns, opened: CampaignState, failures: list[object]
) -> None:
    assert told(opened) == f"{CASES} cases to compute."
    grown: list[int] = []
    known = "distributed" in sys.modules
    campaigns.grown.connect(lambda results: grown.append(len(results)))
    campaigns.start()
    assert told(state(campaigns)) == "Starting …"
    over(qtbot, campaigns)
    assert not failures
    found = read_folder(opened.campaign.out)
    assert found.complete
    assert campaigns.results is not None
    assert list(campaigns.results.rows) == list(found.results.rows)
    assert grown[-1] == CASES
    assert told(state(campaigns)) == f"All {CASES} cases are done, ✕ {FAILED} failed."
    assert ("distributed" in sys.modules) == known
    campaigns.start()  # nothing is missing
    assert not campaigns.is_busy


def test_cancel_keeps_the_rows_and_go_on_computes_the_rest(
    qtbot: QtBot,
    campaigns: Campaigns,
    opened: CampaignState,
    monkeypatch: pytest.MonkeyPatch,
    failures: list[object],
) -> None:
    begun(qtbot, campaigns, monkeypatch, campaign_doubles.patient)
    assert pace(state(campaigns)) == "12 cases a second, about 1 min 5 s left"
    assert in_short(state(campaigns)) == f"3 of {CASES}, 1 min 5 s left"
    assert state(campaigns).notes == ("computed by this machine",)
    campaigns.open(opened.campaign.out)  # not now
    assert len(failures) == 1
    campaigns.cancel()
    assert told(state(campaigns)).startswith(f"Stopping; 3 of {CASES} cases")
    over(qtbot, campaigns)
    assert told(state(campaigns)) == f"Cancelled. 3 of {CASES} cases are done, 8 to compute."
    assert len(read_folder(opened.campaign.out).results) == 3
    with qtbot.waitSignal(campaigns.opened):
        campaigns.open(opened.campaign.out)
    assert (state(campaigns).campaign.missing, state(campaigns).done) == (8, 3)


def test_one_that_does_not_react_is_ended_and_what_it_wrote_is_read(
    qtbot: QtBot,
    campaigns: Campaigns,
    opened: CampaignState,
    monkeypatch: pytest.MonkeyPatch,
    failures: list[object],
) -> None:
    begun(qtbot, campaigns, monkeypatch, campaign_doubles.deaf)
    campaigns.cancel()
    over(qtbot, campaigns)
    assert not failures
    assert state(campaigns).cancelled
    assert len(state(campaigns).campaign.results) == 3


def test_a_process_that_is_lost_is_told_and_nothing_that_was_written_is_lost(
    qtbot: QtBot,
    campaigns: Campaigns,
    opened: CampaignState,
    monkeypatch: pytest.MonkeyPatch,
    failures: list[tuple[str, PlacewiseError]],
) -> None:
    begun(qtbot, campaigns, monkeypatch, campaign_doubles.killed)
    over(qtbot, campaigns)
    ((title, error),) = failures
    assert title == "The campaign broke off"
    assert "ended unexpectedly" in error.what
    assert error.remedy == "The written rows are kept: resume"
    assert state(campaigns).campaign.missing == CASES - 3
    assert not state(campaigns).cancelled


def test_a_full_disk_is_told_and_the_rows_before_stay(
    qtbot: QtBot,
    campaigns: Campaigns,
    opened: CampaignState,
    monkeypatch: pytest.MonkeyPatch,
    failures: list[tuple[str, PlacewiseError]],
) -> None:
    begun(qtbot, campaigns, monkeypatch, campaign_doubles.full)
    over(qtbot, campaigns)
    ((_title, error),) = failures
    assert "no space left" in error.what
    assert len(state(campaigns).campaign.results) == 3


def test_what_can_not_be_opened_leaves_what_is_open(
    qtbot: QtBot,
    campaigns: Campaigns,
    opened: CampaignState,
    failures: list[tuple[str, PlacewiseError]],
    tmp_path: Path,
) -> None:
    broken = tmp_path / "broken.toml"
    broken.write_text("format = ")
    with qtbot.waitSignal(campaigns.failed):
        campaigns.open(broken)
    assert failures[0][0] == "broken.toml can't be opened"
    assert state(campaigns) is opened
    campaigns.open(broken, quiet=True)
    qtbot.waitUntil(lambda: not campaigns.is_reading)
    assert len(failures) == 1


def test_a_folder_that_can_not_take_the_results_is_said_and_another_one_does(
    qtbot: QtBot,
    campaigns: Campaigns,
    opened: CampaignState,
    failures: list[tuple[str, PlacewiseError]],
    tmp_path: Path,
) -> None:
    with qtbot.waitSignal(campaigns.opened):
        campaigns.put_into(tmp_path / "bad")
    assert "holds other things" in str(state(campaigns).campaign.refused)
    campaigns.start()
    assert "holds other things" in str(failures[0][1])
    assert not campaigns.is_busy
    with qtbot.waitSignal(campaigns.opened):
        campaigns.put_into(tmp_path / "other")
    assert state(campaigns).campaign.refused is None


def test_results_that_are_there_are_counted_with_those_that_failed(
    qtbot: QtBot, campaigns: Campaigns, tmp_path: Path
) -> None:
    file = campaign_file(tmp_path)
    write_rows(file, 9)
    with qtbot.waitSignal(campaigns.opened):
        campaigns.open(file)
    assert told(state(campaigns)) == f"9 of {CASES} cases are done, ✕ 1 failed, 2 to compute."


def test_a_rate_has_a_unit_in_which_it_can_be_read() -> None:
    assert rate(1234.0) == "1,234 cases a second"
    assert rate(2.345) == "2.3 cases a second"
    assert rate(0.5) == "30.0 cases a minute"
    assert rate(0.01) == "36.0 cases an hour"

"""A row of a campaign as a project whose plan takes what the row says."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from advisor.allocation.predict import predict
from advisor.campaigns.answer_case import Asking, answer
from advisor.campaigns.campaign_cases import Cases
from advisor.campaigns.open_campaign import open_campaign
from advisor.campaigns.reopened import reopened
from advisor.search.titles import title_of
from machines.errors import InputError
from machines.stopping import Stopped
from tests.gui.campaigns import campaign_file


@pytest.fixture
def cases(tmp_path: Path) -> Cases:
    found = open_campaign(campaign_file(tmp_path)).cases
    assert found is not None
    return found


def test_the_plan_of_a_row_takes_its_value(compiled: None, cases: Cases) -> None:
    rows = [answer(Asking(cases)(number)).row for number in (0, 1, 6)]
    for row in rows:
        made = reopened(cases, row)
        problem = made.project.problem()
        assert predict(problem, made.project.plan).makespan_s == row.value
        assert made.notes == row.warnings
        assert made.text.startswith(
            f"Case {row.case}: {title_of(row.strategy)} for layered tasks=8"
        )
        assert made.text.endswith("on lab")


def test_a_value_that_is_another_now_is_told(compiled: None, cases: Cases) -> None:
    found = answer(Asking(cases)(0))
    assert found.row.value is not None
    old = replace(found.row, value=2.0 * found.row.value)
    assert "has changed since" in reopened(cases, old).notes[0]


def test_a_case_that_is_not_there_or_can_not_be_read_is_refused(cases: Cases) -> None:
    found = answer(Asking(cases)(8))
    assert found.row.error
    with pytest.raises(InputError, match="no case 99"):
        reopened(cases, replace(found.row, case=99))
    with pytest.raises(InputError, match="JSON"):
        reopened(cases, found.row)


def test_it_stops_when_it_is_told_to(compiled: None, cases: Cases) -> None:
    found = answer(Asking(cases)(0))
    with pytest.raises(Stopped):
        reopened(cases, found.row, should_stop=lambda: True)

"""A new family is a file and a line: campaigns draw from it by its name."""

from __future__ import annotations

from pathlib import Path

import pytest

from advisor.campaigns.answer import Asking, answered
from advisor.campaigns.campaign_file import parse_campaign
from advisor.campaigns.cases import planned
from advisor.campaigns.generators.registry import GENERATORS
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
    rows = [one.row for one in answered([asks(number) for number in range(len(cases))])]
    assert [(row.generator, row.tasks, row.flows, row.seed) for row in rows] == [
        ("pairs", 2, 1, 0), ("pairs", 2, 1, 1), ("pairs", 6, 3, 0), ("pairs", 6, 3, 1),
    ]  # fmt: skip
    assert [row.ccr for row in rows] == [2.0] * 4
    assert all(row.value for row in rows)

"""A new family is a file and a line: campaigns draw from it by its name."""

from __future__ import annotations

from pathlib import Path

import pytest

from advisor.allocation.character import ccr
from advisor.campaigns.answer import Asking, problem_of
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
    problems = [problem_of(asks(number))[0] for number in range(len(cases))]
    assert [case.source.label for case in cases] == [
        "pairs pairs=1 machines=2 ccr=2.0", "pairs pairs=1 machines=2 ccr=2.0",
        "pairs pairs=3 machines=2 ccr=2.0", "pairs pairs=3 machines=2 ccr=2.0",
    ]  # fmt: skip
    assert [len(problem.workload.tasks) for problem in problems] == [2, 2, 6, 6]
    assert [ccr(problem) for problem in problems] == [2.0] * 4

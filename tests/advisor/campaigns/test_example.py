"""The campaign that ships asks what it says, and shows what its page tells."""

from __future__ import annotations

from collections import Counter

import pytest

import resources
from advisor.campaigns.answer import Asking, answered
from advisor.campaigns.campaign_file import read_campaign
from advisor.campaigns.cases import Cases, planned
from advisor.campaigns.row import Row

HOME = resources.folder("campaigns")


def cases() -> Cases:
    return planned(read_campaign(HOME / "lists.toml"), HOME)


def test_every_campaign_that_ships_can_be_planned() -> None:
    files = sorted(HOME.glob("*.toml"))
    assert HOME / "lists.toml" in files
    for path in files:
        assert len(planned(read_campaign(path), HOME)) > 0


def test_it_asks_five_strategies_about_seven_families_at_four_ratios_and_two_mosaics() -> None:
    found = cases()
    assert len(found) == 5 * (7 * 4 * 6 + 2)
    kinds = Counter(case.source.generator or case.source.file for case in found)
    assert len(kinds) == 9


@pytest.mark.parametrize("ratio", [0.01, 10])
def test_lists_win_where_little_moves_and_one_machine_where_much_does(ratio: float) -> None:
    found = cases()
    asking = Asking(found)
    asks = [
        asking(case.number)
        for case in found
        if case.strategy in {"heft", "one-machine"}
        and ("ccr", ratio) in case.source.settings
        and case.source.seed < 2
    ]
    rows: dict[tuple[str, int], dict[str, Row]] = {}
    for one in answered(asks):
        assert one.row.error == ""
        assert one.row.ccr == pytest.approx(ratio, rel=1e-11)
        rows.setdefault((one.row.workload, one.row.seed), {})[one.row.strategy] = one.row
    assert len(rows) == 14
    gained = [two["heft"].value - two["one-machine"].value for two in rows.values()]  # type: ignore[operator]
    if ratio < 1:
        assert max(gained) < 0
        gaps = [two["heft"].gap or 0.0 for two in rows.values()]
        assert sum(gaps) / len(gaps) < 0.2
    else:
        assert sum(one >= 0 for one in gained) >= 13

"""The campaign that ships asks what it says, and shows what its page tells."""

from __future__ import annotations

from collections import Counter

import pytest

import resources
from advisor.allocation.character import ccr
from advisor.campaigns.answer_case import Asking, problem_of
from advisor.campaigns.campaign_cases import Cases, planned
from advisor.campaigns.campaign_file import read_campaign
from advisor.search import advise

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
    assert len(found) == 5 * 2 * (7 * 4 * 5 + 2)
    kinds = Counter(case.source.generator or case.source.file for case in found)
    assert len(kinds) == 9


@pytest.mark.parametrize(
    ("sharing", "ratio", "is_apart"),
    [("fair", 0.01, True), ("none", 1, True), ("fair", 10, False)],
)
def test_lists_win_where_little_moves_and_one_machine_where_much_does(
    sharing: str, ratio: float, is_apart: bool
) -> None:
    found = cases()
    asking = Asking(found)
    value: dict[str, dict[str, float]] = {}
    for case in found:
        source, strategy = case.source, case.strategy
        if source.seed or case.sharing != sharing or ("ccr", ratio) not in source.settings:
            continue
        if strategy in {"heft", "one-machine"} and source.generator in {"layered", "fft"}:
            problem, _ = problem_of(asking(case.number))
            assert ccr(problem) == pytest.approx(ratio, rel=1e-11)
            value.setdefault(source.label, {})[strategy] = advise(
                problem, strategy=strategy
            ).value_s
    assert len(value) == 2
    quicker = [both["heft"] < both["one-machine"] for both in value.values()]
    assert all(quicker) if is_apart else not any(quicker)

"""Bars over names: what is written after each."""

from __future__ import annotations

from advisor.studies import Series
from gui.plots.named_bars import groups_of


def test_what_else_is_said_of_a_bar_is_written_after_its_length() -> None:
    bars = Series(
        "time", ("one", "two"), (1200.0, 900.0), "case", "", "time", "cycle", "bars",
        labels=("", "−300 cycles"),
    )  # fmt: skip
    (group,) = groups_of((bars,))
    assert [bar.text for bar in group.bars] == ["1,200 cycles", "900 cycles (−300 cycles)"]

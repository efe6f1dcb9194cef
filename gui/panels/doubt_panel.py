"""Where the doubt of the answer comes from: a bar per number, its share of the variance."""

from __future__ import annotations

from PySide6.QtWidgets import QLabel

from advisor.advice.how_sure import Odds
from advisor.basics.quantities import percent
from gui.basics.theme import GRID, theme
from gui.plots.bar_chart import Bar, BarChart, Group, Segment
from gui.plots.bar_panel import BarPanel

_EMPTY = "No number that the answer depends on is uncertain, or its odds were not worked out."
_HEAD = "Share of the variance of the makespan that each number explains by itself"
_TITLE, _REST = "share of the doubt", "several together"
_MOST, _LEAST, _AMOUNT = 15, 0.005, 0.6


class DoubtPanel(BarPanel):
    """The bars of an answer's odds, with the sentence that names the largest."""

    def __init__(self) -> None:
        super().__init__(BarChart("doubt_chart", "Doubt", _EMPTY), "doubt", "Doubt")
        self.sentence = QLabel(_HEAD)
        self.sentence.setObjectName("doubt_sentence")
        self.sentence.setWordWrap(True)
        self.sentence.setContentsMargins(GRID, 0, GRID, 0)
        self.body.insertWidget(1, self.sentence)

    def show_odds(self, odds: Odds | None) -> None:
        """Show the sources, the largest first; what none explains alone is the last bar."""
        shares = () if odds is None else odds.matters.shares
        told = [(one.title, one.share) for one in shares if one.share >= _LEAST][:_MOST]
        rest = 1.0 - sum(share for _, share in told)
        if told and rest >= _LEAST:
            told.append((_REST, rest))
        colour = theme().ramp(_AMOUNT).name()
        bars = tuple(
            Bar(title, (Segment("", 100.0 * share, colour),), percent(share))
            for title, share in told
        )
        self.bars.set_groups((Group(_TITLE, "%", bars, 100.0),) if bars else ())
        said = "" if odds is None else odds.matters.sentence
        self.sentence.setText(f"{_HEAD}. {said}".strip())
        self.refresh_table()

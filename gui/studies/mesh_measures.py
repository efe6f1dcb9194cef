"""What a mapping costs, against the default order: the strip above the picture and the offers.

Less is better for every measure: ▼ and green; more is ▲ and vermilion.
"""

from __future__ import annotations

import html
import math
from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QWidget

from advisor.mapping.measures import BUSIEST, HOP_BYTES, LOGPC, Measures
from advisor.networks import Clock
from advisor.quantities import exact, number, percent, signed_duration, size
from gui.studies.hand import BETTER, SAME, WORSE, Offer
from gui.theme import GRID, theme

_ROUNDING = 1e-9
# in a narrow window the last ones go; hops follow from hop-bytes
_IMPORTANCE = (HOP_BYTES, BUSIEST, LOGPC, "shared", "mean-hops")


@dataclass(frozen=True)
class Measure:
    """One measure: how it is called, read, written and explained."""

    name: str
    title: str
    value: Callable[[Measures], float]
    text: Callable[[float, Clock], str]
    full: Callable[[float, Clock], str]
    hint: str


def _bytes(value: float, _clock: Clock) -> str:
    return size(value)


def _exact_bytes(value: float, _clock: Clock) -> str:
    return exact(value, "B")


MEASURES = (
    Measure(
        HOP_BYTES, "hop-bytes", lambda m: m.hop_bytes, _bytes, _exact_bytes,
        "Σ bytes · hops over all flows",
    ),
    Measure(
        "mean-hops", "mean hops", lambda m: m.mean_hops,
        lambda value, _clock: number(value), lambda value, _clock: exact(value),
        "Hops that a byte travels: hop-bytes / bytes",
    ),
    Measure(
        BUSIEST, "busiest channel", lambda m: m.busiest_bytes, _bytes, _exact_bytes,
        "The most bytes over one directed channel, on dimension-order routes",
    ),
    Measure(
        "shared", "shared channels", lambda m: m.shared_channels,
        lambda value, _clock: f"{value:,.0f}", lambda value, _clock: f"{value:.0f}",
        "Channels on the routes of two flows or more",
    ),
    Measure(
        LOGPC, "LoGPC time", lambda m: m.logpc_time,
        lambda value, clock: clock.text(value), lambda value, clock: exact(clock.shown(value),
                                                                            clock.unit),
        "L + max(Σ of the busiest process's messages, G · bytes of the busiest channel), all "
        "processes sending at once (Moritz & Frank 2001, Eq. (1) and sec. 3)",
    ),
)  # fmt: skip


class MeasureStrip(QWidget):
    """All measures of one mapping in a row, signed against those of the default order."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("mapping_measures")
        self.setAccessibleName("What the mapping costs")
        row = QHBoxLayout(self)
        row.setContentsMargins(GRID, 0, GRID, 0)
        row.setSpacing(2 * GRID)
        self.labels: dict[str, QLabel] = {}
        for each in MEASURES:
            label = QLabel(f"{each.title}<br>–")
            label.setObjectName(f"mapping_measure_{each.name}")
            label.setTextFormat(Qt.TextFormat.RichText)
            label.setAccessibleName(each.title)
            self.labels[each.name] = label
            row.addWidget(label)
        row.addStretch(1)
        self.against = QLabel()
        self.against.setObjectName("mapping_against")
        self.against.setProperty("role", "muted")
        self.against.setToolTip("What ▼ (less, better) and ▲ (more, worse) compare with")
        row.addWidget(self.against)
        self._shown: tuple[Measures, Measures, str, Clock] | None = None
        theme().changed.connect(self._write)

    def minimumSizeHint(self) -> QSize:
        """One measure; where there is no room for all, the less important ones go."""
        return QSize(self._parts()[0].sizeHint().width(), super().minimumSizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Show what has room."""
        super().resizeEvent(event)
        self._fit()

    def _parts(self) -> list[QLabel]:
        """From the most important label to the least."""
        return [*(self.labels[name] for name in _IMPORTANCE), self.against]

    def _fit(self) -> None:
        room = self.width()
        for label in self._parts():
            room -= label.sizeHint().width() + 2 * GRID
            label.setVisible(room >= 0 or label is self._parts()[0])

    def show_measures(self, now: Measures, default: Measures, name: str, clock: Clock) -> None:
        """Show `now`, signed against `default`, the order of that name."""
        self._shown = now, default, name, clock
        self._write()

    def _write(self) -> None:
        if self._shown is None:
            return
        now, default, name, clock = self._shown
        self.against.setText(f"▼▲ against<br>{html.escape(name)}")
        for each in MEASURES:
            value, before = each.value(now), each.value(default)
            label, text = self.labels[each.name], each.text(value, clock)
            sign, verdict = signed(value, before)
            muted = theme().colours.muted
            label.setText(
                f'<span style="color:{muted}">{html.escape(each.title)}</span><br>'
                f'<b>{html.escape(text)}</b> <span style="color:{_colour(verdict)}">{sign}</span>'
            )
            label.setToolTip(
                f"{each.hint}<br>{each.full(value, clock)}; {html.escape(name)}: "
                f"{each.full(before, clock)}"
            )
            label.setAccessibleDescription(f"{text}, {sign or 'the same'} against {name}")
        self._fit()


def signed(value: float, before: float) -> tuple[str, str]:
    """("▼ −38 %", verdict) of a value against another; empty where they are the same."""
    if math.isclose(value, before, rel_tol=_ROUNDING, abs_tol=0.0):
        return "", SAME
    arrow, verdict = ("▼", BETTER) if value < before else ("▲", WORSE)
    if not before:
        return f"{arrow} from 0", verdict
    sign = "+" if value > before else ""
    return f"{arrow} {sign}{percent(value / before - 1.0)}", verdict


def offer_of(
    process: int, node: int, before: Measures, after: Measures, objective: str, clock: Clock
) -> Offer:
    """What putting a process on a node would change: the objective, then the other measures."""
    wanted = next(each for each in MEASURES if each.name == objective)
    value, old = wanted.value(after), wanted.value(before)
    sign, verdict = signed(value, old)
    if verdict == SAME:
        first = f"= {wanted.title} unchanged"
    else:
        arrow, _, share = sign.partition(" ")
        change = _difference(wanted, value - old, clock)
        first = f"{arrow} {wanted.title} {change} ({share})"
    others = [
        f"{each.title} {each.text(each.value(before), clock)} → "
        f"{each.text(each.value(after), clock)}"
        for each in MEASURES
        if each.name in (HOP_BYTES, BUSIEST, "shared")
        and each is not wanted
        and signed(each.value(after), each.value(before))[1] != SAME
    ]
    return Offer(process, node, verdict, (first, *others))


def _difference(measure: Measure, change: float, clock: Clock) -> str:
    """A signed amount."""
    if measure.name == LOGPC and clock.unit == "s":
        return signed_duration(clock.shown(change))
    text = measure.text(abs(change), clock)
    return f"+{text}" if change > 0 else f"\u2212{text}"


def _colour(verdict: str) -> str:
    colours = theme().colours
    return {BETTER: colours.better, WORSE: colours.worse}.get(verdict, colours.muted)

"""What overlays run on a machine, as badges on its card: "monitor: 2 internal, 8 back-ends"."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QPainter

from advisor.basics.quantities import count, percent
from gui.basics.ink import Ink, thin
from gui.board.labels import name_line
from gui.document.document import Outcome

_GAP = 2.0
_EDGE = 6.0  # between the badge and the edge of its card
_PAD = 6.0
_BESIDE = 0.6  # of the card's width that one beside the name may take
_LINES_OF_CARD = 3.5  # small ones below the name


@dataclass(frozen=True)
class Here:
    """The processes of one overlay on one machine."""

    overlay: int  # position
    name: str
    front_end: bool
    internal: int
    back_ends: int
    share: float  # of a processor that they take together

    @property
    def processes(self) -> str:
        """What runs here: "front-end, 2 internal, 8 back-ends"."""
        said = (
            "front-end" if self.front_end else "",
            f"{self.internal:,} internal" if self.internal else "",
            count(self.back_ends, "back-end") if self.back_ends else "",
        )
        return ", ".join(filter(None, said))

    @property
    def texts(self) -> tuple[str, ...]:
        """What the badge says, from all to its name alone."""
        share = percent(self.share)
        return (
            f"{self.name}: {self.processes}, {share}",
            f"{self.name}: {self.processes}",
            f"{self.name}: {share}",
            self.name,
        )

    @property
    def sentence(self) -> str:
        """For tooltips."""
        return (
            f"Overlay {self.name} here: {self.processes}; they take {percent(self.share)} of a "
            "processor. A click shows it"
        )


def overlays_here(outcome: Outcome) -> tuple[tuple[Here, ...], ...]:
    """By machine: the overlays of which something runs there."""
    platform, overlays = outcome.project.platform, outcome.project.workload.overlays
    found: list[list[Here]] = [[] for _ in platform.machines]
    for position, (overlay, (tree, measures)) in enumerate(
        zip(overlays, outcome.overlays, strict=True)
    ):
        inner, leaves = Counter(tree.internal), dict(overlay.back_ends)
        for machine, share in measures.shares:
            found[platform.index[machine]].append(
                Here(
                    position,
                    overlay.name,
                    overlay.front_end == machine,
                    inner[machine],
                    leaves.get(machine, 0),
                    share,
                )
            )
    return tuple(tuple(here) for here in found)


def badge_rects(ink: Ink, card: QRectF, overlays: tuple[Here, ...], chip: QRectF) -> list[QRectF]:
    """Where the badges of a card are, as many as fit: below its name, or one beside it.

    Of two lines where there is much room. Where the `chip` of an offer is there is none.
    """
    if not overlays:
        return []
    left = card.height() - ink.line - _LINES_OF_CARD * ink.small_line
    lines = 2 if left > 2 * len(overlays) * (ink.small_line + _GAP) else 1
    height = lines * ink.small_line + 2.0
    top = name_line(ink, card).bottom() + _GAP
    found = []
    for _ in overlays:
        rect = QRectF(card.left() + _EDGE, top, card.width() - 2 * _EDGE, height)
        if rect.bottom() > card.bottom() - 1.0:
            break
        found.append(rect)
        top = rect.bottom() + _GAP
    if not found:
        wanted = ink.width(overlays[0].texts[2], ink.small) + 2 * _PAD + 1.0
        width, high = min(wanted, _BESIDE * card.width()), min(height, card.height() - 2.0)
        found = [QRectF(card.right() - width - _EDGE, card.center().y() - high / 2, width, high)]
    return [rect for rect in found if not rect.intersects(chip)]


def badge_at(
    ink: Ink, card: QRectF, overlays: tuple[Here, ...], chip: QRectF, position: QPointF
) -> Here | None:
    """The overlay whose badge is under a point."""
    rects = badge_rects(ink, card, overlays, chip)
    pairs = zip(overlays, rects, strict=False)
    return next((one for one, rect in pairs if rect.contains(position)), None)


def paint_badges(
    painter: QPainter,
    ink: Ink,
    rects: list[QRectF],
    overlays: tuple[Here, ...],
    chosen: int | None,
) -> None:
    """The badges, that of the chosen overlay with an edge of the accent colour."""
    for one, rect in zip(overlays, rects, strict=False):
        inner = rect.adjusted(_PAD, 0, -_PAD, 0)
        texts = [one.texts[2], one.processes]
        if rect.height() < 2 * ink.small_line:
            room = inner.width()
            fits = (text for text in one.texts if ink.width(text, ink.small) <= room)
            texts = [next(fits, one.name)]
        painter.setBrush(ink.raised)
        painter.setPen(thin(ink.accent if one.overlay == chosen else ink.outline))
        painter.drawRoundedRect(rect, 6, 6)
        for row, text in enumerate(texts):
            top = rect.top() + 1.0 + row * ink.small_line
            line = QRectF(inner.left(), top, inner.width(), rect.height() / len(texts) - 1.0)
            ink.write(painter, line, text, ink.muted if row else ink.text, ink.small)

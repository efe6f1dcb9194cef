"""A view over time with loads: under each lane its memory and links, below the lanes the busiest.

Both are folded at first. A mark at the head of a lane or of the section unfolds it, and so do L
and Shift+L.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Self

import numpy as np
from PySide6.QtCore import QEvent, QPointF, QRectF, Signal
from PySide6.QtGui import QMouseEvent, QPainter
from PySide6.QtWidgets import QWidget

from advisor.basics import quantities
from advisor.basics.causes import TRANSFERRING
from advisor.odds import Band
from gui.basics.snapshots import snapshot_of
from gui.board.board_folds import Folds
from gui.board.cards import GUESS, card_rect
from gui.board.carrying import Carrying
from gui.board.frame import Frame
from gui.board.lanes import Lanes
from gui.board.offers import Offers
from gui.board.strips import HELD_MEMORY, MOST, Loads, Strip, title
from gui.board.strips_painter import (
    SECTION,
    Place,
    head_height,
    lane_disclosure,
    paint_disclosure,
    paint_heading,
    paint_more,
    paint_strip,
    row_height,
)
from gui.board.time_view import TimeView
from gui.document.document import Document, Outcome, Selection
from gui.document.expectations import Expectations
from machines.arrays import Floats, Ints
from machines.errors import capital

_LEAST, _SHARE = 3, 0.4  # strips of the section: at least so many, and of the height so much


class LoadView(TimeView):
    """A schedule's surface with strips.

    `loads`, `stand_for`: None before the first prediction. `folds`: what is unfolded; several views
    may share it.
    """

    time_pointed = Signal(object)  # float seconds under the pointer, or None

    def __init__(
        self,
        document: Document,
        offers: Offers,
        carrying: Carrying,
        folds: Folds,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(document, offers, carrying, parent)
        self.loads: Loads | None = None
        self.stand_for: Ints | None = None  # shape (machines,); as `alike_lanes` gives it
        self._expected: tuple[Outcome, Band] | None = None
        self.folds = folds
        folds.changed.connect(self._follow_folds)

    def follow_expectations(self, expectations: Expectations) -> None:
        """Show where nine of ten runs of the document's outcome end, once it is known."""

        def take() -> None:
            odds, outcome = expectations.odds, self.document.outcome
            self._expected = None if odds is None or outcome is None else (outcome, odds.band)
            self.renew()

        expectations.changed.connect(take)

    @property
    def band(self) -> Band | None:
        """Of the outcome that is shown; None: not known, or all is exact."""
        expected = self._expected
        return expected[1] if expected is not None and expected[0] is self.outcome else None

    def still(self) -> Self:
        """As everywhere, with what is unfolded now."""
        made = super().still()
        made.folds = snapshot_of(self.folds)
        return made

    # Idle machines that are alike ---------------------------------------------------------

    def take(self, outcome: Outcome) -> None:
        """As everywhere; a card says for how many machines its lane stands."""
        super().take(outcome)
        self._name_alike()

    def _name_alike(self) -> None:
        if self.stand_for is not None and len(self.facts) == self.stand_for.size:
            others = np.maximum(self.stand_for - 1, 0) * (not self.folds.idle)
            pairs = zip(self.facts, others.tolist(), strict=True)
            self.facts = tuple(replace(fact, more=more) for fact, more in pairs)

    def _follow_folds(self) -> None:
        self._name_alike()
        self.refit()

    def shown_rows(self, lanes: Lanes) -> Ints:
        """Machines that another lane stands for have no row."""
        if self.folds.idle or self.stand_for is None or self.stand_for.size != len(lanes.rows):
            return lanes.rows
        return lanes.rows * (self.stand_for > 0)

    def _is_head(self, lane: int) -> bool:
        """Whether a lane stands for several machines, or is the first of those when opened."""
        return self.stand_for is not None and int(self.stand_for[lane]) > 1

    def _opens(self, lane: int) -> bool:
        """Whether a lane's card has a mark that unfolds something."""
        return self.loads is not None and (bool(self.loads.by_lane[lane]) or self._is_head(lane))

    @property
    def opening(self) -> tuple[bool, ...]:
        """Of each lane, whether its card has a mark."""
        return tuple(self._opens(lane) for lane in range(len(self.facts)))

    # Where strips are ---------------------------------------------------------------------

    def strip_heights(self, lanes: int) -> Floats:
        """Room for the strips of every unfolded lane."""
        heights = np.zeros(lanes)
        if self.loads is not None and self.outcome is not None:
            machines = self.outcome.project.platform.machines
            for lane, own in enumerate(self.loads.by_lane[:lanes]):
                if own and machines[lane].name in self.folds.lanes:
                    heights[lane] = len(own) * row_height(self.ink) + 4.0
        return heights

    def section_height(self, height: float) -> float:
        """Room for the heading, and unfolded for strips and the line that tells of more."""
        if self.loads is None or not self.loads.section:
            return 0.0
        if not self.folds.section:
            return head_height(self.ink)
        shown = self._shown(height)
        rows = len(shown) + (len(self.loads.ranked) > len(shown))
        return head_height(self.ink) + rows * row_height(self.ink) + 4.0

    def _shown(self, height: float) -> tuple[int, ...]:
        """The strips of the section for which a surface so high has room."""
        assert self.loads is not None
        fit = int((_SHARE * height - head_height(self.ink)) / row_height(self.ink))
        shown = max(_LEAST, min(MOST, fit))
        if len(self.loads.ranked) > shown:
            shown -= 1  # for the line that tells of more
        return self.loads.ranked[:shown]

    def places(self, frame: Frame) -> Iterator[Place]:
        """Every unfolded strip that is on screen: those of lanes, then the section's."""
        if self.loads is None:
            return
        row = row_height(self.ink)
        low = frame.height - frame.footer
        for lane in np.flatnonzero(frame.strips > 0).tolist():
            top, height = frame.lane_box(lane)
            for index, strip in enumerate(self.loads.by_lane[lane]):
                y = top + height + index * row
                if frame.axis < y + row and y < low:
                    yield Place(strip, lane, y, row)
        if self.folds.section and frame.section:
            y = low + head_height(self.ink) + 2.0
            for index, strip in enumerate(self._shown(frame.height)):
                yield Place(strip, -1, y + index * row, row)

    def place_at(self, position: QPointF) -> Place | None:
        """The strip under a point."""
        frame = self.frame()
        inside = frame.axis <= position.y() < frame.height - frame.footer
        for place in self.places(frame):
            if place.y <= position.y() < place.y + place.height and (inside or place.machine < 0):
                return place
        return None

    def _disclosed_at(self, position: QPointF) -> int | None:
        """The machine whose mark is under a point, -1 for the section's heading."""
        frame = self.frame()
        top = frame.height - frame.footer
        if frame.section and top <= position.y() < top + head_height(self.ink):
            return -1
        card = self.card_at(position)
        if card is None or not self._opens(card):
            return None
        return card if lane_disclosure(self.ink, self.card_rect(card)).contains(position) else None

    # What the user does -------------------------------------------------------------------

    def click_control(self, position: QPointF) -> bool:
        """A mark folds or unfolds; a strip selects its link or switch."""
        disclosed = self._disclosed_at(position)
        if disclosed is not None:
            self._toggle(disclosed)
            return True
        place = self.place_at(position)
        if place is None or self.loads is None:
            return False
        resource = self.loads.strips[place.strip].resource
        self.document.select(
            Selection(machine=resource.machine, link=resource.link, switch=resource.switch)
        )
        self.said.emit(self._strip_words(place, position).replace("\n", "; ") + ".")
        return True

    def toggle_loads(self, everything: bool) -> bool:
        """The lane of the task in focus, or of the selected machine; or the section."""
        if self.loads is None or not self.loads.strips or not self.ready:
            return False
        lane = self.document.selection.machine
        if self.current is not None and self.lanes is not None:
            lane = int(self.lanes.lane[self.item_of(self.current)])
        if everything or lane is None or not self._opens(lane):
            lane = -1
        if lane < 0 and not self.loads.section:
            return False
        self._toggle(lane)
        return True

    def _toggle(self, lane: int) -> None:
        if lane < 0:
            shown, what = self.folds.toggle_section(), SECTION
        elif self._is_head(lane):
            shown, what = self.folds.toggle_idle(), "Identical idle machines"
        else:
            name = self.document.project.platform.machines[lane].name
            shown, what = self.folds.toggle_lane(name), f"Memory and links of {name}"
            self.reveal_lane(lane)
        self.said.emit(f"{what}: {'unfolded' if shown else 'folded'}.")

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """As everywhere; tell the time under the pointer."""
        super().mouseMoveEvent(event)
        frame, x = self.frame(), event.position().x()
        told = self.outcome is not None and x >= frame.header and self.gesture is None
        self.time_pointed.emit(frame.time(x) if told else None)

    def leaveEvent(self, event: QEvent) -> None:
        """No time is under the pointer any more."""
        self.time_pointed.emit(None)
        super().leaveEvent(event)

    def tip_at(self, position: QPointF) -> str:
        """As everywhere, and strips and what unfolds them."""
        place = self.place_at(position)
        if place is not None:
            return self._strip_words(place, position)
        disclosed = self._disclosed_at(position)
        if disclosed is None:
            return super().tip_at(position)
        if disclosed < 0:
            shown = "Fold" if self.folds.section else "Unfold"
            return f"{shown} the load of links, switches and stores over time (Shift+L)"
        if self._is_head(disclosed):
            return "One lane for identical idle machines, or one each (L)"
        assert self.loads is not None
        kinds = [self.loads.strips[one].kind for one in self.loads.by_lane[disclosed]]
        links = len(kinds) - kinds.count(HELD_MEMORY)
        busiest = f"load of its busiest {quantities.count(links, 'link direction')}"
        told = [*(["memory"] if HELD_MEMORY in kinds else []), *([busiest] if links else [])]
        return capital(f"{' and '.join(told)} over time (L)")

    def _strip_words(self, place: Place, position: QPointF) -> str:
        assert self.loads is not None
        frame = self.frame()
        over = position.x() >= frame.header
        strip = self.loads.strips[place.strip]
        words = strip.sentence(frame.time(position.x()) if over else None)
        told = self.outcome
        return words + ("" if told is None else self.guesses.link_line(told, strip.resource.link))

    # Painting -----------------------------------------------------------------------------

    def _marked(self, strip: Strip, name: str = "") -> str:
        """The name of a strip, marked where its link's figures are guesses."""
        outcome = self.outcome
        link = strip.resource.link
        guessed = outcome is not None and self.guesses.is_link_guessed(outcome, link)
        return f"{GUESS * guessed}{name or strip.use.name}"

    def paint_loads(self, painter: QPainter, frame: Frame) -> None:
        """All unfolded strips, and the section's heading."""
        if self.loads is None or self.outcome is None or not self.loads.strips:
            return
        platform, low = self.outcome.project.platform, frame.height - frame.footer
        lanes = QRectF(0, frame.axis, frame.width, frame.ground_height)
        painter.save()
        painter.setClipRect(lanes)
        for place in self.places(frame):
            strip = self.loads.strips[place.strip]
            if place.machine < 0:
                painter.setClipRect(QRectF(0, low, frame.width, frame.section))
                paint_strip(painter, self.ink, frame, place, strip, self._marked(strip))
            else:
                name = title(platform, strip, place.machine)
                mark = self._marked(strip, name)
                paint_strip(painter, self.ink, frame, place, strip, mark)
        painter.restore()
        if not self.loads.section:
            return
        stated = self.outcome.prediction.breakdown_s.get(TRANSFERRING, 0.0) > 0.0
        paint_heading(painter, self.ink, frame, self.folds.section, self._busiest(), stated)
        shown = self._shown(frame.height)
        more = self.loads.ranked[len(shown) :]
        if self.folds.section and more:
            least = quantities.percent(self.loads.strips[more[0]].use.busy_share)
            text = f"{len(more):,} more, none busier than {least}"
            y = low + head_height(self.ink) + 2.0 + len(shown) * row_height(self.ink)
            paint_more(painter, self.ink, frame, y, text)

    def paint_marks(self, painter: QPainter, frame: Frame) -> None:
        """The marks on the machines' cards."""
        if self.loads is None or self.outcome is None:
            return
        painter.save()
        painter.setClipRect(QRectF(0, frame.axis, frame.header, frame.ground_height))
        machines = self.outcome.project.platform.machines
        for lane in frame.shown.tolist():
            if self._opens(lane):
                unfolded = machines[lane].name in self.folds.lanes
                if self._is_head(lane):
                    unfolded = self.folds.idle
                card = card_rect(*frame.lane_box(lane), frame.header)
                mark = lane_disclosure(self.ink, card)
                paint_disclosure(painter, self.ink, mark, unfolded)
        painter.restore()

    def _busiest(self) -> Strip | None:
        assert self.loads is not None
        return self.loads.strips[self.loads.ranked[0]] if self.loads.ranked else None

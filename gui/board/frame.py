"""Where the board's parts lie on screen: time to pixels, machines to lanes.

A frozen value that widget painting, hit-testing and export share; no Qt objects inside.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple, TypeVar

import numpy as np

from gui.board.lanes import Lanes
from machines.arrays import Flags, Floats, Ints

Time = TypeVar("Time", float, Floats)
LANE_PAD = 8.0  # between the lane's edge and its rows
_PAD_SHARE = 0.2  # of a lane that is low: its bars are what counts
_LEAST_PAD = 1.0  # where rows need the rest to be read
ROW_GAP = 2.0
OUTLINED_PX = 6.0  # height from which bars are told apart by their outlines
HIGHEST = 4.0  # how much higher than others a lane of many rows may be
TICK_PX = 2.0  # width of a bar without duration


class Boxes(NamedTuple):
    """Pixel edges of bars, arrays (bars,); `taken` is the column of the time they took cores."""

    x0: Floats
    x1: Floats
    y: Floats
    height: Floats
    taken: Floats

    def mixed(self, other: Boxes, share: float) -> Boxes:
        """Between these (share 0) and `other` (share 1)."""
        return Boxes(*(a + (b - a) * share for a, b in zip(self, other, strict=True)))


@dataclass(frozen=True, eq=False)
class Frame:
    """The schedule's place on a surface of `width` × `height` pixels.

    `header`, `axis`, `footer`: width of the machine cards, height of the time axis and of all that
        is below the lanes.
    `scroll_x`, `scroll_y`: pixels of the ground that are scrolled away.
    `critical_least`: rows get so high where the lane's edges can give it; bars of the critical path
        are so high in any case where rows are too low for outlines, and lie over their neighbours.
    `strips`: shape (machines,); pixels at the bottom of every lane that the load of its links
        takes.
    `section`: pixels at the top of the footer that the load of links, switches and stores takes.
    """

    width: float
    height: float
    header: float
    axis: float
    footer: float
    px_per_s: float  # zoom of time
    scroll_x: float
    scroll_y: float
    tops: Floats  # shape (machines + 1,); lane edges in ground pixels, before scrolling
    rows: Ints  # shape (machines,); rows of every lane, 0 of one that is not shown
    row_most: float  # rows grow to this height; then the lane's rows lie in its middle
    critical_least: float
    strips: Floats
    section: float

    @property
    def ground_width(self) -> float:
        """Width of the part where bars are."""
        return max(1.0, self.width - self.header)

    @property
    def ground_height(self) -> float:
        """Height of the part where bars are."""
        return max(1.0, self.height - self.axis - self.footer)

    def x(self, time_s: Time) -> Time:
        """The pixel column of a time, or of each of an array."""
        return self.header + time_s * self.px_per_s - self.scroll_x

    def time(self, x: float) -> float:
        """The time at a pixel column."""
        return (x - self.header + self.scroll_x) / self.px_per_s

    def lane_band(self, lane: int) -> tuple[float, float]:
        """Top and height of a lane with the load of its links."""
        top = float(self.tops[lane])
        return self.axis + top - self.scroll_y, float(self.tops[lane + 1]) - top

    def lane_box(self, lane: int) -> tuple[float, float]:
        """Top and height of the part of a lane where its bars are."""
        top, height = self.lane_band(lane)
        return top, height - float(self.strips[lane])

    @property
    def shown(self) -> Ints:
        """Positions of the lanes that have a height."""
        return np.flatnonzero(np.diff(self.tops) > 0)

    @property
    def bottom(self) -> float:
        """Where lanes and the section below them end, and what is about the makespan begins."""
        return self.height - self.footer + self.section

    def lane_at(self, y: float) -> int | None:
        """The lane at a pixel row."""
        inside = y - self.axis + self.scroll_y
        if not (self.axis <= y < self.height - self.footer and 0 <= inside < self.tops[-1]):
            return None
        return int(np.searchsorted(self.tops, inside, side="right")) - 1

    def row_at(self, lane: int, y: float) -> int:
        """The row of a lane nearest to a pixel row."""
        top, height = self.lane_box(lane)
        pitch, first = self.pitch(np.array([height]), self.rows[lane : lane + 1])
        row = (y - top - first[0]) // pitch[0]
        return int(np.clip(row, 0, max(self.rows[lane] - 1, 0)))

    def boxes(self, lanes: Lanes) -> Boxes:
        """Edges of all bars; what is off screen lies outside the surface."""
        heights = np.diff(self.tops) - self.strips
        pitch, first = self.pitch(heights, self.rows)
        lane, row = lanes.lane, lanes.row
        top = self.axis - self.scroll_y + self.tops[lane]
        y = top + first[lane] + row * pitch[lane]
        x0, x1 = self.x(lanes.start_s), self.x(lanes.end_s)
        height = self._heights(pitch)[lane]
        low = self.raised(lanes)
        if low.any():
            least = np.minimum(self.critical_least, heights[lane])
            # in the middle of its row, inside of its lane
            raised = np.clip(y + (height - least) / 2, top, top + heights[lane] - least)
            y, height = np.where(low, raised, y), np.where(low, least, height)
        return Boxes(x0, np.where(x1 > x0, x1, x0 + TICK_PX), y, height, self.x(lanes.taken_s))

    def raised(self, lanes: Lanes) -> Flags:
        """Bars of the critical path that lie over their neighbours, bool array (bars,)."""
        heights = np.diff(self.tops) - self.strips
        rows = self._heights(self.pitch(heights, self.rows)[0])
        low: Flags = (rows < np.minimum(OUTLINED_PX, heights))[lanes.lane]
        return low & lanes.critical

    def _heights(self, pitch: Floats) -> Floats:
        """Heights of the bars of lanes whose rows are so far apart."""
        return np.asarray(pitch - np.minimum(ROW_GAP, pitch * 0.25))

    def pitch(self, heights: Floats, rows: Ints) -> tuple[Floats, Floats]:
        """Distance of lanes' rows, and where the first one begins below the lane's top."""
        pad = np.minimum(LANE_PAD, _PAD_SHARE * heights)
        pad = np.clip((heights - rows * self.critical_least) / 2, np.minimum(_LEAST_PAD, pad), pad)
        pitch = np.minimum(np.maximum(heights - 2 * pad, 1.0) / np.maximum(rows, 1), self.row_most)
        return pitch, (heights - rows * pitch) / 2


def lane_tops(
    rows: Ints, base: float, row: float, room: float, strips: Floats | float = 0.0
) -> Floats:
    """Lane edges: each lane `base` high, or more when its rows need it, filling `room`.

    `rows`: shape (machines,); rows of every lane, 0 of one that has no height.
    `base`, `row`: wanted heights of a lane and of a row, pixels.
    `room`: height to spread over when the lanes are lower; a lane grows to twice its height at
        most.
    `strips`: shape (machines,); what comes to each lane's height below its rows.
    """
    heights = np.clip(rows * row + 2 * LANE_PAD, base, HIGHEST * base) * (rows > 0)
    spare = (room - float(np.sum(strips))) / float(heights.sum())
    return np.concatenate(([0.0], np.cumsum(heights * np.clip(spare, 1.0, 1.5) + strips)))

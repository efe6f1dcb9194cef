"""Ping-pong measurements from a CSV file: sizes, one-way times, and the line through them.

A header names the columns: ``size_bytes`` and ``seconds_one_way``, or ``seconds_round_trip``, which
is halved; other columns, such as repetition and run, are left alone. How cells are separated and
decimals written is told by `machines.formats.text_table`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from machines.arrays import Floats
from machines.errors import InputError
from machines.files import MIB, decoded, read_bytes
from machines.fitting import RELATIVE, Line, fit_line, fit_piecewise
from machines.formats.fields import place
from machines.formats.text_table import DECIMALS, SPREADS, Row, TextTable, text_table
from machines.platform import Direction, LinkPiece

_LIMIT_BYTES = 64 * MIB
_SIZE = "size_bytes"
_TIMES = {"seconds_one_way": 1.0, "seconds_round_trip": 0.5}
_HEADER = f"Begin with a header that names {_SIZE} and {' or '.join(_TIMES)}"
_WORTH = 0.8  # of the squared error: a second line must do so much better
# no network is so slow, none so fast: what lies beyond is no number of seconds
_SLOWEST_S, _QUICKEST_S, _LONGEST_S = 1.0, 1e-9, 3600.0
_SMALL = 1024.0
_FASTEST = 1e14
_ROUNDING = 1e-12  # of the longest time: a smaller startup below 0 is none


@dataclass(frozen=True)
class PingPong:
    """The median one-way time of each size.

    Attributes
    ----------
    sizes, seconds : tuple of float
        Bytes, rising, and seconds.
    count : int
        Measurements in all.
    where : str
        Where they were read, for messages.
    """

    sizes: tuple[float, ...]
    seconds: tuple[float, ...]
    count: int
    where: str = field(default="", compare=False)

    def line(self, size: float) -> tuple[Line, float | None]:
        """(startup in s, bandwidth in bytes/s) for messages of that size, and the threshold.

        One line or two with a protocol switch between, by least relative errors; `size` decides
        on which of the two. The threshold is None where one line does as well.

        Raises
        ------
        InputError
            Fewer than two sizes, times that are equal or do not grow, or that are no seconds; or
            the shortest messages would take less than no time.
        """
        self._expect_line()
        with place(self.where):
            whole = fit_line(self.sizes, self.seconds, RELATIVE)
        try:
            threshold, below, above = fit_piecewise(self.sizes, self.seconds, RELATIVE)
        except InputError:  # too few sizes for two lines
            return self._with_startup(whole), None
        sizes = np.array(self.sizes)
        broken = np.where(sizes <= threshold, self._errors(below), self._errors(above))
        if broken.sum() > _WORTH * self._errors(whole).sum():
            return self._with_startup(whole), None
        return (below if size <= threshold else above), threshold

    def direction(self) -> Direction:
        """One way of a link: one line, or two with a protocol switch between; as `line`."""
        (startup_s, bandwidth), threshold = self.line(min(self.sizes))
        if threshold is None:
            return Direction(startup_s, bandwidth)
        (larger_s, faster), _ = self.line(max(self.sizes))
        return Direction(startup_s, bandwidth, LinkPiece(threshold, larger_s, faster))

    def _expect_line(self) -> None:
        """Refuse what no line can be told from, and times in another unit."""
        if len(self.sizes) < 2:
            raise InputError(
                "only one size was measured", where=self.where, value=self.sizes[0],
                remedy="Startup and bandwidth need two or more different sizes",
            )  # fmt: skip
        if min(self.seconds) == max(self.seconds):
            raise InputError(
                "all times are equal: the bandwidth can't be determined", where=self.where,
                value=self.seconds[0], remedy="Measure larger sizes, or write all digits",
            )  # fmt: skip
        small, large = self.sizes[0], self.sizes[-1]
        if small <= _SMALL and self.seconds[0] >= _SLOWEST_S:
            what, value = f"a message of {small:g} B can't take so many seconds", self.seconds[0]
        elif min(self.seconds) < _QUICKEST_S:
            place = self.seconds.index(min(self.seconds))
            what = f"{self.sizes[place]:g} B can't arrive in so few seconds"
            value = self.seconds[place]
        elif large / self.seconds[-1] > _FASTEST:
            what, value = f"{large:g} B can't arrive in so few seconds", self.seconds[-1]
        elif max(self.seconds) > _LONGEST_S:
            what, value = "a message can't take hours", max(self.seconds)
        else:
            return
        raise InputError(
            what, where=self.where, value=value,
            remedy="Times are in seconds: divide µs by 1,000,000 and ms by 1,000",
        )  # fmt: skip

    def _with_startup(self, line: Line) -> Line:
        """The line, whose startup is not negative by more than rounding."""
        if line[0] < -_ROUNDING * self.seconds[-1]:
            raise InputError(
                "the line through these ping-pongs has no startup", where=self.where,
                value=f"{line[0]:.4g} s", remedy="Measure short messages, too",
            )  # fmt: skip
        return max(line[0], 0.0), line[1]

    def _errors(self, line: Line) -> Floats:
        """Squared relative errors."""
        sizes, seconds = np.array(self.sizes), np.array(self.seconds)
        errors: Floats = ((line[0] + sizes / line[1]) / seconds - 1.0) ** 2
        return errors


def read_pingpong(path: str | Path) -> PingPong:
    """The measurements of a CSV file.

    Raises
    ------
    InputError
        Naming the file, the line and the value.
    """
    where = str(path)
    table = text_table(decoded(read_bytes(path, _LIMIT_BYTES), where), where)
    header = table.rows[0].cells if table.rows else ()
    times = [name for name in _TIMES if name in header]
    if _SIZE not in header or len(times) != 1:
        line = table.rows[0].line if table.rows else 1
        raise InputError(
            "this is no ping-pong file", where=f"{where}: line {line}",
            value=",".join(header)[:80], remedy=_HEADER,
        )  # fmt: skip
    found: dict[float, list[float]] = {}
    for row in table.rows[1:]:
        size, time = (_number(table, row, header, name) for name in (_SIZE, times[0]))
        _expect_spreads(table, row, header)
        found.setdefault(size, []).append(time * _TIMES[times[0]])
    if not found:
        raise InputError("there are no measurements", where=where, remedy=_HEADER)
    sizes = tuple(sorted(found))
    medians = tuple(float(np.median(found[size])) for size in sizes)
    return PingPong(sizes, medians, sum(map(len, found.values())), where)


def _number(table: TextTable, row: Row, header: tuple[str, ...], name: str) -> float:
    """A size or a time; of a row that separators cut differently than the header, neither."""
    place = header.index(name)
    text = row.cells[place] if place < len(row.cells) else ""
    value = table.number(text)
    if value is None or not 0.0 < value < math.inf:
        remedy = table.hint(text)
        raise InputError(
            f"{name} must be a number above 0", where=table.at(row), value=text, remedy=remedy
        )
    if len(row.cells) > len(header):
        raise InputError(
            f"expected {len(header)} values", where=table.at(row), value=", ".join(row.cells),
            remedy=DECIMALS if table.separator == "," else "",
        )  # fmt: skip
    return value


def _expect_spreads(table: TextTable, row: Row, header: tuple[str, ...]) -> None:
    """Spreads are not used, but a negative one shows that the columns are not what they say."""
    for name, cell in zip(header, row.cells, strict=False):
        if name.lower() in SPREADS and cell:
            table.amount(row, f"the spread {name}", cell)

"""Ping-pong measurements from a CSV file: sizes, one-way times, and the line through them.

A header names the columns: ``size_bytes`` and ``seconds_one_way``, or ``seconds_round_trip``, which
is halved; other columns, such as repetition and run, are left alone.
"""

from __future__ import annotations

import csv
import math
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from machines.arrays import Floats
from machines.errors import InputError
from machines.files import MIB, decoded, read_bytes
from machines.fitting import RELATIVE, Line, fit_line, fit_piecewise
from machines.formats.fields import place

_LIMIT_BYTES = 64 * MIB
_SIZE = "size_bytes"
_TIMES = {"seconds_one_way": 1.0, "seconds_round_trip": 0.5}
_UNITS = "Times are in seconds: 5 µs are 5e-6"
_HEADER = f"Begin with a header that names {_SIZE} and {' or '.join(_TIMES)}"
_SHORTEST_S, _LONGEST_S, _STARTUP_S = 1e-9, 3600.0, 1.0  # beyond, the unit is another one
_WORTH = 0.8  # of the squared error: a second line must do so much better


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
        The file, for messages.
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
            Fewer than two sizes, times that do not grow, or a startup of more than a second.
        """
        with place(self.where):
            whole = fit_line(self.sizes, self.seconds, RELATIVE)
        if whole[0] > _STARTUP_S:
            raise InputError(
                "no message of a few bytes takes so many seconds", where=self.where,
                value=whole[0], remedy=_UNITS,
            )  # fmt: skip
        try:
            threshold, below, above = fit_piecewise(self.sizes, self.seconds, RELATIVE)
        except InputError:  # too few sizes for two lines
            return whole, None
        sizes = np.array(self.sizes)
        broken = np.where(sizes <= threshold, self._errors(below), self._errors(above))
        if broken.sum() > _WORTH * self._errors(whole).sum():
            return whole, None
        return (below if size <= threshold else above), threshold

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
    lines = decoded(read_bytes(path, _LIMIT_BYTES), where).splitlines()
    rows = csv.reader(lines)
    header = [cell.strip() for cell in next(rows, [])]
    times = [name for name in _TIMES if name in header]
    if _SIZE not in header or len(times) != 1:
        raise InputError(
            "this is no ping-pong file", where=f"{where}: line 1", value=",".join(header)[:80],
            remedy=_HEADER,
        )  # fmt: skip
    places, factor = (header.index(_SIZE), header.index(times[0])), _TIMES[times[0]]
    found: dict[float, list[float]] = {}
    for row in rows:
        if any(cell.strip() for cell in row):
            at = f"{where}: line {rows.line_num}"
            size, time = (_number(at, header[place], row, place) for place in places)
            if not _SHORTEST_S <= time <= _LONGEST_S:
                raise InputError(
                    f"no message of {size:g} B takes so long or so short", where=at, value=time,
                    remedy=_UNITS,
                )  # fmt: skip
            found.setdefault(size, []).append(time * factor)
    if not found:
        raise InputError("there are no measurements", where=where, remedy=_HEADER)
    sizes = tuple(sorted(found))
    medians = tuple(float(np.median(found[size])) for size in sizes)
    return PingPong(sizes, medians, sum(map(len, found.values())), where)


def _number(at: str, name: str, row: list[str], place: int) -> float:
    text = row[place].strip() if place < len(row) else ""
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not 0.0 < value < math.inf:
        raise InputError(f"{name} must be a number above 0", where=at, value=text)
    return value

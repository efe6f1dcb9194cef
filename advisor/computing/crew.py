"""Who of a cluster's workers computes for us: those that are there and are like this Placewise."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from time import monotonic

from advisor.basics.quantities import duration
from advisor.computing import workers
from machines.errors import PlacewiseError

Unlike = Mapping[str, tuple[str, ...]]
"""Address → what it has instead of what is here, in words."""


class Lost(Exception):
    """The cluster is gone, or nobody there can compute for us, and that did not change in time.

    Attributes
    ----------
    refusal : PlacewiseError or None
        What to tell where nothing else can be done; None: that it is to be started again.
    """

    refusal: PlacewiseError | None = None


class Crew:
    """The workers of one cluster, as all calls that use it came to know them.

    Parameters
    ----------
    note : callable
        Told who is left out, once.
    patience_s : float
        How long a cluster may be without any worker.
    """

    def __init__(self, note: Callable[[str], None], patience_s: float) -> None:
        self._note, self._patience_s = note, patience_s
        self._lock = threading.Lock()
        self._there: set[str] = set()
        self._unlike: dict[str, tuple[str, ...]] = {}
        self._told: dict[str, tuple[str, ...]] = {}  # also who was away for a while
        self._deserted: float | None = None  # since when

    @property
    def chosen(self) -> tuple[str, ...] | None:
        """Who alone may be asked; ``None``: everybody, also who comes later."""
        with self._lock:
            return tuple(sorted(self._there - set(self._unlike))) if self._unlike else None

    def leave_out(self, unlike: Unlike) -> bool:
        """Ask these no more; returns whether one of them was new."""
        with self._lock:
            new = {one: what for one, what in unlike.items() if one not in self._unlike}
            self._unlike |= new
            untold = {one: what for one, what in new.items() if self._told.get(one) != what}
            self._told |= new
        if untold:
            self._note(workers.left_out(untold))
        return bool(new)

    def look(self, there: Mapping[str, int]) -> int:
        """Hear who is there, each with its threads; returns how many threads compute for us.

        Raises
        ------
        Lost
            Everybody there is left out, or nobody came for too long.
        """
        with self._lock:
            self._there = set(there)
            # who was started again may be like us now
            self._unlike = {one: what for one, what in self._unlike.items() if one in there}
            unlike = dict(self._unlike)
            alone = self._nobody(sum(there.values()) == 0)
        if alone:
            raise Lost(f"no worker connected within {duration(self._patience_s)}")
        if there and len(unlike) == len(there):
            lost = Lost("no worker runs this version of Placewise")
            lost.refusal = workers.refusal(unlike)
            raise lost
        return sum(threads for one, threads in there.items() if one not in unlike)

    def _nobody(self, is_deserted: bool) -> bool:
        """Whether that is so for too long."""
        if not is_deserted:
            self._deserted = None
        elif self._deserted is None:
            self._deserted = monotonic()
        elif monotonic() > self._deserted + self._patience_s:
            self._deserted = None
            return True
        return False

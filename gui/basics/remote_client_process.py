"""What a relay process does: it hands pieces of work to a scheduler's workers, for the window.

Dask has threads and garbage of its own, which the window's process must not: it talks to a process
like this one. Nothing here imports Qt, and `distributed` is imported only here. Where nobody
answers at the address, the process computes itself, and says so.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from functools import cache
from time import monotonic
from typing import TYPE_CHECKING, Any

from machines.errors import PlacewiseError
from machines.stopping import stoppable

if TYPE_CHECKING:
    from advisor.basics.shards import Shards

PATIENCE_S = 3.0  # for a scheduler that is gone: somebody waits for the answer
_NEXT_TRY_S = 30.0


@dataclass(frozen=True)
class Said:
    """A sentence that the user should know."""

    text: str


@dataclass(frozen=True)
class Answer:
    """A piece's place and answer."""

    place: int
    value: Any


class _Line:
    """A connection to a scheduler, for as long as the process lives."""

    def __init__(self, address: str) -> None:
        self.address = address
        self._shards: Shards | None = None
        self._open = ExitStack()  # what is left behind with the process
        self._connecting = threading.Lock()
        self._tried = float("-inf")
        self._unheard: list[str] = []
        self.tell: Callable[[str], None] = self._unheard.append

    def connect(self) -> None:
        """Try to reach the scheduler, unless that was tried a moment ago."""
        from advisor.computing import computing  # noqa: PLC0415 - in a process like this only

        if not self._connecting.acquire(blocking=False):
            return
        logging.disable()  # Dask's own words for what is told here
        try:
            if self._shards is None and monotonic() > self._tried + _NEXT_TRY_S:
                self._shards = self._open.enter_context(
                    computing(
                        self.address,
                        on_note=self._note,
                        fallback=True,
                        patience_s=PATIENCE_S,
                    )
                )
        except PlacewiseError as error:
            self.tell(f"Computed on this machine: {error}")
        finally:
            self._tried = monotonic()
            self._connecting.release()

    def _note(self, text: str) -> None:
        self.tell(text)

    def shards(self) -> Shards | None:
        """Who computes; None: nobody answers yet, which is tried again now and then."""
        if self._shards is None and monotonic() > self._tried + _NEXT_TRY_S:
            threading.Thread(target=self.connect, name="connect", daemon=True).start()
        return self._shards

    def hear(self, tell: Callable[[str], None]) -> None:
        """Notes go there from now on, what nobody has heard yet first."""
        self.tell = tell
        for text in self._unheard:
            tell(text)
        self._unheard.clear()


@cache
def _line(address: str) -> _Line:
    return _Line(address)


def connect(address: str) -> None:
    """Reach the scheduler, so that the first pieces need not wait for it."""
    _line(address).connect()


def relayed(
    address: str,
    function: Callable[[Any], Any],
    items: Sequence[Any],
    on_progress: Callable[[object], None],
    should_stop: Callable[[], bool],
) -> str:
    """Every item's `Answer` as they end, and what is `Said` meanwhile, as progress.

    Returns what happened, for the status line; empty where something was said.
    """
    from advisor.computing.here import Here  # noqa: PLC0415 - in a process like this only

    said: list[str] = []

    def tell(text: str) -> None:
        said.append(text)
        on_progress(Said(text))

    line = _line(address)
    with stoppable(should_stop):
        line.hear(tell)
        shards = line.shards()
        for place, value in (shards or Here()).each(function, items):
            on_progress(Answer(place, value))
    if said or shards is None:
        return ""
    return f"Computed on {address}"


def reached(
    address: str,
    on_progress: Callable[[object], None],
    should_stop: Callable[[], bool],
) -> str:
    """How many workers a scheduler has, in words; raises where it can't be used."""
    from advisor.basics.quantities import count  # noqa: PLC0415 - in a process like this only
    from advisor.computing import computing  # noqa: PLC0415

    notes: list[str] = []
    with (
        stoppable(should_stop),
        computing(address, on_note=notes.append, patience_s=PATIENCE_S) as shards,
    ):
        workers = count(shards.workers, "worker")
    del on_progress
    return " ".join((f"{workers} with this Placewise.", *(f"{note}." for note in notes)))

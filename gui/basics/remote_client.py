"""Compute on: independent pieces of the window's questions are handed to a scheduler's workers.

The job stays where it is, on its thread: only what goes through `advisor.basics.shards.each`
crosses to a relay process (`gui.basics.remote_client_process`), and from there to the workers.
Nothing here imports Qt or Dask. Without an address all is computed in this process.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing, suppress
from functools import partial
from itertools import count
from multiprocessing.process import BaseProcess
from time import monotonic
from typing import Any

from gui.basics import search_session
from gui.basics.messages import send
from gui.basics.remote_client_process import Answer, Said, connect, reached, relayed
from gui.basics.worker import CANCEL, Call, Report, serve
from machines.errors import PlacewiseError
from machines.stopping import ask

Heard = Callable[[str], None]

_STEP_S = 0.02
_SETTLE_S = 0.5  # that a relay has to stop what nobody wants any more
_IDLE = 2  # relays that are kept warm
_TRIES = 2  # relays that are asked the same


class _Ended(Exception):
    """The relay process ended."""


class _Relay:
    """One relay process, and what it is asked.

    `address`: reached at once; empty: nobody.
    """

    def __init__(self, address: str = "") -> None:
        context = search_session.CONTEXT
        self._ours, theirs = context.Pipe()
        self._numbers = count(1)
        self._open = 0  # the call that has not ended; 0: none
        warm_up = partial(connect, address) if address else None
        with theirs:
            self._process: BaseProcess = context.Process(
                target=serve, args=(theirs, warm_up), name="relay", daemon=True
            )
            self._process.start()

    def asked(self, function: Callable[..., object], arguments: dict[str, Any]) -> Iterator[object]:
        """What the call tells, at last what it returns; it asks while it waits."""
        number = next(self._numbers)
        try:
            send(self._ours, Call(number, function, arguments))
            self._open = number
            while self._open:
                ask()
                report = self._heard()
                if report is None or report.kind == "started":
                    continue
                if isinstance(report.value, Exception):
                    raise report.value
                yield report.value
        except (EOFError, OSError) as error:
            raise _Ended from error

    def settle(self) -> bool:
        """Stop what it does; whether it can be asked again."""
        try:
            if self._open:
                send(self._ours, CANCEL)
            until = monotonic() + _SETTLE_S
            while self._open and monotonic() < until:
                self._heard()  # a relay that is not listened to would not listen either
        except (EOFError, OSError):
            return False
        return not self._open

    def end(self) -> None:
        """End the process, whatever it does; who waits for it hears of that."""
        self._process.terminate()
        self._process.join(_SETTLE_S)

    def _heard(self) -> Report | None:
        """What it told in a moment."""
        if not self._ours.poll(_STEP_S):
            return None
        report: Report = self._ours.recv()
        if report.kind in {"done", "failed"}:
            self._open = 0
        return report


class RemoteWorkers:
    """A scheduler's workers as `Shards` of this process's threads.

    `address`: the scheduler's. `note`, `told`: hear, on any thread, what the user should know, and
    what passes by.
    """

    def __init__(self, address: str, note: Heard, told: Heard) -> None:
        self.address = address
        self._note, self._told = note, told
        self._lock = threading.Lock()
        self._idle: list[_Relay] = []
        self._busy: list[_Relay] = []
        self._closed = False

    def each(
        self, function: Callable[[Any], Any], items: Sequence[Any]
    ) -> Iterator[tuple[int, Any]]:
        """As `advisor.basics.shards.each`; where a relay ends, another one takes what is left.

        Where that ends, too, or this is closed, the thread that asks goes on by itself.
        """
        left = dict(enumerate(items))
        for _ in range(_TRIES):
            try:
                with closing(self._relayed(function, list(left.values()))) as answers:
                    places = tuple(left)
                    for answer in answers:
                        del left[places[answer.place]]
                        yield places[answer.place], answer.value
            except _Ended:
                if self._closed:
                    break
            else:
                return
        else:
            self._note(f"Computed on this machine: the process that uses {self.address} has ended")
        for place, item in left.items():
            ask()
            yield place, function(item)

    def warm_up(self) -> None:
        """Start a relay, so that the first pieces need not wait for it."""
        with suppress(_Ended):
            self._give(self._taken())

    def close(self) -> None:
        """End all relays; calls that go on are computed here, unless they are stopped."""
        with self._lock:
            self._closed = True
            relays = [*self._idle, *self._busy]
            self._idle.clear()
        for relay in relays:
            relay.end()

    def _relayed(
        self, function: Callable[[Any], Any], items: Sequence[Any]
    ) -> Generator[Answer, None, None]:
        relay = self._taken()
        try:
            arguments = {"address": self.address, "function": function, "items": list(items)}
            for told in relay.asked(relayed, arguments):
                if isinstance(told, Answer):
                    yield told
                elif isinstance(told, Said):
                    self._note(told.text)
                elif told:
                    self._told(str(told))
        finally:
            self._give(relay)

    def _taken(self) -> _Relay:
        """A relay that does nothing."""
        with self._lock:
            if self._closed:
                raise _Ended
            relay = self._idle.pop() if self._idle else _Relay(self.address)
            self._busy.append(relay)
        return relay

    def _give(self, relay: _Relay) -> None:
        """Take it back, and let it stop what nobody wants any more."""
        settled = relay.settle()
        with self._lock:
            self._busy.remove(relay)
            kept = settled and not self._closed and len(self._idle) < _IDLE
            if kept:
                self._idle.append(relay)
        if not kept:
            relay.end()


def reachable(address: str) -> str:
    """What is at an address, in words; to be asked on a thread, which may be stopped."""
    relay, said = _Relay(), ""
    try:
        for told in relay.asked(reached, {"address": address}):
            said = str(told)
    except _Ended as error:
        raise PlacewiseError(
            "the process that used the scheduler has ended", where=address
        ) from error
    finally:
        relay.end()
    return said


_current: RemoteWorkers | None = None


def use(elsewhere: RemoteWorkers | None) -> None:
    """From now on jobs of the window compute there; ``None``: in this process."""
    global _current  # one place for the whole window, as its theme
    before, _current = _current, elsewhere
    if before is not None:
        before.close()


def current() -> RemoteWorkers | None:
    """Where jobs of the window compute; ``None``: in this process."""
    return _current

"""Workers of Dask that hang without dying: what runs waits for them, and Dask does five minutes.

Imports distributed, which takes half a second: import it where a plan is carried out, only.
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator
from queue import Empty, SimpleQueue
from typing import Any

from distributed.scheduler import heartbeat_interval

BEATS = 20.0  # heartbeats that a worker may miss
_LOOK_S = 0.5
Happening = tuple[str, str, Any]


class SilentWorkers:
    """Gives up workers whose heartbeats stop; each is then lost, as if it had died.

    Their age counts from the newest heartbeat of any worker, as clocks of machines differ: of one
    worker alone nothing is known, and nobody could take its tasks.
    """

    def __init__(self, client: Any, addresses: dict[str, str]) -> None:
        self._client, self._addresses = client, dict(addresses)
        self._said: SimpleQueue[Happening] = SimpleQueue()
        self._over = threading.Event()

    def said(self) -> Iterator[Happening]:
        """("silent", machine, seconds without a heartbeat) of those that were given up by now."""
        with contextlib.suppress(Empty):
            while True:
                yield self._said.get_nowait()

    @contextlib.contextmanager
    def watched(self) -> Iterator[None]:
        """Look in the block, in a thread: whoever waits for an answer of such a worker waits."""
        thread = threading.Thread(target=self._watch, name="silent workers", daemon=True)
        thread.start()
        try:
            yield
        finally:
            self._over.set()
            thread.join(1.0)  # it may wait for a cluster that is gone

    def _watch(self) -> None:
        while not self._over.wait(_LOOK_S):
            with contextlib.suppress(
                Exception
            ):  # a cluster that is going away, of which others say
                self._look()

    def _look(self) -> None:
        there = self._client.scheduler_info(n_workers=-1)["workers"]
        newest = max((one["last_seen"] for one in there.values()), default=0.0)
        for machine, address in list(self._addresses.items()):
            silent_s = newest - there[address]["last_seen"] if address in there else 0.0
            if silent_s > BEATS * heartbeat_interval(len(there)):
                del self._addresses[machine]
                self._said.put(("silent", machine, silent_s))
                self._give_up(machine, address)

    def _give_up(self, machine: str, address: str) -> None:
        """End a worker of this process; let the scheduler of others forget it."""
        cluster = self._client.cluster
        if cluster is not None:
            cluster.sync(cluster.workers[machine].end)
        else:
            self._client.sync(
                self._client.scheduler.unregister, address=address, stimulus_id="placewise-silent"
            )

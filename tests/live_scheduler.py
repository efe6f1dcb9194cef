"""A Dask scheduler with two workers, in threads of this process, on the loopback interface."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from threading import Thread

from distributed import Scheduler, Worker


@contextmanager
def scheduler() -> Iterator[str]:
    """A scheduler on loopback with two workers of 2 and 3 threads; its address."""
    address: Future[str] = Future()
    loop = asyncio.new_event_loop()
    over = asyncio.Event()

    async def serve() -> None:
        async with (
            Scheduler(
                host="127.0.0.1", port=0, dashboard=False, dashboard_address="127.0.0.1:0"
            ) as served,
            Worker(served.address, name="left", nthreads=2, dashboard=False),
            Worker(served.address, name="right", nthreads=3, dashboard=False),
        ):
            address.set_result(served.address)
            await over.wait()

    thread = Thread(target=loop.run_until_complete, args=(serve(),))
    thread.start()
    try:
        yield address.result(timeout=60)
    finally:
        loop.call_soon_threadsafe(over.set)
        thread.join()
        loop.close()

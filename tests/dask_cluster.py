"""A running Dask cluster of this process, on the loopback interface: quick to start."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

HERE = "127.0.0.1"


@contextmanager
def running_cluster(workers: dict[str, dict[str, Any]]) -> Iterator[Any]:
    """The cluster; its workers by key, each with its options."""
    from distributed import Scheduler, SpecCluster, Worker

    quiet = {"host": HERE, "dashboard_address": f"{HERE}:0", "dashboard": False}
    with SpecCluster(
        {key: {"cls": Worker, "options": quiet | one} for key, one in workers.items()},
        {"cls": Scheduler, "options": quiet | {"port": 0}},
        silence_logs=logging.CRITICAL,
    ) as cluster:
        yield cluster


@contextmanager
def scheduler() -> Iterator[str]:
    """The address of one with workers "left" and "right" of 2 and 3 threads."""
    workers = {name: {"name": name, "nthreads": n} for name, n in (("left", 2), ("right", 3))}
    with running_cluster(workers) as cluster:
        yield cluster.scheduler_address

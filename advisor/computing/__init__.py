"""Independent pieces of work carried out by Dask: by workers of this process, or a cluster's.

``with computing(...) as shards, computing_on(shards): ...`` makes every `each` of the block
(`advisor.basics.shards`) use them. Dask is imported when it is needed, which takes half a second.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import TYPE_CHECKING

from advisor.basics.stop_rule import ShouldStop
from advisor.computing.here import Here
from machines.errors import InputError
from machines.stopping import stoppable

if TYPE_CHECKING:
    from advisor.computing.dask_shards import Cluster

PATIENCE_S = 60.0  # for a scheduler that is gone


@contextmanager
def computing(
    scheduler: str = "",
    workers: int | None = None,
    on_note: Callable[[str], None] | None = None,
    should_stop: ShouldStop | None = None,
    *,
    fallback: bool = False,
    patience_s: float = PATIENCE_S,
) -> Iterator[Here | Cluster]:
    """What carries pieces out while the block runs; many calls may use it, of any thread.

    `scheduler`: address of a Dask scheduler that runs; empty: workers of this process, which listen
        on the loopback interface alone and end with it.
    `workers`: how many of this process; default: as many as it may use processors. One computes
        here, without Dask. A cluster has its own.
    `on_note`: told in a sentence what a user should know: who compiles, who is gone, who is back.
        Called on the thread that computes.
    `should_stop`: asked while the block waits, beside what `machines.stopping` asks there.
    `fallback`: whether what a lost cluster has not answered is computed in this process; else it
        raises.
    `patience_s`: how long a cluster that is gone is waited for.
    Yields: with ``workers``, how many there are.
    """
    if workers is not None and workers < 1:
        raise InputError("there must be a worker", where="workers", value=workers)
    here = 0 if scheduler else workers or processors()
    with (
        stoppable(should_stop) if should_stop else nullcontext(),
        nullcontext(Here())
        if here == 1
        else _cluster(scheduler, here, on_note or _silent, fallback, patience_s) as shards,
    ):
        yield shards


def _cluster(
    scheduler: str, here: int, note: Callable[[str], None], fallback: bool, patience_s: float
) -> AbstractContextManager[Cluster]:
    from advisor.computing import dask_shards as cluster  # noqa: PLC0415 - half a second

    if scheduler:
        return cluster.at(scheduler, note, fallback, patience_s)
    return cluster.embedded(here, note)


def processors() -> int:
    """How many this process may use: of the machine, its affinity and its control group."""
    from dask.system import cpu_count  # noqa: PLC0415 - a tenth of a second

    return max(1, int(cpu_count()))


def _silent(_note: str) -> None:
    """Nobody wants to know."""

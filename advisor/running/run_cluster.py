"""Dask as what carries plans out: a cluster of this process, or one that runs already.

Imports distributed, which takes half a second: import it where a plan is carried out, only.
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from itertools import count
from queue import Empty, SimpleQueue
from typing import Any

from distributed.scheduler import heartbeat_interval

from advisor.basics.scheduler_address import no_answer, unprotected
from advisor.engines import on_dask, shell
from advisor.running.run_local import Slots, Steers
from advisor.running.run_settings import ShouldStop
from machines.errors import InputError, PlacewiseError

_SHOWN = 10
_ASK_S = 0.05

_NOWHERE = "placewise_sent"  # a module that nobody can import


@contextmanager
def carrier(
    scheduler: str,
    machines: dict[str, int],
    room: dict[str, dict[str, int]],
    *,
    own: bool = False,
    steering: Steers | None = None,
) -> Iterator[tuple[Any, tuple[str, ...]]]:
    """What runs tasks on a cluster, and what is to be said of it.

    `scheduler`: its address; empty: a cluster of this process. `machines`, `room`: name → cores,
    memory and units of resources of the machines that the plan uses. `own`: Dask chooses among
    them, and may let one take what waits at another, as it does by default.
    """
    if scheduler:
        _send_by_value()
    with ExitStack() as stack:
        try:
            client = stack.enter_context(
                on_dask.connected(scheduler) if scheduler else on_dask.embedded(machines, own)
            )
        except (OSError, ValueError, RuntimeError) as error:
            raise _refusal(scheduler, error) from error
        with _readable(scheduler):
            addresses, there = on_dask.workers_of(client, machines)
        _expect_all(machines, addresses, there, scheduler)
        notes: tuple[str, ...] = ()
        if scheduler and (said := unprotected(scheduler)):
            notes = (said,)
        notes += tuple(
            f"The worker of {name} has {there[address]['threads']} threads for {machines[name]} "
            "cores: fewer tasks at a time"
            for name, address in addresses.items()
            if there[address]["threads"] < machines[name]
        )

        def carried(
            tasks: list[dict[str, Any]], strict: bool, should_stop: ShouldStop
        ) -> Iterator[tuple[str, str, Any]]:
            with _readable(scheduler):
                if steering is not None:
                    cluster = _Cluster(client, machines, room, addresses, steering)
                    yield from cluster.carried(tasks, strict, should_stop)
                    return
                yield from on_dask.carried(
                    client, tasks, machines, room, addresses, strict, should_stop
                )

        yield carried, notes


@dataclass(frozen=True)
class _Cluster:
    """What carries a steered run: Dask has all tasks until some are moved, then each as it begins.

    Dask begins a task sooner than this process can, which hears of the end of the one before.
    """

    client: Any
    machines: dict[str, int]
    room: dict[str, dict[str, int]]
    addresses: dict[str, str]
    steering: Steers

    def carried(
        self, tasks: list[dict[str, Any]], strict: bool, should_stop: ShouldStop
    ) -> Iterator[tuple[str, str, Any]]:
        """Carry tasks out; workers may be lost."""
        tries, silent = count(), SilentWorkers(self.client, self.addresses)
        with (
            on_dask.joined(self.client, self.addresses) as (run, inbox, futures),
            silent.watched(),
        ):
            dask = (self.client, run, inbox, futures)
            places = self.machines, self.room
            at_once = [] if self.steering.always else tasks
            giving = on_dask.submitted(dask, at_once, *places, self.addresses, strict)

            def heard() -> Iterator[tuple[str, str, Any]]:
                given = next(giving, None)
                yield from silent.said()
                yield from inbox.heard(_ASK_S if given is None else 0.0)

            def begin(task: dict[str, Any]) -> None:
                future = self.client.submit(
                    on_dask.carry_out, run, task | {"anew": True}, [], None,
                    key=f"{task['task']}-{run}-{next(tries)}",
                    workers=[self.addresses[task["machine"]]], allow_other_workers=False,
                    retries=0, pure=False,
                )  # fmt: skip
                futures.append(future)

            def take_back() -> set[str]:
                giving.close()
                return _taken_back(self.client, run, futures)

            slots = Slots(
                tasks, *places, strict, begin, None if self.steering.always else take_back
            )  # fmt: skip
            self.steering.take(slots)
            yield from slots.followed(heard, should_stop)


def _taken_back(client: Any, run: str, futures: list[Any]) -> set[str]:
    """Nothing begins any more that Dask was given; the names of the tasks that have begun."""

    def close(dask_worker: Any) -> list[str]:
        begun: list[str] = dask_worker.plugins[run].close()
        return begun

    begun = client.run(close, on_error="ignore")
    client.cancel(futures, force=True)  # what runs is over when its command is
    return {name for names in begun.values() for name in names}


@contextmanager
def _readable(scheduler: str) -> Iterator[None]:
    """Whatever Dask raises, here or at the other end, in a sentence."""
    try:
        yield
    except PlacewiseError:
        raise
    except Exception as error:
        raise PlacewiseError(
            f"the run can't continue: {_said(error) or 'the cluster does not answer'}",
            where=scheduler or "the cluster here",
            remedy="The record, if requested, holds the finished tasks",
        ) from error


def _refusal(scheduler: str, error: Exception) -> PlacewiseError:
    if scheduler:
        return no_answer(scheduler, error)
    return PlacewiseError(f"no Dask cluster can be started here ({_said(error)})")


def _send_by_value() -> None:
    """Make pickles hold the functions that workers run: the product may not be installed there.

    What says that it is of a module that nobody can import is pickled whole, at every station.
    """
    for module in (shell, on_dask):
        for each in vars(module).values():
            if getattr(each, "__module__", None) == module.__name__:
                for part in (each, *vars(each).values()):  # a class and its methods
                    if getattr(part, "__module__", None) == module.__name__:
                        part.__module__ = _NOWHERE


def _said(error: Exception) -> str:
    return " ".join(str(error).split())


def _expect_all(
    machines: dict[str, int], found: dict[str, str], there: dict[str, Any], scheduler: str
) -> None:
    """Every machine has a worker."""
    missing = [name for name in machines if name not in found]
    if not missing:
        return
    names = sorted(one["name"] for one in there.values())
    present = ", ".join(names[:_SHOWN]) + (" …" if len(names) > _SHOWN else "")
    raise InputError(
        f"no worker for {', '.join(missing[:_SHOWN])}",
        where=scheduler,
        remedy=f"Workers there: {present or 'none'}. Start one with "
        f'`dask worker {scheduler} --name {missing[0]}`, or with --resources "{missing[0]}=1"',
    )


BEATS = 20.0  # heartbeats that a worker may miss
_LOOK_S = 0.5
Happening = tuple[str, str, Any]


class SilentWorkers:
    """Gives up workers whose heartbeats stop; each is then lost, as if it had died.

    What runs waits for a worker that hangs without dying, and Dask does five minutes.

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

"""Dask as what carries plans out: a cluster of this process, or one that runs already.

Imports distributed, which takes half a second: import it where a plan is carried out, only.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from itertools import count
from typing import Any

from advisor.basics.unprotected import unprotected
from advisor.engines import on_dask, shell
from advisor.running.run_local import Slots
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
    steer: Callable[[Slots], None] | None = None,
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
                if steer is not None:
                    yield from _steered(
                        client, tasks, machines, room, addresses, steer, should_stop
                    )
                    return
                yield from on_dask.carried(
                    client, tasks, machines, room, addresses, strict, should_stop
                )

        yield carried, notes


def _steered(
    client: Any,
    tasks: list[dict[str, Any]],
    machines: dict[str, int],
    room: dict[str, dict[str, int]],
    addresses: dict[str, str],
    steer: Callable[[Slots], None],
    should_stop: ShouldStop,
) -> Iterator[tuple[str, str, Any]]:
    """Carry tasks out one by one, each given to Dask when it begins; workers may be lost."""
    run, tries, futures = f"placewise-{secrets.token_hex(6)}", count(), list[Any]()
    inbox = on_dask.Inbox(client, run, {address: name for name, address in addresses.items()})
    client.register_plugin(on_dask.Keeper(run), name=run)
    client.subscribe_topic(run, inbox.hear)
    client.subscribe_topic("all", inbox.hear)

    def begin(task: dict[str, Any]) -> None:
        future = client.submit(
            on_dask.carry_out, run, task, [], None, key=f"{task['task']}-{run}-{next(tries)}",
            workers=[addresses[task["machine"]]], allow_other_workers=False, retries=0, pure=False,
        )  # fmt: skip
        futures.append(future)

    try:
        slots = Slots(tasks, machines, room, strict=False, begin=begin)
        steer(slots)
        yield from slots.followed(partial(inbox.heard, _ASK_S), should_stop)
    finally:
        on_dask.end(client, run, futures)


@contextmanager
def _readable(scheduler: str) -> Iterator[None]:
    """Whatever Dask raises, here or at the other end, in a sentence."""
    try:
        yield
    except Exception as error:
        raise PlacewiseError(
            f"the run can't continue: {_said(error) or 'the cluster does not answer'}",
            where=scheduler or "the cluster here",
            remedy="The record, if requested, holds the finished tasks",
        ) from error


def _refusal(scheduler: str, error: Exception) -> PlacewiseError:
    if scheduler:
        return InputError(
            f"no Dask scheduler answers ({_said(error)})",
            where=scheduler,
            remedy="Check that `dask scheduler` runs there, and the address: tcp://host:8786",
        )
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

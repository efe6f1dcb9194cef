"""Tasks carried out by Dask: each on its machine's worker, in the plan's order.

Scripts for Dask hold this text (`advisor.engines.dask`), and `advisor.running` uses it as it is.
It imports distributed, which takes half a second: import it where a plan is carried out, only.
"""

from __future__ import annotations

import contextlib
import logging
import queue
import secrets
import signal
import threading
import time
from collections.abc import Callable, Generator, Iterator
from typing import Any

import dask
from distributed import Client, KilledWorker, Nanny, Scheduler, SpecCluster, get_worker
from distributed.diagnostics.plugin import WorkerPlugin
from distributed.security import Security
from distributed.utils import silence_logging_cmgr

from advisor.engines.shell import Commands

CORES = "placewise_cores"  # a worker's resource: what its machine has, and its tasks hold
MACHINE = "PLACEWISE_MACHINE"  # the variable that tells a command where it runs
LOOPBACK = "127.0.0.1"
_ASK_S = 0.05
_PATIENCE_S = 10.0  # for what a running cluster answers at once
_SETTINGS = {
    "distributed.scheduler.work-stealing": False,
    "distributed.scheduler.allowed-failures": 0,
    # variables that would hold a task of several cores to one thread
    "distributed.nanny.pre-spawn-environ": {},
    # an interpreter that waits for a command has no memory to watch
    "distributed.worker.memory.target": False,
    "distributed.worker.memory.spill": False,
    "distributed.worker.memory.pause": False,
    "distributed.worker.memory.terminate": False,
}


class Lost(RuntimeError):
    """The cluster can't carry the plan on."""


class Keeper(WorkerPlugin):  # type: ignore[misc] # distributed has no types
    """On every worker: what has begun there, and the commands, stopped when the run ends."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.commands: Commands | None = None
        self.begun: set[str] = set()

    def setup(self, worker: Any) -> None:
        """Begin; on the worker."""
        del worker
        self.commands = Commands()
        self._closed, self._lock = False, threading.Lock()

    def may_begin(self, task: str, anew: bool) -> bool:
        """Whether a task may begin, which it then has."""
        with self._lock:
            if self._closed and not anew:
                return False
            self.begun.add(task)
            return True

    def close(self) -> list[str]:
        """Let nothing begin that was given by now; what has begun."""
        with self._lock:
            self._closed = True
            return list(self.begun)

    def teardown(self, worker: Any) -> None:
        """End what runs there."""
        del worker
        if self.commands is not None:
            self.commands.stop()


class EndingNanny(Nanny):  # type: ignore[misc] # distributed has no types
    """Of a worker that is ended, not asked to end: that takes an interpreter seconds.

    Nothing is lost: what it did is known here already, or wanted by nobody, and the commands that
    it runs end with it.
    """

    async def end(self) -> None:
        """End the worker's process, if there is one."""
        worker = self.process
        if worker is not None and worker.is_alive():
            await worker.process.kill()

    async def kill(self, timeout: float = 5.0, reason: str = "ended") -> None:
        """End the worker's process; returns when it is gone."""
        await self.end()
        await super().kill(timeout=timeout, reason=reason)


def private(security: Security) -> dict[str, Any]:
    """Options of a scheduler or worker that answers those with its certificates alone, here."""
    return {
        "host": LOOPBACK,
        "protocol": "tls://",
        "security": security,
        "dashboard_address": f"{LOOPBACK}:0",
        "dashboard": False,
    }


@contextlib.contextmanager
def embedded(machines: dict[str, int], stealing: bool = False) -> Iterator[Client]:
    """A cluster of this process and its children, one worker a machine.

    Scheduler and workers listen on the loopback interface alone, and to nobody without the
    certificate that is made for this cluster and kept in its processes; they end with this one.

    Parameters
    ----------
    machines : dict
        Name → cores.
    stealing : bool
        An idle worker takes what waits at another, as Dask has it by default.
    """
    settings = _SETTINGS | {"distributed.scheduler.work-stealing": stealing}
    # a worker that is ended does not take leave, which is no news
    logging.getLogger("distributed.batched").setLevel(logging.WARNING)
    security = Security.temporary()
    here = private(security)
    workers = {
        name: {
            "cls": EndingNanny,
            "options": {
                "name": name,
                "nthreads": cores,
                "memory_limit": 0,
                "silence_logs": logging.CRITICAL,
                **here,
            },
        }
        for name, cores in machines.items()
    }
    with (
        dask.config.set(settings),
        SpecCluster(
            workers, {"cls": Scheduler, "options": {**here, "port": 0}},
            security=security, silence_logs=logging.CRITICAL,
        ) as cluster,
        Client(cluster, set_as_default=False) as client,
    ):  # fmt: skip
        client.wait_for_workers(len(machines), timeout=6 * _PATIENCE_S)
        client.run(_outlive_interrupts)
        yield client


@contextlib.contextmanager
def connected(address: str) -> Iterator[Client]:
    """A cluster that runs already; OSError: nobody answers there."""
    with (
        silence_logging_cmgr(logging.CRITICAL),  # a lost scheduler is told once, not by tracebacks
        Client(address, timeout=_PATIENCE_S, set_as_default=False) as client,
    ):
        yield client


def workers_of(client: Client, machines: dict[str, int]) -> tuple[dict[str, str], dict[str, Any]]:
    """The worker of every machine: the one of its name, else one with a resource of its name.

    Returns
    -------
    found : dict
        Machine → address; a machine without a worker is not in it.
    there : dict
        Address → name, threads and resources of all workers.
    """
    there = dict(sorted(client.run(_described).items()))
    found = {one["name"]: address for address, one in there.items() if one["name"] in machines}
    for machine in machines:
        free = (
            address for address, one in there.items()
            if machine in one["resources"] and address not in found.values()
        )  # fmt: skip
        if machine not in found and (address := next(free, None)) is not None:
            found[machine] = address
    return found, there


def carried(
    client: Client,
    tasks: list[dict[str, Any]],
    machines: dict[str, int],
    room: dict[str, dict[str, int]],
    addresses: dict[str, str],
    strict: bool,
    should_stop: Callable[[], bool] = lambda: False,
) -> Iterator[tuple[str, str, Any]]:
    """Carry tasks out; what happens, as it happens.

    Parameters
    ----------
    client : Client
    tasks : list of dict
        In the plan's order: ``task``, ``machine``, ``cores``, ``after`` (names of the tasks whose
        data it needs), ``behind`` (the task on whose cores it follows, or None), ``held`` (what
        it holds beside cores, by kind), ``work``, ``folder``, ``environment``; ``among``, where
        Dask chooses the machine and the order: names of those that it may choose.
    machines, room, addresses : dict
        Cores, memory and units of resources, and worker by machine.
    strict : bool
        A task waits for the one that it is behind; else a machine takes the first in the plan's
        order whose needs have ended.
    should_stop : callable
        Asked every 50 ms.

    Yields
    ------
    ("started", task, seconds of the worker's clock), ("ended", task, as `Commands.carry_out`), or
    ("skipped", task, names of what it needs that did not end well)

    Raises
    ------
    Lost
        The scheduler or a worker is gone.
    """
    left = len(tasks)
    with joined(client, addresses) as (run, inbox, futures):
        given = (client, run, inbox, futures)
        for _task in submitted(given, tasks, machines, room, addresses, strict):
            if should_stop():
                return
            for happening in inbox.told(0.0):
                left -= happening[0] != "started"
                yield happening
        while left and not should_stop():
            for happening in inbox.told(_ASK_S):
                left -= happening[0] != "started"
                yield happening


@contextlib.contextmanager
def joined(client: Client, addresses: dict[str, str]) -> Iterator[tuple[str, Inbox, list[Any]]]:
    """A run on a cluster: its name, what is heard of it, and a list for its futures."""
    run = f"placewise-{secrets.token_hex(6)}"
    inbox = Inbox(client, run, {address: machine for machine, address in addresses.items()})
    futures: list[Any] = []
    client.register_plugin(Keeper(run), name=run)
    client.subscribe_topic(run, inbox.hear)
    client.subscribe_topic("all", inbox.hear)
    try:
        yield run, inbox, futures
    finally:
        end(client, run, futures)


def submitted(
    given: tuple[Client, str, Inbox, list[Any]],
    tasks: list[dict[str, Any]],
    machines: dict[str, int],
    room: dict[str, dict[str, int]],
    addresses: dict[str, str],
    strict: bool,
) -> Generator[str, None, None]:
    """Give all tasks to Dask, which begins each when it can; the name of each that it has."""
    (client, run, inbox, listed), futures = given, dict[str, Any]()
    for machine, address in addresses.items():
        there = {CORES: machines[machine]} | _named(room.get(machine, {}))
        client.run(_claim, there, workers=[address])
    for place, task in enumerate(tasks):
        needs = [futures[one] for one in task["after"]]
        behind = futures[task["behind"]] if strict and task["behind"] is not None else None
        among = task.get("among") or [task["machine"]]
        if task.get("among"):
            task["names"] = {address: name for name, address in addresses.items()}
        rooms = [_named(room.get(one, {})) for one in among]
        limited = {kind for kind in rooms[0] if all(kind in one for one in rooms)}
        held = {kind: n for kind, n in _named(task["held"]).items() if kind in limited}
        future = futures[task["task"]] = client.submit(
            carry_out, run, task, needs, behind, key=f"{task['task']}-{run}",
            workers=[addresses[one] for one in among], allow_other_workers=False, retries=0,
            priority=task.get("priority", 0) if task.get("among") else len(tasks) - place,
            resources={CORES: task["cores"]} | held, pure=False,
        )  # fmt: skip
        listed.append(future)
        future.add_done_callback(inbox.check)
        yield task["task"]


class Inbox:
    """What workers and scheduler say, in the order in which it is heard."""

    def __init__(self, client: Client, run: str, names: dict[str, str]) -> None:
        self._client, self._run, self._names = client, run, names
        self._heard: queue.SimpleQueue[tuple[str, str, Any]] = queue.SimpleQueue()

    def hear(self, event: tuple[float, Any]) -> None:
        """A message on the run's topic, or on that of the whole cluster."""
        said = event[1] if isinstance(event[1], dict) else {}
        if said.get("action") == "remove-worker" and said.get("worker") in self._names:
            gone = f"the worker of {self._names[said['worker']]} is gone"
            self._heard.put(("lost", gone, self._names[said["worker"]]))
        elif said.get("run") == self._run:
            value = said["value"]
            if said["kind"] == "ended":
                value = value | {"machine": self._names.get(said["at"], "")}
            self._heard.put((said["kind"], said["task"], value))

    def check(self, future: Any) -> None:
        """A task is over: what it did is told by its worker, unless something went wrong."""
        if future.status == "error":
            error = future.exception(timeout=_PATIENCE_S)
            if isinstance(error, KilledWorker):  # which is told
                return
            name = future.key.removesuffix(f"-{self._run}")
            self._heard.put(("lost", f"{name} was given up: {error}", None))
        elif future.status != "finished":
            self._heard.put(("lost", "the scheduler is gone", None))

    def told(self, wait_s: float) -> Iterator[tuple[str, str, Any]]:
        """All that was heard by now; waits so long for the first of it."""
        for happening in self.heard(wait_s):
            if happening[0] == "lost":
                raise Lost(happening[1])
            yield happening

    def heard(self, wait_s: float) -> Iterator[tuple[str, str, Any]]:
        """As `told`, but what is lost is told, too: ("lost", what, the machine or None)."""
        try:
            while True:
                yield self._heard.get(block=wait_s > 0.0, timeout=wait_s)
                wait_s = 0.0
        except queue.Empty:
            if self._client.status != "running":
                raise Lost("the scheduler is gone") from None


def end(client: Client, run: str, futures: list[Any]) -> None:
    """Nothing of the run is left on the cluster, if that can still be reached."""
    if client.status != "running":
        return
    with contextlib.suppress(Exception):  # a cluster that is going away
        client.cancel(futures, force=True)
        client.unregister_worker_plugin(run)
        client.unsubscribe_topic(run)
        client.unsubscribe_topic("all")


def carry_out(
    run: str, task: dict[str, Any], needs: list[dict[str, Any]], _behind: object
) -> dict[str, Any]:
    """What a worker does of a task."""
    worker, name = get_worker(), task["task"]

    def tell(kind: str, value: object) -> None:
        said = {"run": run, "kind": kind, "task": name, "value": value, "at": worker.address}
        worker.log_event(run, said)

    keeper = worker.plugins[run]
    if not keeper.may_begin(name, task.get("anew", False)):
        return {"task": name, "ok": False}
    failed = [one["task"] for one in needs if not one["ok"]]
    if failed:
        tell("skipped", failed)
        return {"task": name, "ok": False}
    tell("started", time.time())
    commands = keeper.commands
    environment = task["environment"]
    if worker.address in task.get("names", {}):
        environment = environment | {MACHINE: task["names"][worker.address]}
    outcome = commands.run_command(task["work"], task["folder"], environment)
    if not commands.stopped:  # else it was ended, and did not fail
        tell("ended", outcome)
    return {"task": name, "ok": outcome["ok"]}


def _described(dask_worker: Any) -> dict[str, Any]:
    state = dask_worker.state
    return {
        "name": str(dask_worker.name),
        "threads": state.nthreads,
        "resources": dict(state.total_resources),
    }


async def _claim(there: dict[str, int], dask_worker: Any) -> None:
    await dask_worker.set_resources(**there)


def _named(kinds: dict[str, int]) -> dict[str, int]:
    """Resources under names of this run's own: a worker may have others called alike."""
    return {f"{CORES}-{kind}": count for kind, count in kinds.items()}


def _outlive_interrupts() -> None:
    """Ctrl-C is for whoever started the run; commands, which are other programs, forget this."""
    signal.signal(signal.SIGINT, lambda _number, _frame: None)

"""How fast each core is, and how other processes slow one down.

The work is SHA-256 of a fixed text. Speed is work by processor time of this thread, so that others
on the core do not count. Contenders are processes that compute for half of their time, in phases of
20 ms in the mean and of random length, so that they do not march in step; rounds with them
alternate with rounds without.
"""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass

import psutil

from advisor.basics.quantities import percent
from advisor.measuring.samples import Estimate, estimate, moved
from advisor.models.contention import CONTENTION_READINGS, machine_slowdown
from machines import Contender, Machine
from machines.local import usable_cores
from machines.stopping import ask

SHARE = 0.5  # of a contender's dedicated time in which it computes
STEADY = 0.1  # by which the baseline may move
_REMEDY = "end other programs, or measure on a node of your own"
_TEXT = bytes(1 << 18)
_STEP_S = 0.02
_PROBE_S = 0.4
_ROUNDS = 3
_MOST_S = 30.0  # no round begins later
_SPEEDS = 9  # samples a core
_MOST_CORES = 32  # that are measured one by one
_MOST_POINTS = 6
_CONTENDER = """
import hashlib, os, random, time
text, parent = bytes(1 << 18), os.getppid()
while os.getppid() == parent:
    end = time.thread_time() + random.expovariate(50.0)
    while time.thread_time() < end:
        hashlib.sha256(text).digest()
    time.sleep(random.expovariate(50.0))
"""


@dataclass(frozen=True)
class Point:
    """The measured slowdown beside so many contenders, and what each model predicts."""

    contenders: int
    slowdown: Estimate
    predicted: dict[str, float]


@dataclass(frozen=True)
class Contention:
    """The curve, and by how much its baselines moved or waited; `refused`: why it is none."""

    points: tuple[Point, ...]
    baselines_s: tuple[float, ...]
    refused: str = ""

    @property
    def blur(self) -> float:
        """Half the relative width of a range, the mean over the points."""
        halves = [(one.high - one.low) / 2 / one.value for one in (p.slowdown for p in self.points)]
        return sum(halves) / len(halves)

    def misses(self) -> dict[str, float]:
        """The mean relative error of every model over the points."""
        return {
            model: sum(abs(one.predicted[model] / one.slowdown.value - 1) for one in self.points)
            / len(self.points)
            for model in CONTENTION_READINGS
        }


def speeds() -> dict[int, Estimate]:
    """Core → MB hashed in a second of processor time; without affinity core 0 stands for all."""
    cores = usable_cores()
    if not hasattr(os, "sched_setaffinity"):
        return {cores[0]: _speed()}
    found = {}
    try:
        for core in cores[:_MOST_CORES]:
            ask()
            os.sched_setaffinity(0, {core})
            found[core] = _speed()
    finally:
        os.sched_setaffinity(0, cores)
    return found


def contention(busy: float, on_progress: Callable[[str], None]) -> Contention:
    """The slowdown beside 1 to cores + 1 contenders, at most six of these numbers.

    `busy`: the share of the cores that others took before; where it is large there is no curve.
    """
    if busy > STEADY:
        return Contention((), (), f"the cores were {percent(busy)} busy before: {_REMEDY}")
    cores = len(usable_cores())
    numbers = _numbers(cores)
    work = _work()
    bare: list[float] = []
    waited: list[float] = []
    ratios: dict[int, list[float]] = {number: [] for number in numbers}
    with _contenders(numbers[-1]) as begun:
        _ = _probe(work)
        end = time.monotonic() + _MOST_S
        for turn in range(_ROUNDS):
            if turn and time.monotonic() > end:
                break
            on_progress(f"contention, round {turn + 1} of {_ROUNDS}")
            before = _probe(work)
            for number in numbers:
                ask()
                with _active(begun[:number]):
                    beside = _probe(work)
                after = _probe(work)
                ratios[number].append(beside[0] / ((before[0] + after[0]) / 2))
                bare.append(after[0])
                waited.append(after[0] / max(after[1], 1e-9) - 1)
                before = after
    points = tuple(
        Point(number, estimate(ratios[number]), predicted(cores, number)) for number in numbers
    )
    return Contention(points, tuple(bare), refusal(bare, estimate(waited).value))


def predicted(cores: int, contenders: int) -> dict[str, float]:
    """Both models' slowdown of one task beside such contenders."""
    others = tuple(Contender(f"contender {one}", compute=SHARE) for one in range(contenders))
    machine = Machine("machine", cores=cores, contenders=others)
    return {one: machine_slowdown(machine, reading=one).value for one in CONTENTION_READINGS}


def refusal(baselines_s: list[float], waited: float) -> str:
    """Why a curve over such baselines tells nothing; empty: it does."""
    if (width := moved(baselines_s)) > STEADY:
        return f"the time without contenders moved by {percent(width)}: {_REMEDY}"
    if waited > STEADY:
        return f"without contenders, too, the work waited {percent(waited)} of its time: {_REMEDY}"
    return ""


def _numbers(cores: int) -> list[int]:
    steps = min(cores + 1, _MOST_POINTS)
    return sorted({round(1 + cores * at / max(steps - 1, 1)) for at in range(steps)})


def _speed() -> Estimate:
    samples = []
    for _ in range(_SPEEDS):
        hashed, began = 0, time.thread_time()
        while time.thread_time() < began + _STEP_S:
            hashlib.sha256(_TEXT).digest()
            hashed += len(_TEXT)
        samples.append(hashed / 1e6 / (time.thread_time() - began))
    return estimate(samples)


def _work() -> int:
    """So many texts as take the probe's time."""
    return max(int(_speed().value * 1e6 * _PROBE_S / len(_TEXT)), 1)


def _probe(work: int) -> tuple[float, float]:
    """Seconds on the wall and of the processor that the work takes now."""
    wall, processor = time.perf_counter(), time.thread_time()
    for _ in range(work):
        hashlib.sha256(_TEXT).digest()
    return time.perf_counter() - wall, time.thread_time() - processor


@contextmanager
def _contenders(number: int) -> Iterator[list[psutil.Process]]:
    """So many processes that are suspended; they end with the block, or with this process."""
    begun: list[subprocess.Popen[bytes]] = []
    try:
        for _ in range(number):
            ask()
            begun.append(subprocess.Popen([sys.executable, "-S", "-c", _CONTENDER]))
        time.sleep(_PROBE_S)  # until all have begun to compute
        them = [psutil.Process(one.pid) for one in begun]
        for one in them:
            one.suspend()
        yield them
    finally:
        for process in begun:
            process.kill()
            process.wait()


@contextmanager
def _active(processes: list[psutil.Process]) -> Iterator[None]:
    for one in processes:
        one.resume()
    try:
        yield
    finally:
        for one in processes:
            with suppress(psutil.NoSuchProcess):
                one.suspend()

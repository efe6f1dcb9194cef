"""Bytes per second of memory and disk: copies of one stream and of many, a file that is synced."""

from __future__ import annotations

import os
import tempfile
import threading
import time
from dataclasses import dataclass

import numpy as np

from advisor.measuring.samples import Estimate, estimate
from machines.stopping import ask

_BYTES = 1 << 26
_COPIES = 12
_STREAMS = 16  # at most; so many fill the memory of most machines
_FULL = 0.95  # of as many streams alone: less, and they slow each other down
_FILE_BYTES = 1 << 24
_FILES = 5


@dataclass(frozen=True)
class Memory:
    """Bytes/s read and written by copies.

    `bandwidth`: of one stream. `second`: its slowdown by a second one. `together`: of `streams` at
    a time, one a core.
    """

    bandwidth: Estimate
    second: Estimate | None
    together: Estimate | None = None
    streams: int = 1

    @property
    def limit(self) -> float | None:
        """What all cores can move, bytes/s; None: not so little that they slow each other down."""
        if self.together is None or self.together.high > self.streams * self.bandwidth.low * _FULL:
            return None
        return float(f"{self.together.value:.3g}")


def memory(cores: int) -> Memory:
    """Copies of 64 MiB; numpy lets two threads copy at once."""
    one = _times()
    if cores < 2:
        return Memory(_rate(one), None)
    two, streams = _beside(1), min(cores, _STREAMS)
    alone, many = float(np.median(one)), two if streams == 2 else _beside(streams - 1)
    together = [seconds / streams for seconds in many]
    return Memory(
        _rate(one), estimate([seconds / alone for seconds in two]), _rate(together), streams
    )


def disk() -> Estimate:
    """Bytes/s of 16 MiB written to the folder of temporary files, and synced."""
    content = os.urandom(_FILE_BYTES)
    samples = []
    with tempfile.TemporaryFile() as file:
        for _ in range(_FILES):
            ask()
            began = time.perf_counter()
            file.seek(0)
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
            samples.append(_FILE_BYTES / (time.perf_counter() - began))
    return estimate(samples)


def _times() -> list[float]:
    source, target = np.ones(_BYTES // 8), np.empty(_BYTES // 8)
    np.copyto(target, source)  # pages are there
    samples = []
    for _ in range(_COPIES):
        ask()
        began = time.perf_counter()
        np.copyto(target, source)
        samples.append(time.perf_counter() - began)
    return samples


def _beside(others: int) -> list[float]:
    """Seconds of a stream's copies while others copy."""
    over = threading.Event()
    threads = [threading.Thread(target=_copying, args=(over,)) for _ in range(others)]
    for one in threads:
        one.start()
    try:
        return _times()
    finally:
        over.set()
        for one in threads:
            one.join()


def _copying(over: threading.Event) -> None:
    source, target = np.ones(_BYTES // 8), np.empty(_BYTES // 8)
    while not over.is_set():
        np.copyto(target, source)


def _rate(seconds: list[float]) -> Estimate:
    return estimate([2 * _BYTES / one for one in seconds])

"""Bytes per second of memory and disk: copies of one stream and of two, a file that is synced."""

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
_FILE_BYTES = 1 << 24
_FILES = 5


@dataclass(frozen=True)
class Memory:
    """Bytes/s read and written by a copy; `second`: the first one's slowdown by a second stream."""

    bandwidth: Estimate
    second: Estimate | None


def memory(cores: int) -> Memory:
    """Copies of 64 MiB; numpy lets two threads copy at once."""
    one = _times()
    if cores < 2:
        return Memory(_rate(one), None)
    over = threading.Event()
    other = threading.Thread(target=_copying, args=(over,))
    other.start()
    try:
        two = _times()
    finally:
        over.set()
        other.join()
    alone = float(np.median(one))
    return Memory(_rate(one), estimate([seconds / alone for seconds in two]))


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


def _copying(over: threading.Event) -> None:
    source, target = np.ones(_BYTES // 8), np.empty(_BYTES // 8)
    while not over.is_set():
        np.copyto(target, source)


def _rate(seconds: list[float]) -> Estimate:
    return estimate([2 * _BYTES / one for one in seconds])

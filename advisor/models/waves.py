"""A task beside processes whose work comes at a rate of its own, whatever else runs.

Processes of one wave begin together and each need the same share u of a processor: back-ends that
sample at the same moments, internal processes of one level of a tree. All that is busy shares the
cores alike (processor sharing): beside a wave of m processes each of K threads that always compute
runs at r = min(1, c/(K + m)), alone at r0 = min(1, c/K). The wave is there for u/r of the time, in
which a thread loses r0 − r; waves come one after the other, as levels of a tree do:

    speed = r0 − sum of u (r0/r − 1)

On one core, and where a task holds all cores, that is what the waves leave, 1 − U/c. Where waves
take more than all the time, sum of u/r > 1, that of the largest u falls behind: its processes are
always busy, as further threads. `tests/advisor/overlays/test_beside_tasks.py` simulates both.
"""

from __future__ import annotations

from collections.abc import Sequence

from advisor.models.processor_sharing import checked_cores
from machines.checks import number, whole

Wave = tuple[float, int]
_ALL = 1.0 + 1e-9  # of the time, and what rounding adds


def wave_slowdown(waves: Sequence[Wave], cores: int = 1, held: int = 1) -> float:
    """How many times longer a task takes that holds `held` of so many cores beside waves.

    Parameters
    ----------
    waves : sequence of (share, processes)
        Share of a processor that each process needs, 0 … 1, and how many begin together.
    cores, held : int
        Cores of the machine, and threads of the task, which always compute (1 … cores).

    Returns
    -------
    float
        Slowdown ≥ 1.

    Raises
    ------
    InputError
        A share outside 0 … 1, no process in a wave, or `held` above `cores`.
    """
    threads, kept = _kept_up(waves, cores, held)
    alone = _speed(cores, threads)
    lost = sum(share * (alone / _speed(cores, threads + many) - 1.0) for share, many in kept)
    return max(1.0, 1.0 / (alone - lost))


def fallen_behind(waves: Sequence[Wave], cores: int = 1, held: int = 1) -> int:
    """Processes that can't do their work beside such a task; parameters as of `wave_slowdown`."""
    return _kept_up(waves, cores, held)[0] - held


def _kept_up(waves: Sequence[Wave], cores: int, held: int) -> tuple[int, list[Wave]]:
    """(what always computes, waves that keep up beside it)."""
    checked_cores(cores, held)
    for share, many in waves:
        number("share", share, high=1.0)
        whole("processes", many, low=1)
    threads, kept = held, sorted(waves)
    while kept and sum(share / _speed(cores, threads + many) for share, many in kept) > _ALL:
        threads += kept.pop()[1]
    return threads, kept


def _speed(cores: int, busy: int) -> float:
    """Of each of so many that share the cores."""
    return min(1.0, cores / busy)

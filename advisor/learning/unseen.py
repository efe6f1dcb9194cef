"""How many times as long a machine takes on which nothing ran: by benchmarks, else by its speed.

Benchmarks are seconds of a kind on that machine and on one that was measured: the workload's
`seconds` by machine. Their ratio holds for the kind; for a kind without a benchmark the mean of ln
over kinds does, and how kinds differ is the doubt of both, as a benchmark may be short. Without
benchmarks the machine has its stated speed.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from advisor.basics.quantities import count, few, slowdown
from advisor.learning.kind_time import Z90
from advisor.learning.ratios import STATED, Ratios
from advisor.learning.run_evidence import Evidence
from machines.arrays import Flags, Floats

_SHOWN = 3
_SAME = 1e-6  # of ln


@dataclass(frozen=True)
class MachineFactor:
    """ln of a machine's times over those of another, over kinds.

    `middle`, `deviation`: mean and standard deviation. `kinds`: benchmarked; 0: by its speed.
    """

    middle: float
    deviation: float
    kinds: int

    def of(self, own: Floats) -> tuple[Floats, Floats]:
        """Factors for kinds of some ln of ratios (nan: no benchmark), and their doubts.

        The doubt is the deviation s over kinds, without a benchmark s √(1 + 1/kinds).
        """
        known = np.isfinite(own)
        more = math.sqrt(1.0 + 1.0 / self.kinds) if self.kinds else 1.0
        factor = np.exp(np.where(known, own, self.middle))
        return factor, self.deviation * np.where(known, 1.0, more)


def machine_factor(logs: Floats, stated: float = 0.0) -> MachineFactor:
    """From ln of the ratios of kinds, shape (kinds,), or, without any, that of stated speeds.

    The variance over kinds counts a ratio that is 0.3 off beside theirs.
    """
    if not logs.size:
        return MachineFactor(stated, STATED, 0)
    middle = float(logs.mean())
    variance = (STATED**2 + float(((logs - middle) ** 2).sum())) / logs.size
    return MachineFactor(middle, math.sqrt(variance), logs.size)


@dataclass(frozen=True, eq=False)
class Factors:
    """Times over those of the reference machine; shape (tasks, machines).

    `doubt`: standard deviation of ln of the factor. `benchmarked`: the task, or its kind, has a
    benchmark there. `unseen`: machine → what it is known by, of those without a learnt factor.
    """

    factor: Floats
    doubt: Floats
    benchmarked: Flags
    unseen: dict[int, MachineFactor]

    @property
    def by_benchmarks(self) -> bool:
        """Whether a machine without a learnt factor has more than its speed to go by."""
        return any(one.kinds for one in self.unseen.values())


def factors(evidence: Evidence, learnt: Ratios) -> Factors:
    """What was learnt of a machine, else what benchmarks or speeds say of it."""
    logs = _benchmarks(evidence, learnt)
    factor, doubt = np.ones(logs.shape), np.zeros(logs.shape)
    for one in learnt.known:
        factor[:, one.machine] = one.to_reference
        doubt[:, one.machine] = math.log(one.high / one.low) / (2.0 * Z90)
    by_kind: dict[str, list[int]] = {kind: [] for kind in evidence.kinds}
    for task, kind in enumerate(evidence.groups):
        by_kind[kind].append(task)
    machines = evidence.problem.platform.machines
    unseen = {}
    for place in np.flatnonzero(np.isnan(learnt.factor)).tolist():
        own, typical = logs[:, place], []
        speeds = math.log(machines[learnt.reference].speed / machines[place].speed)
        if np.nanmax(np.abs(own - speeds), initial=0.0) < _SAME:  # seconds that follow from speeds
            own[:] = np.nan
        for some in by_kind.values():
            known = own[some][np.isfinite(own[some])]
            if known.size:
                typical.append(float(np.median(known)))
                own[some] = np.where(np.isfinite(own[some]), own[some], typical[-1])
        unseen[place] = machine_factor(np.array(typical), speeds)
        factor[:, place], doubt[:, place] = unseen[place].of(own)
    return Factors(factor, doubt, np.isfinite(logs), unseen)


def _benchmarks(evidence: Evidence, learnt: Ratios) -> Floats:
    """Logarithm of stated seconds over those on the reference machine; nan: none are stated."""
    tasks = evidence.problem.workload.tasks
    told = np.array([bool(task.seconds) for task in tasks])
    stated = evidence.here.costs.task_dedicated_s
    stated = np.where(told[:, None] & np.isfinite(stated) & (stated > 0.0), stated, np.nan)
    return np.log(stated / reference_seconds(stated, learnt.factor)[:, None])


def reference_seconds(seconds: Floats, factor: Floats) -> Floats:
    """Median over machines of time over factor; nan: known on none of known factor."""
    scaled = seconds / factor
    found = np.full(seconds.shape[0], np.nan)
    rows = np.isfinite(scaled).any(axis=1)
    found[rows] = np.nanmedian(scaled[rows], axis=1)
    return found


def unseen_note(evidence: Evidence, learnt: Ratios, found: Factors) -> str:
    """How the machines are predicted on which nothing ran; empty: there are none."""
    ran = set(evidence.machine.tolist())
    said = [
        _said(evidence.names[place], found, place) for place in found.unseen if place not in ran
    ]
    if not said:
        return ""
    against = evidence.names[learnt.reference]
    return f"Machines on which nothing ran, against {against}: {few(said, _SHOWN)}"


def _said(name: str, found: Factors, place: int) -> str:
    one, doubt = found.unseen[place], float(np.median(found.doubt[:, place]))
    low, high = float(found.factor[:, place].min()), float(found.factor[:, place].max())
    factor = slowdown(low) if low == high else f"{slowdown(low)} to {slowdown(high)}"
    how = f"the stated times of {count(one.kinds, 'kind')}" if one.kinds else "its stated speed"
    within = math.exp(Z90 * doubt)
    return f"{name} takes {factor} as long by {how}, 9 of 10 within a factor of {within:.2f}"

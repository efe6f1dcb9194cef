"""What every task took on every machine, over runs."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from advisor.basics.quantities import count, duration
from advisor.learning.evidence import Evidence
from advisor.learning.robust import Summary, summary
from machines.arrays import Floats
from machines.stopping import ask

_SHOWN = 3


@dataclass(frozen=True, eq=False)
class Cells:
    """Medians by task and machine.

    Attributes
    ----------
    median : float array (tasks, machines)
        Seconds on the empty machine; nan: not measured there.
    said : dict
        (task, machine) → what its runs say.
    """

    median: Floats
    said: dict[tuple[int, int], Summary]

    @property
    def spread(self) -> float | None:
        """Median over cells of half their range over their median; None: all ran once."""
        halves = [
            (one.high - one.low) / 2.0 / one.middle
            for one in self.said.values()
            if one.count > 1 and one.middle > 0.0
        ]
        return float(np.median(halves)) if halves else None

    def notes(self, evidence: Evidence) -> list[str]:
        """Sentences about what contradicts the medians, and what they contain."""
        tasks, names = evidence.problem.workload.tasks, evidence.names
        notes = []
        heaps = [(at, one.modes) for at, one in self.said.items() if one.modes is not None]
        if heaps:
            (task, machine), (low, high) = heaps[0]
            more = f" (and {len(heaps) - 1} more)" if len(heaps) > 1 else ""
            notes.append(
                f"{tasks[task].name} on {names[machine]} took about {duration(low)} or about "
                f"{duration(high)}{more}: their median is neither"
            )
        few = [(at, one) for at, one in self.said.items() if one.few_and_apart]
        if few:
            (task, machine), one = few[0]
            more = f" (and {len(few) - 1} more)" if len(few) > 1 else ""
            notes.append(
                f"{tasks[task].name} on {names[machine]} took {duration(one.low)} to "
                f"{duration(one.high)} in {one.count} runs{more}: too few to tell which is usual"
            )
        odd = [(at, one.outliers) for at, one in self.said.items() if one.outliers]
        if odd:
            some = "; ".join(
                f"{tasks[task].name} on {names[machine]} once {duration(far[-1])}"
                for (task, machine), far in odd[:_SHOWN]
            )
            number = count(sum(len(far) for _, far in odd), "outlier")
            notes.append(f"{number} are left out of the ranges: {some}")
        return notes + _contained(evidence)


def cells_of(evidence: Evidence) -> Cells:
    """What the typical entries say of every task on every machine."""
    rows: dict[tuple[int, int], list[int]] = {}
    for row in np.flatnonzero(evidence.typical).tolist():
        rows.setdefault((int(evidence.task[row]), int(evidence.machine[row])), []).append(row)
    step = evidence.resolution_s
    said = {}
    for at, some in sorted(rows.items()):
        ask()
        said[at] = summary(evidence.alone_s[some], step)
    return Cells(evidence.median_s, said)


def _contained(evidence: Evidence) -> list[str]:
    """What the measured times contain beside computing on the empty machine."""
    notes = []
    skipped = int((evidence.factors.contenders[evidence.run, evidence.machine] > 0).sum())
    if skipped:
        entries = count(skipped, "entry", "entries")
        notes.append(f"{entries} of runs with contenders are left out")
    if (evidence.alone_s < evidence.seconds).any():
        notes.append("What the platform's contenders and slowdowns take is taken out of the times")
    mixed = int((evidence.with_fetching & evidence.typical).sum())
    if mixed:
        notes.append(f"{count(mixed, 'time')} may contain fetching: the log does not tell it apart")
    if evidence.resolution_s > 0.0:
        notes.append(
            f"The clock of a log steps by {duration(evidence.resolution_s)}: each time is that "
            "uncertain"
        )
    return notes

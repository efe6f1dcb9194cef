"""What Dask tells of each task, in its task stream and in its performance report.

A record has spans: transfers of inputs, reading from disk, the computation. Dask fetches before a
task takes its thread: what of the last transfers fell into time in which the thread was idle is
taken for fetching in the slot, which lasts as long to all that follow. Each worker's times are its
own clock's, corrected by what it measured against the scheduler's.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from advisor.runs.logs.log_lines import Gathering
from advisor.runs.run_record import FAILED, OK, Run

COMPUTE = "compute"
_TOGETHER_S = 0.001  # transfers closer than that are one stretch
_WORDS = 300  # characters of what a failed task said

Span = tuple[str, float, float]


@dataclass(frozen=True, slots=True)
class DaskRecord:
    """One try of one task.

    `key`, `worker`, `thread`: the task, the address of its worker, and its thread there.
    `spans`: each (action, start, end); "transfer", "disk-read", "deserialize", "compute", …;
        seconds since 1970.
    `status`, `output`, `made_bytes`: as of `TaskRun`.
    """

    key: str
    worker: str
    thread: str
    spans: tuple[Span, ...]
    status: str = OK
    output: str = ""
    made_bytes: float | None = None

    @property
    def computed(self) -> tuple[float, float] | None:
        """Start and end of the computation; None: there was none."""
        own = [(start_s, end_s) for action, start_s, end_s in self.spans if action == COMPUTE]
        if not own:
            return None
        return min(start_s for start_s, _ in own), max(end_s for _, end_s in own)


def run_of(records: Iterable[DaskRecord], where: str, name: str, notes: tuple[str, ...]) -> Run:
    """The run that records tell of."""
    found = Gathering(where, since_1970=True)
    free: dict[tuple[str, str], float] = {}
    known = [(record, record.computed) for record in records]
    for record, computed in sorted(known, key=lambda one: one[1] or (0.0, 0.0)):
        if computed is None:
            found.add_wrong(record.key, "it has no computation")
            continue
        start_s, end_s = computed
        thread = (record.worker, record.thread)
        taken_s = max(_fetched_from(record.spans, start_s), free.get(thread, 0.0))
        free[thread] = max(end_s, free.get(thread, 0.0))
        found.add(
            record.key, record.worker, start_s, end_s, status=record.status,
            fetch_start_s=taken_s if taken_s < start_s else None,
            output=record.output[-_WORDS:] if record.status == FAILED else "",
            made_bytes=record.made_bytes,
        )  # fmt: skip
    return found.run(name, "dask", notes)


def _fetched_from(spans: Iterable[Span], start_s: float) -> float:
    """When the last stretch of transfers before the computation began; else its start."""
    before = sorted(
        (begin_s, min(end_s, start_s))
        for action, begin_s, end_s in spans
        if action != COMPUTE and 0 < begin_s < start_s and end_s > begin_s
    )
    stretch = start_s
    last_s = 0.0
    for begin_s, end_s in before:
        if begin_s > last_s + _TOGETHER_S:
            stretch = begin_s
        last_s = max(last_s, end_s)
    return stretch

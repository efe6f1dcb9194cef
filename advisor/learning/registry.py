"""Every calibration, in the order in which several are applied: a new one is a file and a line."""

from __future__ import annotations

from collections.abc import Callable

from advisor.learning.calibration import Calibration
from advisor.learning.contenders import contenders
from advisor.learning.links import links
from advisor.learning.memory import memory
from advisor.learning.run_evidence import Evidence
from advisor.learning.runtime_calibration import runtime
from advisor.learning.speeds import speeds
from advisor.learning.spread import spread
from advisor.learning.times import times
from advisor.learning.worker_starts import workers

CALIBRATIONS: tuple[Callable[[Evidence], Calibration], ...] = (
    times,
    speeds,
    links,
    runtime,
    contenders,
    memory,
    spread,
    workers,
)

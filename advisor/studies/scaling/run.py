"""Study: how many processors a program is worth, from known times, LogP parameters or data.

Known times make a machine repairman (`scaling_queue`), LogP one for each reading of the paper's
mapping (`scaling_logp`); measurements are fitted with all laws together (`scaling_measured`).
"""

from __future__ import annotations

from advisor.basics.stopping import ShouldStop
from advisor.studies.scaling.logp import logp_case
from advisor.studies.scaling.measured import measured_answer
from advisor.studies.scaling.parameters import DATA, LOGP, ScalingParameters, stated_case
from advisor.studies.scaling.queue import queue_answer
from advisor.studies.study import OnProgress, StudyResult


def run(
    parameters: ScalingParameters,
    on_progress: OnProgress | None = None,
    should_stop: ShouldStop | None = None,
) -> StudyResult:
    """Draw the laws, choose numbers of processors and name what limits them.

    Returns: speedup, latency, efficiency and throughput against P with bounds and the knee; of data
    the measured points, every fitted law with the one that they support first, and residuals.
    Incomplete when stopped.
    """
    if parameters.source == DATA:
        return measured_answer(parameters, on_progress, should_stop)
    case = logp_case(parameters) if parameters.source == LOGP else stated_case(parameters)
    return queue_answer(case, on_progress, should_stop)

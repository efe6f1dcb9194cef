"""A bound for engines that take their time to hand tasks out: the longest path through their ticks.

Tasks run on machines of any number of cores, and each is handed out as if it were the only one.
"""

from __future__ import annotations

import numpy as np

from advisor.allocation.execution import Executed
from advisor.allocation.timeline import Instance
from advisor.kernels import engine_kernel as engine


def dispatch_bound(instance: Instance, executed: Executed) -> float:
    """Seconds that no execution undercuts.

    With ⌈t⌉ₚ the first multiple of p from t on, every task t that follows tasks u has

        end(t) ≥ max(⌈max(begin, ⌈max end(u)⌉_poll) + submit⌉_cycle, up(m)) + overhead + its seconds

    on the machine m where that is least, and the last of n tasks is handed out after
    begin + n · submit.
    """
    there_s = instance.task_s + executed.overhead_s
    first = int(executed.up_s.argmin())
    alone = np.full(1, executed.begin_s)
    ends = np.zeros(len(there_s))
    for task in instance.topological_order.tolist():
        before = instance.source[instance.first_in[task] : instance.first_in[task + 1]]
        alone[0] = executed.begin_s
        seen_s = engine.seen(executed, float(ends[before].max(initial=0.0)))
        out_s = engine.handed_out(executed, alone, seen_s, first)
        ends[task] = (np.maximum(out_s, executed.up_s) + there_s[task]).min()
    alone[0] = executed.begin_s + (len(there_s) - 1) * executed.submit_s
    last_s = engine.handed_out(executed, alone, 0.0, first) + float(there_s.min())
    return max(float(ends.max(initial=0.0)), last_s)

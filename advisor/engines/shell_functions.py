"""What scripts that carry plans out do for a task: constant text of bash, without a word of a plan.

`RECORD` writes lines of a run record (`advisor.runs.run_record`); `MACHINES` runs a task on its
machine, here or over ssh, with the clock of the machine that the script runs on: a task starts when
its machine says so, so that what ssh takes is between tasks, not in them. Variables: ``folder`` of
logs and marks, ``record``, ``LOCAL``. Bash 4.4. A command may write what it fetched, "bytes
seconds", into the file of `advisor.engines.shell.FETCHED_VARIABLE`.
"""

from __future__ import annotations

import resources
from advisor.allocation.plan_jobs import CORES_VARIABLE, MACHINE_VARIABLE, TASK_VARIABLE
from advisor.engines.shell import FETCHED_VARIABLE
from advisor.runs.run_record import header_line


def functions(name: str, **words: str) -> str:
    """The functions in ``resources/engines/<name>.sh``, a word in the place of each ``@NAME@``."""
    text = (resources.folder("engines") / f"{name}.sh").read_text(encoding="utf-8")
    for sign, word in words.items():
        text = text.replace(f"@{sign}@", word)
    return f"\n{text}"


RECORD = functions("record", HEADER=header_line().strip())
MACHINES = RECORD + functions(
    "machines",
    TASK=TASK_VARIABLE,
    MACHINE=MACHINE_VARIABLE,
    CORES=CORES_VARIABLE,
    FETCHED=FETCHED_VARIABLE,
)

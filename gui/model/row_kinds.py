"""All tables of the model, in the order of their tabs."""

from __future__ import annotations

from gui.model.platform_rows import LINKS, MACHINES
from gui.model.workload_rows import FLOWS, TASKS

KINDS = (TASKS, FLOWS, MACHINES, LINKS)

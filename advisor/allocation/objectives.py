"""What a plan is judged by: its last end, or the sum of all its times."""

from __future__ import annotations

MAKESPAN = "makespan"
TOTAL = "total"
OBJECTIVES = (MAKESPAN, TOTAL)

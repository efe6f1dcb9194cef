"""Results of campaigns that nobody ran, as large as wished."""

from __future__ import annotations

import numpy as np

from advisor.campaigns.results import Results
from advisor.campaigns.row_columns import Row

STRATEGIES = ("heft", "peft", "min-min", "refine")


def synthetic(many: int) -> Results:
    """So many rows: four strategies on instances of three sizes; each 50th row has failed."""
    random = np.random.default_rng(1)
    rows = []
    for number in range(many):
        instance, strategy = divmod(number, len(STRATEGIES))
        tasks, failed = (20, 50, 100)[instance % 3], number % 50 == 49
        value = None if failed else float(tasks * (1.0 + random.random()))
        rows.append(
            Row(
                number,
                "allocation",
                f"layered tasks={tasks}",
                "layered" if instance % 5 else "",
                tasks,
                3 * tasks,
                8,
                1.0,
                0.3,
                instance,
                ("lab", "star")[instance % 2],
                "",
                "fair",
                STRATEGIES[strategy],
                "makespan",
                1.0,
                value,
                "" if failed else "s",
                None if failed else float(tasks),
                None if value is None else value / tasks - 1.0,
                False,
                100,
                (),
                f"memory of n{number % 7}" if failed else "",
            )
        )
    return Results(rows, random.random(many))

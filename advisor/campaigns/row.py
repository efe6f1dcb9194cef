"""What is known of a case once it is answered: a line of the results.

A row follows from its case alone, so that it is the same wherever and whenever it is computed;
how long that took is measured beside it.
"""

from __future__ import annotations

from dataclasses import dataclass, fields


@dataclass(frozen=True)
class Row:
    """One case with its answer; the fields are the columns of `results.csv`, in this order.

    `tasks`, `flows`, `machines`: the size of the instance; 0 where the question has none.
    `ccr`: communication to computation ratio: mean time of a transfer between different machines
        over mean time of a task on a machine (Topcuoglu, Hariri & Wu 2002, sec. 5.1).
    `heterogeneity`: mean over tasks of the coefficient of variation of their times over the
        machines.
    `platform`, `load`: the machines, and who computes there already ("desk-1 2"; empty: as the
        platform says).
    `sharing`, `strategy`, `objective`: as of `advise`.
    `value`, `bound`, `gap`: what was reached, in `unit`, the best proved bound over all plans, and
        value/bound − 1.
    """

    case: int  # its number in the campaign, from 0
    study: str  # the question: "allocation", or the name of a study
    workload: str  # its file, or the generator with its settings; of a study its settings
    generator: str  # the generator's name; empty: a file
    tasks: int
    flows: int
    machines: int
    ccr: float | None
    heterogeneity: float | None
    seed: int  # of the generator, and of random moves
    platform: str
    load: str
    sharing: str
    strategy: str
    objective: str
    seconds: float  # effort that the search was asked to take
    value: float | None
    unit: str
    bound: float | None
    gap: float | None
    proved: bool  # whether no plan is better
    steps: int  # effort that the search took, in placements of a task
    warnings: tuple[str, ...] = ()
    error: str = ""  # why there is no answer; empty: there is one


COLUMNS = tuple(field.name for field in fields(Row))

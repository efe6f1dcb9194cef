"""What is known of a case once it is answered: a line of the results.

A row follows from its case alone, so that it is the same wherever and whenever it is computed;
how long that took is measured beside it.
"""

from __future__ import annotations

from dataclasses import dataclass, fields


@dataclass(frozen=True)
class Row:
    """One case with its answer; the fields are the columns of `results.csv`, in this order.

    Attributes
    ----------
    case : int
        Its number in the campaign, from 0.
    study : str
        The question: "allocation", or the name of a study.
    workload : str
        Its file, or the generator with its settings; of a study its settings.
    generator : str
        The generator's name; empty: a file.
    tasks, flows, machines : int
        The size of the instance; 0 where the question has none.
    ccr : float or None
        Communication to computation ratio: mean time of a transfer between different machines
        over mean time of a task on a machine (Topcuoglu, Hariri & Wu 2002, sec. 5.1).
    heterogeneity : float or None
        Mean over tasks of the coefficient of variation of their times over the machines.
    seed : int
        Of the generator, and of random moves.
    platform, load : str
        The machines, and who computes there already ("desk-1 2"; empty: as the platform says).
    sharing, strategy, objective : str
        As of `advise`.
    seconds : float
        Effort that the search was asked to take.
    value, bound, gap : float or None
        What was reached, in `unit`, the best proved bound over all plans, and value/bound − 1.
    proved : bool
        Whether no plan is better.
    steps : int
        Effort that the search took, in placements of a task.
    warnings : tuple of str
    error : str
        Why there is no answer; empty: there is one.
    """

    case: int
    study: str
    workload: str
    generator: str
    tasks: int
    flows: int
    machines: int
    ccr: float | None
    heterogeneity: float | None
    seed: int
    platform: str
    load: str
    sharing: str
    strategy: str
    objective: str
    seconds: float
    value: float | None
    unit: str
    bound: float | None
    gap: float | None
    proved: bool
    steps: int
    warnings: tuple[str, ...] = ()
    error: str = ""


COLUMNS = tuple(field.name for field in fields(Row))

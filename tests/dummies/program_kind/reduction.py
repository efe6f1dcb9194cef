"""A kind of program as a contributor writes it: this one file, and its line in `kinds.KINDS`.

Partial sums are added up in rounds on the cores of one machine. Nobody published it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from advisor.basics.quantities import count
from advisor.programs.program import ProgramCost, ProgramKind, check_numbers
from machines import InputError, Machine
from machines.parameters import parameter

ORDERS = ("tree", "chain")


@dataclass(frozen=True, slots=True)
class Reduction:
    """Values are added up by `workers` in rounds; between rounds they wait for the slowest.

    Attributes
    ----------
    values : int
    add_s : float
        Adding two.
    order : str
        "tree": a round halves the partial sums; "chain": it takes one away.
    workers : int or None
        ``None``: one on each core.
    """

    values: int = parameter(title="Values", low=1, help="How many are added up")
    add_s: float = parameter(
        title="Adding", unit="s", low=0.0, above=True, help="Adding two, at the reference speed"
    )
    order: str = parameter("tree", title="Order", choices=ORDERS, help="Who adds to whom")
    workers: int | None = parameter(
        None, title="Workers", low=1, empty="each core", help="How many add"
    )

    def __post_init__(self) -> None:
        check_numbers(self, "reduction")
        if self.order not in ORDERS:
            remedy = "Orders: " + ", ".join(ORDERS)
            raise InputError("unknown order", where="reduction", value=self.order, remedy=remedy)

    def check(self, machine: Machine) -> None:
        """Refuse a machine of fewer cores than workers."""
        if self._on(machine) > machine.cores:
            raise InputError("the machine has fewer cores than workers", value=machine.cores)

    def cost(self, machine: Machine, contended: bool = True) -> ProgramCost:
        """Adding is computing; the rounds in which others wait are waiting for the processor."""
        self.check(machine)
        workers, each = self._on(machine), self.add_s / machine.speed
        rounds = math.ceil(math.log2(workers)) if self.order == "tree" else workers - 1
        waiting = rounds * each if contended else 0.0
        return ProgramCost((self.values / workers * each, waiting, 0.0, 0.0, 0.0, 0.0))

    def caveats(self, _machine: Machine, /) -> tuple[str, ...]:
        """What to know of it."""
        return ("Nobody published this model.",)

    def words(self) -> str:
        """What is added up, by how many."""
        by = "each core" if self.workers is None else count(self.workers, "worker")
        return f"Adds up {count(self.values, 'value')} on {by}, in a {self.order}."

    def _on(self, machine: Machine) -> int:
        return machine.cores if self.workers is None else self.workers


REDUCTION = ProgramKind(
    "reduction",
    "values that are added up on the cores of one machine",
    Reduction,
    lambda: Reduction(values=1000, add_s=1e-3),
    "that reduces",
    "more cores",
)

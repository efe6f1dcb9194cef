"""Who sends how much to whom: the communication of a program's processes, as a sparse matrix.

Directed: what i sends to j and what j sends to i are two flows.
`advisor.messages.mapping.program_patterns` makes the usual ones,
`advisor.messages.mapping.communication_file` reads them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from machines.arrays import Floats, Indices, Ints
from machines.checks import LARGEST, plain_name, whole
from machines.errors import InputError
from machines.traffic import MOST_PLACES

Number = TypeVar("Number", np.int32, np.float64)

MOST_PROCESSES = MOST_PLACES
"""No network has more places for them."""


MOST_FLOWS = 2_000_000
"""Some 1,400 processes that all send to each other: of more no mapping is measured in time."""


@dataclass(frozen=True, eq=False)
class Communication:
    """What `processes` processes send each other: f flows between two different processes.

    `sources`, `targets`: shape (f,); sender and receiver; every pair once, in increasing order.
    """

    name: str  # for titles: "ring", or a file's name
    processes: int  # numbered 0 … processes − 1
    sources: Indices
    targets: Indices
    size_bytes: Floats  # shape (f,); all bytes of the flow, > 0
    messages: Floats  # shape (f,); into how many messages they are cut, ≥ 1
    labels: tuple[str, ...] = ()  # names of the processes; empty: their numbers
    doubts: tuple[str, ...] = ()  # what its file may have meant otherwise, in sentences

    @property
    def total_bytes(self) -> float:
        """All bytes of all flows."""
        return float(self.size_bytes.sum())

    def traffic(self, mapping: Sequence[int], nodes: int) -> Floats:
        """Bytes between nodes under a mapping process → node, (nodes, nodes)."""
        at = np.asarray(mapping)
        matrix = np.zeros((nodes, nodes))
        np.add.at(matrix, (at[self.sources], at[self.targets]), self.size_bytes)
        return matrix


def communication(
    name: str,
    processes: int,
    sources: ArrayLike,
    targets: ArrayLike,
    size_bytes: ArrayLike,
    messages: ArrayLike = 1.0,
    labels: tuple[str, ...] = (),
) -> Communication:
    """A communication from lists of flows; those of one pair are added up.

    What a process sends to itself crosses no channel and is left out, as are flows of no bytes.

    `name`: for titles.
    `sources`, `targets`: shape (f,); sender and receiver.
    `size_bytes`, `messages`: shape (f,); bytes in all, and the messages that carry them.
    `labels`: names of the processes.
    """
    where = f'communication "{name}"'
    whole("processes", processes, low=1, where=where)
    for label in labels:
        plain_name("the name of a process", label, where=where)
    if processes > MOST_PROCESSES:
        raise InputError(
            "too many processes",
            where=where,
            value=processes,
            remedy=f"Allowed: up to {MOST_PROCESSES}",
        )
    try:
        ends = [np.asarray(each, np.int64).reshape(-1) for each in (sources, targets)]
    except OverflowError:
        raise InputError("a process of a flow is too large a number", where=where) from None
    amounts = [np.broadcast_to(np.asarray(each, float), ends[0].shape) for each in
               (size_bytes, messages)]  # fmt: skip
    expect_flows(len(ends[0]), where)
    _check(where, processes, ends, amounts)
    counts = (ends[0] != ends[1]) & (amounts[0] > 0)
    pairs, place = np.unique(ends[0][counts] * processes + ends[1][counts], return_inverse=True)
    size, number = (np.bincount(place, each[counts], len(pairs)) for each in amounts)
    return Communication(
        name,
        processes,
        _frozen((pairs // processes).astype(np.int32)),
        _frozen((pairs % processes).astype(np.int32)),
        _frozen(size.astype(np.float64)),
        _frozen(np.maximum(number.astype(np.float64), 1.0)),
        labels,
    )


def expect_flows(flows: int, where: str) -> None:
    """Refuse more flows than mappings are measured with; InputError with the number."""
    if flows > MOST_FLOWS:
        raise InputError(
            "too many pairs of processes send to each other", where=where, value=flows,
            remedy=f"Allowed: up to {MOST_FLOWS:,}; take fewer processes, or leave out what is "
            "small",
        )  # fmt: skip


def _frozen(array: NDArray[Number]) -> NDArray[Number]:
    array.flags.writeable = False
    return array


def _check(
    where: str,
    processes: int,
    ends: list[Ints],
    amounts: list[Floats],
) -> None:
    for name, numbers in zip(("source", "target"), ends, strict=True):
        wrong = np.flatnonzero((numbers < 0) | (numbers >= processes))
        if len(wrong):
            raise InputError(
                f"the {name} is not a process",
                where=f"{where}, flow {wrong[0] + 1}",
                value=int(numbers[wrong[0]]),
                remedy=f"Allowed: 0 to {processes - 1}",
            )
    for name, values in zip(("bytes", "messages"), amounts, strict=True):
        wrong = np.flatnonzero(~((values >= 0) & (values <= LARGEST)))
        if len(wrong):
            raise InputError(
                f"{name} must be finite and ≥ 0",
                where=f"{where}, flow {wrong[0] + 1}",
                value=float(values[wrong[0]]),
            )

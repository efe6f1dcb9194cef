"""Rows that are equal, such as those of tasks that may run on the same machines.

``np.unique(…, axis=0)`` compares rows while it holds the interpreter, 0.2 s for 30,000 tasks.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from machines.arrays import Flags, Ints


def alike_rows(flags: Flags) -> tuple[Flags, Ints]:
    """The different rows, sorted, and which of them each row is.

    As ``np.unique(flags, axis=0, return_inverse=True)``; 32 flags at a time are one number.

    Parameters
    ----------
    flags : bool array, (n, m)

    Returns
    -------
    rows : bool array, (different rows, m)
    which : int array, (n,)
    """
    count, width = flags.shape
    words = np.zeros((count, -(-width // 32) * 4), np.uint8)
    packed = np.packbits(flags, axis=1)
    words[:, : packed.shape[1]] = packed
    which = np.zeros(count, np.int64)
    first = np.zeros(min(count, 1), np.int64)
    for word in words.view(">u4").T:
        _, first, which = np.unique((which << 32) + word, return_index=True, return_inverse=True)
        which = which.reshape(-1)
    return flags[first], which


def alike(columns: Iterable[NDArray[Any]]) -> tuple[Ints, Ints]:
    """A row of each kind, sorted by the first column, then the next, and of which kind each row is.

    As ``np.unique`` of the rows would sort and number them.

    Parameters
    ----------
    columns : arrays (n,)
        One at least, of numbers.

    Returns
    -------
    first : int array, (kinds,)
        Positions.
    which : int array, (n,)
    """
    first, which = np.zeros(0, np.int64), np.zeros(1, np.int64)
    for column in columns:
        values, places = np.unique(column, return_inverse=True)
        code = which * len(values) + places.reshape(-1)
        _, first, which = np.unique(code, return_index=True, return_inverse=True)
        which = which.reshape(-1)
    return first, which

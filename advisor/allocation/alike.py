"""Rows of flags that are equal, such as tasks that may run on the same machines."""

from __future__ import annotations

import numpy as np

from machines.arrays import Flags, Ints


def alike_rows(flags: Flags) -> tuple[Flags, Ints]:
    """The different rows, sorted, and which of them each row is.

    As ``np.unique(flags, axis=0, return_inverse=True)``, which compares rows while it holds the
    interpreter, 0.2 s for 30,000 tasks; here 32 flags at a time are one number.

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

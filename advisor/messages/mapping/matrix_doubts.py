"""What a matrix of communication may mean otherwise: rows that run backwards, a full diagonal."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from advisor.basics.quantities import size as size_text
from machines.arrays import Floats

_CLOSE = 0.1  # asymmetry, as a share of all bytes, of what counts as symmetric


def matrix_doubts(
    processes: int, sources: Sequence[int], targets: Sequence[int], size_bytes: Sequence[float]
) -> tuple[str, ...]:
    """Sentences about a matrix of some entries: its rows, and what is on its diagonal.

    Rows from the last process to the first: the matrix is symmetric when they are reversed, and no
    process sends to itself then.
    """
    found: Floats = np.zeros((processes, processes))
    np.add.at(found, (sources, targets), size_bytes)
    inside = float(found.trace())
    if not inside:
        return ()
    upright = found[::-1]
    backwards = (
        np.count_nonzero(found.diagonal()) == processes > 2
        and not upright.trace()
        and _asymmetry(upright) < _CLOSE
    )
    if backwards:
        return (
            "The rows seem to run from the last process to the first: the diagonal is full, the "
            "other one is empty, and with the rows reversed the matrix is symmetric. Set "
            "rows=reversed if so; the mapping below takes them as they are.",
        )
    return (
        f"{size_text(inside)} on the diagonal, which processes send to themselves, cross no "
        "channel and are left out.",
    )


def _asymmetry(matrix: Floats) -> float:
    """From 0, symmetric, to 1: what goes one way alone, as a share of all."""
    total = float(matrix.sum() - matrix.trace())
    return float(np.abs(matrix - matrix.T).sum()) / (2.0 * total) if total else 1.0

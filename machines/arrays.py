"""The types of arrays, by what they hold."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Floats: TypeAlias = NDArray[np.float64]
Ints: TypeAlias = NDArray[np.int64]
Indices: TypeAlias = NDArray[np.int32]  # positions in other arrays, as kernels take them
Flags: TypeAlias = NDArray[np.bool_]

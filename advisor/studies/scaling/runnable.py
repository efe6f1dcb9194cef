"""Which numbers of processors can be run: multiples, divisors, or those that exist.

``multiple of 48``, ``divides 960``, ``powers of 2``, ``16, 32, 64``, or several of these apart by
semicolons, all of which must hold.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from machines.arrays import Floats
from machines.checks import written_number
from machines.errors import InputError

ANY = "any"
_EXAMPLES = "Write, e.g., multiple of 48; divides 960; powers of 2; or a list 16, 32, 64"
_MOST = 2.0**53


@dataclass(frozen=True)
class Runnable:
    """Conditions on P; none: every number can be run."""

    text: str
    multiples: tuple[int, ...] = ()
    divided: tuple[int, ...] = ()
    powers: tuple[int, ...] = ()
    listed: frozenset[int] | None = None

    def fits(self, numbers: Floats) -> NDArray[np.bool_]:
        """Which of the numbers can be run; shape as they are."""
        held = np.ones(numbers.shape, dtype=bool)
        for one in self.multiples:
            held &= numbers % one == 0
        for one in self.divided:
            held &= one % numbers == 0
        for one in self.powers:
            power = float(one) ** np.round(np.log(numbers) / np.log(one))
            held &= power == numbers
        if self.listed is not None:
            held &= np.isin(numbers, np.array(sorted(self.listed), dtype=np.float64))
        return held

    def near(self, numbers: Floats) -> Floats:
        """Numbers that can be run among a wide range of them."""
        found = [numbers[:0], *(np.maximum(numbers // one, 1.0) * one for one in self.multiples)]
        found += [float(one) ** np.arange(54.0 / np.log2(one)) for one in self.powers]
        found += [np.array([P for P in numbers if one % P == 0]) for one in self.divided]
        if self.listed is not None:
            found.append(np.array(sorted(self.listed), dtype=np.float64))
        every = np.concatenate(found)
        inside: Floats = every[(every >= numbers[0]) & (every <= numbers[-1])]
        return inside


def runnable(text: str, measured: Floats) -> Runnable:
    """What the setting `runnable` says; without it multiples of the smallest run, if all are.

    `measured`: the numbers measured, in increasing order.
    """
    least = int(measured[0])
    if not text.strip() and least > 1 and not (measured % least).any():
        return Runnable(f"multiple of {least}", (least,))
    if text.strip().lower() == ANY:
        return Runnable(text)
    multiples, divided, powers = list[int](), list[int](), list[int]()
    listed: set[int] = set()
    for part in (one.strip() for one in text.lower().split(";") if one.strip()):
        words = part.split()
        if words[0] in {"multiple", "multiples"} and len(words) > 1:
            multiples.append(_whole(words[-1], text))
        elif words[0] in {"divides", "divide", "divisor", "divisors"} and len(words) > 1:
            divided.append(_whole(words[-1], text))
        elif words[0] in {"power", "powers"} and len(words) > 1:
            powers.append(_whole(words[-1], text, least=2))
        else:
            listed |= {_whole(one, text) for one in part.replace(",", " ").split()}
    return Runnable(
        text, tuple(multiples), tuple(divided), tuple(powers), frozenset(listed) if listed else None
    )


def _whole(word: str, text: str, least: int = 1) -> int:
    value = written_number(word)
    if value is None or not value.is_integer() or not least <= value <= _MOST:
        raise InputError(
            "this says not which numbers can be run", where="setting runnable", value=text,
            remedy=_EXAMPLES,
        )  # fmt: skip
    return int(value)
